//! Requests of steps that no generated function makes, and of fixtures.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use monotable::backend::*;
use monotable::schema::Type;
use monotable::{Item, Value};
use serde_json::Value as Json;

use crate::wire::item_of;

/// Sends the request of a step, if it writes items or removes a table. What it answers does not
/// matter.
pub(crate) async fn send(
    backend: &dyn Backend,
    step: &Json,
    keys: &BTreeMap<String, Vec<String>>,
) -> Result<()> {
    if step["expect"]["error"].is_string() {
        // It changes nothing.
        return Ok(());
    }
    let params = &step["params"];
    match step["operation"].as_str().unwrap_or_default() {
        "PutItem" => put(backend, text(params, "TableName")?, params).await,
        "UpdateItem" => {
            let request = UpdateItem {
                table: text(params, "TableName")?.into(),
                key: item_of(&params["Key"])?,
                update: text(params, "UpdateExpression")?.to_owned(),
                condition: optional(params, "ConditionExpression"),
                names: names(params),
                values: values(params)?,
                returns: ReturnValues::None,
                item_on_failure: false,
                capacity: CapacityDetail::None,
            };
            ignored(backend.update_item(request).await)
        }
        "DeleteItem" => {
            let request = DeleteItem {
                table: text(params, "TableName")?.into(),
                key: item_of(&params["Key"])?,
                condition: optional(params, "ConditionExpression"),
                names: names(params),
                values: values(params)?,
                returns: ReturnValues::None,
                item_on_failure: false,
                capacity: CapacityDetail::None,
            };
            ignored(backend.delete_item(request).await)
        }
        "TtlSweep" => {
            let table = text(params, "TableName")?;
            let names = keys.get(table).context("no such table")?;
            for key in elements(&step["expect"], "keys") {
                let values = key.as_array().into_iter().flatten().map(|it| match it {
                    Json::String(text) => Ok(Value::from(text.as_str())),
                    other => Ok(Value::Number(other.to_string().parse()?)),
                });
                let values: Vec<Value> = values.collect::<Result<_>>()?;
                delete(backend, table, names.iter().cloned().zip(values).collect()).await?;
            }
            Ok(())
        }
        "DeleteTable" => {
            let table = text(params, "TableName")?.into();
            ignored(backend.delete_table(DeleteTable { table }).await)
        }
        "BatchWriteItem" | "TransactWriteItems" => {
            bail!("a step of several writes has no function: {step}")
        }
        // Reads, streams, and what changes tables.
        _ => Ok(()),
    }
}

/// Removes what has expired.
async fn delete(backend: &dyn Backend, table: &str, key: Item) -> Result<()> {
    let request = DeleteItem {
        table: table.into(),
        key,
        condition: None,
        names: BTreeMap::new(),
        values: Item::new(),
        returns: ReturnValues::None,
        item_on_failure: false,
        capacity: CapacityDetail::None,
    };
    ignored(backend.delete_item(request).await)
}

/// Puts an item, with the condition of a request if it has one.
pub(crate) async fn put(backend: &dyn Backend, table: &str, request: &Json) -> Result<()> {
    let request = PutItem {
        table: table.into(),
        item: item_of(&request["Item"])?,
        condition: optional(request, "ConditionExpression"),
        names: names(request),
        values: values(request)?,
        returns: ReturnValues::None,
        item_on_failure: false,
        capacity: CapacityDetail::None,
    };
    ignored(backend.put_item(request).await)
}

/// Makes a table of a `CreateTable` request.
pub(crate) async fn create_table(backend: &dyn Backend, request: &Json) -> Result<()> {
    let definitions = elements(request, "AttributeDefinitions");
    let attributes = definitions.map(|it| {
        let kind = match text(it, "AttributeType")? {
            "S" => Type::String,
            "N" => Type::Number,
            _ => Type::Binary,
        };
        Ok((text(it, "AttributeName")?.to_owned(), kind))
    });
    let mut indexes = Vec::new();
    for (member, kind) in
        [("LocalSecondaryIndexes", IndexKind::Local), ("GlobalSecondaryIndexes", IndexKind::Global)]
    {
        for index in elements(request, member) {
            let held = elements(&index["Projection"], "NonKeyAttributes");
            let held = held.filter_map(Json::as_str).map(str::to_owned).collect();
            indexes.push(IndexDescription {
                name: text(index, "IndexName")?.to_owned(),
                kind,
                key: key_schema(index)?,
                projection: match text(&index["Projection"], "ProjectionType")? {
                    "ALL" => IndexProjection::All,
                    "KEYS_ONLY" => IndexProjection::KeysOnly,
                    _ => IndexProjection::Include(held),
                },
            });
        }
    }
    let request = CreateTable {
        table: text(request, "TableName")?.into(),
        attributes: attributes.collect::<Result<_>>()?,
        key: key_schema(request)?,
        indexes,
        billing: Billing::OnDemand,
        stream: None,
    };
    backend.create_table(request).await?;
    Ok(())
}

fn key_schema(request: &Json) -> Result<KeySchema> {
    let mut key = KeySchema { partition: Vec::new(), sort: Vec::new() };
    for element in elements(request, "KeySchema") {
        let name = text(element, "AttributeName")?.to_owned();
        match text(element, "KeyType")? {
            "HASH" => key.partition.push(name),
            _ => key.sort.push(name),
        }
    }
    Ok(key)
}

fn ignored<T>(answer: Result<T, BackendError>) -> Result<()> {
    match answer {
        Ok(_) => Ok(()),
        Err(error) if matches!(error.kind, ErrorKind::ConditionFailed { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn elements<'j>(json: &'j Json, member: &str) -> impl Iterator<Item = &'j Json> {
    json[member].as_array().into_iter().flatten()
}

fn text<'j>(json: &'j Json, member: &str) -> Result<&'j str> {
    json[member].as_str().with_context(|| format!("no {member} in {json}"))
}

fn optional(json: &Json, member: &str) -> Option<String> {
    json[member].as_str().map(str::to_owned)
}

fn names(json: &Json) -> BTreeMap<String, String> {
    let members = json["ExpressionAttributeNames"].as_object().into_iter().flatten();
    members.filter_map(|(name, of)| Some((name.clone(), of.as_str()?.to_owned()))).collect()
}

fn values(json: &Json) -> Result<Item> {
    match &json["ExpressionAttributeValues"] {
        Json::Null => Ok(Item::new()),
        values => item_of(values),
    }
}
