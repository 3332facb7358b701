//! Conditions on what a column holds: how much it is, and which members there are.

use std::marker::PhantomData;

use monotable_item::{Number, Value};

use crate::attribute::Attribute;
use crate::column::{Column, Filterable};
use crate::condition::{Condition, Term};
use crate::nested_change::Nesting;

/// The size of a column: the bytes of a text, or the number of members of a set, list or map. An
/// item without the attribute meets no condition on it, and an empty set is not stored.
#[derive(Debug, Clone, Copy)]
pub struct SizeOf<E> {
    name: &'static str,
    of: PhantomData<fn() -> E>,
}

/// A member of a map.
#[derive(Debug, Clone)]
pub struct MemberOf<E> {
    name: &'static str,
    member: String,
    of: PhantomData<fn() -> E>,
}

impl<E, T: Attribute, Role> Column<E, T, Role> {
    /// Returns the size of the column, for conditions.
    pub fn size(self) -> SizeOf<E>
    where
        Self: Filterable,
    {
        SizeOf { name: self.name(), of: PhantomData }
    }

    /// Returns a member of the map, for conditions.
    pub fn member(self, member: impl Into<String>) -> MemberOf<E>
    where
        Self: Filterable,
        T: Nesting,
    {
        MemberOf { name: self.name(), member: member.into(), of: PhantomData }
    }
}

impl<E> SizeOf<E> {
    /// The size is less than this.
    pub fn lt(self, value: Number) -> Condition<E> {
        self.compare("<", value)
    }

    /// The size is at most this.
    pub fn le(self, value: Number) -> Condition<E> {
        self.compare("<=", value)
    }

    /// The size is greater than this.
    pub fn gt(self, value: Number) -> Condition<E> {
        self.compare(">", value)
    }

    /// The size is at least this.
    pub fn ge(self, value: Number) -> Condition<E> {
        self.compare(">=", value)
    }

    /// The size is this.
    pub fn is(self, value: Number) -> Condition<E> {
        self.compare("=", value)
    }

    fn compare(self, operator: &'static str, value: Number) -> Condition<E> {
        Condition::new(Term::Size(self.name, operator, Value::Number(value)))
    }
}

impl<E> MemberOf<E> {
    /// The map has the member.
    pub fn exists(self) -> Condition<E> {
        Condition::new(Term::MemberExists(self.name, self.member))
    }

    /// The map lacks the member.
    pub fn is_missing(self) -> Condition<E> {
        Condition::new(Term::MemberMissing(self.name, self.member))
    }
}
