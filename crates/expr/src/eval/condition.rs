//! Conditions on items.
//!
//! A path that leads to nothing is not an error. It makes every comparison false but `<>`, which is
//! true: a missing attribute differs from every value, even from another missing one. Values of
//! different types are not equal, and neither is before the other.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use memchr::memmem;
use monotable_item::{Item, Number, Path, Type, Value};

use super::lookup::lookup;
use crate::operation::Comparator;

/// A condition that an item meets or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// `left comparator right`
    Compare {
        /// The comparator.
        comparator: Comparator,
        /// The operand before it.
        left: Operand,
        /// The operand after it.
        right: Operand,
    },
    /// `operand BETWEEN lower AND upper`, bounds included.
    Between {
        /// What is compared.
        operand: Operand,
        /// The lower bound.
        lower: Operand,
        /// The upper bound.
        upper: Operand,
    },
    /// `operand IN (candidates)`
    In {
        /// What is compared.
        operand: Operand,
        /// What it is compared with.
        candidates: Vec<Operand>,
    },
    /// `attribute_exists(path)`
    Exists(Path),
    /// `attribute_not_exists(path)`
    NotExists(Path),
    /// `attribute_type(operand, :type)`
    HasType {
        /// The value whose type is compared.
        operand: Operand,
        /// The type it should have.
        kind: Type,
    },
    /// `begins_with(operand, prefix)`
    BeginsWith {
        /// A string or binary.
        operand: Operand,
        /// What it should begin with.
        prefix: Operand,
    },
    /// `contains(operand, element)`
    Contains {
        /// A string or binary, a set or a list.
        operand: Operand,
        /// A part of the string or binary, or an element.
        element: Operand,
    },
    /// Both conditions.
    And(Box<Condition>, Box<Condition>),
    /// Either condition.
    Or(Box<Condition>, Box<Condition>),
    /// Not the condition.
    Not(Box<Condition>),
}

/// What a condition compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand {
    /// The value at a path of the item.
    Path(Path),
    /// A value of the request.
    Value(Arc<Value>),
    /// `size(operand)`
    Size(Box<Operand>),
    /// Whether a condition holds, as a boolean.
    Condition(Box<Condition>),
}

impl Condition {
    /// Returns whether the item meets the condition. An item that does not exist is an empty one.
    pub fn matches(&self, item: &Item) -> bool {
        match self {
            Condition::Compare { comparator, left, right } => {
                compare(*comparator, left.value(item), right.value(item))
            }
            Condition::Between { operand, lower, upper } => {
                let value = operand.value(item);
                compare(Comparator::GreaterOrEqual, value.clone(), lower.value(item))
                    && compare(Comparator::LessOrEqual, value, upper.value(item))
            }
            Condition::In { operand, candidates } => operand.value(item).is_some_and(|value| {
                candidates.iter().any(|candidate| candidate.value(item).as_ref() == Some(&value))
            }),
            Condition::Exists(path) => lookup(item, path).is_some(),
            Condition::NotExists(path) => lookup(item, path).is_none(),
            Condition::HasType { operand, kind } => {
                operand.value(item).is_some_and(|value| value.kind() == *kind)
            }
            Condition::BeginsWith { operand, prefix } => {
                both(operand.value(item), prefix.value(item), begins_with)
            }
            Condition::Contains { operand, element } => {
                both(operand.value(item), element.value(item), contains)
            }
            Condition::And(left, right) => left.matches(item) && right.matches(item),
            Condition::Or(left, right) => left.matches(item) || right.matches(item),
            Condition::Not(condition) => !condition.matches(item),
        }
    }

    /// The conditions that must all hold: those that `AND` joins, or the only one.
    pub fn conjuncts(&self) -> Vec<&Condition> {
        let mut conjuncts = Vec::new();
        let mut rest = vec![self];
        while let Some(condition) = rest.pop() {
            match condition {
                Condition::And(left, right) => rest.extend([&**right, &**left]),
                one => conjuncts.push(one),
            }
        }
        conjuncts
    }

