//! A stand-alone UpdateItem is refused when what it writes and its actions cost more than an item
//! may.

use serde_json::{Value, json};

use super::support::{PLAIN, tables, text};

const TOO_LARGE: &str = "Item size to update has exceeded the maximum allowed size";

fn update(expression: &str, bytes: usize) -> Value {
    json!({"TableName": PLAIN, "Key": {"pk": {"S": "k"}}, "UpdateExpression": expression,
        "ExpressionAttributeValues": {":v": text(bytes)}})
}

#[tokio::test]
async fn setting_a_value_costs_19_and_3_beside_the_target_and_the_value() {
    let harness = tables().await;
    let largest = 409_600 - 3 - 19 - "a".len();
    harness.call("UpdateItem", update("SET a = :v", largest)).await;
    harness.refuses("UpdateItem", update("SET a = :v", largest + 1), TOO_LARGE).await;
}

#[tokio::test]
async fn every_part_of_the_statement_has_its_cost() {
    let harness = tables().await;
    let costs = [
        ("SET a = :v REMOVE bc", 3 + 20 + (1 + 2)),
        ("SET a = if_not_exists(b, :v)", 3 + 1 + 1 + 39 + (1 + 14 + 1) + 18),
        ("SET a = :v, bc = d", 3 + 20 + (1 + 2 + 1 + 14 + 1)),
    ];
    for (expression, cost) in costs {
        harness.put(PLAIN, json!({"pk": {"S": "k"}, "d": {"S": "x"}})).await;
        harness.refuses("UpdateItem", update(expression, 409_600 - cost + 1), TOO_LARGE).await;
        harness.call("UpdateItem", update(expression, 409_600 - cost)).await;
    }
}

#[tokio::test]
async fn the_statement_is_measured_before_the_condition() {
    let harness = tables().await;
    let never = json!({"ConditionExpression": "attribute_exists(nothing)"});
    let request = super::support::with(update("SET a = :v", 409_590), never);
    harness.refuses("UpdateItem", request, TOO_LARGE).await;
}

#[tokio::test]
async fn a_transacted_update_is_measured_by_the_item_only() {
    let harness = tables().await;
    let largest = 409_600 - "pkk".len() - "a".len();
    let request = json!({"TransactItems": [{"Update": update("SET a = :v", largest)}]});
    harness.call("TransactWriteItems", request).await;
}
