//! The table that clients write to, and what is in it.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde_json::{Value as Json, json};

use crate::caller::Caller;
use crate::history::{Key, Value};

pub(crate) const TABLE: &str = "load";
/// An index that is always there.
pub(crate) const BY_GROUP: &str = "by-group";
/// One that comes and goes.
pub(crate) const BY_VALUE: &str = "by-value";

/// Items that are there from the beginning, so that filling an index takes its time.
const ITEMS_BEFORE: u64 = 2_000;
const BATCH: u64 = 25;

/// Creates the table and returns the name of its stream.
pub(crate) fn create(caller: &mut Caller) -> Result<String> {
    let request = json!({
        "TableName": TABLE,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{ "AttributeName": "pk", "KeyType": "HASH" }],
        "AttributeDefinitions": [
            { "AttributeName": "pk", "AttributeType": "S" },
            { "AttributeName": "grp", "AttributeType": "S" },
            { "AttributeName": "v", "AttributeType": "N" }
        ],
        "GlobalSecondaryIndexes": [{
            "IndexName": BY_GROUP,
            "KeySchema": [
                { "AttributeName": "grp", "KeyType": "HASH" },
                { "AttributeName": "v", "KeyType": "RANGE" }
            ],
            "Projection": { "ProjectionType": "ALL" }
        }],
        "StreamSpecification": { "StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES" }
    });
    let created = caller.ask("CreateTable", &request).context("the table cannot be created")?;
    let stream = created.pointer("/TableDescription/LatestStreamArn").and_then(Json::as_str);
    Ok(stream.context("the table has no stream")?.to_owned())
}

/// Puts the first items in.
pub(crate) fn fill(caller: &mut Caller) -> Result<()> {
    for first in (0..ITEMS_BEFORE).step_by(BATCH as usize) {
        let put = |number: u64| {
            let item = json!({ "pk": { "S": format!("before-{number}") }, "v": { "N": "1" },
                "grp": { "S": "g1" } });
            json!({ "PutRequest": { "Item": item } })
        };
        let puts: Vec<Json> = (first..first + BATCH).map(put).collect();
        let request = json!({ "RequestItems": { TABLE: puts } });
        caller.ask("BatchWriteItem", &request).context("the first items cannot be written")?;
    }
    Ok(())
}

/// An item with a value. The value decides on its group, and some have none.
pub(crate) fn item(key: &str, value: Value) -> Json {
    let mut item = json!({ "pk": { "S": key }, "v": { "N": value.to_string() } });
    if let (Some(group), Some(members)) = (group(value), item.as_object_mut()) {
        members.insert("grp".to_owned(), json!({ "S": group }));
    }
    item
}

/// The group that a value belongs to.
pub(crate) fn group(value: Value) -> Option<String> {
    (!value.is_multiple_of(4)).then(|| format!("g{}", value % 3))
}

/// The value of an item, 0 if there is none.
pub(crate) fn value_of(item: Option<&Json>) -> Value {
    let value = item.and_then(|item| item.pointer("/v/N")).and_then(Json::as_str);
    value.and_then(|value| value.parse().ok()).unwrap_or(0)
}

/// The name of an item.
pub(crate) fn key_of(item: &Json) -> Key {
    item.pointer("/pk/S").and_then(Json::as_str).unwrap_or_default().to_owned()
}

/// The values of all items of the table, or of an index.
pub(crate) fn contents(caller: &mut Caller, index: Option<&str>) -> Result<BTreeMap<Key, Json>> {
    let mut items = BTreeMap::new();
    let mut start = Json::Null;
    loop {
        let mut request = json!({ "TableName": TABLE });
        let members = request.as_object_mut().context("a request is an object")?;
        match index {
            Some(index) => members.insert("IndexName".to_owned(), json!(index)),
            None => members.insert("ConsistentRead".to_owned(), json!(true)),
        };
        if !start.is_null() {
            members.insert("ExclusiveStartKey".to_owned(), start);
        }
        let response = caller.ask("Scan", &request).context("the table cannot be scanned")?;
        for item in response.get("Items").and_then(Json::as_array).into_iter().flatten() {
            items.insert(key_of(item), item.clone());
        }
        start = response.get("LastEvaluatedKey").cloned().unwrap_or_default();
        if start.is_null() {
            return Ok(items);
        }
    }
}
