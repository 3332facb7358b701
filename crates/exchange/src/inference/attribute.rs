//! The attributes of an entity, from the values that its items have.

use std::collections::{BTreeMap, BTreeSet};

use monotable_item::{Item, Type, Value};
use monotable_model::document::{Attribute, AttributeFormat};

use super::candidate::can_be_named;
use crate::attribute_words::format_of;

/// From how many items on it says something that all of them have an attribute.
const ITEMS_TELLING: usize = 3;
/// The most values of an enumeration.
const VALUES_MAX: usize = 8;
/// How often each value of an enumeration occurs at least, on average.
const VALUE_REPEATS: usize = 3;
/// Seconds and milliseconds since 1970 that lie between 2001 and 2286.
const EPOCH_SECONDS: std::ops::Range<i64> = 1_000_000_000..10_000_000_000;
const EPOCH_MILLIS: std::ops::Range<i64> = 1_000_000_000_000..10_000_000_000_000;

/// The attributes of some items, but for those that are left out. Says which have values of several
/// types. Names that were made up are for other attributes.
pub(super) fn attributes(
    items: &[&Item],
    left_out: &[String],
    made_up: &[&str],
) -> (Vec<Attribute>, Vec<String>) {
    let mut values: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for (name, value) in items.iter().flat_map(|item| item.iter()) {
        if !left_out.contains(name) {
            values.entry(name).or_default().push(value);
        }
    }
    let mut mixed = Vec::new();
    let mut attributes = Vec::new();
    let stored = values.keys().copied().filter(|name| can_be_named(name));
    let mut taken: BTreeSet<String> =
        stored.chain(made_up.iter().copied()).map(str::to_owned).collect();
    for (name, values) in values {
        let kind = commonest_type(&values);
        if values.iter().any(|value| value.kind() != kind) {
            mixed.push(name.to_owned());
        }
        let mut attribute = of_values(name, kind, &values);
        if !can_be_named(name) {
            attribute.name = free_name(name, &taken);
            attribute.stored_name = Some(name.to_owned());
            taken.insert(attribute.name.clone());
        }
        attribute.required = values.len() == items.len() && items.len() >= ITEMS_TELLING;
        attributes.push(attribute);
    }
    (attributes, mixed)
}

/// An attribute that stands in keys alone.
pub(super) fn unstored(name: &str, values: &[&Value]) -> Attribute {
    let mut attribute = of_values(name, commonest_type(values), values);
    attribute.stored = false;
    attribute.values.clear();
    attribute
}

/// A name that templates can say, and that no other attribute has.
pub(crate) fn free_name(name: &str, taken: &BTreeSet<String>) -> String {
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let numbered = (2..).map(|number| format!("{plain}_{number}"));
    let mut names = std::iter::once(plain.clone()).chain(numbered);
    names.find(|name| !taken.contains(name)).unwrap_or(plain)
}

fn of_values(name: &str, kind: Type, values: &[&Value]) -> Attribute {
    let mut attribute = Attribute::new(name, kind);
    attribute.format = match kind {
        Type::String => format_of(values.iter().filter_map(|value| text(value))),
        Type::Number => epoch(values),
        Type::Binary
        | Type::Bool
        | Type::Null
        | Type::List
        | Type::Map
        | Type::StringSet
        | Type::NumberSet
        | Type::BinarySet => None,
    };
    if kind == Type::String && attribute.format.is_none() {
        attribute.values = enumeration(values);
    }
    attribute
}

fn commonest_type(values: &[&Value]) -> Type {
    let count = |kind: Type| values.iter().filter(|value| value.kind() == kind).count();
    let commonest = Type::ALL.into_iter().rev().max_by_key(|kind| count(*kind));
    commonest.unwrap_or(Type::String)
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn epoch(values: &[&Value]) -> Option<AttributeFormat> {
    let numbers: Option<Vec<i64>> = values
        .iter()
        .map(|value| match value {
            Value::Number(number) => number.to_i64(),
            _ => None,
        })
        .collect();
    let numbers = numbers?;
    let all = |range: std::ops::Range<i64>| numbers.iter().all(|number| range.contains(number));
    match () {
        () if all(EPOCH_SECONDS) => Some(AttributeFormat::EpochSeconds),
        () if all(EPOCH_MILLIS) => Some(AttributeFormat::EpochMillis),
        () => None,
    }
}

/// Few texts that occur again and again.
fn enumeration(values: &[&Value]) -> Vec<Value> {
    let distinct: BTreeSet<&str> = values.iter().filter_map(|value| text(value)).collect();
    let are_few = distinct.len() >= 2 && distinct.len() <= VALUES_MAX;
    if !are_few || values.len() < distinct.len() * VALUE_REPEATS {
        return Vec::new();
    }
    distinct.into_iter().map(Value::from).collect()
}
