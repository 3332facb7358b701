//! What may be passed where a value of a type is wanted.

use monotable_item::Value;

use super::Attribute;

/// A value for an attribute of type `T`: the type itself, a reference to it, or `&str` for text.
#[diagnostic::on_unimplemented(
    message = "expected a `{T}`, found `{Self}`",
    label = "this is not a `{T}`",
    note = "parts of keys and values of attributes have their own types, so that two of them are \
            never swapped"
)]
pub trait ValueOf<T: Attribute> {
    /// The stored value, if it has one.
    fn value_of(self) -> Option<Value>;
}

impl<T: Attribute> ValueOf<T> for T {
    fn value_of(self) -> Option<Value> {
        self.to_value()
    }
}

impl<T: Attribute> ValueOf<T> for &T {
    fn value_of(self) -> Option<Value> {
        self.to_value()
    }
}

impl ValueOf<String> for &str {
    fn value_of(self) -> Option<Value> {
        Some(Value::from(self))
    }
}
