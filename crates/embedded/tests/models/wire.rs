//! Items and values as the API's JSON.

use anyhow::{Error, Result, anyhow};
use monotable::{Item, Value};
use monotable_model::document::read_json;
use monotable_model::item_json::wire_item;
use serde_json::{Value as Json, json};

/// The item that JSON stands for.
pub(crate) fn item_of(json: &Json) -> Result<Item> {
    let tree = read_json(&json.to_string()).map_err(Error::msg)?;
    wire_item(&tree).map_err(|(name, fault)| anyhow!("{name} of {json} {fault}"))
}

/// The JSON of an item.
pub(crate) fn json_of_item(item: &Item) -> Json {
    item.iter().map(|(name, value)| (name.clone(), json_of(value))).collect()
}

fn json_of(value: &Value) -> Json {
    match value {
        Value::String(text) => json!({ "S": text }),
        Value::Number(number) => json!({ "N": number.to_string() }),
        Value::Bool(flag) => json!({ "BOOL": flag }),
        Value::Null => json!({ "NULL": true }),
        Value::List(elements) => json!({ "L": elements.iter().map(json_of).collect::<Vec<_>>() }),
        Value::Map(members) => json!({ "M": json_of_item(members) }),
        Value::StringSet(texts) => json!({ "SS": texts }),
        other => panic!("no model has {other:?}"),
    }
}
