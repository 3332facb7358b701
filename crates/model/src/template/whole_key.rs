//! Keys that are a number or binary themselves.

use monotable_expr::KeyComparison;
use monotable_item::{Number, Type, Value};

use super::domain::Domain;
use super::key_set::KeySet;
use super::verdict::Verdict;

/// Whether two templates, both of numbers or both of bytes, can have the same key.
pub(super) fn common_whole_key(left: &KeySet, right: &KeySet) -> Verdict<Value> {
    if left.template().key_type() == Type::Binary {
        return Verdict::Possible(Value::Binary(vec![0]));
    }
    let (low, high) = match (integers(left), integers(right)) {
        (Some(a), Some(b)) => (a.0.max(b.0), a.1.min(b.1)),
        (Some(range), None) | (None, Some(range)) => range,
        (None, None) => (0, 0),
    };
    if low <= high { Verdict::Possible(Value::from(low)) } else { Verdict::Never }
}

/// Whether a key that is not text can meet a condition. Some value near a bound does if any does.
pub(super) fn whole_key_within(keys: &KeySet, condition: &KeyComparison) -> Verdict<Value> {
    let meets = |value: &Value| is_within(value, condition);
    let example = candidates(keys, condition).into_iter().find(meets);
    Verdict::possible_or(example, Verdict::Never)
}

fn integers(keys: &KeySet) -> Option<(i64, i64)> {
    let part = keys.template().attributes().next()?;
    match keys.domains().get(&part.path)? {
        Domain::Integers { min, max } => Some((*min, *max)),
        Domain::Text { .. } | Domain::Values(_) => None,
    }
}

fn bounds(condition: &KeyComparison) -> Vec<&Value> {
    match condition {
        KeyComparison::Equal(value)
        | KeyComparison::Less(value)
        | KeyComparison::LessOrEqual(value)
        | KeyComparison::Greater(value)
        | KeyComparison::GreaterOrEqual(value)
        | KeyComparison::BeginsWith(value) => vec![value],
        KeyComparison::Between(lower, upper) => vec![lower, upper],
        KeyComparison::NotIndexable => Vec::new(),
    }
}

/// Values at the bounds of the condition and of the domain, and next to them.
fn candidates(keys: &KeySet, condition: &KeyComparison) -> Vec<Value> {
    if keys.template().key_type() == Type::Binary {
        return binary_candidates(condition);
    }
    let range = integers(keys);
    let mut numbers: Vec<Number> = Vec::new();
    for bound in bounds(condition) {
        let Value::Number(bound) = bound else { continue };
        numbers.push(*bound);
        numbers.extend(bound.checked_add(&Number::from(1)));
        numbers.extend(bound.checked_sub(&Number::from(1)));
        numbers.extend(whole_below(bound).into_iter().flat_map(|below| {
            [Some(below), below.checked_add(&Number::from(1)).ok()].into_iter().flatten()
        }));
    }
    let Some((low, high)) = range else { return numbers.into_iter().map(Value::Number).collect() };
    let (low, high) = (Number::from(low), Number::from(high));
    numbers.extend([low, high]);
    let is_integer = |number: &Number| whole_below(number).as_ref() == Some(number);
    let in_domain = |number: &Number| *number >= low && *number <= high && is_integer(number);
    numbers.into_iter().filter(in_domain).map(Value::Number).collect()
}

/// The greatest whole number that is not above this one.
fn whole_below(number: &Number) -> Option<Number> {
    let text = number.to_string();
    match text.split_once('.') {
        None => Some(*number),
        Some((whole, _)) => {
            let towards_zero: Number = whole.parse().ok()?;
            let step = Number::from(i64::from(number.is_negative()));
            towards_zero.checked_sub(&step).ok()
        }
    }
}

fn binary_candidates(condition: &KeyComparison) -> Vec<Value> {
    let bytes = bounds(condition).into_iter().filter_map(|bound| match bound {
        Value::Binary(bytes) => Some(bytes.clone()),
        _ => None,
    });
    let least = vec![0];
    let longer = |bytes: &Vec<u8>| [bytes.as_slice(), &[0]].concat();
    let near = bytes.flat_map(|bytes| [longer(&bytes), bytes]).chain([least]);
    near.filter(|bytes| !bytes.is_empty()).map(Value::Binary).collect()
}

fn is_within(value: &Value, condition: &KeyComparison) -> bool {
    let compare = |bound: &Value| match (value, bound) {
        (Value::Number(value), Value::Number(bound)) => Some(value.cmp(bound)),
        (Value::Binary(value), Value::Binary(bound)) => Some(value.cmp(bound)),
        _ => None,
    };
    match condition {
        KeyComparison::Equal(bound) => compare(bound).is_some_and(|order| order.is_eq()),
        KeyComparison::Less(bound) => compare(bound).is_some_and(|order| order.is_lt()),
        KeyComparison::LessOrEqual(bound) => compare(bound).is_some_and(|order| order.is_le()),
        KeyComparison::Greater(bound) => compare(bound).is_some_and(|order| order.is_gt()),
        KeyComparison::GreaterOrEqual(bound) => compare(bound).is_some_and(|order| order.is_ge()),
        KeyComparison::Between(lower, upper) => {
            compare(lower).is_some_and(|order| order.is_ge())
                && compare(upper).is_some_and(|order| order.is_le())
        }
        KeyComparison::BeginsWith(bound) => match (value, bound) {
            (Value::Binary(value), Value::Binary(bound)) => value.starts_with(bound),
            _ => false,
        },
        KeyComparison::NotIndexable => false,
    }
}
