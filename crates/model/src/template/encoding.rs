//! How one attribute is written into a key.

use monotable_item::{Number, Type, Value};

use super::delimiter::Delimiter;
use super::enumeration::Enumeration;
use super::error::PartError;
use super::hash_form::HashForm;
use super::identifier::Identifier;
use super::mirror::Alphabet;
use super::number_form::{NumberForm, scaled};
use super::text_form::TextForm;
use super::time_form::{TimeForm, decode_year_first, encode_year_first};

/// A form and the direction in which its texts sort.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Encoding {
    form: Form,
    direction: Direction,
}

/// The text that stands for a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Form {
    /// Text, normalised and escaped as asked for.
    Text(TextForm),
    /// `plain`: a whole number without padding, which does not sort by value.
    Plain,
    /// A number of fixed width.
    Number(NumberForm),
    /// A time.
    Time(TimeForm),
    /// `ymd`: a date `MM/DD/YYYY`, written `YYYY/MM/DD`.
    YearFirst,
    /// An identifier of fixed width.
    Identifier(Identifier),
    /// A token for each value.
    Enumeration(Enumeration),
    /// `hash`, `hash(n)`: the first digits of a hash, from which nothing can be read.
    Hash(HashForm),
    /// `bool`: `0` or `1`.
    Bool,
    /// `number`: the key itself is a number.
    NumberKey,
    /// `binary`: the key itself is binary.
    BinaryKey,
}

/// Whether greater values have greater texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// They have.
    Ascending,
    /// `desc`: they have smaller ones.
    Descending,
}

impl Encoding {
    /// Greater values have greater texts.
    pub fn ascending(form: Form) -> Encoding {
        Encoding { form, direction: Direction::Ascending }
    }

    /// Greater values have smaller texts. Only forms of fixed width can be turned round.
    pub fn descending(form: Form) -> Option<Encoding> {
        form.alphabet()?;
        Some(Encoding { form, direction: Direction::Descending })
    }

    /// The form.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// The direction that was asked for. A form may turn the order round itself, see
    /// [`Encoding::sorts_descending`].
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Whether greater values have smaller texts.
    pub fn sorts_descending(&self) -> bool {
        let subtracts = matches!(&self.form, Form::Number(form) if form.total().is_some());
        subtracts != (self.direction == Direction::Descending)
    }

    /// Whether a key holds the whole value, so that reading it back loses nothing.
    pub fn is_lossless(&self) -> bool {
        self.fidelity() == FIDELITY_WHOLE
    }

    /// The types of attribute that can be written so.
    pub fn value_types(&self) -> &'static [Type] {
        match &self.form {
            Form::Text(form) if form.escaping == super::Escaping::Verbatim => {
                &[Type::String, Type::Number]
            }
            Form::Text(_) | Form::YearFirst | Form::Identifier(_) | Form::Enumeration(_) => {
                &[Type::String]
            }
            Form::Time(_) | Form::Hash(_) => &[Type::String, Type::Number],
            Form::Plain | Form::Number(_) | Form::NumberKey => &[Type::Number],
            Form::Bool => &[Type::Bool],
            Form::BinaryKey => &[Type::Binary],
        }
    }

    /// The type of a key that holds this and nothing else, or of one that holds it among others.
    pub fn key_type(&self) -> Type {
        match &self.form {
            Form::NumberKey => Type::Number,
            Form::BinaryKey => Type::Binary,
            Form::Text(_)
            | Form::Plain
            | Form::Number(_)
            | Form::Time(_)
            | Form::YearFirst
            | Form::Identifier(_)
            | Form::Enumeration(_)
            | Form::Hash(_)
            | Form::Bool => Type::String,
        }
    }

    /// Writes a value. The text is never empty.
    pub fn encode(&self, value: &Value, delimiter: Delimiter) -> Result<String, PartError> {
        let text = self.form.encode(value, delimiter)?;
        if text.is_empty() {
            return Err(PartError::Empty);
        }
        Ok(self.turn(text))
    }

    /// Reads what [`Encoding::encode`] wrote, as far as it can be known.
    pub fn decode(&self, text: &str, delimiter: Delimiter) -> Option<Value> {
        let text = Some(text).filter(|text| !text.is_empty())?;
        self.form.decode(&self.turn(text.to_owned()), delimiter)
    }

    /// Returns whether a text is what the encoding writes for some value.
    pub fn can_write(&self, text: &str, delimiter: Delimiter) -> bool {
        match &self.form {
            Form::Hash(form) => form.is_valid(text),
            _ => self
                .decode(text, delimiter)
                .is_some_and(|value| self.encode(&value, delimiter).is_ok_and(|own| own == text)),
        }
    }

    /// Of two encodings of one attribute, the one that keeps more has the greater fidelity.
    pub(crate) fn fidelity(&self) -> usize {
        match &self.form {
            Form::Hash(_) => 0,
            Form::Text(form) if !form.is_lossless() => {
                form.first().map_or(FIDELITY_NORMALISED, usize::from)
            }
            Form::Time(TimeForm::Epoch(unit)) => usize::from(unit.digits()),
            Form::Time(form) => form.width(),
            Form::Text(_)
            | Form::Plain
            | Form::Number(_)
            | Form::YearFirst
            | Form::Identifier(_)
            | Form::Enumeration(_)
            | Form::Bool
            | Form::NumberKey
            | Form::BinaryKey => FIDELITY_WHOLE,
        }
    }

    /// Mirrors the text if the order is turned round. Doing it twice changes nothing.
    pub fn turn(&self, text: String) -> String {
        match (self.direction, self.form.alphabet()) {
            (Direction::Descending, Some(alphabet)) => alphabet.mirror_text(&text),
            (Direction::Descending, None) | (Direction::Ascending, _) => text,
        }
    }
}

