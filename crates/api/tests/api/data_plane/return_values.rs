//! What writes return of the item before and after.

use serde_json::{Value, json};

use super::support::{PLAIN, tables};
use crate::harness::Harness;

fn update(expression: &str, returns: &str) -> Value {
    let values = if expression.contains(":v") { json!({":v": {"S": "new"}}) } else { Value::Null };
    json!({"TableName": PLAIN, "Key": {"pk": {"S": "k"}}, "UpdateExpression": expression,
        "ExpressionAttributeValues": values, "ReturnValues": returns})
}

fn before() -> Value {
    json!({"pk": {"S": "k"}, "a": {"M": {"b": {"S": "old"}, "c": {"L": [{"N": "0"}, {"N": "1"},
        {"N": "2"}]}}}, "s": {"S": "same"}})
}

async fn attributes(harness: &Harness, operation: &str, request: Value) -> Value {
    harness.call(operation, request).await.get("Attributes").cloned().unwrap_or(Value::Null)
}

#[tokio::test]
async fn updated_values_are_the_leaves_that_the_update_names() {
    let harness = tables().await;
    let cases = [
        ("SET a.b = :v", "UPDATED_OLD", json!({"a": {"M": {"b": {"S": "old"}}}})),
        ("SET a.b = :v", "UPDATED_NEW", json!({"a": {"M": {"b": {"S": "new"}}}})),
        ("SET a.c[1] = :v", "UPDATED_NEW", json!({"a": {"M": {"c": {"L": [{"S": "new"}]}}}})),
        (
            "SET a.c[2] = :v, a.c[0] = :v",
            "UPDATED_OLD",
            json!({"a": {"M": {"c": {"L": [{"N": "0"}, {"N": "2"}]}}}}),
        ),
        ("SET a.c[100] = :v", "UPDATED_NEW", Value::Null),
        ("REMOVE a.c[1]", "UPDATED_NEW", json!({"a": {"M": {"c": {"L": [{"N": "2"}]}}}})),
        ("REMOVE a.c[1], a.c[7]", "UPDATED_OLD", json!({"a": {"M": {"c": {"L": [{"N": "1"}]}}}})),
        ("REMOVE s", "UPDATED_NEW", Value::Null),
        ("REMOVE s", "UPDATED_OLD", json!({"s": {"S": "same"}})),
        ("SET s = s", "UPDATED_NEW", json!({"s": {"S": "same"}})),
        ("SET fresh = :v", "UPDATED_OLD", Value::Null),
        ("SET fresh = :v", "NONE", Value::Null),
    ];
    for (expression, returns, expected) in cases {
        harness.put(PLAIN, before()).await;
        let found = attributes(&harness, "UpdateItem", update(expression, returns)).await;
        assert_eq!(found, expected, "{expression} {returns}");
    }
}

#[tokio::test]
async fn whole_items_are_returned_if_they_are_there() {
    let harness = tables().await;
    let found = attributes(&harness, "UpdateItem", update("SET a = :v", "ALL_OLD")).await;
    assert_eq!(found, Value::Null);
    let after = json!({"pk": {"S": "k"}, "a": {"S": "new"}});
    let found = attributes(&harness, "UpdateItem", update("SET a = :v", "ALL_NEW")).await;
    assert_eq!(found, after);
    let put = json!({"TableName": PLAIN, "Item": before(), "ReturnValues": "ALL_OLD"});
    assert_eq!(attributes(&harness, "PutItem", put).await, after);
    let delete = json!({"TableName": PLAIN, "Key": {"pk": {"S": "k"}}, "ReturnValues": "ALL_OLD"});
    assert_eq!(attributes(&harness, "DeleteItem", delete.clone()).await, before());
    assert_eq!(attributes(&harness, "DeleteItem", delete).await, Value::Null);
}

#[tokio::test]
async fn an_update_that_only_removes_does_not_create_an_item() {
    let harness = tables().await;
    let found = attributes(&harness, "UpdateItem", update("REMOVE a.b, c", "ALL_NEW")).await;
    assert_eq!(found, Value::Null);
    assert_eq!(harness.get(PLAIN, json!({"pk": {"S": "k"}})).await, Value::Null);
}

#[tokio::test]
async fn an_update_without_actions_creates_the_item_of_its_key() {
    let harness = tables().await;
    let key = json!({"pk": {"S": "k"}});
    let request = json!({"TableName": PLAIN, "Key": key, "ReturnValues": "ALL_NEW"});
    assert_eq!(attributes(&harness, "UpdateItem", request).await, key);
    let request = json!({"TableName": PLAIN, "Key": key, "ReturnValues": "UPDATED_NEW"});
    assert_eq!(attributes(&harness, "UpdateItem", request).await, Value::Null);
}

#[tokio::test]
async fn a_failed_condition_returns_the_item_if_it_was_asked_for_and_is_there() {
    let harness = tables().await;
    harness.put(PLAIN, before()).await;
    let request = |pk: &str, on_failure: &str| {
        json!({"TableName": PLAIN, "Key": {"pk": {"S": pk}}, "Item": {"pk": {"S": pk}},
            "ConditionExpression": "attribute_exists(nothing)",
            "ReturnValuesOnConditionCheckFailure": on_failure})
    };
    let failed = json!({
        "__type": "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",
        "message": "The conditional request failed"});
    // With the item the text has another name; SDKs read both.
    let with_item = json!({"__type": failed["__type"], "Message": failed["message"],
        "Item": before()});
    for operation in ["PutItem", "UpdateItem", "DeleteItem"] {
        assert_eq!(harness.error_body(operation, request("k", "ALL_OLD")).await, with_item);
        assert_eq!(harness.error_body(operation, request("k", "NONE")).await, failed);
        assert_eq!(harness.error_body(operation, request("x", "ALL_OLD")).await, failed);
    }
}
