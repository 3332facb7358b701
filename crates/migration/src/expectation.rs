//! What an item was when its new form was decided.

use monotable_item::{Item, Value};

/// What an attribute must still be for a decision to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expectation {
    /// It has this value.
    Is(Value),
    /// It has any value.
    Exists,
    /// It is not there.
    Absent,
}

impl Expectation {
    /// That an attribute is what it is in an item.
    pub(super) fn of(item: &Item, name: &str) -> Expectation {
        item.get(name).map_or(Expectation::Absent, |value| Expectation::Is(value.clone()))
    }

    /// That an attribute is there, or not, as in an item.
    pub(super) fn presence(item: &Item, name: &str) -> Expectation {
        if item.contains_key(name) { Expectation::Exists } else { Expectation::Absent }
    }

    /// Whether an item meets it.
    pub fn holds(&self, item: &Item, name: &str) -> bool {
        match self {
            Expectation::Is(value) => item.get(name) == Some(value),
            Expectation::Exists => item.contains_key(name),
            Expectation::Absent => !item.contains_key(name),
        }
    }
}
