//! Key functions: expressions that write each segment of a template.

use std::fmt::Write as _;

use monotable_item::{Path, Type};
use monotable_model::document::Entity;
use monotable_model::template::{
    AttributePart, Bucket, Direction, Encoding, EpochUnit, Escaping, Form, Identifier, Padding,
    Segment, Shard, ShardInput, ShardRule, Sign, Template, TextForm, TextStep, TimeForm, TimeUnit,
};

use super::identifier::field_name;

/// A function that builds a key.
pub(super) struct KeyFunction {
    pub(super) name: String,
    /// The template, as text.
    pub(super) template: String,
    /// The whole function, indented as a member of an `impl`.
    pub(super) source: String,
}

/// What an attribute is in Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Whole,
    Float,
    Flag,
    Bytes,
}

/// The parameters of a function, and what it needs to know of attributes.
struct Writer<'a> {
    entity: &'a Entity,
    whole: &'a [String],
    parameters: Vec<(String, String)>,
}

/// Writes the function of a template, or says why there is none.
pub(super) fn key_function(
    name: &str,
    doc: &str,
    template: &Template,
    entity: &Entity,
    whole: &[String],
) -> Result<KeyFunction, String> {
    let mut writer = Writer { entity, whole, parameters: Vec::new() };
    let (result, body) = match template.segments() {
        [Segment::Attribute(part)] if template.key_type() != Type::String => {
            writer.whole_key(part)?
        }
        _ => ("Option<String>", writer.text_body(template)?),
    };
    let parameters: Vec<String> =
        writer.parameters.iter().map(|(name, kind)| format!("{name}: {kind}")).collect();
    let mut source = String::new();
    let _ = writeln!(source, "    /// {doc}");
    let _ = writeln!(source, "    pub fn {name}({}) -> {result} {{", parameters.join(", "));
    source.push_str(&body);
    source.push_str("    }\n");
    Ok(KeyFunction { name: name.to_owned(), template: template.to_string(), source })
}

