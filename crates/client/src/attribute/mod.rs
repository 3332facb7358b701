//! How Rust values become attribute values, and back.
//!
//! [`Attribute`] is what a field of an entity must be. Text, numbers, bytes, flags, lists, maps and
//! real sets are covered; newtypes and enums get it by `#[derive(KeyPart)]`, structs that become a
//! map by `#[derive(Attribute)]`.

mod collection;
mod scalar;
mod stamp;
mod value_of;

use monotable_item::{Type, Value};

pub use collection::Bytes;
pub(crate) use collection::set_of;
pub use stamp::{Stamp, Timestamp, UnixSeconds};
pub use value_of::ValueOf;

/// A Rust type that is stored as one attribute value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be stored as an attribute",
    label = "no attribute value stands for this type",
    note = "newtypes and enums without data derive `KeyPart`, structs that become a map derive \
            `Attribute`"
)]
pub trait Attribute: Sized {
    /// The type of the stored value.
    const KIND: Type;

    /// Whether an item must have the attribute.
    const REQUIRED: bool = true;

    /// The allowed texts; empty if any text is allowed.
    const VALUES: &'static [&'static str] = &[];

    /// The least and the greatest number of the type, where there are limits that the sum of a
    /// stored number and another could pass. What passes them could not be read again.
    const BOUNDS: NumberBounds = NumberBounds { least: None, greatest: None };

    /// The stored value; `None` for a value that is stored by leaving the attribute out.
    fn to_value(&self) -> Option<Value>;

    /// Returns whether the value can be stored. NaN and infinities, and values that contain them,
    /// cannot.
    fn is_storable(&self) -> bool {
        true
    }

    /// Reads a stored value.
    fn from_value(value: Value) -> Result<Self, ValueError>;

    /// The value that the absence of the attribute stands for; `None` if it may not be absent.
    fn from_missing() -> Option<Self> {
        None
    }
}

/// Limits of a type of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberBounds {
    /// The least number.
    pub least: Option<i64>,
    /// The greatest number.
    pub greatest: Option<i64>,
}

/// A stored value is not what the field's type holds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct ValueError {
    /// What the type takes.
    pub expected: String,
    /// What is stored.
    pub found: String,
}

impl ValueError {
    /// Creates the error for a value of the wrong type.
    pub fn wrong_type(expected: Type, found: &Value) -> ValueError {
        ValueError {
            expected: format!("type {}", expected.code()),
            found: format!("type {}", found.kind().code()),
        }
    }

    /// Creates the error for a value that the type has no place for.
    pub fn unexpected(expected: impl Into<String>, found: impl Into<String>) -> ValueError {
        ValueError { expected: expected.into(), found: found.into() }
    }
}
