//! The size of item collections, which only tables with a local index report.

use serde_json::json;

use super::support::{PAIRS, PLAIN, tables, with};

#[tokio::test]
async fn a_write_reports_the_collection_of_its_partition() {
    let harness = tables().await;
    let key = json!({"pk": {"S": "p"}, "sk": {"S": "s"}});
    let metrics =
        json!({"ItemCollectionKey": {"pk": {"S": "p"}}, "SizeEstimateRangeGB": [0.0, 1.0]});
    let request = json!({"TableName": PAIRS, "Key": key, "Item": key,
        "ReturnItemCollectionMetrics": "SIZE"});
    for operation in ["PutItem", "UpdateItem", "DeleteItem"] {
        let answer = harness.call(operation, request.clone()).await;
        assert_eq!(answer, json!({"ItemCollectionMetrics": metrics}), "{operation}");
    }
    let other = json!({"pk": {"S": "p"}, "sk": {"S": "t"}});
    let plain = json!({"pk": {"S": "x"}});
    let request = json!({"ReturnItemCollectionMetrics": "SIZE", "RequestItems": {
        PAIRS: [{"PutRequest": {"Item": key}}, {"PutRequest": {"Item": other}}],
        PLAIN: [{"PutRequest": {"Item": plain}}]}});
    let answer = harness.call("BatchWriteItem", request).await;
    assert_eq!(answer["ItemCollectionMetrics"], json!({PAIRS: [metrics]}));
    let request = json!({"ReturnItemCollectionMetrics": "SIZE", "TransactItems": [
        {"Put": {"TableName": PAIRS, "Item": key}}, {"Put": {"TableName": PLAIN, "Item": plain}}]});
    let answer = harness.call("TransactWriteItems", request).await;
    assert_eq!(answer, json!({"ItemCollectionMetrics": {PAIRS: [metrics]}}));
}

#[tokio::test]
async fn a_table_without_local_index_reports_nothing() {
    let harness = tables().await;
    let request = json!({"TableName": PLAIN, "Item": {"pk": {"S": "x"}}});
    let size = json!({"ReturnItemCollectionMetrics": "SIZE"});
    assert_eq!(harness.call("PutItem", with(request, size)).await, json!({}));
}
