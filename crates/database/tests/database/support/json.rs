//! Items and values in plain JSON.
//!
//! Strings, numbers, booleans, nulls, lists and maps are themselves. What JSON lacks is a map with
//! one member:
//! `{"B": "00ff"}` in hexadecimal digits, `{"N": "1E-130"}`, `{"SS": ["a"]}`, `{"NS": [1]}`. A
//! string written
//! `{"X": 1000}` is as many times the letter x, for items of a certain size.

use monotable_item::{Item, Map, Number, Value};
use serde_json::Value as Json;

type Result<T> = std::result::Result<T, String>;

pub(crate) fn item(text: &str) -> Result<Item> {
    match value(text)? {
        Value::Map(item) => Ok(item),
        other => Err(format!("not an item: {other:?}")),
    }
}

pub(crate) fn value(text: &str) -> Result<Value> {
    let json = serde_json::from_str(text).map_err(|error| format!("{text}: {error}"))?;
    from_json(json)
}

fn from_json(json: Json) -> Result<Value> {
    Ok(match json {
        Json::Null => Value::Null,
        Json::Bool(bool) => Value::Bool(bool),
        Json::Number(number) => Value::Number(parse_number(&number.to_string())?),
        Json::String(text) => Value::String(text),
        Json::Array(elements) => {
            Value::List(elements.into_iter().map(from_json).collect::<Result<_>>()?)
        }
        Json::Object(members) => {
            let read = |(name, json)| Ok((name, from_json(json)?));
            let map = members.into_iter().map(read).collect::<Result<Map>>()?;
            special(&map).unwrap_or(Ok(Value::Map(map)))?
        }
    })
}

fn special(map: &Map) -> Option<Result<Value>> {
    let (name, value) = map.first_key_value().filter(|_| map.len() == 1)?;
    match (name.as_str(), value) {
        ("B", Value::String(digits)) => Some(parse_hex(digits).map(Value::Binary)),
        ("N", Value::String(text)) => Some(parse_number(text).map(Value::Number)),
        ("X", Value::Number(length)) => {
            let length = length.to_i64().and_then(|length| usize::try_from(length).ok())?;
            Some(Ok(Value::String("x".repeat(length))))
        }
        ("SS", Value::List(members)) => {
            let text = |member: &Value| match member {
                Value::String(text) => Ok(text.clone()),
                other => Err(format!("not a string: {other:?}")),
            };
            Some(members.iter().map(text).collect::<Result<_>>().map(Value::string_set))
        }
        ("NS", Value::List(members)) => {
            let number = |member: &Value| match member {
                Value::Number(number) => Ok(*number),
                other => Err(format!("not a number: {other:?}")),
            };
            Some(members.iter().map(number).collect::<Result<_>>().map(Value::number_set))
        }
        _ => None,
    }
}

fn parse_number(text: &str) -> Result<Number> {
    text.parse().map_err(|error| format!("{text}: {error}"))
}

fn parse_hex(digits: &str) -> Result<Vec<u8>> {
    let byte = |at: usize| {
        let pair = digits.get(at..at + 2).ok_or("an odd number of digits")?;
        u8::from_str_radix(pair, 16).map_err(|error| error.to_string())
    };
    (0..digits.len()).step_by(2).map(byte).collect()
}

pub(crate) fn print_item(item: &Item) -> String {
    let members: Vec<String> =
        item.iter().map(|(name, value)| format!("{name:?}: {}", print(value))).collect();
    format!("{{{}}}", members.join(", "))
}

pub(crate) fn print(value: &Value) -> String {
    match value {
        Value::String(text) if text.len() > 20 && text.bytes().all(|byte| byte == b'x') => {
            format!("{{\"X\": {}}}", text.len())
        }
        Value::String(text) => Json::from(text.as_str()).to_string(),
        Value::Number(number) => number.to_string(),
        Value::Binary(bytes) => format!("{{\"B\": \"{}\"}}", print_hex(bytes)),
        Value::Bool(bool) => bool.to_string(),
        Value::Null => "null".to_owned(),
        Value::List(elements) => {
            format!("[{}]", elements.iter().map(print).collect::<Vec<_>>().join(", "))
        }
        Value::Map(map) => print_item(map),
        Value::StringSet(members) => format!("{{\"SS\": {}}}", Json::from(members.as_slice())),
        Value::NumberSet(members) => {
            let members: Vec<String> = members.iter().map(Number::to_string).collect();
            format!("{{\"NS\": [{}]}}", members.join(", "))
        }
        Value::BinarySet(members) => {
            let members: Vec<String> = members.iter().map(|bytes| print_hex(bytes)).collect();
            format!("{{\"BS\": {members:?}}}")
        }
    }
}

pub(crate) fn print_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
