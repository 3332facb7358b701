//! The bodies of requests, with markers where the digits of items belong.

use serde_json::{Value, json};

use super::Workload;
use crate::data::{self, COLLECTION_ITEMS, Field, INDEX, TABLE};
use crate::template::marker;

/// The body of a workload's request.
pub(super) fn of(workload: Workload) -> Value {
    match workload {
        Workload::GetItem => json!({ "TableName": TABLE, "Key": key(0) }),
        Workload::Query => query(),
        Workload::IndexQuery => index_query(),
        Workload::Scan => json!({ "TableName": TABLE, "ExclusiveStartKey": key(0) }),
        Workload::UpdateItem => update(0),
        Workload::PutItem => put(0),
        Workload::TransactWriteItems => transact_write_items(),
        Workload::BatchWriteItem => put_requests(),
    }
}

/// A `BatchWriteItem` that puts 25 items.
pub(crate) fn put_requests() -> Value {
    let puts = (0..COLLECTION_ITEMS as usize).map(|member| json!({ "PutRequest": item(member) }));
    json!({ "RequestItems": { TABLE: puts.collect::<Vec<Value>>() } })
}

fn item(member: usize) -> Value {
    json!({ "Item": data::item(digits(member)) })
}

fn key(member: usize) -> Value {
    data::key(digits(member))
}

fn digits(member: usize) -> impl Fn(Field) -> String {
    move |field| marker(field, member)
}

fn query() -> Value {
    json!({
        "TableName": TABLE,
        "KeyConditionExpression": "pk = :store",
        "ExpressionAttributeValues": { ":store": data::store(digits(0)) },
    })
}

fn index_query() -> Value {
    json!({
        "TableName": TABLE,
        "IndexName": INDEX,
        "KeyConditionExpression": "customer = :customer",
        "ExpressionAttributeValues": { ":customer": data::customer(digits(0)) },
    })
}

fn put(member: usize) -> Value {
    json!({ "TableName": TABLE, "Item": data::item(digits(member)) })
}

fn update(member: usize) -> Value {
    json!({
        "TableName": TABLE,
        "Key": key(member),
        "UpdateExpression": "SET revision = :revision, #state = :state",
        "ConditionExpression": "attribute_exists(pk) AND amount >= :least",
        "ExpressionAttributeNames": { "#state": "state" },
        "ExpressionAttributeValues": {
            ":revision": { "N": marker(Field::Revision, member) },
            ":state": { "S": "SHIPPED" },
            ":least": { "N": "1000" },
        },
    })
}

fn transact_write_items() -> Value {
    let condition_check = json!({
        "TableName": TABLE,
        "Key": key(3),
        "ConditionExpression": "attribute_exists(pk)",
    });
    json!({
        "TransactItems": [
            { "Put": put(0) },
            { "Put": put(1) },
            { "Update": update(2) },
            { "ConditionCheck": condition_check },
        ],
    })
}