/// The fidelity of an encoding that loses nothing.
pub(crate) const FIDELITY_WHOLE: usize = usize::MAX;
/// A text that was normalised but not cut.
const FIDELITY_NORMALISED: usize = FIDELITY_WHOLE - 1;

impl Form {
    /// The width in characters, if all texts have the same.
    pub fn fixed_width(&self) -> Option<usize> {
        match self {
            Form::Number(form) => Some(form.width()),
            Form::Time(form) => Some(form.width()),
            Form::YearFirst => Some(10),
            Form::Identifier(kind) => Some(kind.shape().len()),
            Form::Hash(form) => Some(form.width()),
            Form::Bool => Some(1),
            Form::Text(_) | Form::Plain | Form::Enumeration(_) => None,
            Form::NumberKey | Form::BinaryKey => None,
        }
    }

    /// The characters that are mirrored to turn the order round, if it can be.
    pub(crate) fn alphabet(&self) -> Option<Alphabet> {
        match self {
            Form::Number(_) | Form::Time(_) | Form::YearFirst => Some(Alphabet::Decimal),
            Form::Identifier(kind) => Some(kind.alphabet()),
            Form::Bool => Some(Alphabet::Binary),
            Form::Text(_) | Form::Plain | Form::Enumeration(_) | Form::Hash(_) => None,
            Form::NumberKey | Form::BinaryKey => None,
        }
    }

    fn encode(&self, value: &Value, delimiter: Delimiter) -> Result<String, PartError> {
        match self {
            Form::Text(form) => form.encode(value, delimiter),
            Form::Plain => encode_plain(value),
            Form::Number(form) => form.encode(value),
            Form::Time(form) => form.encode(value),
            Form::YearFirst => encode_year_first(value),
            Form::Identifier(kind) => kind.encode(value),
            Form::Enumeration(enumeration) => enumeration.encode(value),
            Form::Hash(form) => form.encode(value),
            Form::Bool => encode_bool(value),
            Form::NumberKey => Err(PartError::wrong_type(&[Type::Number], value)),
            Form::BinaryKey => Err(PartError::wrong_type(&[Type::Binary], value)),
        }
    }

    fn decode(&self, text: &str, delimiter: Delimiter) -> Option<Value> {
        match self {
            Form::Text(form) => form.decode(text, delimiter),
            Form::Plain => decode_plain(text),
            Form::Number(form) => form.decode(text),
            Form::Time(form) => form.decode(text),
            Form::YearFirst => decode_year_first(text),
            Form::Identifier(kind) => kind.decode(text),
            Form::Enumeration(enumeration) => enumeration.decode(text),
            Form::Bool => decode_bool(text),
            Form::Hash(_) | Form::NumberKey | Form::BinaryKey => None,
        }
    }
}

fn encode_plain(value: &Value) -> Result<String, PartError> {
    let Value::Number(number) = value else {
        return Err(PartError::wrong_type(&[Type::Number], value));
    };
    let whole = scaled(number, 0).ok_or(PartError::NotWhole { number: *number })?;
    Ok(whole.to_string())
}

fn decode_plain(text: &str) -> Option<Value> {
    let value = Value::Number(text.parse::<Number>().ok()?);
    (encode_plain(&value).ok()? == text).then_some(value)
}

fn encode_bool(value: &Value) -> Result<String, PartError> {
    match value {
        Value::Bool(false) => Ok("0".to_owned()),
        Value::Bool(true) => Ok("1".to_owned()),
        _ => Err(PartError::wrong_type(&[Type::Bool], value)),
    }
}

fn decode_bool(text: &str) -> Option<Value> {
    match text {
        "0" => Some(Value::Bool(false)),
        "1" => Some(Value::Bool(true)),
        _ => None,
    }
}
