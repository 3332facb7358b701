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

/// A path to what an attribute holds. See [`member`] and [`element`].
#[derive(Debug, Clone)]
pub struct NestedPath(Vec<PathStep>);

/// A change inside of an attribute.
#[derive(Debug, Clone)]
pub struct Nested(Change);

/// Adds members to a set. See [`insert_all`].
#[derive(Debug, Clone)]
pub struct InsertAll(BTreeSet<String>);

/// Takes members from a set. See [`remove_all`].
#[derive(Debug, Clone)]
pub struct RemoveAll(BTreeSet<String>);

/// Adds to a number that is there. See [`increase`].
#[derive(Debug, Clone, Copy)]
pub struct Increase<T>(T);

/// Takes from a number that is there. See [`decrease`].
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
pub fn insert_all(members: BTreeSet<String>) -> InsertAll {
    InsertAll(members)
}

/// Takes members from a set.
pub fn remove_all(members: BTreeSet<String>) -> RemoveAll {
    RemoveAll(members)
}

/// Adds to a number that is there. Where it is missing the database refuses the patch, and
/// [`add`](crate::add) would begin at zero.
pub fn increase<T: Addable>(number: T) -> Increase<T> {
    Increase(number)
}

/// Takes from a number that is there.
pub fn decrease<T: Addable>(number: T) -> Decrease<T> {
    Decrease(number)
}

/// Sets an attribute that the item lacks, and leaves one that it has.
pub fn if_missing<T: Attribute>(value: T) -> IfMissing<T> {
    IfMissing(value)
}

impl NestedPath {
    /// The member of the map that is there.
    #[must_use]
    pub fn member(mut self, name: impl Into<String>) -> NestedPath {
        self.0.push(PathStep::Member(name.into()));
        self
    }

    /// The element of the list that is there, from 0.
    #[must_use]
    pub fn element(mut self, at: usize) -> NestedPath {
        self.0.push(PathStep::Element(at));
        self
    }

    /// It becomes this.
    #[expect(clippy::needless_pass_by_value, reason = "as with the setters of patches")]
    pub fn set(self, value: impl Attribute) -> Nested {
        let value = value.to_value();
        Nested(value.map_or(Change::Unstorable, |value| Change::SetAt(self.0, value)))
    }

    /// This is added to the number that is there.
    #[expect(clippy::needless_pass_by_value, reason = "as with the setters of patches")]
    #[expect(clippy::should_implement_trait, reason = "the database adds; a path is no number")]
    pub fn add(self, number: impl Addable) -> Nested {
        let value = number.to_value();
        Nested(value.map_or(Change::Unstorable, |value| Change::AddAt(self.0, value)))
    }

    /// It goes away.
    pub fn remove(self) -> Nested {
        Nested(Change::RemoveAt(self.0))
    }
}

impl<T: Nesting> ChangeOf<T> for Nested {
    fn change(self) -> Change {
        self.0
    }
}

impl ChangeOf<BTreeSet<String>> for InsertAll {
    fn change(self) -> Change {
        self.0.to_value().map_or(Change::Unstorable, Change::Add)
    }
}

impl ChangeOf<BTreeSet<String>> for RemoveAll {
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
        self.0.to_value().map_or(Change::Unstorable, Change::SetIfMissing)
    }
}

impl<T: Attribute> ChangeOf<Option<T>> for IfMissing<T> {
    fn change(self) -> Change {
        self.0.to_value().map_or(Change::Unstorable, Change::SetIfMissing)
    }
}
