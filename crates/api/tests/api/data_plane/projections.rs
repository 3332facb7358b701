//! What reads return of an item.

use serde_json::{Value, json};

use super::support::{PLAIN, tables, with};

async fn projected(projection: &str) -> Value {
    let harness = tables().await;
    let item = json!({"pk": {"S": "k"}, "l": {"L": [{"N": "0"}, {"N": "1"}, {"N": "2"}]},
        "m": {"M": {"a": {"S": "x"}, "b": {"S": "y"}}}});
    harness.put(PLAIN, item).await;
    let request = json!({"TableName": PLAIN, "Key": {"pk": {"S": "k"}},
        "ProjectionExpression": projection});
    harness.call("GetItem", request).await
}

#[tokio::test]
async fn a_projection_returns_its_paths_and_lists_without_gaps() {
    let cases = [
        ("m.b", json!({"m": {"M": {"b": {"S": "y"}}}})),
        ("l[2], l[0]", json!({"l": {"L": [{"N": "0"}, {"N": "2"}]}})),
        ("m.z, l[7], pk", json!({"pk": {"S": "k"}})),
    ];
    for (projection, item) in cases {
        assert_eq!(projected(projection).await, json!({"Item": item}), "{projection}");
    }
}

#[tokio::test]
async fn a_projection_that_matches_nothing_returns_an_empty_item() {
    assert_eq!(projected("nothing, m.z").await, json!({"Item": {}}));
    let harness = tables().await;
    harness.put(PLAIN, json!({"pk": {"S": "k"}})).await;
    let asked = json!({"Keys": [{"pk": {"S": "k"}}], "ProjectionExpression": "nothing"});
    let answer = harness.call("BatchGetItem", json!({"RequestItems": {PLAIN: asked}})).await;
    assert_eq!(answer["Responses"], json!({PLAIN: [{}]}));
    let scan = json!({"TableName": PLAIN, "ProjectionExpression": "nothing"});
    let answer = harness.call("Scan", scan).await;
    assert_eq!(answer, json!({"Items": [{}], "Count": 1, "ScannedCount": 1}));
}

#[tokio::test]
async fn a_transaction_answers_such_a_projection_like_a_missing_item() {
    let harness = tables().await;
    harness.put(PLAIN, json!({"pk": {"S": "k"}})).await;
    let get = |key: &str, more: Value| {
        let base = json!({"TableName": PLAIN, "Key": {"pk": {"S": key}}});
        json!({"Get": with(base, more)})
    };
    let request = json!({"TransactItems": [get("k", json!({})), get("x", json!({})),
        get("y", json!({"ProjectionExpression": "nothing"}))]});
    let answer = harness.call("TransactGetItems", request).await;
    assert_eq!(answer, json!({"Responses": [{"Item": {"pk": {"S": "k"}}}, {}, {}]}));
    let request = json!({"TransactItems": [get("k", json!({"ProjectionExpression": "nothing"}))]});
    let answer = harness.call("TransactGetItems", request).await;
    assert_eq!(answer, json!({"Responses": [{}]}));
}

#[tokio::test]
async fn a_missing_item_is_no_item() {
    let harness = tables().await;
    let request = json!({"TableName": PLAIN, "Key": {"pk": {"S": "x"}}});
    assert_eq!(harness.call("GetItem", request).await, json!({}));
}
