//! The tables and requests that several cases share.

use monotable_bench::numbered::{REVISION, number};
use serde_json::{Value, json};

use super::stage::BATCH;

/// The key of an item that nothing else happens to.
fn calm_key(partition: &str) -> Value {
    json!({ "pk": { "S": partition }, "sk": { "S": "ITEM#0000000000" } })
}

/// What an item holds beside its key, so that it has the given number of bytes or so.
pub(super) fn filler(bytes: usize) -> Value {
    json!({ "S": "monotable ".chars().cycle().take(bytes).collect::<String>() })
}

/// A table with the keys `pk` and `sk` and no index.
pub(super) fn plain_table(name: &str) -> Value {
    json!({
        "TableName": name,
        "AttributeDefinitions": [attribute("pk"), attribute("sk")],
        "KeySchema": key_schema("pk", "sk"),
        "BillingMode": "PAY_PER_REQUEST",
    })
}

/// The same with one index by `status` and `sk` that projects everything.
pub(super) fn indexed_table(name: &str) -> Value {
    let mut table = plain_table(name);
    if let Some(members) = table.as_object_mut() {
        let attributes = json!([attribute("pk"), attribute("sk"), attribute("status")]);
        members.insert("AttributeDefinitions".to_owned(), attributes);
        members.insert("GlobalSecondaryIndexes".to_owned(), json!([index()]));
    }
    table
}

/// The index.
pub(super) fn index() -> Value {
    json!({
        "IndexName": INDEX,
        "KeySchema": key_schema("status", "sk"),
        "Projection": { "ProjectionType": "ALL" },
    })
}

/// The name of the index.
pub(super) const INDEX: &str = "by_status";

/// An attribute that is a key.
pub(super) fn attribute(name: &str) -> Value {
    json!({ "AttributeName": name, "AttributeType": "S" })
}

fn key_schema(partition: &str, sort: &str) -> Value {
    json!([
        { "AttributeName": partition, "KeyType": "HASH" },
        { "AttributeName": sort, "KeyType": "RANGE" },
    ])
}

/// The key of an item of one partition whose sort key is its number.
pub(super) fn key(partition: &str, member: u64) -> Value {
    json!({ "pk": { "S": partition }, "sk": { "S": format!("ITEM#{}", number(member)) } })
}

/// An item of one partition, which the index lists as open.
pub(super) fn item(partition: &str, member: u64, bytes: usize) -> Value {
    let mut item = key(partition, member);
    if let Some(attributes) = item.as_object_mut() {
        attributes.insert("status".to_owned(), json!({ "S": "OPEN" }));
        attributes.insert("revision".to_owned(), json!({ "N": REVISION }));
        attributes.insert("note".to_owned(), filler(bytes));
    }
    item
}

/// Puts one item.
pub(super) fn put(table: &str, item: &Value) -> Value {
    json!({ "TableName": table, "Item": item })
}

/// Puts 25 items of one partition.
pub(super) fn batch_put(table: &str, partition: &str, bytes: usize) -> Value {
    let put = |member| json!({ "PutRequest": { "Item": item(partition, member, bytes) } });
    json!({ "RequestItems": { table: (0..BATCH).map(put).collect::<Vec<Value>>() } })
}

/// Deletes 25 items of one partition.
pub(super) fn batch_delete(table: &str, partition: &str) -> Value {
    let delete = |member| json!({ "DeleteRequest": { "Key": key(partition, member) } });
    json!({ "RequestItems": { table: (0..BATCH).map(delete).collect::<Vec<Value>>() } })
}

/// The first item of a partition.
pub(super) fn first_of(table: &str, partition: &str) -> Value {
    json!({
        "TableName": table,
        "KeyConditionExpression": "pk = :pk",
        "ExpressionAttributeValues": { ":pk": { "S": partition } },
        "Limit": 1,
    })
}

/// The first open item of the index.
pub(super) fn first_open(table: &str) -> Value {
    json!({
        "TableName": table,
        "IndexName": INDEX,
        "KeyConditionExpression": "#status = :open",
        "ExpressionAttributeNames": { "#status": "status" },
        "ExpressionAttributeValues": { ":open": { "S": "OPEN" } },
        "Limit": 1,
    })
}

/// One item that nothing else happens to.
pub(super) fn get(table: &str, partition: &str) -> Value {
    json!({ "TableName": table, "Key": calm_key(partition) })
}

/// Puts that item.
pub(super) fn put_calm(table: &str, partition: &str, bytes: usize) -> Value {
    let mut item = calm_key(partition);
    if let Some(attributes) = item.as_object_mut() {
        attributes.insert("note".to_owned(), filler(bytes));
    }
    put(table, &item)
}