impl Writer<'_> {
    /// A key that is a number or bytes.
    fn whole_key(&mut self, part: &AttributePart) -> Result<(&'static str, String), String> {
        let kind = self.kind(&part.path)?;
        let name = self.parameter(&part.path, kind);
        match kind {
            Kind::Whole => Ok(("i64", format!("        {name}\n"))),
            Kind::Float => Ok(("f64", format!("        {name}\n"))),
            Kind::Bytes => {
                let body = format!("        (!{name}.is_empty()).then(|| {name}.to_vec())\n");
                Ok(("Option<Vec<u8>>", body))
            }
            Kind::Text | Kind::Flag => Err(format!("{} is no number and no bytes", part.path)),
        }
    }

    fn text_body(&mut self, template: &Template) -> Result<String, String> {
        let mut body = "        let mut key = String::new();\n".to_owned();
        for line in self.pushes(template)? {
            let _ = writeln!(body, "        {line}");
        }
        body.push_str("        Some(key)\n");
        Ok(body)
    }

    /// A statement for each segment.
    fn pushes(&mut self, template: &Template) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        for segment in template.segments() {
            lines.push(match segment {
                Segment::Literal(text) => format!("key.push_str({text:?});"),
                Segment::Attribute(part) => {
                    format!("key.push_str(&{});", self.part(part, template)?)
                }
                Segment::Shard(shard) => format!("key.push_str(&{});", self.shard(shard)?),
            });
        }
        Ok(lines)
    }

    fn kind(&self, path: &Path) -> Result<Kind, String> {
        let mut attribute = self.entity.attribute(&path.root);
        for step in &path.steps {
            attribute = match (step, attribute) {
                (monotable_item::Step::Member(name), Some(outer)) => outer.member(name),
                (monotable_item::Step::Index(_), Some(outer)) => outer.items.as_deref(),
                (_, None) => None,
            };
        }
        let Some(attribute) = attribute else { return Ok(Kind::Text) };
        match attribute.kind {
            Type::String => Ok(Kind::Text),
            Type::Number if self.whole.contains(&path.root) => Ok(Kind::Whole),
            Type::Number => Ok(Kind::Float),
            Type::Bool => Ok(Kind::Flag),
            Type::Binary => Ok(Kind::Bytes),
            Type::Null | Type::List | Type::Map => Err(format!("{path} cannot stand in a key")),
            Type::StringSet | Type::NumberSet | Type::BinarySet => {
                Err(format!("{path} cannot stand in a key"))
            }
        }
    }

    /// The parameter of an attribute.
    fn parameter(&mut self, path: &Path, kind: Kind) -> String {
        let name = field_name(&path.to_string());
        let kind = match kind {
            Kind::Text => "&str",
            Kind::Whole => "i64",
            Kind::Float => "f64",
            Kind::Flag => "bool",
            Kind::Bytes => "&[u8]",
        };
        self.declare(name, kind)
    }

    fn declare(&mut self, name: String, kind: &str) -> String {
        if !self.parameters.iter().any(|(known, _)| *known == name) {
            self.parameters.push((name.clone(), kind.to_owned()));
        }
        name
    }

    /// An expression for the text of an attribute.
    fn part(&mut self, part: &AttributePart, template: &Template) -> Result<String, String> {
        let kind = self.kind(&part.path)?;
        let text = self.form(part, kind, template)?;
        Ok(match part.encoding.direction() {
            Direction::Ascending => text,
            Direction::Descending => {
                let alphabet = alphabet(&part.encoding)?;
                format!("parts::descending(&{text}, {alphabet:?})")
            }
        })
    }

    fn form(
        &mut self,
        part: &AttributePart,
        kind: Kind,
        template: &Template,
    ) -> Result<String, String> {
        match part.encoding.form() {
            Form::Text(form) => self.text(part, form, kind, template),
            Form::Plain => {
                let name = self.number(part, kind)?;
                Ok(format!("{name}.to_string()"))
            }
            Form::Number(form) => {
                let digits = form.whole_digits() + form.fraction_digits();
                let fraction = form.fraction_digits();
                let value = match fraction {
                    0 => format!("i128::from({})", self.number(part, kind)?),
                    // Fixed point: the caller counts in units of the last digit.
                    _ => {
                        let name = field_name(&format!("{}_e{fraction}", part.path));
                        format!("i128::from({})", self.declare(name, "i64"))
                    }
                };
                Ok(match (form.sign(), form.total()) {
                    (Sign::Unsigned, None) => {
                        format!("parts::number({value}, {digits}, {fraction})?")
                    }
                    (Sign::Unsigned, Some(total)) => {
                        format!("parts::complement({total}, {value}, {digits})?")
                    }
                    (Sign::Offset, _) => format!("parts::offset({value}, {digits}, {fraction})?"),
                })
            }
            Form::Time(form) => self.time(part, *form, kind),
            Form::YearFirst => {
                Ok(format!("parts::year_first({})?", self.parameter(&part.path, kind)))
            }
            Form::Identifier(identifier) => {
                let name = self.parameter(&part.path, kind);
                Ok(match identifier {
                    Identifier::Ulid => format!("parts::ulid({name})?"),
                    Identifier::Ksuid => format!("parts::ksuid({name})?"),
                    Identifier::Uuid => format!("parts::uuid({name}, false)?"),
                    Identifier::Uuid7 => format!("parts::uuid({name}, true)?"),
                })
            }
            Form::Enumeration(values) => {
                let name = self.parameter(&part.path, kind);
                let arms: Vec<String> = values
                    .tokens()
                    .map(|(value, token)| format!("{value:?} => {token:?},"))
                    .collect();
                Ok(format!("match {name} {{ {} _ => return None }}", arms.join(" ")))
            }
            Form::Bool => Ok(format!("parts::flag({})?", self.parameter(&part.path, kind))),
            Form::NumberKey | Form::BinaryKey => {
                Err("a key that is no text has one part".to_owned())
            }
        }
    }

    fn number(&mut self, part: &AttributePart, kind: Kind) -> Result<String, String> {
        match kind {
            Kind::Whole => Ok(self.parameter(&part.path, kind)),
            Kind::Text | Kind::Float | Kind::Flag | Kind::Bytes => {
                Err(format!("{} is no whole number", part.path))
            }
        }
    }

    fn text(
        &mut self,
        part: &AttributePart,
        form: &TextForm,
        kind: Kind,
        template: &Template,
    ) -> Result<String, String> {
        let name = self.parameter(&part.path, kind);
        let mut text = match kind {
            Kind::Text => name,
            Kind::Whole | Kind::Float => format!("&{name}.to_string()"),
            Kind::Flag | Kind::Bytes => return Err(format!("{} is no text", part.path)),
        };
        for step in &form.steps {
            text = match step {
                TextStep::Fold => format!("&parts::fold({text})"),
                TextStep::Upper => format!("&parts::upper({text})"),
                TextStep::Slug => format!("&parts::slug({text})"),
                TextStep::Snake => format!("&parts::snake({text})"),
                TextStep::Digits(width) => format!("&parts::digits({text}, {width})"),
                TextStep::Reversed => format!("&parts::reversed({text})"),
            };
        }
        let delimiter = template.delimiter();
        Ok(match form.escaping {
            Escaping::Delimiter => {
                format!(
                    "parts::text({text}, {:?}, {:?})?",
                    delimiter.character(),
                    delimiter.escape()
                )
            }
            Escaping::Verbatim => format!("parts::raw({text})?"),
        })
    }

    fn time(&mut self, part: &AttributePart, form: TimeForm, kind: Kind) -> Result<String, String> {
        let takes_dates = match form {
            TimeForm::Timestamp(_) | TimeForm::Epoch(_) => false,
            TimeForm::Bucket(bucket, _) => bucket != Bucket::Hour,
        };
        let name = self.parameter(&part.path, kind);
        let moment = match kind {
            Kind::Text => format!("parts::moment({name}, {takes_dates})?"),
            Kind::Whole => format!("parts::counted({name}, {})?", unit_micros(form.unit())),
            Kind::Float | Kind::Flag | Kind::Bytes => {
                return Err(format!("{} is no time", part.path));
            }
        };
        Ok(match form {
            TimeForm::Timestamp(unit) => {
                let kept = match unit {
                    TimeUnit::Seconds => 19,
                    TimeUnit::Millis => 23,
                    TimeUnit::Micros => 26,
                };
                format!("parts::timestamp({moment}, {kept}, \"Z\")")
            }
            TimeForm::Epoch(unit) => {
                let micros = match unit {
                    EpochUnit::Seconds => 1_000_000,
                    EpochUnit::Millis => 1_000,
                };
                format!("parts::epoch({moment}, {micros}, {})?", unit.digits())
            }
            TimeForm::Bucket(Bucket::Week, _) => format!("parts::week({moment})?"),
            TimeForm::Bucket(Bucket::Year, _) => format!("parts::timestamp({moment}, 4, \"\")"),
            TimeForm::Bucket(Bucket::Month, _) => format!("parts::timestamp({moment}, 7, \"\")"),
            TimeForm::Bucket(Bucket::Day, _) => format!("parts::timestamp({moment}, 10, \"\")"),
            TimeForm::Bucket(Bucket::Hour, _) => format!("parts::timestamp({moment}, 13, \"\")"),
        })
    }

    fn shard(&mut self, shard: &Shard) -> Result<String, String> {
        let (first, count) = (shard.first(), shard.count());
        let offset = match shard.rule() {
            ShardRule::Hash(input) => format!("parts::hash(&{}, {count})", self.input(input)?),
            ShardRule::CodePointSum(input) => {
                format!("parts::sum(&{}, {count})", self.input(input)?)
            }
            ShardRule::Modulus(input) => {
                format!("parts::modulus(&{}, {count})?", self.input(input)?)
            }
            ShardRule::Chosen => {
                let name = self.declare("shard".to_owned(), "u64");
                let last = shard.numbers().end().to_owned();
                format!(
                    "(if ({first}..={last}).contains(&{name}) {{ {name} - {first} }} else {{ \
                     return None }})"
                )
            }
        };
        let number = if first == 0 { offset } else { format!("({offset} + {first})") };
        Ok(match shard.padding() {
            Padding::Zeros => {
                let width = shard.numbers().end().to_string().len();
                format!("format!(\"{{:0>{width}}}\", {number})")
            }
            Padding::None => format!("{number}.to_string()"),
        })
    }

    /// An expression for what a shard is calculated from.
    fn input(&mut self, input: &ShardInput) -> Result<String, String> {
        match input {
            ShardInput::Attribute(path) => {
                let kind = self.kind(path)?;
                let name = self.parameter(path, kind);
                match kind {
                    Kind::Text => Ok(format!("parts::raw({name})?")),
                    Kind::Whole | Kind::Float => Ok(format!("{name}.to_string()")),
                    Kind::Flag | Kind::Bytes => Err(format!("{path} is no text")),
                }
            }
            ShardInput::Template(template) => {
                let lines = self.pushes(template)?;
                Ok(format!("{{ let mut key = String::new(); {} key }}", lines.join(" ")))
            }
        }
    }
}

fn unit_micros(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Seconds => 1_000_000,
        TimeUnit::Millis => 1_000,
        TimeUnit::Micros => 1,
    }
}

/// The characters that `desc` mirrors.
fn alphabet(encoding: &Encoding) -> Result<&'static str, String> {
    match encoding.form() {
        Form::Number(_) | Form::Time(_) | Form::YearFirst => Ok("0123456789"),
        Form::Identifier(identifier) => Ok(match identifier {
            Identifier::Ulid => "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
            Identifier::Ksuid => "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            Identifier::Uuid | Identifier::Uuid7 => "0123456789abcdef",
        }),
        Form::Bool => Ok("01"),
        Form::Text(_) | Form::Plain | Form::Enumeration(_) | Form::NumberKey | Form::BinaryKey => {
            Err("its order cannot be turned round".to_owned())
        }
    }
}
