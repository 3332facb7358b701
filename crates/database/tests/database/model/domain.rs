//! The few values that the attributes of the model's table have, so that histories meet the same
//! keys often.

use std::cmp::Ordering;

use monotable_item::{Item, Value};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Every attribute and whether it is part of the table's key.
pub(super) const ATTRIBUTES: [&str; 5] = ["g", "n", "b", "t", "x"];

/// The values of an attribute. Some are prefixes of others, some hold the bytes 00 and FF.
pub(super) fn domain(attribute: &str) -> Vec<Value> {
    let numbers = |texts: &[&str]| {
        texts.iter().map(|text| Value::Number(text.parse().expect("a number"))).collect()
    };
    match attribute {
        "pk" => vec!["a".into(), "a\0".into(), "b".into()],
        "sk" => numbers(&["-1E30", "-10", "-9.5", "0", "1E-30", "1", "10", "1E30"]),
        "g" => vec!["x".into(), "x\0".into(), "xy".into()],
        "n" => numbers(&["-2", "-1", "0", "0.5", "7"]),
        "b" => [&[0][..], &[0, 0], &[0, 255], &[255], &[255, 255], &[7]]
            .map(|bytes| Value::Binary(bytes.to_vec()))
            .to_vec(),
        "t" => vec!["\u{0}".into(), "m".into(), "m\0".into(), "mm".into(), "é".into()],
        _ => vec![
            Value::Null,
            Value::List(vec![1.into(), "deep".into()]),
            "x".repeat(1500).as_str().into(),
        ],
    }
}

pub(super) fn pick(attribute: &str, at: &Index) -> Value {
    let mut values = domain(attribute);
    let at = at.index(values.len());
    values.swap_remove(at)
}

pub(super) fn value(attribute: &'static str) -> impl Strategy<Value = Value> {
    select(domain(attribute))
}

pub(super) fn key() -> impl Strategy<Value = Item> {
    (value("pk"), value("sk"))
        .prop_map(|(pk, sk)| Item::from([("pk".to_owned(), pk), ("sk".to_owned(), sk)]))
}

/// The order of two values of one key type, told by the values and not by their bytes on disk.
pub(super) fn compare(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::String(left), Value::String(right)) => left.as_bytes().cmp(right.as_bytes()),
        (Value::Binary(left), Value::Binary(right)) => left.cmp(right),
        (Value::Number(left), Value::Number(right)) => left.cmp(right),
        other => panic!("no order: {other:?}"),
    }
}

pub(super) fn begins_with(value: &Value, prefix: &Value) -> bool {
    match (value, prefix) {
        (Value::String(value), Value::String(prefix)) => value.starts_with(prefix.as_str()),
        (Value::Binary(value), Value::Binary(prefix)) => value.starts_with(prefix),
        other => panic!("no prefix: {other:?}"),
    }
}
