//! Values lie in at most 31 maps and lists.

use serde_json::{Value, json};

use super::support::{NESTING, PLAIN, nested, one, tables};

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

/// Observed in eu-west-2 in October 2026. Before, values of 32 to 39 levels cancelled the
/// transaction.
#[tokio::test]
async fn an_expression_value_of_a_transaction_is_refused_up_front() {
    let harness = tables().await;
    harness.put(PLAIN, json!({"pk": {"S": "a"}})).await;
    let check = |levels: usize| {
        let check = json!({"TableName": PLAIN, "Key": {"pk": {"S": "a"}},
            "ConditionExpression": "d = :deep",
            "ExpressionAttributeValues": {":deep": nested(levels)}});
        json!({"TransactItems": [{"ConditionCheck": check}]})
    };
    let body = harness.error_body("TransactWriteItems", check(31)).await;
    assert_eq!(body["CancellationReasons"][0]["Code"], "ConditionalCheckFailed");
    for levels in [32, 39, 40] {
        harness.refuses("TransactWriteItems", check(levels), NESTING).await;
        let update = update("SET d = :deep", &nested(levels));
        let request = json!({"TransactItems": [{"Update": update}]});
        harness.refuses("TransactWriteItems", request, NESTING).await;
    }
}
