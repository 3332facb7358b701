//! Values of items, plain where the reader would see the same value again, and typed otherwise.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use monotable_item::{Map, Type, Value};

use super::members::text;
use crate::document::{Attribute, Tree};

/// A value as it is written for a declared attribute.
pub(super) fn value(value: &Value, attribute: Option<&Attribute>) -> Tree {
    let is_declared = attribute.is_some_and(|attribute| attribute.kind == value.kind());
    let is_natural = attribute.is_none()
        && matches!(
            value.kind(),
            Type::String | Type::Number | Type::Bool | Type::List | Type::Map
        );
    if value.kind() == Type::Null || !(is_declared || is_natural) {
        return typed(value);
    }
    match plain(value, attribute) {
        // A table of one member that is called like a type would be read as a typed value.
        Tree::Map(members) if looks_typed(&members, attribute) => typed(value),
        plain => plain,
    }
}

fn looks_typed(members: &[(String, Tree)], attribute: Option<&Attribute>) -> bool {
    let [(name, _)] = members else { return false };
    let is_member = attribute.is_some_and(|attribute| attribute.member(name).is_some());
    Type::from_code(name).is_some() && !is_member
}

fn plain(value: &Value, attribute: Option<&Attribute>) -> Tree {
    match value {
        Value::String(content) => text(content),
        Value::Number(number) => Tree::Number(number.to_string()),
        Value::Binary(bytes) => text(&BASE64.encode(bytes)),
        Value::Bool(flag) => Tree::Bool(*flag),
        Value::Null => Tree::Bool(true),
        Value::List(values) => {
            let items = attribute.and_then(|attribute| attribute.items.as_deref());
            Tree::List(values.iter().map(|element| self::value(element, items)).collect())
        }
        Value::Map(map) => Tree::Map(members(map, attribute)),
        Value::StringSet(texts) => Tree::List(texts.iter().map(|member| text(member)).collect()),
        Value::NumberSet(numbers) => {
            Tree::List(numbers.iter().map(|member| Tree::Number(member.to_string())).collect())
        }
        Value::BinarySet(all) => {
            Tree::List(all.iter().map(|bytes| text(&BASE64.encode(bytes))).collect())
        }
    }
}

fn members(map: &Map, attribute: Option<&Attribute>) -> Vec<(String, Tree)> {
    let member = |(name, content): (&String, &Value)| {
        let members = attribute.map_or(&[] as &[Attribute], |attribute| &attribute.members);
        let declared = members.iter().find(|member| member.item_name() == name);
        let written = declared.map_or(name, |declared| &declared.name);
        (written.clone(), value(content, declared))
    };
    map.iter().map(member).collect()
}

/// `{ S = "text" }` and its like.
pub(super) fn typed(value: &Value) -> Tree {
    Tree::Map(vec![(value.kind().code().to_owned(), plain(value, None))])
}
