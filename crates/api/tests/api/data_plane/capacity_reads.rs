//! What reads consume: what was evaluated, by four kilobytes, half of it when it may be stale.

use serde_json::{Value, json};

use super::support::{PAIRS, PLAIN, tables, text, with};
use crate::harness::Harness;

async fn capacity(harness: &Harness, operation: &str, request: Value) -> Value {
    let request = with(request, json!({"ReturnConsumedCapacity": "INDEXES"}));
    let answer = harness.call(operation, request).await;
    answer["ConsumedCapacity"].clone()
}

async fn units(harness: &Harness, operation: &str, request: Value) -> f64 {
    capacity(harness, operation, request).await["CapacityUnits"].as_f64().unwrap()
}

#[tokio::test]
async fn a_read_by_key_is_charged_by_the_item_whatever_it_returns() {
    let harness = tables().await;
    harness.put(PLAIN, json!({"pk": {"S": "k"}, "d": text(4097 - 4)})).await;
    let get =
        |key: &str, more: Value| with(json!({"TableName": PLAIN, "Key": {"pk": {"S": key}}}), more);
    let strong = json!({"ConsistentRead": true});
    let cases = [
        (get("k", json!({})), 1.0),
        (get("k", strong.clone()), 2.0),
        (get("k", json!({"ProjectionExpression": "pk"})), 1.0),
        (get("missing", json!({})), 0.5),
        (get("missing", strong), 1.0),
    ];
    for (request, expected) in cases {
        assert_eq!(units(&harness, "GetItem", request).await, expected);
    }
    let request =
        json!({"RequestItems": {PLAIN: {"Keys": [{"pk": {"S": "k"}}, {"pk": {"S": "x"}}]}}});
    let answer = capacity(&harness, "BatchGetItem", request).await;
    let expected =
        json!({"TableName": PLAIN, "CapacityUnits": 1.5, "Table": {"CapacityUnits": 1.5}});
    assert_eq!(answer, json!([expected]));
    let get = |key: &str| json!({"Get": {"TableName": PLAIN, "Key": {"pk": {"S": key}}}});
    let request = json!({"TransactItems": [get("k"), get("x")]});
    let answer = capacity(&harness, "TransactGetItems", request).await;
    let both = json!({"CapacityUnits": 6.0, "ReadCapacityUnits": 6.0});
    let expected = with(json!({"TableName": PLAIN, "Table": both}), both);
    assert_eq!(answer, json!([expected]));
}

#[tokio::test]
async fn a_page_is_rounded_once_and_charged_before_filter_and_projection() {
    let harness = tables().await;
    for sort in ["a", "b", "c"] {
        let item = json!({"pk": {"S": "p"}, "sk": {"S": sort}, "d": text(3000)});
        harness.put(PAIRS, item).await;
    }
    let query = |more: Value| {
        let base = json!({"TableName": PAIRS, "KeyConditionExpression": "pk = :p",
            "ExpressionAttributeValues": {":p": {"S": "p"}}});
        with(base, more)
    };
    let none = json!({"ExpressionAttributeValues": {":p": {"S": "none"}}});
    let filtered = json!({"FilterExpression": "attribute_exists(x)", "ProjectionExpression": "sk"});
    let cases = [
        (query(json!({})), 1.5),
        (query(json!({"ConsistentRead": true})), 3.0),
        (query(json!({"Limit": 1})), 0.5),
        (query(json!({"Select": "COUNT"})), 1.5),
        (query(filtered), 1.5),
        (query(none), 0.5),
    ];
    for (request, expected) in cases {
        assert_eq!(units(&harness, "Query", request).await, expected);
    }
    assert_eq!(units(&harness, "Scan", json!({"TableName": PAIRS})).await, 1.5);
    assert_eq!(units(&harness, "Scan", json!({"TableName": PLAIN})).await, 0.5);
}

#[tokio::test]
async fn an_index_is_charged_for_its_entries_and_a_fetch_for_the_items() {
    let harness = tables().await;
    let item = json!({"pk": {"S": "p"}, "sk": {"S": "s"}, "gsiPk": {"S": "g"}, "lsiSk": {"S": "l"},
        "d": text(9000)});
    harness.put(PAIRS, item).await;
    let query = |index: &str, key: &str, value: &str| {
        json!({"TableName": PAIRS, "IndexName": index,
            "KeyConditionExpression": format!("{key} = :v"),
            "ExpressionAttributeValues": {":v": {"S": value}}})
    };
    let answer = capacity(&harness, "Query", query("by-gsi", "gsiPk", "g")).await;
    let expected = json!({"TableName": PAIRS, "CapacityUnits": 0.5, "Table": {"CapacityUnits": 0.0},
        "GlobalSecondaryIndexes": {"by-gsi": {"CapacityUnits": 0.5}}});
    assert_eq!(answer, expected);
    let answer = capacity(&harness, "Query", query("by-lsi", "pk", "p")).await;
    let expected = json!({"TableName": PAIRS, "CapacityUnits": 1.5, "Table": {"CapacityUnits": 0.0},
        "LocalSecondaryIndexes": {"by-lsi": {"CapacityUnits": 1.5}}});
    assert_eq!(answer, expected);
}
