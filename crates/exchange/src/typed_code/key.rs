//! Keys: from templates to expressions that build the same bytes.

use monotable_item::{Path, Type, Value};
use monotable_model::document::Entity;
use monotable_model::template::{
    AttributePart, Bucket, Delimiter, Direction, Encoding, EpochUnit, Escaping, Form, Identifier,
    Padding, Presence, Segment, Shard, ShardInput, ShardRule, Sign, Template, TextForm, TextStep,
    TimeForm, TimeUnit,
};

use super::code::Code;

/// Where a key finds its values.
pub(crate) struct KeyWriter<'a> {
    /// The entity, which knows the types of attributes.
    pub(crate) entity: &'a Entity,
    /// The value of an attribute.
    pub(crate) value: &'a dyn Fn(&str) -> Code,
}

/// What cannot be written, in words.
pub(crate) type Why = String;

impl KeyWriter<'_> {
    /// The key that a template builds.
    pub(crate) fn key(&self, template: &Template) -> Result<Code, Why> {
        if let ([Segment::Attribute(part)], true) =
            (template.segments(), template.key_type() != Type::String)
        {
            return self.value(&part.path);
        }
        let segment = |segment: &Segment| self.segment(segment, template.delimiter());
        let segments: Vec<Code> =
            template.segments().iter().map(segment).collect::<Result<_, _>>()?;
        Ok(join(segments))
    }

    fn segment(&self, segment: &Segment, delimiter: Delimiter) -> Result<Code, Why> {
        match segment {
            Segment::Literal(text) => Ok(Code::text(text)),
            Segment::Attribute(part) => self.part(part, delimiter),
            Segment::Shard(shard) => self.shard(shard),
        }
    }

    /// One attribute of a key.
    pub(crate) fn part(&self, part: &AttributePart, delimiter: Delimiter) -> Result<Code, Why> {
        let value = self.value(&part.path)?;
        let written = turned(&part.encoding, self.form(part, value.clone(), delimiter)?);
        Ok(match (part.presence, value) {
            (Presence::Required, _) => written,
            (Presence::Optional, Code::Changed(changed)) => {
                Code::choose(Code::IsKept(changed), written, Code::text(""))
            }
            (Presence::Optional, value) => {
                Code::choose(Code::IsPresent(Box::new(value)), written, Code::text(""))
            }
        })
    }

    fn form(&self, part: &AttributePart, value: Code, delimiter: Delimiter) -> Result<Code, Why> {
        let call = |name: &'static str| Code::Call(name, vec![value.clone()]);
        Ok(match part.encoding.form() {
            Form::Text(form) => {
                let source = self.source_text(&part.path, value);
                text(form, source, delimiter, "text")
            }
            Form::Plain => call("whole"),
            Form::Number(form) => {
                let digits = Code::Count(form.whole_digits().into());
                let decimals = Code::Count(form.fraction_digits().into());
                match (form.total(), form.sign()) {
                    (Some(total), _) => Code::Call("complement", vec![whole(total), value, digits]),
                    (None, Sign::Unsigned) => Code::Call("padded", vec![value, digits, decimals]),
                    (None, Sign::Offset) => Code::Call("offset", vec![value, digits, decimals]),
                }
            }
            Form::Time(form) => time(*form, value),
            Form::YearFirst => call("yearFirst"),
            Form::Identifier(Identifier::Ulid) => call("ulid"),
            Form::Identifier(Identifier::Ksuid) => call("ksuid"),
            Form::Identifier(Identifier::Uuid) => call("uuid"),
            Form::Identifier(Identifier::Uuid7) => call("uuid7"),
            Form::Enumeration(tokens) => {
                let tokens = tokens.tokens().map(|(of, token)| (of.to_owned(), Code::text(token)));
                Code::Call("token", vec![value, Code::Map(tokens.collect())])
            }
            Form::Bool => call("flag"),
            Form::Hash(form) => {
                let source = self.source_text(&part.path, value);
                let text = normalised(form.steps(), source, "text");
                Code::Call("hashed", vec![text, Code::Count(form.digits().into())])
            }
            Form::NumberKey | Form::BinaryKey => {
                return Err(format!("{} is a key of its own and stands beside others", part.path));
            }
        })
    }

    /// What a part begins with if the value begins so.
    pub(crate) fn beginning(
        &self,
        part: &AttributePart,
        value: Code,
        delimiter: Delimiter,
    ) -> Result<Code, Why> {
        let none = || Err(format!("{} has no beginning in its key", part.path));
        match part.encoding.form() {
            Form::Text(form) => {
                if form.steps.contains(&TextStep::Reversed) {
                    return none();
                }
                Ok(text(form, value, delimiter, "escaped"))
            }
            Form::Time(_) | Form::YearFirst | Form::Identifier(_) | Form::Enumeration(_) => {
                Ok(turned(&part.encoding, value))
            }
            Form::Plain | Form::Number(_) | Form::Hash(_) | Form::Bool => none(),
            Form::NumberKey | Form::BinaryKey => none(),
        }
    }

    /// A shard that is calculated, or that the caller chooses.
    pub(crate) fn shard(&self, shard: &Shard) -> Result<Code, Why> {
        let width = Code::Count(padding(shard));
        let (first, count) = (Code::Count(shard.first().into()), Code::Count(shard.count().into()));
        let (function, input) = match shard.rule() {
            ShardRule::Hash(input) => ("shardHash", input),
            ShardRule::CodePointSum(input) => ("shardSum", input),
            ShardRule::Modulus(input) => ("shardModulus", input),
            ShardRule::Chosen => {
                let chosen = (self.value)("shard");
                return Ok(Code::Call("chosenShard", vec![chosen, first, count, width]));
            }
        };
        let text = match input {
            ShardInput::Attribute(path) => {
                Code::Call("raw", vec![self.source_text(path, self.value(path)?)])
            }
            ShardInput::Template(template) => self.key(template)?,
        };
        let number = Code::Call(function, vec![text, count]);
        Ok(Code::Call("shard", vec![number, first, width]))
    }

    /// The text of a value: a number is written without an exponent.
    fn source_text(&self, path: &Path, value: Code) -> Code {
        let kind = self.entity.attribute(&path.root).map(|attribute| attribute.kind);
        if kind == Some(Type::Number) { Code::Call("decimal", vec![value]) } else { value }
    }

    fn value(&self, path: &Path) -> Result<Code, Why> {
        if !path.steps.is_empty() {
            return Err(format!("{path} lies inside of an attribute"));
        }
        Ok((self.value)(&path.root))
    }
}

