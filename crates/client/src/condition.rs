//! Conditions on the attributes of an entity: of writes, and filters of queries.

use std::marker::PhantomData;
use std::ops::{BitAnd, BitOr, Not};

use monotable_item::Value;

use crate::expression::Placeholders;

/// What must hold of an item of an entity.
#[derive(Debug)]
pub struct Condition<E> {
    pub(crate) term: Term,
    of: PhantomData<fn() -> E>,
}

/// The parts of a condition. Names are those in items.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Term {
    Compare(&'static str, &'static str, Value),
    Between(&'static str, Value, Value),
    OneOf(&'static str, Vec<Value>),
    BeginsWith(&'static str, String),
    Contains(&'static str, Value),
    Exists(&'static str),
    Missing(&'static str),
    Size(&'static str, &'static str, Value),
    MemberExists(&'static str, String),
    MemberMissing(&'static str, String),
    All(Vec<Term>),
    Any(Vec<Term>),
    Not(Box<Term>),
}

impl<E> Condition<E> {
    pub(crate) fn new(term: Term) -> Condition<E> {
        Condition { term, of: PhantomData }
    }

    /// Returns the same condition for the items of a collection, whichever member they are.
    pub fn in_collection<C>(self) -> Condition<C> {
        Condition::new(self.term)
    }

    /// Both this and the other must hold.
    #[must_use]
    pub fn and(self, other: Condition<E>) -> Condition<E> {
        Condition::new(Term::All(vec![self.term, other.term]))
    }

    /// This or the other must hold.
    #[must_use]
    pub fn or(self, other: Condition<E>) -> Condition<E> {
        Condition::new(Term::Any(vec![self.term, other.term]))
    }
}

impl<E> Clone for Condition<E> {
    fn clone(&self) -> Condition<E> {
        Condition::new(self.term.clone())
    }
}

impl<E> BitAnd for Condition<E> {
    type Output = Condition<E>;

    fn bitand(self, other: Condition<E>) -> Condition<E> {
        self.and(other)
    }
}

impl<E> BitOr for Condition<E> {
    type Output = Condition<E>;

    fn bitor(self, other: Condition<E>) -> Condition<E> {
        self.or(other)
    }
}

impl<E> Not for Condition<E> {
    type Output = Condition<E>;

    fn not(self) -> Condition<E> {
        Condition::new(Term::Not(Box::new(self.term)))
    }
}

impl Term {
    /// Writes the term as an expression.
    pub(crate) fn write(&self, placeholders: &mut Placeholders) -> String {
        match self {
            Term::Compare(name, operator, value) => {
                let name = placeholders.name(name);
                format!("{name} {operator} {}", placeholders.value(value.clone()))
            }
            Term::Between(name, from, to) => {
                let name = placeholders.name(name);
                let from = placeholders.value(from.clone());
                format!("{name} BETWEEN {from} AND {}", placeholders.value(to.clone()))
            }
            Term::OneOf(name, values) => {
                let name = placeholders.name(name);
                let values = values.iter().map(|value| placeholders.value(value.clone()));
                format!("{name} IN ({})", values.collect::<Vec<_>>().join(", "))
            }
            Term::BeginsWith(name, text) => {
                let name = placeholders.name(name);
                let text = placeholders.value(Value::String(text.clone()));
                format!("begins_with({name}, {text})")
            }
            Term::Contains(name, value) => {
                let name = placeholders.name(name);
                format!("contains({name}, {})", placeholders.value(value.clone()))
            }
            Term::Exists(name) => format!("attribute_exists({})", placeholders.name(name)),
            Term::Missing(name) => format!("attribute_not_exists({})", placeholders.name(name)),
            Term::Size(name, operator, value) => {
                let name = placeholders.name(name);
                format!("size({name}) {operator} {}", placeholders.value(value.clone()))
            }
            Term::MemberExists(name, member) => {
                let (name, member) = (placeholders.name(name), placeholders.name(member));
                format!("attribute_exists({name}.{member})")
            }
            Term::MemberMissing(name, member) => {
                let (name, member) = (placeholders.name(name), placeholders.name(member));
                format!("attribute_not_exists({name}.{member})")
            }
            Term::All(terms) => joined(terms, " AND ", placeholders),
            Term::Any(terms) => joined(terms, " OR ", placeholders),
            Term::Not(term) => format!("NOT ({})", term.write(placeholders)),
        }
    }
}

fn joined(terms: &[Term], with: &str, placeholders: &mut Placeholders) -> String {
    let one = |term: &Term| {
        let text = term.write(placeholders);
        match term {
            Term::All(_) | Term::Any(_) => format!("({text})"),
            _ => text,
        }
    };
    terms.iter().map(one).collect::<Vec<_>>().join(with)
}
