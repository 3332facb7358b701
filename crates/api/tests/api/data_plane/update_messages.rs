//! Updates that cannot be applied to the item as it is.

use serde_json::{Value, json};

use super::support::{PLAIN, tables};

const MISSING: &str =
    "The provided expression refers to an attribute that does not exist in the item";
const OPERAND: &str = "An operand in the update expression has an incorrect data type";
const PATH: &str = "The document path provided in the update expression is invalid for update";

fn update(expression: &str) -> Value {
    let values = json!({":n": {"N": "1"}, ":l": {"L": []}, ":s": {"SS": ["x"]}});
    let Value::Object(values) = values else { unreachable!() };
    let used: Value = values.into_iter().filter(|(name, _)| expression.contains(name)).collect();
    let used = if used == json!({}) { Value::Null } else { used };
    json!({"TableName": PLAIN, "Key": {"pk": {"S": "k"}}, "UpdateExpression": expression,
        "ExpressionAttributeValues": used})
}

fn cases() -> [(&'static str, &'static str); 9] {
    [
        ("SET a = nothing", MISSING),
        ("SET a = nothing + :n", MISSING),
        ("SET a = list_append(nothing, :l)", MISSING),
        ("SET a = t + :n", OPERAND),
        ("SET a = list_append(t, :l)", OPERAND),
        ("ADD t :n", OPERAND),
        ("DELETE t :s", OPERAND),
        ("SET nothing.x = :n", PATH),
        ("REMOVE t.x", PATH),
    ]
}

#[tokio::test]
async fn a_single_update_is_refused_bare() {
    let harness = tables().await;
    harness.put(PLAIN, json!({"pk": {"S": "k"}, "t": {"S": "text"}})).await;
    for (expression, text) in cases() {
        harness.refuses("UpdateItem", update(expression), text).await;
    }
}

#[tokio::test]
async fn a_transacted_update_cancels() {
    let harness = tables().await;
    harness.put(PLAIN, json!({"pk": {"S": "k"}, "t": {"S": "text"}})).await;
    for (expression, text) in cases() {
        let request = json!({"TransactItems": [{"Update": update(expression)}]});
        let body = harness.error_body("TransactWriteItems", request).await;
        let reason = json!({"Code": "ValidationError", "Message": text});
        assert_eq!(body["CancellationReasons"], json!([reason]), "{expression}");
    }
}

#[tokio::test]
async fn a_failed_condition_comes_before_what_the_update_would_meet() {
    let harness = tables().await;
    let condition = json!({"ConditionExpression": "attribute_exists(pk)"});
    let request = super::support::with(update("SET a = nothing"), condition);
    let (code, text) = harness.error("UpdateItem", request).await;
    assert_eq!(code, "ConditionalCheckFailedException");
    assert_eq!(text, "The conditional request failed");
}

#[tokio::test]
async fn operands_are_those_from_before_the_update() {
    let harness = tables().await;
    harness.put(PLAIN, json!({"pk": {"S": "k"}, "a": {"N": "5"}})).await;
    harness.call("UpdateItem", update("SET a = a + :n, b = a")).await;
    let item = harness.get(PLAIN, json!({"pk": {"S": "k"}})).await;
    assert_eq!(item, json!({"pk": {"S": "k"}, "a": {"N": "6"}, "b": {"N": "5"}}));
}

#[tokio::test]
async fn a_missing_item_can_lose_anything_but_gain_nothing_below_a_missing_parent() {
    let harness = tables().await;
    harness.call("UpdateItem", update("REMOVE m.x, l[3]")).await;
    harness.refuses("UpdateItem", update("SET m.x = :n"), PATH).await;
}
