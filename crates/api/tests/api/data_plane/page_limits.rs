//! Where pages of Query and Scan end.

use serde_json::{Value, json};

use super::support::{PAIRS, tables, text, with};
use crate::harness::Harness;

fn query(more: Value) -> Value {
    let base = json!({"TableName": PAIRS, "KeyConditionExpression": "pk = :p",
        "ExpressionAttributeValues": {":p": {"S": "p"}}});
    with(base, more)
}

fn key(sort: &str) -> Value {
    json!({"pk": {"S": "p"}, "sk": {"S": sort}})
}

/// Puts an item of this many bytes.
async fn put_sized(harness: &Harness, sort: &str, bytes: usize) {
    let item = with(key(sort), json!({"d": text(bytes - "pkp".len() - 2 - sort.len() - 1)}));
    harness.put(PAIRS, item).await;
}

#[tokio::test]
async fn a_page_ends_with_the_item_that_reaches_a_megabyte_even_if_it_is_the_last() {
    let harness = tables().await;
    put_sized(&harness, "a", 409_600).await;
    put_sized(&harness, "b", 409_600).await;
    put_sized(&harness, "c", 1_048_576 - 2 * 409_600).await;
    for operation in ["Query", "Scan"] {
        let request =
            if operation == "Query" { query(json!({})) } else { json!({"TableName": PAIRS}) };
        let answer = harness.call(operation, request).await;
        assert_eq!((&answer["Count"], &answer["LastEvaluatedKey"]), (&json!(3), &key("c")));
    }
    put_sized(&harness, "c", 1_048_575 - 2 * 409_600).await;
    let answer = harness.call("Query", query(json!({}))).await;
    assert_eq!(answer["Count"], 3);
    assert!(answer.get("LastEvaluatedKey").is_none());
}

#[tokio::test]
async fn a_limit_counts_what_is_evaluated_before_the_filter() {
    let harness = tables().await;
    for sort in ["a", "b", "c"] {
        harness.put(PAIRS, key(sort)).await;
    }
    let filter = json!({"Limit": 2, "FilterExpression": "attribute_exists(x)"});
    let answer = harness.call("Query", query(filter)).await;
    let expected =
        json!({"Items": [], "Count": 0, "ScannedCount": 2, "LastEvaluatedKey": key("b")});
    assert_eq!(answer, expected);
    let answer = harness.call("Query", query(json!({"Limit": 3}))).await;
    assert_eq!(answer["LastEvaluatedKey"], key("c"));
    let rest = json!({"Limit": 3, "ExclusiveStartKey": key("c")});
    let answer = harness.call("Query", query(rest)).await;
    assert_eq!(answer, json!({"Items": [], "Count": 0, "ScannedCount": 0}));
    let answer = harness.call("Query", query(json!({"Limit": 4}))).await;
    assert!(answer.get("LastEvaluatedKey").is_none());
}

#[tokio::test]
async fn a_count_has_no_items() {
    let harness = tables().await;
    harness.put(PAIRS, key("a")).await;
    let answer = harness.call("Query", query(json!({"Select": "COUNT"}))).await;
    assert_eq!(answer, json!({"Count": 1, "ScannedCount": 1}));
}

#[tokio::test]
async fn equal_index_keys_come_once_each_over_pages_in_both_directions() {
    let harness = tables().await;
    for sort in ["a", "b", "c", "d", "e"] {
        harness.put(PAIRS, with(key(sort), json!({"gsiPk": {"S": "g"}}))).await;
    }
    for forward in [true, false] {
        let mut seen = Vec::new();
        let mut start = Value::Null;
        loop {
            let request = json!({"TableName": PAIRS, "IndexName": "by-gsi", "Limit": 2,
                "KeyConditionExpression": "gsiPk = :g", "ScanIndexForward": forward,
                "ExpressionAttributeValues": {":g": {"S": "g"}}, "ExclusiveStartKey": start});
            let answer = harness.call("Query", request).await;
            for item in answer["Items"].as_array().unwrap() {
                seen.push(item["sk"]["S"].as_str().unwrap().to_owned());
            }
            start = answer.get("LastEvaluatedKey").cloned().unwrap_or(Value::Null);
            if start.is_null() {
                break;
            }
            let names: Vec<&String> = start.as_object().unwrap().keys().collect();
            assert_eq!(names, ["gsiPk", "pk", "sk"]);
        }
        seen.sort();
        assert_eq!(seen, ["a", "b", "c", "d", "e"]);
    }
}

#[tokio::test]
async fn a_start_key_is_a_position_and_need_not_exist() {
    let harness = tables().await;
    for sort in ["a", "c"] {
        harness.put(PAIRS, key(sort)).await;
    }
    let items =
        |forward: bool| query(json!({"ExclusiveStartKey": key("b"), "ScanIndexForward": forward}));
    assert_eq!(harness.call("Query", items(true)).await["Items"], json!([key("c")]));
    assert_eq!(harness.call("Query", items(false)).await["Items"], json!([key("a")]));
}
