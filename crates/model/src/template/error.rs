//! What can go wrong when a key is built or read.

use monotable_item::{Number, Path, Type, Value};

use super::identifier::Identifier;
use super::number_form::{NumberForm, Sign};

/// A key could not be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// An attribute that the template names is not there.
    #[error("attribute {path} is missing")]
    Missing {
        /// The attribute.
        path: Path,
    },
    /// An attribute cannot be written as the template says.
    #[error("attribute {path}: {reason}")]
    Part {
        /// The attribute.
        path: Path,
        /// What is wrong with it.
        reason: PartError,
    },
    /// The template has a shard that the caller chooses, and none was chosen.
    #[error("no shard was chosen, of {count} from {first} on")]
    NoShard {
        /// The number of the first shard.
        first: u32,
        /// How many there are.
        count: u32,
    },
    /// The shard that the caller chose does not exist.
    #[error("shard {shard} is not one of {count} from {first} on")]
    UnknownShard {
        /// What was chosen.
        shard: u32,
        /// The number of the first shard.
        first: u32,
        /// How many there are.
        count: u32,
    },
}

/// What is wrong with an attribute that should become part of a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// It has another type than the encoding takes.
    #[error("is of type {}, not {}", found.code(), codes(expected))]
    WrongType {
        /// The types that the encoding takes.
        expected: Vec<Type>,
        /// The type that the attribute has.
        found: Type,
    },
    /// It is empty, or nothing is left of it. A part of a key never is.
    #[error("is empty")]
    Empty,
    /// The number does not fit the width.
    #[error("{number} does not fit {}", describe(form))]
    NumberDoesNotFit {
        /// The number.
        number: Number,
        /// What it should fit.
        form: NumberForm,
    },
    /// The number is not whole, or longer than 38 digits.
    #[error("{number} is not a whole number of at most 38 digits")]
    NotWhole {
        /// The number.
        number: Number,
    },
    /// The time is outside what the encoding can write.
    #[error("the time is outside the range of the encoding")]
    TimeOutOfRange,
    /// The text is not of the kind that the encoding takes.
    #[error("{text:?} is not {kind}")]
    Malformed {
        /// What was expected.
        kind: Kind,
        /// What was found.
        text: String,
    },
    /// The text is not among the enumerated values.
    #[error("{value:?} is not one of {}", values.join(", "))]
    NotEnumerated {
        /// What was found.
        value: String,
        /// The values that have tokens.
        values: Vec<String>,
    },
}

/// A kind of text that an encoding takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// RFC 3339 with an offset.
    Timestamp,
    /// RFC 3339 with an offset, or a bare date.
    DateOrTimestamp,
    /// `MM/DD/YYYY`.
    MonthFirst,
    /// An identifier.
    Identifier(Identifier),
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Kind::Timestamp => "an RFC 3339 time with an offset",
            Kind::DateOrTimestamp => "a date YYYY-MM-DD or an RFC 3339 time with an offset",
            Kind::MonthFirst => "a date MM/DD/YYYY",
            Kind::Identifier(Identifier::Ulid) => "a ULID in upper case",
            Kind::Identifier(Identifier::Ksuid) => "a KSUID",
            Kind::Identifier(Identifier::Uuid) => "a UUID in lower case",
            Kind::Identifier(Identifier::Uuid7) => "a UUID of version 7 in lower case",
        })
    }
}

impl PartError {
    pub(crate) fn wrong_type(expected: &[Type], found: &Value) -> PartError {
        PartError::WrongType { expected: expected.to_vec(), found: found.kind() }
    }

    pub(crate) fn malformed(kind: Kind, text: &str) -> PartError {
        PartError::Malformed { kind, text: text.to_owned() }
    }
}

/// A text could not be read as a key of a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// No attributes build this key.
    #[error("not a key of this template")]
    NoMatch,
    /// The key can be read in more than one way.
    #[error("the key has more than one reading")]
    Ambiguous,
}

fn codes(types: &[Type]) -> String {
    let codes: Vec<&str> = types.iter().map(|kind| kind.code()).collect();
    codes.join(" or ")
}

fn describe(form: &NumberForm) -> String {
    let sign = match form.sign() {
        Sign::Unsigned => "unsigned ",
        Sign::Offset => "",
    };
    match (form.fraction_digits(), form.total()) {
        (0, None) => format!("{sign}{} digits", form.whole_digits()),
        (0, Some(total)) => format!("{} digits when subtracted from {total}", form.whole_digits()),
        (fraction, _) => {
            format!("{sign}{} digits before the point and {fraction} after it", form.whole_digits())
        }
    }
}
