//! What is noted of calls, for those who count them.

use monotable_api::Code;
use monotable_api::observation::{self, Observation, ObservedTable};
use serde_json::{Value, json};

use super::support::{ABSENT, PAIRS, PLAIN, tables};
use crate::harness::Harness;

/// What is noted of a call, whether it succeeds or not.
async fn observe(harness: &Harness, operation: &str, request: Value) -> Observation {
    let body = request.to_string();
    *observation::observe(harness.send(operation, body.as_bytes())).await.1
}

fn item(key: &str) -> Value {
    json!({ "pk": { "S": key }, "sk": { "S": "1" }, "gsiPk": { "S": "g" } })
}

#[tokio::test]
async fn a_write_is_noted_with_its_table_and_what_it_consumed_by_index() {
    let harness = tables().await;
    let put = json!({ "TableName": PAIRS, "Item": item("a") });
    let observed = observe(&harness, "PutItem", put).await;
    let table = observed.tables().next().unwrap();
    assert_eq!((table.name(), table.consumed.table.units()), (PAIRS, 1.0));
    assert_eq!(table.consumed.indexes.len(), 1);
    assert_eq!((observed.tables().count(), observed.error), (1, None));
}

#[tokio::test]
async fn writes_are_noted_with_the_items_that_they_stored_or_removed() {
    let harness = tables().await;
    let key = |name: &str| json!({ "pk": { "S": name }, "sk": { "S": "1" } });
    let of = |name: &str| json!({ "TableName": PAIRS, "Key": key(name) });
    let removal = json!({ "TableName": PAIRS, "Key": key("c"), "UpdateExpression": "REMOVE x" });
    let batch = json!([
        { "PutRequest": { "Item": item("d") } }, { "DeleteRequest": { "Key": key("none") } },
    ]);
    let check = json!({
        "TableName": PAIRS, "Key": key("d"), "ConditionExpression": "attribute_exists(pk)",
    });
    let actions = json!([
        { "ConditionCheck": check }, { "Delete": of("none") },
        { "Put": { "TableName": PAIRS, "Item": item("e") } }, { "Delete": of("a") },
    ]);
    let statement = |text: &str| json!({ "Statement": format!("{text} WHERE pk='d' AND sk='1'") });
    for (operation, request, written) in [
        ("PutItem", json!({ "TableName": PAIRS, "Item": item("a") }), 1),
        // As it is already, which is charged as a write.
        ("PutItem", json!({ "TableName": PAIRS, "Item": item("a") }), 1),
        ("UpdateItem", of("b"), 1),
        // It makes no item.
        ("UpdateItem", removal, 0),
        ("DeleteItem", of("b"), 1),
        ("DeleteItem", of("b"), 0),
        ("BatchWriteItem", json!({ "RequestItems": { PAIRS: batch } }), 1),
        ("TransactWriteItems", json!({ "TransactItems": actions }), 2),
        ("ExecuteStatement", statement(&format!("UPDATE \"{PAIRS}\" SET x=1")), 1),
        ("ExecuteStatement", statement(&format!("DELETE FROM \"{PAIRS}\"")), 1),
        ("ExecuteStatement", statement(&format!("DELETE FROM \"{PAIRS}\"")), 0),
    ] {
        let observed = observe(&harness, operation, request.clone()).await;
        assert_eq!(observed.items, Some(written), "{operation} {request} {:?}", observed.error);
    }
}

#[tokio::test]
async fn reads_of_several_items_are_noted_with_those_that_are_there() {
    let harness = tables().await;
    harness.call("PutItem", json!({ "TableName": PAIRS, "Item": item("a") })).await;
    let keys: Vec<Value> =
        ["a", "b", "c"].map(|name| json!({ "pk": { "S": name }, "sk": { "S": "1" } })).to_vec();
    let get = |key: &Value| json!({ "Get": { "TableName": PAIRS, "Key": key } });
    let gets: Vec<Value> = keys.iter().map(get).collect();
    let select = |name: &str| {
        let text = format!("SELECT * FROM \"{PAIRS}\" WHERE pk='{name}' AND sk='1'");
        json!({ "Statement": text })
    };
    let selects = json!([select("a"), select("b")]);
    for (operation, request, read) in [
        ("BatchGetItem", json!({ "RequestItems": { PAIRS: { "Keys": keys } } }), Some(1)),
        ("TransactGetItems", json!({ "TransactItems": gets }), None),
        ("ExecuteTransaction", json!({ "TransactStatements": selects }), None),
    ] {
        let observed = observe(&harness, operation, request).await;
        assert_eq!((observed.items, observed.evaluated), (Some(1), read), "{operation}");
    }
}

#[tokio::test]
async fn reads_are_noted_with_the_items_that_they_found() {
    let harness = tables().await;
    harness.call("PutItem", json!({ "TableName": PAIRS, "Item": item("a") })).await;
    let key = json!({ "pk": { "S": "a" }, "sk": { "S": "1" } });
    let observed = observe(&harness, "GetItem", json!({ "TableName": PAIRS, "Key": key })).await;
    assert_eq!(observed.items, Some(1));
    let units: f64 = observed.tables().map(|table| table.consumed.total().units()).sum();
    assert_eq!(units, 0.5);
    let observed = observe(&harness, "Scan", json!({ "TableName": PAIRS })).await;
    assert_eq!(observed.items, Some(1));
}

#[tokio::test]
async fn every_table_of_a_transaction_is_noted_once_with_all_its_units() {
    let harness = tables().await;
    let put = |table: &str, key: &str| json!({ "Put": { "TableName": table, "Item": item(key) } });
    let actions = json!([put(PLAIN, "a"), put(PAIRS, "a"), put(PLAIN, "b")]);
    let request = json!({ "TransactItems": actions, "ClientRequestToken": "token" });
    for (is_replay, units) in [(false, 4.0), (true, 4.0)] {
        let observed = observe(&harness, "TransactWriteItems", request.clone()).await;
        let names: Vec<&str> = observed.tables().map(ObservedTable::name).collect();
        let written = if is_replay { 0 } else { 3 };
        assert_eq!((names, observed.items), (vec![PLAIN, PAIRS], Some(written)));
        assert_eq!(observed.tables().next().unwrap().consumed.table.units(), units);
        assert_eq!(observed.is_replay, is_replay);
    }
}

#[tokio::test]
async fn a_call_on_no_table_is_noted_without_one() {
    let harness = tables().await;
    let key = json!({ "pk": { "S": "a" } });
    let observed = observe(&harness, "GetItem", json!({ "TableName": ABSENT, "Key": key })).await;
    assert_eq!(observed.tables().count(), 0);
    assert_eq!(observe(&harness, "ListTables", json!({})).await.tables().count(), 0);
}

#[test]
fn codes_have_the_names_that_clients_know() {
    assert_eq!(Code::ConditionalCheckFailed.name(), "ConditionalCheckFailedException");
    assert_eq!(Code::InternalServerError.name(), "InternalServerError");
    assert_eq!(Code::Validation.name(), "ValidationException");
}