    /// Returns whether the condition uses the size of an attribute, or of something in it.
    pub fn measures(&self, name: &str) -> bool {
        let is_measured = |operand: &Operand| operand.measures(name);
        match self {
            Condition::Compare { left: first, right: second, .. }
            | Condition::BeginsWith { operand: first, prefix: second }
            | Condition::Contains { operand: first, element: second } => {
                is_measured(first) || is_measured(second)
            }
            Condition::Between { operand, lower, upper } => {
                [operand, lower, upper].into_iter().any(is_measured)
            }
            Condition::In { operand, candidates } => {
                is_measured(operand) || candidates.iter().any(is_measured)
            }
            Condition::HasType { operand, .. } => is_measured(operand),
            Condition::Exists(_) | Condition::NotExists(_) => false,
            Condition::And(left, right) | Condition::Or(left, right) => {
                left.measures(name) || right.measures(name)
            }
            Condition::Not(condition) => condition.measures(name),
        }
    }

    /// Returns whether another condition asks the same of the same paths, though perhaps with other
    /// values.
    pub fn has_form_of(&self, other: &Condition) -> bool {
        match (self, other) {
            (
                Condition::Compare { comparator, left, right },
                Condition::Compare { comparator: asked, left: first, right: second },
            ) => comparator == asked && left.has_form_of(first) && right.has_form_of(second),
            (
                Condition::Between { operand, lower, upper },
                Condition::Between { operand: own, lower: from, upper: to },
            ) => operand.has_form_of(own) && lower.has_form_of(from) && upper.has_form_of(to),
            (Condition::In { operand, .. }, Condition::In { operand: own, .. }) => {
                operand.has_form_of(own)
            }
            (Condition::Exists(path), Condition::Exists(own))
            | (Condition::NotExists(path), Condition::NotExists(own)) => path == own,
            (
                Condition::HasType { operand, kind },
                Condition::HasType { operand: own, kind: of },
            ) => operand.has_form_of(own) && kind == of,
            (
                Condition::BeginsWith { operand: left, prefix: right },
                Condition::BeginsWith { operand: first, prefix: second },
            )
            | (
                Condition::Contains { operand: left, element: right },
                Condition::Contains { operand: first, element: second },
            ) => left.has_form_of(first) && right.has_form_of(second),
            (Condition::And(left, right), Condition::And(first, second))
            | (Condition::Or(left, right), Condition::Or(first, second)) => {
                left.has_form_of(first) && right.has_form_of(second)
            }
            (Condition::Not(condition), Condition::Not(own)) => condition.has_form_of(own),
            (_, _) => false,
        }
    }

    /// The attributes that the condition reads.
    pub fn roots(&self) -> BTreeSet<&str> {
        self.paths().into_iter().map(|path| path.root.as_str()).collect()
    }

    /// The paths that the condition reads, in the order of the text.
    pub fn paths(&self) -> Vec<&Path> {
        let mut paths = Vec::new();
        self.collect_paths(&mut paths);
        paths
    }

    fn collect_paths<'c>(&'c self, paths: &mut Vec<&'c Path>) {
        match self {
            Condition::Compare { left: first, right: second, .. }
            | Condition::BeginsWith { operand: first, prefix: second }
            | Condition::Contains { operand: first, element: second } => {
                first.collect_paths(paths);
                second.collect_paths(paths);
            }
            Condition::Between { operand, lower, upper } => {
                [operand, lower, upper].into_iter().for_each(|it| it.collect_paths(paths));
            }
            Condition::In { operand, candidates } => {
                operand.collect_paths(paths);
                candidates.iter().for_each(|candidate| candidate.collect_paths(paths));
            }
            Condition::Exists(path) | Condition::NotExists(path) => paths.push(path),
            Condition::HasType { operand, .. } => operand.collect_paths(paths),
            Condition::And(left, right) | Condition::Or(left, right) => {
                left.collect_paths(paths);
                right.collect_paths(paths);
            }
            Condition::Not(condition) => condition.collect_paths(paths),
        }
    }
}

impl Operand {
    fn measures(&self, name: &str) -> bool {
        match self {
            Operand::Size(measured) => match &**measured {
                Operand::Path(path) => path.root == name,
                other => other.measures(name),
            },
            Operand::Condition(condition) => condition.measures(name),
            Operand::Path(_) | Operand::Value(_) => false,
        }
    }

    fn has_form_of(&self, other: &Operand) -> bool {
        match (self, other) {
            (Operand::Path(path), Operand::Path(own)) => path == own,
            (Operand::Value(_), Operand::Value(_)) => true,
            (Operand::Size(operand), Operand::Size(own)) => operand.has_form_of(own),
            (Operand::Condition(condition), Operand::Condition(own)) => condition.has_form_of(own),
            (_, _) => false,
        }
    }

