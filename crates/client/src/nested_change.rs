//! Changes inside of a map or list, and of whole sets.

use std::collections::{BTreeMap, BTreeSet};

use crate::attribute::Attribute;
use crate::change::{Addable, Change, ChangeOf};

/// A step from a map or list to what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathStep {
    /// The member of this name.
    Member(String),
    /// The element at this index, from 0.
    Element(usize),
}

/// A path to a value inside an attribute. See [`member`] and [`element`].
#[derive(Debug, Clone)]
pub struct NestedPath(Vec<PathStep>);

/// A change of a value inside an attribute.
#[derive(Debug, Clone)]
pub struct Nested(Change);

/// Adds members to a set. See [`insert_all`].
#[derive(Debug, Clone)]
pub struct InsertAll<M>(BTreeSet<M>);

/// Removes members from a set. See [`remove_all`].
#[derive(Debug, Clone)]
pub struct RemoveAll<M>(BTreeSet<M>);

/// Adds to an existing number. See [`increase`].
#[derive(Debug, Clone, Copy)]
pub struct Increase<T>(T);

/// Subtracts from an existing number. See [`decrease`].
#[derive(Debug, Clone, Copy)]
pub struct Decrease<T>(T);

/// A value for an attribute that is missing. See [`if_missing`].
#[derive(Debug, Clone)]
pub struct IfMissing<T>(T);

/// A type whose values have members or elements that can change alone.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no members or elements that can change alone",
    note = "maps and lists have, and structs with `#[derive(Attribute)]`"
)]
pub trait Nesting: Attribute {}

impl<T: Attribute> Nesting for BTreeMap<String, T> {}
impl<T: Attribute> Nesting for Vec<T> {}
impl<T: Nesting> Nesting for Option<T> {}

/// The member of a map: `patch(key).addresses(member("home").set(address))`.
pub fn member(name: impl Into<String>) -> NestedPath {
    NestedPath(vec![PathStep::Member(name.into())])
}

/// The element of a list, from 0.
pub fn element(at: usize) -> NestedPath {
    NestedPath(vec![PathStep::Element(at)])
}

/// Adds members to a set.
pub fn insert_all<M>(members: BTreeSet<M>) -> InsertAll<M> {
    InsertAll(members)
}

/// Removes members from a set.
pub fn remove_all<M>(members: BTreeSet<M>) -> RemoveAll<M> {
    RemoveAll(members)
}

/// Adds to an existing number. If it is missing, the database refuses the patch, whereas
/// [`add`](crate::add) begins at zero.
pub fn increase<T: Addable>(number: T) -> Increase<T> {
    Increase(number)
}

/// Subtracts from an existing number.
pub fn decrease<T: Addable>(number: T) -> Decrease<T> {
    Decrease(number)
}

/// Sets an attribute if the item lacks it.
pub fn if_missing<T: Attribute>(value: T) -> IfMissing<T> {
    IfMissing(value)
}

impl NestedPath {
    /// Continues the path to a member of the map at this place.
    #[must_use]
    pub fn member(mut self, name: impl Into<String>) -> NestedPath {
        self.0.push(PathStep::Member(name.into()));
        self
    }

    /// Continues the path to an element of the list at this place, from 0.
    #[must_use]
    pub fn element(mut self, at: usize) -> NestedPath {
        self.0.push(PathStep::Element(at));
        self
    }

    /// Sets the value at this path.
    #[expect(clippy::needless_pass_by_value, reason = "as with the setters of patches")]
    pub fn set(self, value: impl Attribute) -> Nested {
        let stored = value.to_value().filter(|_| value.is_storable());
        Nested(stored.map_or(Change::Unstorable, |stored| Change::SetAt(self.0, stored)))
    }

    /// Adds to the existing number at this path.
    #[expect(clippy::needless_pass_by_value, reason = "as with the setters of patches")]
    #[expect(clippy::should_implement_trait, reason = "the database adds; a path is no number")]
    pub fn add(self, number: impl Addable) -> Nested {
        let value = number.to_value();
        Nested(value.map_or(Change::Unstorable, |value| Change::AddAt(self.0, value)))
    }

    /// Removes the value at this path.
    pub fn remove(self) -> Nested {
        Nested(Change::RemoveAt(self.0))
    }
}

impl<T: Nesting> ChangeOf<T> for Nested {
    fn change(self) -> Change {
        self.0
    }
}

impl<M: Attribute + Ord> ChangeOf<BTreeSet<M>> for InsertAll<M> {
    fn change(self) -> Change {
        self.0.to_value().map_or(Change::Unstorable, Change::Add)
    }
}

impl<M: Attribute + Ord> ChangeOf<BTreeSet<M>> for RemoveAll<M> {
    fn change(self) -> Change {
        self.0.to_value().map_or(Change::Unstorable, Change::Delete)
    }
}

impl<T: Addable> ChangeOf<T> for Increase<T> {
    fn change(self) -> Change {
        let value = self.0.to_value();
        value.map_or(Change::Unstorable, |value| Change::AddAt(Vec::new(), value))
    }
}

impl<T: Addable> ChangeOf<Option<T>> for Increase<T> {
    fn change(self) -> Change {
        ChangeOf::<T>::change(self)
    }
}

impl<T: Addable> ChangeOf<T> for Decrease<T> {
    fn change(self) -> Change {
        let value = self.0.negated();
        value.map_or(Change::Unstorable, |value| Change::AddAt(Vec::new(), value))
    }
}

impl<T: Addable> ChangeOf<Option<T>> for Decrease<T> {
    fn change(self) -> Change {
        ChangeOf::<T>::change(self)
    }
}

impl<T: Attribute> ChangeOf<T> for IfMissing<T> {
    fn change(self) -> Change {
        let value = self.0.to_value().filter(|_| self.0.is_storable());
        value.map_or(Change::Unstorable, Change::SetIfMissing)
    }
}

impl<T: Attribute> ChangeOf<Option<T>> for IfMissing<T> {
    fn change(self) -> Change {
        ChangeOf::<T>::change(self)
    }
}
