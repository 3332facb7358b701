//! Values for a plan's parameters.

use monotable_item::{Item, Value};
use monotable_model::document::{ConditionError, ItemError, MissingParameter, Source};
use monotable_model::template::BuildError;
use thiserror::Error;

/// What a plan is filled in with.
#[derive(Debug, Clone)]
pub(super) struct Arguments<'a> {
    /// Parameters by name.
    pub(super) values: &'a Item,
    /// The shard that is read or written.
    pub(super) shard: Option<u32>,
    /// The period that is read, as it is written in keys.
    pub(super) period: Option<String>,
}

/// Why a plan cannot become requests.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FillError {
    /// Nothing serves the pattern.
    #[error("nothing serves the pattern {pattern:?}")]
    Unserved {
        /// The pattern.
        pattern: String,
    },
    /// A parameter was not given.
    #[error("parameter {name} is missing")]
    Missing {
        /// The parameter.
        name: String,
    },
    /// A parameter is of a type that cannot stand where it is used.
    #[error("parameter {name} must be {expected}")]
    WrongType {
        /// The parameter.
        name: String,
        /// What it must be.
        expected: &'static str,
    },
    /// A key cannot be built.
    #[error(transparent)]
    Key(Box<BuildError>),
    /// An item cannot be built.
    #[error(transparent)]
    Item(Box<ItemError>),
    /// An expression cannot be filled in.
    #[error(transparent)]
    Expression(#[from] MissingParameter),
    /// The condition of an index cannot be asked.
    #[error(transparent)]
    Condition(Box<ConditionError>),
    /// The beginning of a value is not the beginning of its part of the key.
    #[error("the beginning of attribute {attribute} is not the beginning of its part of the key")]
    NoBeginning {
        /// The attribute.
        attribute: String,
    },
    /// The key has a shard, and none was chosen.
    #[error("the key has a shard: pass its number as the parameter shard")]
    NoShard,
    /// The key has a period, and none was chosen.
    #[error("attribute {attribute} is written as a period, and no time was given")]
    NoPeriod {
        /// The attribute.
        attribute: String,
    },
    /// A range of periods is too long to be asked one by one.
    #[error("the range has more than {max} periods")]
    TooManyPeriods {
        /// How many are allowed.
        max: usize,
    },
    /// The range ends before it begins.
    #[error("the range of {attribute} ends before it begins")]
    Reversed {
        /// The attribute.
        attribute: String,
    },
    /// A member of a batch or transaction is one too many.
    #[error("{count} actions are more than the {max} of one request")]
    TooManyActions {
        /// How many there are.
        count: usize,
        /// How many there may be.
        max: usize,
    },
}

impl From<BuildError> for FillError {
    fn from(error: BuildError) -> FillError {
        FillError::Key(Box::new(error))
    }
}

impl From<ItemError> for FillError {
    fn from(error: ItemError) -> FillError {
        FillError::Item(Box::new(error))
    }
}

impl From<ConditionError> for FillError {
    fn from(error: ConditionError) -> FillError {
        FillError::Condition(Box::new(error))
    }
}

impl Arguments<'_> {
    /// The value that a source gives.
    pub(super) fn value(&self, source: &Source) -> Result<Value, FillError> {
        match source {
            Source::Literal(value) => Ok(value.clone()),
            Source::Parameter(name) => self.parameter(name),
        }
    }

    pub(super) fn parameter(&self, name: &str) -> Result<Value, FillError> {
        let missing = || FillError::Missing { name: name.to_owned() };
        self.values.get(name).cloned().ok_or_else(missing)
    }

    /// The text that a source gives.
    pub(super) fn text(&self, source: &Source) -> Result<String, FillError> {
        match self.value(source)? {
            Value::String(text) => Ok(text),
            Value::Number(number) => Ok(number.to_string()),
            Value::Binary(_)
            | Value::Bool(_)
            | Value::Null
            | Value::List(_)
            | Value::Map(_)
            | Value::StringSet(_)
            | Value::NumberSet(_)
            | Value::BinarySet(_) => {
                let name = match source {
                    Source::Parameter(name) => name.clone(),
                    Source::Literal(_) => String::new(),
                };
                Err(FillError::WrongType { name, expected: "text" })
            }
        }
    }
}
