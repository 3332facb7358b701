//! Items and values in plain JSON, for tests.
//!
//! Strings, numbers, booleans, nulls, lists and maps are themselves. The types that JSON lacks are
//! maps with one member: `{"SS": ["a"]}`, `{"NS": [1]}`, `{"B": "text"}`, `{"BS": ["text"]}`.

use std::collections::BTreeMap;

use monotable_item::{Item, Number, Value};
use serde_json::Value as Json;

pub(crate) fn item(text: &str) -> Item {
    match value(serde_json::from_str(text).expect("an item is JSON")) {
        Value::Map(item) => item,
        _ => panic!("an item is a map: {text}"),
    }
}

pub(crate) fn names(text: &str) -> BTreeMap<String, String> {
    serde_json::from_str(text).expect("names are a JSON map")
}

pub(crate) fn value(json: Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(bool) => Value::Bool(bool),
        Json::Number(number) => Value::Number(number.to_string().parse().expect("a number")),
        Json::String(text) => Value::String(text),
        Json::Array(elements) => Value::List(elements.into_iter().map(value).collect()),
        Json::Object(members) => {
            let mut map: BTreeMap<String, Value> =
                members.into_iter().map(|(name, json)| (name, value(json))).collect();
            special(&map).unwrap_or_else(|| Value::Map(std::mem::take(&mut map)))
        }
    }
}

fn special(map: &BTreeMap<String, Value>) -> Option<Value> {
    let (name, value) = map.first_key_value().filter(|_| map.len() == 1)?;
    match (name.as_str(), value) {
        ("B", Value::String(text)) => Some(Value::Binary(text.clone().into_bytes())),
        ("N", Value::String(text)) => Some(Value::Number(text.parse().expect("a number"))),
        ("SS", Value::List(members)) => Some(Value::string_set(strings(members))),
        ("NS", Value::List(members)) => Some(Value::number_set(numbers(members))),
        ("BS", Value::List(members)) => {
            Some(Value::binary_set(strings(members).into_iter().map(String::into_bytes).collect()))
        }
        _ => None,
    }
}

fn strings(members: &[Value]) -> Vec<String> {
    let string = |member: &Value| match member {
        Value::String(text) => text.clone(),
        other => panic!("not a string: {other:?}"),
    };
    members.iter().map(string).collect()
}

fn numbers(members: &[Value]) -> Vec<Number> {
    let number = |member: &Value| match member {
        Value::Number(number) => *number,
        other => panic!("not a number: {other:?}"),
    };
    members.iter().map(number).collect()
}

pub(crate) fn print_item(item: &Item) -> String {
    let members: Vec<String> =
        item.iter().map(|(name, value)| format!("{name:?}: {}", print(value))).collect();
    format!("{{{}}}", members.join(", "))
}

pub(crate) fn print(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text:?}"),
        Value::Number(number) => number.to_string(),
        Value::Binary(bytes) => format!("{{\"B\": {:?}}}", String::from_utf8_lossy(bytes)),
        Value::Bool(bool) => bool.to_string(),
        Value::Null => "null".to_owned(),
        Value::List(elements) => {
            format!("[{}]", elements.iter().map(print).collect::<Vec<_>>().join(", "))
        }
        Value::Map(map) => print_item(map),
        Value::StringSet(members) => format!("{{\"SS\": {members:?}}}"),
        Value::NumberSet(members) => {
            let members: Vec<String> = members.iter().map(Number::to_string).collect();
            format!("{{\"NS\": [{}]}}", members.join(", "))
        }
        Value::BinarySet(members) => {
            let members: Vec<_> =
                members.iter().map(|bytes| String::from_utf8_lossy(bytes)).collect();
            format!("{{\"BS\": {members:?}}}")
        }
    }
}
