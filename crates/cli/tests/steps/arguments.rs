//! The parameters of a step.

use anyhow::{Context, Result, bail};
use monotable_item::{Item, Value};
use monotable_model::document::Model;
use serde_json::Value as Json;
use toml::{Table, Value as Toml};

use crate::wire::item_of;

/// What `with`, `items` and `lists` of an entry say.
pub(crate) fn arguments(model: &Model, entry: &Table, params: &Json) -> Result<Item> {
    let mut arguments = Item::new();
    for (name, value) in members(entry, "with") {
        arguments.insert(name.clone(), plain(value)?);
    }
    for pointer in entry.get("items").and_then(Toml::as_array).into_iter().flatten() {
        arguments.extend(item_at(model, params, pointer)?);
    }
    for (name, list) in members(entry, "lists") {
        arguments.insert(name.clone(), Value::List(elements(model, params, list)?));
    }
    Ok(arguments)
}

fn members<'t>(entry: &'t Table, member: &str) -> impl Iterator<Item = (&'t String, &'t Toml)> {
    entry.get(member).and_then(Toml::as_table).into_iter().flatten()
}

fn elements(model: &Model, params: &Json, list: &Toml) -> Result<Vec<Value>> {
    if let Toml::String(pointer) = list {
        let puts = params.pointer(pointer).and_then(Json::as_array).context("no list there")?;
        let item = |put: &Json| Ok(Value::Map(parameters(model, &put["PutRequest"]["Item"])?));
        return puts.iter().map(item).collect();
    }
    let elements = list.as_array().context("a list is a list or a pointer")?;
    let element = |element: &Toml| match element {
        Toml::String(pointer) if pointer.starts_with('/') => {
            Ok(Value::Map(item_at(model, params, element)?))
        }
        element => plain(element),
    };
    elements.iter().map(element).collect()
}

fn item_at(model: &Model, params: &Json, pointer: &Toml) -> Result<Item> {
    let pointer = pointer.as_str().context("a pointer is text")?;
    parameters(model, params.pointer(pointer).with_context(|| format!("nothing at {pointer}"))?)
}

/// The attributes of an item by the names that any entity of the model has for them.
fn parameters(model: &Model, json: &Json) -> Result<Item> {
    let item = item_of(json)?;
    let attributes = model.entities.iter().flat_map(|entity| &entity.attributes);
    let named = attributes.filter_map(|attribute| {
        Some((attribute.name.clone(), item.get(attribute.item_name())?.clone()))
    });
    Ok(named.collect())
}

/// A value in plain form; a table of one member that is called like a type has that type.
fn plain(value: &Toml) -> Result<Value> {
    Ok(match value {
        Toml::String(text) => Value::String(text.clone()),
        Toml::Integer(number) => Value::from(*number),
        Toml::Boolean(bool) => Value::Bool(*bool),
        Toml::Array(elements) => Value::List(elements.iter().map(plain).collect::<Result<_>>()?),
        Toml::Table(table) if table.contains_key("SS") => {
            Value::string_set(strings(table.get("SS")).into_iter().collect())
        }
        Toml::Table(table) => {
            let members = table.iter().map(|(name, value)| Ok((name.clone(), plain(value)?)));
            Value::Map(members.collect::<Result<_>>()?)
        }
        Toml::Float(_) | Toml::Datetime(_) => bail!("{value:?} is no value of an attribute"),
    })
}

fn strings(list: Option<&Toml>) -> Vec<String> {
    let texts = list.and_then(Toml::as_array).into_iter().flatten().filter_map(Toml::as_str);
    texts.map(str::to_owned).collect()
}
