//! What a patch does to a field.

use std::collections::BTreeSet;

use monotable_item::{Number, Value};

use crate::attribute::{Attribute, UnixSeconds, ValueOf, set_of};
use crate::nested_change::PathStep;

/// A change of one attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Sets the attribute to a value.
    Set(Value),
    /// Removes the attribute.
    Remove,
    /// Adds a number, or the members of a set.
    Add(Value),
    /// Removes members from a set.
    Delete(Value),
    /// Sets the attribute if the item lacks it.
    SetIfMissing(Value),
    /// Sets the value at a path inside the attribute.
    SetAt(Vec<PathStep>, Value),
    /// Adds to an existing number: at a path inside the attribute, or to the attribute itself if
    /// the path is empty.
    AddAt(Vec<PathStep>, Value),
    /// Removes the value at a path inside the attribute.
    RemoveAt(Vec<PathStep>),
    /// The value has no stored form.
    Unstorable,
}

/// A change that a field of type `T` allows: a value of it, [`add`], [`sub`], [`insert`],
/// [`remove`] or [`clear`].
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` cannot be changed by `{Self}`",
    label = "not a change of a `{T}`",
    note = "give a `{T}` to set it; `add` and `sub` are for numbers, `insert` and `remove` for \
            sets, and `clear` for fields that are an `Option`"
)]
pub trait ChangeOf<T> {
    /// Returns the change.
    fn change(self) -> Change;
}

/// A number that the database can add to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number that can be added to",
    note = "numbers can; a newtype of a number implements `Addable` itself"
)]
pub trait Addable: Attribute {
    /// Returns the value with its sign reversed.
    fn negated(&self) -> Option<Value> {
        match self.to_value()? {
            Value::Number(number) => Number::ZERO.checked_sub(&number).ok().map(Value::Number),
            _ => None,
        }
    }
}

macro_rules! addable {
    ($($number:ty),+) => {$( impl Addable for $number {} )+};
}

addable!(u8, u16, u32, u64, i8, i16, i32, i64, f32, f64, Number, UnixSeconds);

/// Adds to a number. See [`add`].
#[derive(Debug, Clone, Copy)]
pub struct Add<T>(T);

/// Subtracts from a number. See [`sub`].
#[derive(Debug, Clone, Copy)]
pub struct Sub<T>(T);

/// Adds a member to a set. See [`insert`].
#[derive(Debug, Clone)]
pub struct Insert<M>(M);

/// Removes a member from a set. See [`remove`].
#[derive(Debug, Clone)]
pub struct Remove<M>(M);

/// Removes an attribute. See [`clear`].
#[derive(Debug, Clone, Copy)]
pub struct Clear;

/// Adds to a number; a missing one counts as zero.
pub fn add<T: Addable>(number: T) -> Add<T> {
    Add(number)
}

/// Subtracts from a number; a missing one counts as zero.
pub fn sub<T: Addable>(number: T) -> Sub<T> {
    Sub(number)
}

/// Adds a member to a set.
pub fn insert<M>(member: M) -> Insert<M> {
    Insert(member)
}

/// Removes a member from a set.
pub fn remove<M>(member: M) -> Remove<M> {
    Remove(member)
}

/// Removes the attribute of an optional field.
pub fn clear() -> Clear {
    Clear
}

impl<T: Attribute> ChangeOf<T> for T {
    fn change(self) -> Change {
        match self.to_value() {
            _ if !self.is_storable() => Change::Unstorable,
            Some(value) => Change::Set(value),
            None if T::REQUIRED => Change::Unstorable,
            None => Change::Remove,
        }
    }
}

impl<T: Attribute> ChangeOf<Option<T>> for T {
    fn change(self) -> Change {
        let value = self.to_value().filter(|_| self.is_storable());
        value.map_or(Change::Unstorable, Change::Set)
    }
}

impl ChangeOf<String> for &str {
    fn change(self) -> Change {
        Change::Set(Value::from(self))
    }
}

impl ChangeOf<Option<String>> for &str {
    fn change(self) -> Change {
        Change::Set(Value::from(self))
    }
}

impl<T: Addable> ChangeOf<T> for Add<T> {
    fn change(self) -> Change {
        self.0.to_value().map_or(Change::Unstorable, Change::Add)
    }
}

impl<T: Addable> ChangeOf<T> for Sub<T> {
    fn change(self) -> Change {
        self.0.negated().map_or(Change::Unstorable, Change::Add)
    }
}

impl<T: Addable> ChangeOf<Option<T>> for Add<T> {
    fn change(self) -> Change {
        ChangeOf::<T>::change(self)
    }
}

impl<T: Addable> ChangeOf<Option<T>> for Sub<T> {
    fn change(self) -> Change {
        ChangeOf::<T>::change(self)
    }
}

impl<M: Attribute + Ord, V: ValueOf<M>> ChangeOf<BTreeSet<M>> for Insert<V> {
    fn change(self) -> Change {
        set_of(self.0.value_of().into_iter()).map_or(Change::Unstorable, Change::Add)
    }
}

impl<M: Attribute + Ord, V: ValueOf<M>> ChangeOf<BTreeSet<M>> for Remove<V> {
    fn change(self) -> Change {
        set_of(self.0.value_of().into_iter()).map_or(Change::Unstorable, Change::Delete)
    }
}

impl<T: Attribute> ChangeOf<Option<T>> for Clear {
    fn change(self) -> Change {
        Change::Remove
    }
}
