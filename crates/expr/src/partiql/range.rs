//! Ranges of sort keys, as conditions ask for them.

use std::cmp::Ordering;

use monotable_item::Value;

use crate::KeyComparison;
use crate::eval::order;

/// Whether some key can meet both comparisons.
pub(super) fn can_both_hold(first: &KeyComparison, second: &KeyComparison) -> bool {
    is_below(lower(first), upper(second)) && is_below(lower(second), upper(first))
}

/// How the beginnings of two ranges are ordered. One without a beginning comes first.
pub(super) fn order_of_beginnings(
    first: Option<&KeyComparison>,
    second: Option<&KeyComparison>,
) -> Ordering {
    match (beginning(first), beginning(second)) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
        (Some((first, first_is_out)), Some((second, second_is_out))) => {
            let ordered = order(first, second).unwrap_or(Ordering::Equal);
            ordered.then(first_is_out.cmp(&second_is_out))
        }
    }
}

/// Where a range begins, and whether that is itself out of it.
fn beginning(comparison: Option<&KeyComparison>) -> Option<(&Value, bool)> {
    match lower(comparison?) {
        Lower::Open => None,
        Lower::At(value) => Some((value, false)),
        Lower::After(value) => Some((value, true)),
    }
}

#[derive(Clone, Copy)]
enum Lower<'v> {
    Open,
    At(&'v Value),
    After(&'v Value),
}

#[derive(Clone, Copy)]
enum Upper<'v> {
    Open,
    At(&'v Value),
    Before(&'v Value),
    /// All that begins with the value.
    Prefix(&'v Value),
}

fn lower(comparison: &KeyComparison) -> Lower<'_> {
    match comparison {
        KeyComparison::Equal(value)
        | KeyComparison::GreaterOrEqual(value)
        | KeyComparison::Between(value, _)
        | KeyComparison::BeginsWith(value) => Lower::At(value),
        KeyComparison::Greater(value) => Lower::After(value),
        KeyComparison::Less(_) | KeyComparison::LessOrEqual(_) | KeyComparison::NotIndexable => {
            Lower::Open
        }
    }
}

fn upper(comparison: &KeyComparison) -> Upper<'_> {
    match comparison {
        KeyComparison::Equal(value)
        | KeyComparison::LessOrEqual(value)
        | KeyComparison::Between(_, value) => Upper::At(value),
        KeyComparison::Less(value) => Upper::Before(value),
        KeyComparison::BeginsWith(value) => Upper::Prefix(value),
        KeyComparison::Greater(_)
        | KeyComparison::GreaterOrEqual(_)
        | KeyComparison::NotIndexable => Upper::Open,
    }
}

fn is_below(lower: Lower<'_>, upper: Upper<'_>) -> bool {
    let (from, from_included) = match lower {
        Lower::Open => return true,
        Lower::At(value) => (value, true),
        Lower::After(value) => (value, false),
    };
    match upper {
        Upper::Open => true,
        Upper::At(to) if from_included => order(from, to).is_some_and(Ordering::is_le),
        Upper::At(to) | Upper::Before(to) => order(from, to).is_some_and(Ordering::is_lt),
        Upper::Prefix(prefix) => {
            order(from, prefix).is_some_and(Ordering::is_le) || begins_with(from, prefix)
        }
    }
}

fn begins_with(value: &Value, prefix: &Value) -> bool {
    match (value, prefix) {
        (Value::String(value), Value::String(prefix)) => value.starts_with(prefix.as_str()),
        (Value::Binary(value), Value::Binary(prefix)) => value.starts_with(prefix),
        _ => false,
    }
}