    /// The value of the operand, if it has one for this item.
    fn value<'v>(&'v self, item: &'v Item) -> Option<Cow<'v, Value>> {
        match self {
            Operand::Path(path) => lookup(item, path).map(Cow::Borrowed),
            Operand::Value(value) => Some(Cow::Borrowed(value)),
            Operand::Size(operand) => {
                let size = size(operand.value(item)?.as_ref())?;
                Some(Cow::Owned(Value::Number(size)))
            }
            Operand::Condition(condition) => Some(Cow::Owned(Value::Bool(condition.matches(item)))),
        }
    }

    fn collect_paths<'c>(&'c self, paths: &mut Vec<&'c Path>) {
        match self {
            Operand::Path(path) => paths.push(path),
            Operand::Value(_) => {}
            Operand::Size(operand) => operand.collect_paths(paths),
            Operand::Condition(condition) => condition.collect_paths(paths),
        }
    }
}

fn both(
    left: Option<Cow<'_, Value>>,
    right: Option<Cow<'_, Value>>,
    holds: fn(&Value, &Value) -> bool,
) -> bool {
    left.zip(right).is_some_and(|(left, right)| holds(&left, &right))
}

fn compare(
    comparator: Comparator,
    left: Option<Cow<'_, Value>>,
    right: Option<Cow<'_, Value>>,
) -> bool {
    match comparator {
        Comparator::Equal => both(left, right, |left, right| left == right),
        Comparator::NotEqual => !both(left, right, |left, right| left == right),
        Comparator::Less => {
            both(left, right, |left, right| is_ordered(left, right, Ordering::is_lt))
        }
        Comparator::LessOrEqual => {
            both(left, right, |left, right| is_ordered(left, right, Ordering::is_le))
        }
        Comparator::Greater => {
            both(left, right, |left, right| is_ordered(left, right, Ordering::is_gt))
        }
        Comparator::GreaterOrEqual => {
            both(left, right, |left, right| is_ordered(left, right, Ordering::is_ge))
        }
    }
}

fn is_ordered(left: &Value, right: &Value, holds: fn(Ordering) -> bool) -> bool {
    order(left, right).is_some_and(holds)
}

/// The order of two strings, numbers or binaries. Other values have none.
pub(crate) fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        (Value::Number(left), Value::Number(right)) => Some(left.cmp(right)),
        (Value::Binary(left), Value::Binary(right)) => Some(left.cmp(right)),
        _ => None,
    }
}

fn begins_with(value: &Value, prefix: &Value) -> bool {
    match (value, prefix) {
        (Value::String(text), Value::String(prefix)) => text.starts_with(prefix.as_str()),
        (Value::Binary(bytes), Value::Binary(prefix)) => bytes.starts_with(prefix),
        _ => false,
    }
}

fn contains(value: &Value, element: &Value) -> bool {
    match (value, element) {
        (Value::String(text), Value::String(part)) => text.contains(part.as_str()),
        (Value::Binary(bytes), Value::Binary(part)) => contains_bytes(bytes, part),
        (Value::StringSet(members), Value::String(member)) => members.binary_search(member).is_ok(),
        (Value::NumberSet(members), Value::Number(member)) => members.binary_search(member).is_ok(),
        (Value::BinarySet(members), Value::Binary(member)) => members.binary_search(member).is_ok(),
        (Value::List(elements), element) => elements.contains(element),
        _ => false,
    }
}

fn contains_bytes(bytes: &[u8], part: &[u8]) -> bool {
    // Comparing the part at each position would take the product of both lengths.
    memmem::find(bytes, part).is_some()
}

/// The size of a value: UTF-16 code units of a string, bytes of a binary, elements of a set, list
/// or map. Other values have none.
fn size(value: &Value) -> Option<Number> {
    let size = match value {
        Value::String(text) => text.encode_utf16().count(),
        Value::Binary(bytes) => bytes.len(),
        Value::List(elements) => elements.len(),
        Value::Map(members) => members.len(),
        Value::StringSet(members) => members.len(),
        Value::NumberSet(members) => members.len(),
        Value::BinarySet(members) => members.len(),
        Value::Number(_) | Value::Bool(_) | Value::Null => return None,
    };
    i64::try_from(size).ok().map(Number::from)
}
