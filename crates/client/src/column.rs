//! Typed columns: the fields of an entity in conditions and filters.

use std::collections::BTreeSet;
use std::marker::PhantomData;

use monotable_item::Value;

use crate::attribute::{Attribute, ValueOf};
use crate::condition::{Condition, Term};

/// The column is a part of the table's key.
#[derive(Debug, Clone, Copy)]
pub enum InKey {}

/// The column is an attribute like any other.
#[derive(Debug, Clone, Copy)]
pub enum Plain {}

/// A field of an entity, such as `Order::TOTAL`.
#[derive(Debug)]
pub struct Column<E, T, Role = Plain> {
    name: &'static str,
    of: PhantomData<Of<E, T, Role>>,
}

/// What a column belongs to, without holding any of it.
type Of<E, T, Role> = fn() -> (E, T, Role);

/// A column that conditions and filters may name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is a part of the key and cannot be filtered by",
    label = "a part of the key",
    note = "give the part to the key of the query instead: what a key says is not read and thrown \
            away"
)]
pub trait Filterable {}

impl<E, T> Filterable for Column<E, T, Plain> {}

/// A type of text, which can be compared by how it begins.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not text and has no beginning to compare",
    note = "`begins_with` is for columns of text"
)]
pub trait Textual: Attribute {}

impl Textual for String {}
impl<T: Textual> Textual for Option<T> {}

/// A type whose values have members: text, a list or a set.
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no members to look for",
    note = "`contains` is for columns of text, lists and sets"
)]
pub trait Containing: Attribute {
    /// The type of a member.
    type Member: Attribute;
}

impl Containing for String {
    type Member = String;
}

impl<M: Attribute + Ord> Containing for BTreeSet<M> {
    type Member = M;
}

impl<T: Attribute> Containing for Vec<T> {
    type Member = T;
}

impl<E, T, Role> Column<E, T, Role> {
    /// Creates the column of this name in items. The derive calls it.
    pub const fn new(name: &'static str) -> Column<E, T, Role> {
        Column { name, of: PhantomData }
    }

    /// The name in items.
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

impl<E, T, Role> Clone for Column<E, T, Role> {
    fn clone(&self) -> Column<E, T, Role> {
        *self
    }
}

impl<E, T, Role> Copy for Column<E, T, Role> {}

impl<E, T: Attribute, Role> Column<E, T, Role> {
    /// The column is this value; for one without a stored form, the column is missing.
    pub fn is(self, value: impl ValueOf<T>) -> Condition<E>
    where
        Self: Filterable,
    {
        self.compare("=", value)
    }

    /// The column is another value.
    pub fn is_not(self, value: impl ValueOf<T>) -> Condition<E>
    where
        Self: Filterable,
    {
        self.compare("<>", value)
    }

    /// The column is less than this value.
    pub fn lt(self, value: impl ValueOf<T>) -> Condition<E>
    where
        Self: Filterable,
    {
        self.compare("<", value)
    }

    /// The column is at most this value.
    pub fn le(self, value: impl ValueOf<T>) -> Condition<E>
    where
        Self: Filterable,
    {
        self.compare("<=", value)
    }

    /// The column is greater than this value.
    pub fn gt(self, value: impl ValueOf<T>) -> Condition<E>
    where
        Self: Filterable,
    {
        self.compare(">", value)
    }

    /// The column is at least this value.
    pub fn ge(self, value: impl ValueOf<T>) -> Condition<E>
    where
        Self: Filterable,
    {
        self.compare(">=", value)
    }

    /// The column lies between two values, both included.
    pub fn between(self, from: impl ValueOf<T>, to: impl ValueOf<T>) -> Condition<E>
    where
        Self: Filterable,
    {
        let (from, to) = (from.value_of(), to.value_of());
        let (from, to) = (from.unwrap_or(Value::Null), to.unwrap_or(Value::Null));
        Condition::new(Term::Between(self.name, from, to))
    }

    /// The column is one of these values: up to 100 of them.
    pub fn one_of(self, values: impl IntoIterator<Item = impl ValueOf<T>>) -> Condition<E>
    where
        Self: Filterable,
    {
        let values = values.into_iter().filter_map(|value| value.value_of());
        Condition::new(Term::OneOf(self.name, values.collect()))
    }

    /// The item has the attribute.
    pub fn exists(self) -> Condition<E>
    where
        Self: Filterable,
    {
        Condition::new(Term::Exists(self.name))
    }

    /// The item lacks the attribute.
    pub fn is_missing(self) -> Condition<E>
    where
        Self: Filterable,
    {
        Condition::new(Term::Missing(self.name))
    }

    /// The text begins with this.
    pub fn begins_with(self, text: &str) -> Condition<E>
    where
        Self: Filterable,
        T: Textual,
    {
        Condition::new(Term::BeginsWith(self.name, text.to_owned()))
    }

    /// The text contains this, or the list or set has this member.
    pub fn contains(self, member: impl ValueOf<T::Member>) -> Condition<E>
    where
        Self: Filterable,
        T: Containing,
    {
        Condition::new(Term::Contains(self.name, member.value_of().unwrap_or(Value::Null)))
    }

    fn compare(self, operator: &'static str, value: impl ValueOf<T>) -> Condition<E> {
        Condition::new(match value.value_of() {
            Some(value) => Term::Compare(self.name, operator, value),
            None if operator == "=" => Term::Missing(self.name),
            None if operator == "<>" => Term::Exists(self.name),
            // Nothing is less or greater than what is no value.
            None => Term::All(vec![Term::Exists(self.name), Term::Missing(self.name)]),
        })
    }
}
