//! What a member must satisfy.

use monotable_protocol::inspect::Inspected;

use super::pattern::Pattern;
use crate::validate::constraint::{
    length_at_least, length_at_most, one_of, value_at_least, value_at_most,
};

/// A member of a shape, by its name on the wire, and what it must satisfy.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rule {
    /// The member must be there.
    Required(&'static str, &'static [Check]),
    /// The member may be absent.
    Optional(&'static str, &'static [Check]),
}

/// What a value must satisfy. A check for another type than the value's is satisfied.
#[derive(Debug, Clone, Copy)]
pub(super) enum Check {
    /// The fewest and the most characters of a text, or elements of a list.
    Length(usize, usize),
    /// What a text consists of.
    Pattern(&'static Pattern),
    /// The least and the greatest integer.
    Value(i64, i64),
    /// The valid texts, in the order in which a refusal lists them.
    OneOf(&'static [&'static str]),
    /// What each element of a list must satisfy.
    Each(&'static [Check]),
}

impl Rule {
    /// The member's name on the wire.
    pub(super) fn member(&self) -> &'static str {
        match self {
            Rule::Required(member, _) | Rule::Optional(member, _) => member,
        }
    }

    /// What its value must satisfy.
    pub(super) fn checks(&self) -> &'static [Check] {
        match self {
            Rule::Required(_, checks) | Rule::Optional(_, checks) => checks,
        }
    }
}

impl Check {
    /// The constraint in the service's words, if the value violates it.
    pub(super) fn violated(&self, value: Inspected<'_>) -> Option<String> {
        match (*self, value) {
            (Check::Length(min, max), value) => length_violated(length(value)?, min, max),
            (Check::Pattern(pattern), Inspected::Text(text)) => {
                (!(pattern.matches)(text)).then(|| pattern.constraint())
            }
            (Check::Value(min, max), Inspected::Integer(value)) => value_violated(value, min, max),
            (Check::OneOf(texts), Inspected::Text(text)) => {
                (!texts.contains(&text)).then(|| one_of(texts))
            }
            (Check::Pattern(_) | Check::Value(..) | Check::OneOf(_) | Check::Each(_), _) => None,
        }
    }
}

/// Texts are as long as in Java: a character beyond the basic plane counts twice.
fn length(value: Inspected<'_>) -> Option<usize> {
    match value {
        Inspected::Text(text) => Some(text.encode_utf16().count()),
        Inspected::List(elements) => Some(elements.count()),
        Inspected::Integer(_) | Inspected::Structure(_) | Inspected::Unconstrained => None,
    }
}

fn length_violated(length: usize, min: usize, max: usize) -> Option<String> {
    match length {
        _ if length < min => Some(length_at_least(min)),
        _ if length > max => Some(length_at_most(max)),
        _ => None,
    }
}

fn value_violated(value: i64, min: i64, max: i64) -> Option<String> {
    match value {
        _ if value < min => Some(value_at_least(min)),
        _ if value > max => Some(value_at_most(max)),
        _ => None,
    }
}
