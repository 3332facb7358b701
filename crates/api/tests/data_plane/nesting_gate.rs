//! Values lie in at most 31 maps and lists.

use serde_json::{Value, json};

use crate::support::{NESTING, PLAIN, nested, one, tables};

fn item(levels: usize) -> Value {
    json!({"pk": {"S": "a"}, "deep": nested(levels)})
}

#[tokio::test]
async fn an_item_of_31_levels_is_put_and_one_of_32_refused() {
    let harness = tables().await;
    let puts = |levels: usize| {
        [
            ("PutItem", json!({"TableName": PLAIN, "Item": item(levels)})),
            (
                "BatchWriteItem",
                json!({"RequestItems":
                {PLAIN: [{"PutRequest": {"Item": item(levels)}}]}}),
            ),
            (
                "TransactWriteItems",
                json!({"TransactItems":
                [{"Put": {"TableName": PLAIN, "Item": item(levels)}}]}),
            ),
        ]
    };
    for (operation, request) in puts(31) {
        harness.call(operation, request).await;
    }
    assert_eq!(harness.get(PLAIN, json!({"pk": {"S": "a"}})).await, item(31));
    for (operation, request) in puts(32) {
        let text = if operation == "PutItem" { one(NESTING) } else { NESTING.to_owned() };
        harness.refuses(operation, request, &text).await;
    }
}

fn update(expression: &str, value: &Value) -> Value {
    json!({"TableName": PLAIN, "Key": {"pk": {"S": "a"}}, "UpdateExpression": expression,
        "ExpressionAttributeValues": {":deep": value}})
}

#[tokio::test]
async fn an_expression_value_of_a_single_write_is_checked_before_the_condition() {
    let harness = tables().await;
    let conditional = |levels: usize| {
        json!({"TableName": PLAIN, "Key": {"pk": {"S": "a"}}, "ConditionExpression": "d = :deep",
            "ExpressionAttributeValues": {":deep": nested(levels)}})
    };
    let (code, _) = harness.error("UpdateItem", conditional(31)).await;
    assert_eq!(code, "ConditionalCheckFailedException");
    harness.refuses("UpdateItem", conditional(32), &one(NESTING)).await;
}

#[tokio::test]
async fn an_update_does_not_make_an_item_too_deep() {
    let harness = tables().await;
    harness.put(PLAIN, json!({"pk": {"S": "a"}, "m": {"M": {"n": {"M": {}}}}})).await;
    harness.call("UpdateItem", update("SET m.n.o = :deep", &nested(29))).await;
    harness.refuses("UpdateItem", update("SET m.n.o = :deep", &nested(30)), NESTING).await;
}

#[tokio::test]
async fn a_transaction_takes_a_deeper_value_but_does_not_store_it() {
    let harness = tables().await;
    harness.put(PLAIN, json!({"pk": {"S": "a"}})).await;
    let check = json!({"TableName": PLAIN, "Key": {"pk": {"S": "a"}},
        "ConditionExpression": "d = :deep", "ExpressionAttributeValues": {":deep": nested(32)}});
    let request = json!({"TransactItems": [{"ConditionCheck": check}]});
    let body = harness.error_body("TransactWriteItems", request).await;
    assert_eq!(body["CancellationReasons"][0]["Code"], "ConditionalCheckFailed");
    let request = json!({"TransactItems": [{"Update": update("SET d = :deep", &nested(32))}]});
    let body = harness.error_body("TransactWriteItems", request).await;
    let reason = json!({"Code": "ValidationError", "Message": NESTING});
    assert_eq!(body["CancellationReasons"], json!([reason]));
}

#[tokio::test]
async fn a_transaction_does_not_take_a_value_of_40_levels() {
    let harness = tables().await;
    let request = json!({"TransactItems": [{"Update": update("SET d = :deep", &nested(40))}]});
    harness.refuses("TransactWriteItems", request, NESTING).await;
}
