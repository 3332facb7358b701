//! What a patch does to a field.

use std::collections::BTreeSet;

use monotable_item::{Number, Value};

use crate::attribute::{Attribute, UnixSeconds};
use crate::nested_change::PathStep;

/// A change of one attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// It becomes this.
    Set(Value),
    /// It goes away.
    Remove,
    /// This is added: to a number, or to a set.
    Add(Value),
    /// These members go away from the set.
    Delete(Value),
    /// It becomes this if the item lacks it.
    SetIfMissing(Value),
    /// What is at a place inside of it becomes this.
    SetAt(Vec<PathStep>, Value),
    /// This is added to the number that is there, at a place inside of it or itself.
    AddAt(Vec<PathStep>, Value),
    /// What is at a place inside of it goes away.
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
    /// The change.
    fn change(self) -> Change;
}

/// A type whose values can be added to in the database.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number that can be added to",
    note = "numbers can; a newtype of a number implements `Addable` itself"
)]
pub trait Addable: Attribute {
    /// The value with its sign turned.
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

/// Takes from a number. See [`sub`].
#[derive(Debug, Clone, Copy)]
pub struct Sub<T>(T);

/// Adds a member to a set. See [`insert`].
#[derive(Debug, Clone)]
pub struct Insert<M>(M);

/// Takes a member from a set. See [`remove`].
#[derive(Debug, Clone)]
pub struct Remove<M>(M);

/// Removes an attribute. See [`clear`].
#[derive(Debug, Clone, Copy)]
pub struct Clear;

/// Adds to a number, whatever it is.
pub fn add<T: Addable>(number: T) -> Add<T> {
    Add(number)
}

/// Takes from a number, whatever it is.
pub fn sub<T: Addable>(number: T) -> Sub<T> {
    Sub(number)
}

/// Adds a member to a set.
pub fn insert<M>(member: M) -> Insert<M> {
    Insert(member)
}

/// Takes a member from a set.
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

impl<M: Into<String>> ChangeOf<BTreeSet<String>> for Insert<M> {
    fn change(self) -> Change {
        Change::Add(Value::StringSet(vec![self.0.into()]))
    }
}

impl<M: Into<String>> ChangeOf<BTreeSet<String>> for Remove<M> {
    fn change(self) -> Change {
        Change::Delete(Value::StringSet(vec![self.0.into()]))
    }
}

impl<T: Attribute> ChangeOf<Option<T>> for Clear {
    fn change(self) -> Change {
        Change::Remove
    }
}