/// Texts after each other; a single one stands alone.
pub(crate) fn join(mut parts: Vec<Code>) -> Code {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, Some(last)) => {
            parts.push(last);
            Code::Join(parts)
        }
        (_, None) => Code::text(""),
    }
}

/// How many digits a shard is padded to.
pub(crate) fn padding(shard: &Shard) -> u64 {
    match shard.padding() {
        Padding::Zeros => u64::try_from(shard.width()).unwrap_or(0),
        Padding::None => 0,
    }
}

/// The words for a period and for the unit that a number counts.
pub(crate) fn period_words(part: &AttributePart) -> Option<[Code; 2]> {
    match part.encoding.form() {
        Form::Time(TimeForm::Bucket(bucket, unit)) => {
            Some([Code::text(bucket_word(*bucket)), Code::text(unit.code())])
        }
        _ => None,
    }
}

/// A text whose order is turned round, if the encoding says so.
pub(crate) fn turned(encoding: &Encoding, written: Code) -> Code {
    let alphabet = match encoding.form() {
        Form::Number(_) | Form::Time(_) | Form::YearFirst => "0123456789",
        Form::Identifier(Identifier::Ulid) => "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
        Form::Identifier(Identifier::Ksuid) => {
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        }
        Form::Identifier(Identifier::Uuid | Identifier::Uuid7) => "0123456789abcdef",
        Form::Bool => "01",
        Form::Text(_) | Form::Plain | Form::Enumeration(_) | Form::Hash(_) => return written,
        Form::NumberKey | Form::BinaryKey => return written,
    };
    match encoding.direction() {
        Direction::Ascending => written,
        Direction::Descending => Code::Call("descending", vec![written, Code::text(alphabet)]),
    }
}

fn text(form: &TextForm, source: Code, delimiter: Delimiter, escape: &'static str) -> Code {
    let normalised = normalised(&form.steps, source, escape);
    match (form.escaping, escape) {
        (Escaping::Delimiter, escape) => {
            let delimiters = [delimiter.character(), delimiter.escape()];
            let [delimiter, other] = delimiters.map(|character| Code::text(character.to_string()));
            Code::Call(escape, vec![normalised, delimiter, other])
        }
        (Escaping::Verbatim, "escaped") => normalised,
        (Escaping::Verbatim, _) => Code::Call("raw", vec![normalised]),
    }
}

/// A text to which steps were done.
fn normalised(steps: &[TextStep], source: Code, escape: &str) -> Code {
    steps.iter().fold(source, |text, step| match step {
        TextStep::Fold => Code::Call("fold", vec![text]),
        TextStep::Upper => Code::Call("upper", vec![text]),
        TextStep::Slug => Code::Call("slug", vec![text]),
        TextStep::Snake => Code::Call("snake", vec![text]),
        TextStep::Digits(width) => {
            // A run of digits at the end of a beginning may go on, and then be padded less.
            let name = if escape == "escaped" { "digitsBeginning" } else { "digits" };
            Code::Call(name, vec![text, Code::Count((*width).into())])
        }
        TextStep::Reversed => Code::Call("reversed", vec![text]),
        TextStep::First(count) => Code::Call("first", vec![text, Code::Count((*count).into())]),
    })
}

fn time(form: TimeForm, value: Code) -> Code {
    match form {
        TimeForm::Timestamp(unit) => {
            Code::Call("timestamp", vec![value, Code::text(TimeUnit::code(unit))])
        }
        TimeForm::Epoch(unit) => {
            Code::Call("epoch", vec![value, Code::text(EpochUnit::unit(unit).code())])
        }
        TimeForm::Bucket(bucket, unit) => {
            let words = vec![value, Code::text(bucket_word(bucket)), Code::text(unit.code())];
            Code::Call("period", words)
        }
    }
}

fn bucket_word(bucket: Bucket) -> String {
    match bucket {
        Bucket::Minutes(window) => format!("{} minutes", window.minutes()),
        Bucket::Year
        | Bucket::Quarter
        | Bucket::Month
        | Bucket::Week
        | Bucket::Day
        | Bucket::Hour
        | Bucket::Minute => bucket.code().to_owned(),
    }
}

fn whole(number: i64) -> Code {
    Code::Literal(Value::from(number))
}
