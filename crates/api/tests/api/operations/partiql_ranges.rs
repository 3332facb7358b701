//! What a SELECT reads of a partition, by what it costs: comparisons of the sort key that must all
//! hold are one range.
//!
//! AWS does not say what it reads for them. That a range costs what a query of it costs is known
//! for BETWEEN; nothing outside of the others can be found either.

use crate::harness::Harness;
use serde_json::{Value, json};

/// A partition of ten items, each just under what a unit reads.
async fn filled(kind: &str, key: impl Fn(usize) -> Value) -> Harness {
    let harness = Harness::new().await;
    let create = json!({
        "TableName": "shop",
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": kind},
        ],
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
    });
    harness.call("CreateTable", create).await;
    for number in 0..10 {
        let item = json!({"pk": {"S": "a"}, "sk": key(number), "text": {"S": "x".repeat(4050)}});
        harness.call("PutItem", json!({"TableName": "shop", "Item": item})).await;
    }
    harness
}

/// Selects the sort keys in a consistent read, and tells what it cost.
async fn select(harness: &Harness, condition: &str) -> (Vec<String>, f64) {
    let request = json!({
        "Statement": format!("SELECT sk FROM shop WHERE pk = 'a' AND {condition}"),
        "ConsistentRead": true,
        "ReturnConsumedCapacity": "TOTAL",
    });
    let answer = harness.call("ExecuteStatement", request).await;
    let text =
        |item: &Value| item["sk"]["N"].as_str().or(item["sk"]["S"].as_str()).map(str::to_owned);
    let keys = answer["Items"].as_array().unwrap().iter().filter_map(text);
    (keys.collect(), answer["ConsumedCapacity"]["CapacityUnits"].as_f64().unwrap())
}

async fn check(harness: &Harness, condition: &str, keys: &[&str], units: f64) {
    let (found, cost) = select(harness, condition).await;
    assert_eq!(
        (found, cost),
        (keys.iter().map(|&key| key.to_owned()).collect(), units),
        "{condition}"
    );
}

#[tokio::test]
async fn comparisons_that_must_all_hold_are_one_range() {
    let harness = filled("N", |number| json!({"N": number.to_string()})).await;
    check(&harness, "sk > 1 AND sk < 5", &["2", "3", "4"], 3.0).await;
    check(&harness, "sk < 5 AND 1 <= sk", &["1", "2", "3", "4"], 4.0).await;
    check(&harness, "sk > 1 AND sk <= 3", &["2", "3"], 2.0).await;
    check(&harness, "sk BETWEEN 1 AND 8 AND sk > 6 AND sk <> 100", &["7", "8"], 2.0).await;
    check(&harness, "sk > 6 AND sk >= 8", &["8", "9"], 2.0).await;
    check(&harness, "sk >= 4 AND sk <= 4", &["4"], 1.0).await;
    check(&harness, "sk > 4 AND sk < 5", &[], 1.0).await;
}

#[tokio::test]
async fn the_page_of_a_range_ends_where_the_range_does() {
    let harness = filled("N", |number| json!({"N": number.to_string()})).await;
    let request = json!({
        "Statement": "SELECT sk FROM shop WHERE pk = 'a' AND sk > 1 AND sk < 4",
        "Limit": 3,
    });
    let answer = harness.call("ExecuteStatement", request).await;
    assert_eq!(answer["Items"], json!([{"sk": {"N": "2"}}, {"sk": {"N": "3"}}]));
    assert_eq!(answer["NextToken"], Value::Null);
}

#[tokio::test]
async fn a_comparison_beside_a_prefix_filters() {
    let harness = filled("S", |number| json!({"S": format!("k{number}")})).await;
    check(&harness, "begins_with(sk, 'k') AND sk > 'k8'", &["k9"], 10.0).await;
    check(&harness, "sk > 'k3' AND sk < 'k5'", &["k4"], 1.0).await;
}

/// The values of a range are checked as those of a query are.
#[tokio::test]
async fn a_range_is_of_values_that_keys_can_have() {
    let harness = filled("S", |number| json!({"S": format!("k{number}")})).await;
    let request = |condition: &str| {
        let statement = format!("SELECT * FROM shop WHERE pk = 'a' AND {condition}");
        json!({ "Statement": statement })
    };
    let single = harness.error("ExecuteStatement", request("sk > ''")).await;
    assert_eq!(harness.error("ExecuteStatement", request("sk > '' AND sk < 'z'")).await, single);
    let long = "x".repeat(1025);
    let single = harness.error("ExecuteStatement", request(&format!("sk < '{long}'"))).await;
    let both = request(&format!("sk > 'a' AND sk < '{long}'"));
    assert_eq!(harness.error("ExecuteStatement", both).await, single);
}

/// AWS's page on operators: results of IN come in pages of up to ten, and a list with more values
/// needs the token.
#[tokio::test]
async fn the_values_of_an_in_come_ten_to_a_page() {
    let harness = filled("N", |number| json!({"N": number.to_string()})).await;
    let values: Vec<String> = (0..12).map(|number| number.to_string()).collect();
    let statement = format!(
        "SELECT sk FROM shop WHERE pk = 'a' AND sk IN [{}]",
        values.iter().rev().cloned().collect::<Vec<_>>().join(", ")
    );
    let mut request = json!({"Statement": statement});
    let first = harness.call("ExecuteStatement", request.clone()).await;
    assert_eq!(first["Items"].as_array().unwrap().len(), 10);
    request["NextToken"] = first["NextToken"].clone();
    // The last two values are of no items.
    let last = harness.call("ExecuteStatement", request).await;
    assert_eq!((&last["Items"], &last["NextToken"]), (&json!([]), &Value::Null));
}
