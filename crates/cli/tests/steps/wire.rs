//! Requests and values as the API's JSON.

use anyhow::{Context, Result, bail};
use monotable_item::{Item, Value};
use monotable_model::document::Tree;
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
    let members = json.as_object().with_context(|| format!("{json} is no item"))?;
    members.iter().map(|(name, json)| Ok((name.clone(), value_of(json)?))).collect()
}

/// The value that JSON stands for.
pub(crate) fn value_of(json: &Json) -> Result<Value> {
    let member = json.as_object().and_then(|members| members.iter().next());
    let (kind, json) = member.with_context(|| format!("{json} is no value"))?;
    let text = || json.as_str().with_context(|| format!("{json} is no text"));
    let elements = || json.as_array().into_iter().flatten();
    Ok(match kind.as_str() {
        "S" => Value::from(text()?),
        "N" => Value::Number(text()?.parse()?),
        "BOOL" => Value::Bool(json == &Json::Bool(true)),
        "NULL" => Value::Null,
        "L" => Value::List(elements().map(value_of).collect::<Result<_>>()?),
        "M" => Value::Map(item_of(json)?),
        "SS" => {
            let texts = elements().filter_map(Json::as_str);
            Value::string_set(texts.map(str::to_owned).collect())
        }
        other => bail!("no model has values of type {other}"),
    })
}
