//! Items have at most 409,600 bytes.

use serde_json::{Value, json};

use super::support::{PLAIN, tables, text};

const PUT_TOO_LARGE: &str = "Item size has exceeded the maximum allowed size";
const UPDATE_TOO_LARGE: &str = "Item size to update has exceeded the maximum allowed size";

/// An item of this many bytes.
fn item(bytes: usize) -> Value {
    json!({"pk": {"S": "k"}, "data": text(bytes - "pk".len() - "k".len() - "data".len())})
}

fn puts(bytes: usize) -> [(&'static str, Value); 3] {
    [
        ("PutItem", json!({"TableName": PLAIN, "Item": item(bytes)})),
        (
            "BatchWriteItem",
            json!({"RequestItems": {PLAIN: [{"PutRequest": {"Item": item(bytes)}}]}}),
        ),
        (
            "TransactWriteItems",
            json!({"TransactItems":
            [{"Put": {"TableName": PLAIN, "Item": item(bytes)}}]}),
        ),
    ]
}

#[tokio::test]
async fn an_item_of_409600_bytes_is_put_and_one_more_is_refused_bare() {
    let harness = tables().await;
    for (operation, request) in puts(409_600) {
        harness.call(operation, request).await;
    }
    for (operation, request) in puts(409_601) {
        harness.refuses(operation, request, PUT_TOO_LARGE).await;
    }
}

#[tokio::test]
async fn the_size_of_a_put_item_is_told_before_its_expression_and_its_table() {
    let harness = tables().await;
    let request = json!({"TableName": "absent", "Item": item(409_601), "ConditionExpression": "!"});
    harness.refuses("PutItem", request, PUT_TOO_LARGE).await;
}

#[tokio::test]
async fn an_update_makes_no_larger_item() {
    let harness = tables().await;
    let append = |bytes: usize| {
        json!({"TableName": PLAIN, "Key": {"pk": {"S": "k"}}, "UpdateExpression": "SET more = :m",
            "ExpressionAttributeValues": {":m": text(bytes)}})
    };
    harness.put(PLAIN, item(400_000)).await;
    let room = 409_600 - 400_000 - "more".len();
    harness.refuses("UpdateItem", append(room + 1), UPDATE_TOO_LARGE).await;
    let request = json!({"TransactItems": [{"Update": append(room + 1)}]});
    let body = harness.error_body("TransactWriteItems", request).await;
    let reason = json!({"Code": "ValidationError", "Message": UPDATE_TOO_LARGE});
    assert_eq!(body["CancellationReasons"], json!([reason]));
    harness.call("UpdateItem", append(room)).await;
    harness.put(PLAIN, item(400_000)).await;
    harness.call("TransactWriteItems", json!({"TransactItems": [{"Update": append(room)}]})).await;
}
