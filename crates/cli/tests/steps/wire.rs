//! Requests and values as the API's JSON.

use anyhow::{Error, Result, anyhow};
use monotable_item::Item;
use monotable_model::document::{Tree, read_json};
use monotable_model::item_json::wire_item;
use serde_json::Value as Json;

/// The JSON that a tree stands for.
pub(crate) fn json_of(tree: &Tree) -> Result<Json> {
    Ok(match tree {
        Tree::Null => Json::Null,
        Tree::Bool(bool) => Json::Bool(*bool),
        Tree::Number(number) => serde_json::from_str(number)?,
        Tree::String(text) => Json::String(text.clone()),
        Tree::List(elements) => Json::Array(elements.iter().map(json_of).collect::<Result<_>>()?),
        Tree::Map(members) => {
            let members = members.iter().map(|(name, tree)| Ok((name.clone(), json_of(tree)?)));
            Json::Object(members.collect::<Result<_>>()?)
        }
    })
}

/// The item that JSON stands for.
pub(crate) fn item_of(json: &Json) -> Result<Item> {
    let tree = read_json(&json.to_string()).map_err(Error::msg)?;
    wire_item(&tree).map_err(|(name, fault)| anyhow!("{name} of {json} {fault}"))
}
