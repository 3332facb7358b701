//! Items and values as the API's JSON.

use anyhow::{Context, Result, bail};
use monotable::{Item, Value};
use serde_json::{Value as Json, json};

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
