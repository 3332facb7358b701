//! What can be wrong with an attribute value whose shape is right.

use monotable_item::{Item, NumberError, Type};
use thiserror::Error;

/// Why an attribute value is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ValueError {
    /// A number is not one, or not one that can be stored.
    #[error("number {text:?}: {reason}")]
    Number {
        /// The number as it was sent.
        text: String,
        /// What is wrong with it.
        reason: NumberError,
    },
    /// A set holds a member twice.
    #[error("{} members repeat: {members:?}", kind.code())]
    Duplicates {
        /// The type of the set.
        kind: Type,
        /// All members in the order and the form in which they were sent; binaries are base64.
        members: Vec<String>,
    },
    /// A set has no members.
    #[error("{} is empty", .0.code())]
    EmptySet(Type),
    /// `NULL` is `false`.
    #[error("NULL is not true")]
    NullNotTrue,
    /// The value has none of the ten types.
    #[error("value without a type")]
    NoType,
    /// The value has more than one type.
    #[error("value of several types")]
    SeveralTypes,
    /// Maps and lists lie deeper in each other than
    /// [`NESTING_MAX`](monotable_item::limits::NESTING_MAX).
    #[error("value nested too deeply")]
    TooDeep,
}

/// The first attribute of an item, key or set of expression values that is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{name}: {error}")]
pub struct InvalidAttribute {
    /// The attribute's name, or the placeholder of an expression value.
    pub name: String,
    /// What is wrong with its value, or with a value inside it.
    pub error: ValueError,
    /// All attributes, if nothing is wrong with any of them but that they lie too deep. Not every
    /// request minds that.
    pub too_deep: Option<Item>,
}
