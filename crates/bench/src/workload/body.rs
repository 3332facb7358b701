//! The bodies of requests, with markers where the digits of items belong.

use serde_json::{Value, json};

use super::Workload;
use crate::data::{self, COLLECTION_ITEMS, Field};
use crate::table::{INDEX, Table};
use crate::template::marker;

/// The body of a workload's request on a table.
pub(super) fn of(workload: Workload, table: &Table) -> Value {
    match workload {
        Workload::GetItem | Workload::Mixed => json!({ "TableName": table.name(), "Key": key(0) }),
        Workload::Query => query(table),
        Workload::IndexQuery => index_query(table),
        Workload::Scan => json!({ "TableName": table.name(), "ExclusiveStartKey": key(0) }),
        Workload::UpdateItem => update(table, 0),
        Workload::BatchGetItem => batch_get_item(table),
        Workload::PutItem | Workload::PutItemStream | Workload::PutItemIndexes => put(table, 0),
        Workload::RangeQuery => range_query(table),
        Workload::PointSelect => point_select(table),
        Workload::TransactWriteItems => transact_write_items(table),
        Workload::BatchWriteItem => put_requests(table),
    }
}

/// A `BatchWriteItem` that puts 25 items.
pub fn put_requests(table: &Table) -> Value {
    let request = |member| json!({ "PutRequest": { "Item": table.item(digits(member)) } });
    let puts = (0..COLLECTION_ITEMS as usize).map(request);
    json!({ "RequestItems": { table.name(): puts.collect::<Vec<Value>>() } })
}

fn key(member: usize) -> Value {
    data::key(digits(member))
}

fn digits(member: usize) -> impl Fn(Field) -> String {
    move |field| marker(field, member)
}

fn query(table: &Table) -> Value {
    json!({
        "TableName": table.name(),
        "KeyConditionExpression": "pk = :store",
        "ExpressionAttributeValues": { ":store": data::store(digits(0)) },
    })
}

fn index_query(table: &Table) -> Value {
    json!({
        "TableName": table.name(),
        "IndexName": INDEX,
        "KeyConditionExpression": "customer = :customer",
        "ExpressionAttributeValues": { ":customer": data::customer(digits(0)) },
    })
}

fn range_query(table: &Table) -> Value {
    json!({
        "TableName": table.name(),
        "KeyConditionExpression": "pk = :store AND sk >= :order",
        "ExpressionAttributeValues": {
            ":store": data::store(digits(0)),
            ":order": data::order(digits(0)),
        },
        "Limit": COLLECTION_ITEMS,
    })
}

fn point_select(table: &Table) -> Value {
    json!({
        "Statement": format!("SELECT * FROM \"{}\" WHERE pk = ? AND sk = ?", table.name()),
        "Parameters": [data::store(digits(0)), data::order(digits(0))],
    })
}

fn batch_get_item(table: &Table) -> Value {
    let keys: Vec<Value> = (0..COLLECTION_ITEMS as usize).map(key).collect();
    json!({ "RequestItems": { table.name(): { "Keys": keys } } })
}

fn put(table: &Table, member: usize) -> Value {
    json!({ "TableName": table.name(), "Item": table.item(digits(member)) })
}

fn update(table: &Table, member: usize) -> Value {
    json!({
        "TableName": table.name(),
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

fn transact_write_items(table: &Table) -> Value {
    let condition_check = json!({
        "TableName": table.name(),
        "Key": key(3),
        "ConditionExpression": "attribute_exists(pk)",
    });
    json!({
        "TransactItems": [
            { "Put": put(table, 0) },
            { "Put": put(table, 1) },
            { "Update": update(table, 2) },
            { "ConditionCheck": condition_check },
        ],
    })
}
