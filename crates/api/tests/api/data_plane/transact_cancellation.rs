//! Transactions that are cancelled: a reason for every action, in order.

use serde_json::{Value, json};

use super::support::{EMPTY_PK, KEY_MISMATCH, PLAIN, invalid, tables};

fn put(pk: &Value, condition: &Value) -> Value {
    json!({"Put": {"TableName": PLAIN, "Item": {"pk": pk}, "ConditionExpression": condition}})
}

fn cancelled(reasons: &[Value]) -> Value {
    let codes: Vec<&str> = reasons.iter().map(|reason| reason["Code"].as_str().unwrap()).collect();
    let message = format!(
        "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]",
        codes.join(", ")
    );
    json!({"__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
        "Message": message, "CancellationReasons": reasons})
}

fn failed() -> Value {
    json!({"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"})
}

#[tokio::test]
async fn every_action_has_its_reason_and_nothing_is_written() {
    let harness = tables().await;
    harness.put(PLAIN, json!({"pk": {"S": "there"}, "a": {"N": "1"}})).await;
    let absent = json!("attribute_not_exists(pk)");
    let mut with_item = put(&json!({"S": "there"}), &absent);
    with_item["Put"]["ReturnValuesOnConditionCheckFailure"] = json!("ALL_OLD");
    let check = json!({"ConditionCheck": {"TableName": PLAIN, "Key": {"pk": {"S": "other"}},
        "ConditionExpression": "attribute_exists(pk)",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}});
    let request = json!({"TransactItems": [put(&json!({"S": "new"}), &absent), with_item, check],
        "ReturnConsumedCapacity": "TOTAL"});
    let body = harness.error_body("TransactWriteItems", request).await;
    let mut second = failed();
    second["Item"] = json!({"pk": {"S": "there"}, "a": {"N": "1"}});
    assert_eq!(body, cancelled(&[json!({"Code": "None"}), second, failed()]));
    assert_eq!(harness.get(PLAIN, json!({"pk": {"S": "new"}})).await, Value::Null);
}

#[tokio::test]
async fn a_put_item_whose_key_does_not_fit_cancels_in_the_words_of_put_item() {
    let harness = tables().await;
    let cases = [
        (json!({"pk": {"N": "5"}}), "Type mismatch for key pk expected: S actual: N"),
        (json!({"pk": {"L": [{"S": "x"}]}}), "Type mismatch for key pk expected: S actual: L"),
        (json!({"x": {"S": "a"}}), "Missing the key pk in the item"),
    ];
    for (item, text) in cases {
        let request = json!({"TransactItems": [{"Put": {"TableName": PLAIN, "Item": item}}]});
        let reason = json!({"Code": "ValidationError", "Message": invalid(text)});
        let body = harness.error_body("TransactWriteItems", request).await;
        assert_eq!(body, cancelled(&[reason]));
    }
}

fn lookups(pk: &Value) -> [Value; 3] {
    let key = json!({"pk": pk});
    [
        json!({"Update": {"TableName": PLAIN, "Key": key, "UpdateExpression": "REMOVE a"}}),
        json!({"Delete": {"TableName": PLAIN, "Key": key}}),
        json!({"ConditionCheck": {"TableName": PLAIN, "Key": key,
            "ConditionExpression": "attribute_not_exists(pk)"}}),
    ]
}

#[tokio::test]
async fn a_lookup_key_that_does_not_fit_cancels() {
    let harness = tables().await;
    let reason = json!({"Code": "ValidationError", "Message": KEY_MISMATCH});
    for pk in [json!({"N": "5"}), json!({"L": [{"S": "x"}]})] {
        for action in lookups(&pk) {
            let request = json!({"TransactItems": [put(&json!({"S": "a"}), &Value::Null), action]});
            let body = harness.error_body("TransactWriteItems", request).await;
            assert_eq!(body, cancelled(&[json!({"Code": "None"}), reason.clone()]));
        }
        let request = json!({"TransactItems": [{"Get": {"TableName": PLAIN, "Key": {"pk": pk}}}]});
        let body = harness.error_body("TransactGetItems", request).await;
        assert_eq!(body, cancelled(std::slice::from_ref(&reason)));
    }
}

#[tokio::test]
async fn an_empty_key_is_not_even_valid() {
    let harness = tables().await;
    let empty = json!({"S": ""});
    for action in lookups(&empty).into_iter().chain([put(&empty, &Value::Null)]) {
        let request = json!({"TransactItems": [action]});
        harness.refuses("TransactWriteItems", request, EMPTY_PK).await;
    }
    let request = json!({"TransactItems": [{"Get": {"TableName": PLAIN, "Key": {"pk": empty}}}]});
    harness.refuses("TransactGetItems", request, EMPTY_PK).await;
}

#[tokio::test]
async fn an_update_of_the_key_cancels() {
    let harness = tables().await;
    let update = json!({"Update": {"TableName": PLAIN, "Key": {"pk": {"S": "a"}},
        "UpdateExpression": "SET pk = :v", "ExpressionAttributeValues": {":v": {"S": "b"}}}});
    let body = harness.error_body("TransactWriteItems", json!({"TransactItems": [update]})).await;
    let text = invalid("Cannot update attribute pk. This attribute is part of the key");
    assert_eq!(body, cancelled(&[json!({"Code": "ValidationError", "Message": text})]));
}

#[tokio::test]
async fn a_transaction_that_succeeds_answers_nothing() {
    let harness = tables().await;
    let request = json!({"TransactItems": [put(&json!({"S": "a"}), &Value::Null)]});
    assert_eq!(harness.call("TransactWriteItems", request).await, json!({}));
}
