//! Values of items: plain ones, by the type that the attribute declares, and DynamoDB's typed JSON.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use monotable_item::{Map, Number, Type, Value};

use super::context::{At, Context};
use super::object::named;
use super::scalar::number;
use crate::document::Attribute;
use crate::document::node::{Content, Entry};

/// Reads a value. Without a declared attribute its type is that of the plain value.
pub(super) fn value(
    cx: &mut Context<'_>,
    at: &At<'_>,
    attribute: Option<&Attribute>,
) -> Option<Value> {
    if let Some((kind, content)) = typed(at, attribute) {
        let value = of_type(cx, &content, kind, None)?;
        return check_type(cx, at, value, attribute);
    }
    match attribute {
        Some(attribute) => of_type(cx, at, attribute.kind, Some(attribute)),
        None => natural(cx, at),
    }
}

/// The type and content of `{ S = "text" }` and its like. A map that declares a member of this name
/// is a map.
fn typed<'n>(at: &At<'n>, attribute: Option<&Attribute>) -> Option<(Type, At<'n>)> {
    let Content::Map(entries) = &at.node.content else { return None };
    let [Entry { key, value, .. }] = entries.as_slice() else { return None };
    let kind = Type::from_code(key)?;
    if attribute.is_some_and(|attribute| attribute.member(key).is_some()) {
        return None;
    }
    let fits = match (&value.content, kind) {
        (Content::String(_), Type::String | Type::Number | Type::Binary) => true,
        (Content::Number(_), Type::Number) => true,
        (Content::Bool(_), Type::Bool | Type::Null) => true,
        (Content::List(_), Type::List | Type::StringSet | Type::NumberSet | Type::BinarySet) => {
            true
        }
        (Content::Map(_), Type::Map) => true,
        (
            Content::Null
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_)
            | Content::List(_)
            | Content::Map(_),
            _,
        ) => false,
    };
    fits.then(|| (kind, At { node: value, place: at.place.member(key) }))
}

fn check_type(
    cx: &mut Context<'_>,
    at: &At<'_>,
    value: Value,
    attribute: Option<&Attribute>,
) -> Option<Value> {
    match attribute {
        Some(attribute) if attribute.kind != value.kind() => {
            let (found, declared) = (value.kind().code(), attribute.kind.code());
            let message = format!("the value is {found}, and {} is {declared}", attribute.name);
            cx.error(at, "wrong-type", message);
            None
        }
        Some(_) | None => Some(value),
    }
}

/// Reads a value of a type, plain.
fn of_type(
    cx: &mut Context<'_>,
    at: &At<'_>,
    kind: Type,
    attribute: Option<&Attribute>,
) -> Option<Value> {
    match (&at.node.content, kind) {
        (Content::String(text), Type::String) => Some(Value::String(text.clone())),
        (Content::String(text), Type::Number) if attribute.is_none() => {
            parse_number(cx, at, text).map(Value::Number)
        }
        (Content::Number(_), Type::Number) => number(cx, at).map(Value::Number),
        (Content::String(text), Type::Binary) => binary(cx, at, text).map(Value::Binary),
        (Content::Bool(value), Type::Bool) => Some(Value::Bool(*value)),
        (Content::Bool(true), Type::Null) | (Content::Null, Type::Null) => Some(Value::Null),
        (Content::List(_), Type::List) => list(cx, at, attribute),
        (Content::Map(_), Type::Map) => map(cx, at, attribute),
        (Content::List(_), Type::StringSet | Type::NumberSet | Type::BinarySet) => {
            set(cx, at, kind)
        }
        (
            Content::Null
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_)
            | Content::List(_)
            | Content::Map(_),
            _,
        ) => {
            cx.wrong_type(at, expectation(kind));
            None
        }
    }
}

fn expectation(kind: Type) -> &'static str {
    match kind {
        Type::String => "text",
        Type::Number => "a number",
        Type::Binary => "bytes as base64 text",
        Type::Bool => "true or false",
        Type::Null => "nothing",
        Type::List => "a list",
        Type::Map => "a table",
        Type::StringSet => "a list of texts",
        Type::NumberSet => "a list of numbers",
        Type::BinarySet => "a list of bytes as base64 texts",
    }
}

fn natural(cx: &mut Context<'_>, at: &At<'_>) -> Option<Value> {
    let kind = match at.node.content {
        Content::Null => Type::Null,
        Content::Bool(_) => Type::Bool,
        Content::Number(_) => Type::Number,
        Content::String(_) => Type::String,
        Content::List(_) => Type::List,
        Content::Map(_) => Type::Map,
    };
    of_type(cx, at, kind, None)
}

fn list(cx: &mut Context<'_>, at: &At<'_>, attribute: Option<&Attribute>) -> Option<Value> {
    let items = attribute.and_then(|attribute| attribute.items.as_deref());
    let elements = at.elements().unwrap_or_default();
    let values = elements.iter().filter_map(|element| value(cx, element, items));
    Some(Value::List(values.collect()))
}

fn map(cx: &mut Context<'_>, at: &At<'_>, attribute: Option<&Attribute>) -> Option<Value> {
    let mut map = Map::new();
    for (name, member_at) in named(cx, at, "a table") {
        let declared = attribute.and_then(|attribute| attribute.member(name));
        if let Some(value) = value(cx, &member_at, declared) {
            let stored = declared.map_or(name, Attribute::item_name);
            map.insert(stored.to_owned(), value);
        }
    }
    Some(Value::Map(map))
}

fn set(cx: &mut Context<'_>, at: &At<'_>, kind: Type) -> Option<Value> {
    let elements = at.elements().unwrap_or_default();
    if elements.is_empty() {
        cx.error(at, "bad-value", "a set has at least one member");
        return None;
    }
    let element_kind = match kind {
        Type::NumberSet => Type::Number,
        Type::BinarySet => Type::Binary,
        Type::String
        | Type::Number
        | Type::Binary
        | Type::Bool
        | Type::Null
        | Type::List
        | Type::Map
        | Type::StringSet => Type::String,
    };
    let (mut strings, mut numbers, mut binaries) = (Vec::new(), Vec::new(), Vec::new());
    for element in &elements {
        match of_type(cx, element, element_kind, None)? {
            Value::Number(number) => numbers.push(number),
            Value::Binary(bytes) => binaries.push(bytes),
            Value::String(text) => strings.push(text),
            Value::Bool(_)
            | Value::Null
            | Value::List(_)
            | Value::Map(_)
            | Value::StringSet(_)
            | Value::NumberSet(_)
            | Value::BinarySet(_) => {}
        }
    }
    Some(match kind {
        Type::NumberSet => Value::number_set(numbers),
        Type::BinarySet => Value::binary_set(binaries),
        Type::String
        | Type::Number
        | Type::Binary
        | Type::Bool
        | Type::Null
        | Type::List
        | Type::Map
        | Type::StringSet => Value::string_set(strings),
    })
}

fn parse_number(cx: &mut Context<'_>, at: &At<'_>, text: &str) -> Option<Number> {
    let number = text.parse();
    if let Err(error) = &number {
        cx.error(at, "bad-value", format!("{text} is not a number: {error}"));
    }
    number.ok()
}

fn binary(cx: &mut Context<'_>, at: &At<'_>, text: &str) -> Option<Vec<u8>> {
    let bytes = BASE64.decode(text).ok();
    if bytes.is_none() {
        cx.error(at, "bad-value", "this is not base64");
    }
    bytes
}
