//! The start key of a Query lies where the query reads.

use serde_json::{Value, json};

use super::support::{KEY_MISMATCH, PAIRS, tables};

const INVALID: &str = "The provided starting key is invalid";
const OUTSIDE: &str =
    "The provided starting key is outside query boundaries based on provided conditions";
const PREDICATE: &str = "The provided starting key does not match the range key predicate";
const ONE_ROW: &str = "The query can return at most one row and cannot be restarted";

fn s(value: &str) -> Value {
    json!({"S": value})
}

fn query(index: Option<&str>, condition: &str, start: &Value) -> Value {
    let mut values = json!({":p": s("p")});
    if condition.contains(":s") {
        values[":s"] = s("m");
    }
    json!({"TableName": PAIRS, "IndexName": index, "KeyConditionExpression": condition,
        "ExpressionAttributeValues": values, "ExclusiveStartKey": start})
}

#[tokio::test]
async fn a_start_key_has_the_keys_of_the_table_and_the_index() {
    let harness = tables().await;
    let cases = [
        (None, "pk = :p", json!({"pk": s("p")}), INVALID),
        (None, "pk = :p", json!({"pk": s("p"), "sk": s("s"), "x": s("x")}), INVALID),
        (None, "pk = :p", json!({"pk": s("p"), "x": s("x")}), INVALID),
        (None, "pk = :p", json!({"pk": {"N": "1"}, "sk": s("s")}), KEY_MISMATCH),
        (None, "pk = :p", json!({"pk": s("p"), "sk": {"N": "1"}}), KEY_MISMATCH),
        (Some("by-gsi"), "gsiPk = :p", json!({"pk": s("a"), "sk": s("s")}), INVALID),
        (
            Some("by-gsi"),
            "gsiPk = :p",
            json!({"pk": s("a"), "sk": s("s"), "gsiPk": {"N": "1"}}),
            KEY_MISMATCH,
        ),
    ];
    for (index, condition, start, text) in cases {
        harness.refuses("Query", query(index, condition, &start), text).await;
    }
    let start = json!({"pk": s("a"), "sk": {"N": "1"}, "gsiPk": s("p")});
    let text = format!("{INVALID}: {KEY_MISMATCH}");
    harness.refuses("Query", query(Some("by-gsi"), "gsiPk = :p", &start), &text).await;
}

#[tokio::test]
async fn a_start_key_and_the_conditions_are_checked_attribute_by_attribute() {
    let harness = tables().await;
    // The partition key of the start key, then its condition, then the sort key of the start key.
    let start = json!({"pk": {"N": "1"}, "sk": {"N": "1"}});
    harness.refuses("Query", query(None, "pk > :p", &start), KEY_MISMATCH).await;
    let start = json!({"pk": s("p"), "sk": {"N": "1"}});
    let text = "Query key condition not supported";
    harness.refuses("Query", query(None, "pk > :p", &start), text).await;
    let text = "Query condition missed key schema element: pk";
    harness.refuses("Query", query(None, "sk = :p", &start), text).await;
}

#[tokio::test]
async fn a_start_key_lies_within_the_conditions() {
    let harness = tables().await;
    let key = |partition: &str, sort: &str| json!({"pk": s(partition), "sk": s(sort)});
    let cases = [
        ("pk = :p", key("other", "a"), OUTSIDE),
        ("pk = :p AND sk > :s", key("p", "a"), PREDICATE),
        ("pk = :p AND sk > :s", key("other", "a"), PREDICATE),
        ("pk = :p AND sk > :s", key("other", "z"), ONE_ROW),
        ("pk = :p AND sk = :s", key("p", "m"), ONE_ROW),
        ("pk = :p AND sk = :s", key("p", "a"), PREDICATE),
    ];
    for (condition, start, text) in cases {
        harness.refuses("Query", query(None, condition, &start), text).await;
    }
    harness.call("Query", query(None, "pk = :p AND sk > :s", &key("p", "z"))).await;
    harness.call("Query", query(None, "pk = :p", &key("p", "a"))).await;
}
