//! What clients send.

use serde_json::{Map, Value, json};

use super::ledger::{Change, State};
use super::table::TABLE;

/// Members of a batch.
pub(super) const BATCH: usize = 5;

/// Items that a query reads.
pub(super) const QUERIED: usize = 20;

/// Numbers of items have six digits.
pub(super) const ITEMS_MAX: usize = 999_999;

/// What the items are filled up with.
const PAYLOAD_BYTES: usize = 300;

/// The partition of a client.
pub(super) fn partition(client: usize) -> String {
    format!("client{client:03}")
}

/// The sort key of an item.
pub(super) fn sort_key(item: usize) -> String {
    format!("item{item:06}")
}

/// The number that a name such as `client007` or `item000042` ends with.
pub(super) fn number_in(name: &str) -> Option<usize> {
    name.trim_start_matches(char::is_alphabetic).parse().ok()
}

pub(super) fn key(client: usize, item: usize) -> Value {
    json!({"pk": {"S": partition(client)}, "sk": {"S": sort_key(item)}})
}

/// An item at a version.
fn versioned(client: usize, item: usize, version: u64) -> Value {
    json!({
        "pk": {"S": partition(client)},
        "sk": {"S": sort_key(item)},
        "version": {"N": version.to_string()},
        "grp": {"S": group(version)},
        "payload": {"S": "x".repeat(PAYLOAD_BYTES)},
    })
}

fn group(version: u64) -> String {
    format!("group{}", version % 50)
}

/// The version of an item as it was read.
pub(super) fn version(item: &Value) -> Option<u64> {
    item.pointer("/version/N")?.as_str()?.parse().ok()
}

pub(super) fn put(client: usize, item: usize, version: u64) -> Value {
    json!({"TableName": TABLE, "Item": versioned(client, item, version)})
}

/// An update that happens only to what the client knows.
pub(super) fn update(client: usize, item: usize, known: State, version: u64) -> Value {
    let mut values = json!({
        ":version": {"N": version.to_string()},
        ":grp": {"S": group(version)},
        ":payload": {"S": "y".repeat(PAYLOAD_BYTES)},
    });
    let condition = match known {
        None => "attribute_not_exists(pk)",
        Some(known) => {
            if let Some(values) = values.as_object_mut() {
                values.insert(":known".to_owned(), json!({"N": known.to_string()}));
            }
            "version = :known"
        }
    };
    json!({
        "TableName": TABLE,
        "Key": key(client, item),
        "UpdateExpression": "SET version = :version, grp = :grp, payload = :payload",
        "ConditionExpression": condition,
        "ExpressionAttributeValues": values,
    })
}

pub(super) fn delete(client: usize, item: usize) -> Value {
    json!({"TableName": TABLE, "Key": key(client, item)})
}

pub(super) fn get(client: usize, item: usize) -> Value {
    json!({"TableName": TABLE, "Key": key(client, item), "ConsistentRead": true})
}

/// A put and an update, or neither.
pub(super) fn transaction(client: usize, put_item: Change, updated: (usize, State, u64)) -> Value {
    let (item, state) = put_item;
    let put = put(client, item, state.unwrap_or_default());
    let update = update(client, updated.0, updated.1, updated.2);
    json!({"TransactItems": [{"Put": put}, {"Update": update}]})
}

pub(super) fn batch(client: usize, changes: &[Change]) -> Value {
    let member = |(item, state): &Change| match state {
        Some(version) => json!({"PutRequest": {"Item": versioned(client, *item, *version)}}),
        None => json!({"DeleteRequest": {"Key": key(client, *item)}}),
    };
    let members: Vec<Value> = changes.iter().map(member).collect();
    json!({"RequestItems": Map::from_iter([(TABLE.to_owned(), members.into())])})
}

/// The items of a client from one number to another.
pub(super) fn query(client: usize, first: usize, last: usize) -> Value {
    json!({
        "TableName": TABLE,
        "ConsistentRead": true,
        "KeyConditionExpression": "pk = :pk AND sk BETWEEN :first AND :last",
        "ExpressionAttributeValues": {
            ":pk": {"S": partition(client)},
            ":first": {"S": sort_key(first)},
            ":last": {"S": sort_key(last)},
        },
    })
}
