//! Items in the files of other tools: typed, as in `{ "PK": { "S": "…" } }`, or plain.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use monotable_item::{Item, Value};
use monotable_model::document::Tree;
use monotable_model::item_json::{WireFault, plain_value, tool_value};

use super::foreign::{At, Read};

/// Reads an item.
pub(super) fn item(at: &At<'_>) -> Read<Item> {
    let value = |at: &At<'_>| read(at, tool_value);
    at.named()?.into_iter().map(|(name, at)| Ok((name.to_owned(), value(&at)?))).collect()
}

/// Reads a value that has no type of its own.
pub(super) fn plain(at: &At<'_>) -> Read<Value> {
    read(at, plain_value)
}

fn read(at: &At<'_>, read: fn(&Tree) -> Result<Value, WireFault>) -> Read<Value> {
    read(at.tree).map_err(|fault| at.error(format!("the value {fault}")))
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
