//! Items as DynamoDB's JSON: `{ "PK": { "S": "…" } }`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use monotable_item::{Item, Number, Type, Value};
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::Tree;

use super::foreign::{At, Read};

/// Reads an item in DynamoDB's JSON, or says what is wrong with it.
pub fn item_of_tree(tree: &Tree) -> Result<Item, Diagnostic> {
    item(&At::root(tree))
}

/// Reads an item.
pub(super) fn item(at: &At<'_>) -> Read<Item> {
    at.named()?.into_iter().map(|(name, at)| Ok((name.to_owned(), value(&at)?))).collect()
}

/// Reads a value. Some tools write plain values inside typed maps, so those are taken as well.
pub(super) fn value(at: &At<'_>) -> Read<Value> {
    let members = at.named().unwrap_or_default();
    match members.as_slice() {
        [(code, content)] => match Type::from_code(code) {
            Some(kind) if fits(content.tree, kind) => of_type(content, kind),
            Some(_) | None => plain(at),
        },
        _ => plain(at),
    }
}

fn fits(tree: &Tree, kind: Type) -> bool {
    match kind {
        Type::String | Type::Binary => matches!(tree, Tree::String(_)),
        Type::Number => matches!(tree, Tree::String(_) | Tree::Number(_)),
        Type::Bool | Type::Null => matches!(tree, Tree::Bool(_) | Tree::String(_)),
        Type::List | Type::StringSet | Type::NumberSet | Type::BinarySet => {
            matches!(tree, Tree::List(_))
        }
        Type::Map => matches!(tree, Tree::Map(_)),
    }
}

fn of_type(at: &At<'_>, kind: Type) -> Read<Value> {
    match kind {
        Type::String => Ok(Value::from(at.text()?)),
        Type::Number => number(at).map(Value::Number),
        Type::Binary => binary(at).map(Value::Binary),
        Type::Bool => at.flag().map(Value::Bool),
        Type::Null => Ok(Value::Null),
        Type::List => Ok(Value::List(at.list()?.iter().map(value).collect::<Read<_>>()?)),
        Type::Map => item(at).map(Value::Map),
        Type::StringSet => at.texts().map(Value::string_set),
        Type::NumberSet => {
            Ok(Value::number_set(at.list()?.iter().map(number).collect::<Read<_>>()?))
        }
        Type::BinarySet => {
            Ok(Value::binary_set(at.list()?.iter().map(binary).collect::<Read<_>>()?))
        }
    }
}

fn number(at: &At<'_>) -> Read<Number> {
    let text = match at.tree {
        Tree::Number(text) | Tree::String(text) => text,
        Tree::Null | Tree::Bool(_) | Tree::List(_) | Tree::Map(_) => {
            return Err(at.expected("a number"));
        }
    };
    text.parse().map_err(|error| at.error(format!("{text} cannot be stored: {error}")))
}

fn binary(at: &At<'_>) -> Read<Vec<u8>> {
    BASE64.decode(at.text()?).map_err(|_| at.error("bytes are written as base64 text"))
}

/// A value without its type.
pub(super) fn plain(at: &At<'_>) -> Read<Value> {
    match at.tree {
        Tree::Null => Ok(Value::Null),
        Tree::Bool(flag) => Ok(Value::Bool(*flag)),
        Tree::Number(_) => number(at).map(Value::Number),
        Tree::String(text) => Ok(Value::from(text.as_str())),
        Tree::List(_) => Ok(Value::List(at.list()?.iter().map(value).collect::<Read<_>>()?)),
        Tree::Map(_) => item(at).map(Value::Map),
    }
}

/// A value as plain JSON, as the document clients of the SDKs give it.
pub(super) fn untyped(value: &Value) -> Tree {
    match value {
        Value::String(content) => Tree::String(content.clone()),
        Value::Number(number) => Tree::Number(number.to_string()),
        Value::Binary(bytes) => Tree::String(BASE64.encode(bytes)),
        Value::Bool(flag) => Tree::Bool(*flag),
        Value::Null => Tree::Null,
        Value::List(values) => Tree::List(values.iter().map(untyped).collect()),
        Value::Map(map) => {
            Tree::Map(map.iter().map(|(name, value)| (name.clone(), untyped(value))).collect())
        }
        Value::StringSet(all) => Tree::List(all.iter().cloned().map(Tree::String).collect()),
        Value::NumberSet(all) => {
            Tree::List(all.iter().map(|one| Tree::Number(one.to_string())).collect())
        }
        Value::BinarySet(all) => {
            Tree::List(all.iter().map(|one| Tree::String(BASE64.encode(one))).collect())
        }
    }
}
