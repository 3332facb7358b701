//! Sets: which members they take.

use serde_json::json;

use super::support::{PLAIN, tables};

#[tokio::test]
async fn empty_members_of_string_and_binary_sets_are_taken() {
    let harness = tables().await;
    let item = json!({"pk": {"S": "a"}, "s": {"SS": ["", "x"]}, "b": {"BS": ["", "AA=="]}});
    harness.put(PLAIN, item.clone()).await;
    assert_eq!(harness.get(PLAIN, json!({"pk": {"S": "a"}})).await, item);
}

#[tokio::test]
async fn number_sets_are_compared_exactly_to_38_digits() {
    let harness = tables().await;
    let near = ["12345678901234567890123456789012345678", "12345678901234567890123456789012345679"];
    harness.put(PLAIN, json!({"pk": {"S": "a"}, "n": {"NS": near}})).await;
    let held = |values: [&str; 2]| {
        json!({"TableName": PLAIN, "Key": {"pk": {"S": "a"}}, "ConditionExpression": "n = :n",
            "UpdateExpression": "SET ok = :ok",
            "ExpressionAttributeValues": {":n": {"NS": values}, ":ok": {"BOOL": true}}})
    };
    harness.call("UpdateItem", held([near[1], near[0]])).await;
    let (code, _) = harness.error("UpdateItem", held([near[0], "1"])).await;
    assert_eq!(code, "ConditionalCheckFailedException");
}

#[tokio::test]
async fn a_set_that_loses_its_last_member_goes_away() {
    let harness = tables().await;
    harness.put(PLAIN, json!({"pk": {"S": "a"}, "s": {"SS": ["x", "y"]}})).await;
    let request = json!({"TableName": PLAIN, "Key": {"pk": {"S": "a"}},
        "UpdateExpression": "DELETE s :s",
        "ExpressionAttributeValues": {":s": {"SS": ["y", "x"]}}});
    harness.call("UpdateItem", request).await;
    assert_eq!(harness.get(PLAIN, json!({"pk": {"S": "a"}})).await, json!({"pk": {"S": "a"}}));
}
