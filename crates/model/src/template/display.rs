//! Writing the string form. What is written reads back as the same template.

use std::fmt::{self, Display, Formatter};

use super::delimiter::Delimiter;
use super::encoding::{Direction, Encoding, Form};
use super::enumeration::Enumeration;
use super::hash_form::{HASH_DIGITS_MAX, HashForm};
use super::key_template::Template;
use super::number_form::{NumberForm, Sign};
use super::segment::{AttributePart, Presence, Segment};
use super::shard::{Padding, Shard, ShardInput, ShardRule};
use super::text_form::{Escaping, TextForm, TextStep};
use super::time_form::{Bucket, TimeForm, TimeUnit};

impl Display for Template {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.delimiter() != Delimiter::default() {
            write!(f, "{{!{}}}", self.delimiter())?;
        }
        self.segments().iter().try_for_each(|segment| segment.fmt(f))
    }
}

impl Display for Segment {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Segment::Literal(text) => f.write_str(&text.replace('{', "{{").replace('}', "}}")),
            Segment::Attribute(part) => part.fmt(f),
            Segment::Shard(shard) => shard.fmt(f),
        }
    }
}

impl Display for AttributePart {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let presence = match self.presence {
            Presence::Required => "",
            Presence::Optional => ":optional",
        };
        write!(f, "{{{}{}{presence}}}", self.path, self.encoding)
    }
}

impl Display for Encoding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.form().fmt(f)?;
        match self.direction() {
            Direction::Ascending => Ok(()),
            Direction::Descending => f.write_str(":desc"),
        }
    }
}

impl Display for Form {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Form::Text(form) => form.fmt(f),
            Form::Plain => f.write_str(":plain"),
            Form::Number(form) => form.fmt(f),
            Form::Time(form) => form.fmt(f),
            Form::YearFirst => f.write_str(":ymd"),
            Form::Identifier(kind) => write!(f, ":{}", kind.code()),
            Form::Enumeration(enumeration) => enumeration.fmt(f),
            Form::Hash(form) => form.fmt(f),
            Form::Bool => f.write_str(":bool"),
            Form::NumberKey => f.write_str(":number"),
            Form::BinaryKey => f.write_str(":binary"),
        }
    }
}

impl Display for TextForm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|step| step.fmt(f))?;
        match self.escaping {
            Escaping::Delimiter => Ok(()),
            Escaping::Verbatim => f.write_str(":raw"),
        }
    }
}

impl Display for TextStep {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            TextStep::Fold => f.write_str(":fold"),
            TextStep::Upper => f.write_str(":upper"),
            TextStep::Slug => f.write_str(":slug"),
            TextStep::Snake => f.write_str(":snake"),
            TextStep::Digits(width) => write!(f, ":digits({width})"),
            TextStep::Reversed => f.write_str(":reversed"),
            TextStep::First(count) => write!(f, ":first({count})"),
        }
    }
}

impl Display for HashForm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.steps().iter().try_for_each(|step| step.fmt(f))?;
        match self.digits() {
            HASH_DIGITS_MAX => f.write_str(":hash"),
            digits => write!(f, ":hash({digits})"),
        }
    }
}

impl Display for NumberForm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let sign = match self.sign() {
            Sign::Unsigned => "",
            Sign::Offset => "+",
        };
        write!(f, ":{sign}0{}", self.width())?;
        if self.fraction_digits() > 0 {
            write!(f, ".{}", self.fraction_digits())?;
        }
        self.total().map_or(Ok(()), |total| write!(f, ":desc({total})"))
    }
}

impl Display for TimeForm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            TimeForm::Timestamp(unit) => write!(f, ":time({})", unit.code()),
            TimeForm::Epoch(unit) => write!(f, ":epoch({})", unit.unit().code()),
            TimeForm::Bucket(Bucket::Minutes(window), TimeUnit::Seconds) => {
                write!(f, ":minutes({})", window.minutes())
            }
            TimeForm::Bucket(Bucket::Minutes(window), unit) => {
                write!(f, ":minutes({},{})", window.minutes(), unit.code())
            }
            TimeForm::Bucket(bucket, TimeUnit::Seconds) => write!(f, ":{}", bucket.code()),
            TimeForm::Bucket(bucket, unit) => write!(f, ":{}({})", bucket.code(), unit.code()),
        }
    }
}

impl Display for Enumeration {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(":enum(")?;
        for (place, (value, token)) in self.tokens().enumerate() {
            f.write_str(if place == 0 { "" } else { "," })?;
            f.write_str(value)?;
            if value != token {
                write!(f, "={token}")?;
            }
        }
        f.write_str(")")
    }
}

impl Display for Shard {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.rule() {
            ShardRule::Hash(input) => write!(f, "{{shard({input}, ")?,
            ShardRule::CodePointSum(input) => write!(f, "{{shard_sum({input}, ")?,
            ShardRule::Modulus(input) => write!(f, "{{shard_mod({input}, ")?,
            ShardRule::Chosen => f.write_str("{shard_any(")?,
        }
        write!(f, "{}", self.count())?;
        if self.first() != 0 {
            write!(f, ", {}", self.first())?;
        }
        match self.padding() {
            Padding::Zeros => f.write_str(")}"),
            Padding::None => f.write_str("):plain}"),
        }
    }
}

impl Display for ShardInput {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ShardInput::Attribute(path) => path.fmt(f),
            ShardInput::Template(template) => write!(f, "\"{template}\""),
        }
    }
}
