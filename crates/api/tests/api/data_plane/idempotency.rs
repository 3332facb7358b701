//! A transaction with a token happens once in ten minutes.

use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use monotable_database::Clock;
use serde_json::{Value, json};

use super::support::PLAIN;
use crate::harness::Harness;

/// A clock that tests move.
struct MovedClock(AtomicU64);

impl Clock for MovedClock {
    fn now_millis(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn sleep(&self, _: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(pending())
    }
}

async fn database() -> (Harness, Arc<MovedClock>) {
    let clock = Arc::new(MovedClock(AtomicU64::new(1_800_000_000_000)));
    let harness = Harness::with_clock(clock.clone()).await;
    let table = json!({"TableName": PLAIN, "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]});
    harness.call("CreateTable", table).await;
    (harness, clock)
}

fn count(amount: &str) -> Value {
    let update = json!({"TableName": PLAIN, "Key": {"pk": {"S": "k"}},
        "UpdateExpression": "ADD n :n", "ExpressionAttributeValues": {":n": {"N": amount}}});
    json!({"TransactItems": [{"Update": update}], "ClientRequestToken": "token",
        "ReturnConsumedCapacity": "TOTAL"})
}

async fn counter(harness: &Harness) -> Value {
    harness.get(PLAIN, json!({"pk": {"S": "k"}})).await["n"]["N"].clone()
}

#[tokio::test]
async fn the_same_request_is_done_once_and_charged_as_a_read_when_repeated() {
    let (harness, clock) = database().await;
    let written = json!([{"TableName": PLAIN, "CapacityUnits": 2.0, "WriteCapacityUnits": 2.0}]);
    let read = json!([{"TableName": PLAIN, "CapacityUnits": 2.0, "ReadCapacityUnits": 2.0}]);
    let answer = harness.call("TransactWriteItems", count("1")).await;
    assert_eq!(answer, json!({"ConsumedCapacity": written}));
    clock.0.fetch_add(599_999, Ordering::Relaxed);
    let answer = harness.call("TransactWriteItems", count("1")).await;
    assert_eq!(answer, json!({"ConsumedCapacity": read}));
    assert_eq!(counter(&harness).await, "1");
}

#[tokio::test]
async fn after_ten_minutes_it_is_another_request() {
    let (harness, clock) = database().await;
    harness.call("TransactWriteItems", count("1")).await;
    clock.0.fetch_add(600_000, Ordering::Relaxed);
    harness.call("TransactWriteItems", count("1")).await;
    assert_eq!(counter(&harness).await, "2");
}

#[tokio::test]
async fn another_request_with_the_same_token_is_refused() {
    let (harness, _) = database().await;
    harness.call("TransactWriteItems", count("1")).await;
    let (code, text) = harness.error("TransactWriteItems", count("2")).await;
    assert_eq!(code, "IdempotentParameterMismatchException");
    // Only the code has been measured.
    assert_eq!(
        text,
        "The request uses the same client token as a previous, but different, request."
    );
    assert_eq!(counter(&harness).await, "1");
}

#[tokio::test]
async fn a_cancelled_transaction_leaves_its_token_unused() {
    let (harness, _) = database().await;
    let mut request = count("1");
    request["TransactItems"][0]["Update"]["ConditionExpression"] = json!("attribute_exists(pk)");
    let (code, _) = harness.error("TransactWriteItems", request.clone()).await;
    assert_eq!(code, "TransactionCanceledException");
    harness.put(PLAIN, json!({"pk": {"S": "k"}})).await;
    harness.call("TransactWriteItems", request).await;
    assert_eq!(counter(&harness).await, "1");
}

#[tokio::test]
async fn the_same_item_written_in_another_way_is_the_same_request() {
    let (harness, _) = database().await;
    let put = |item: &str| {
        let item: Value = serde_json::from_str(item).unwrap();
        let put = json!({"TableName": PLAIN, "Item": item});
        json!({"TransactItems": [{"Put": put}], "ClientRequestToken": "token"})
    };
    let item = r#"{"pk": {"S": "k"}, "n": {"N": "10"}, "s": {"SS": ["b", "a"]}}"#;
    harness.call("TransactWriteItems", put(item)).await;
    let other_way = r#"{"s": {"SS": ["a", "b"]}, "n": {"N": "+1.0e1"}, "pk": {"S": "\u006b"}}"#;
    harness.call("TransactWriteItems", put(other_way)).await;
    let another = r#"{"pk": {"S": "k"}, "n": {"N": "11"}, "s": {"SS": ["b", "a"]}}"#;
    let (code, _) = harness.error("TransactWriteItems", put(another)).await;
    assert_eq!(code, "IdempotentParameterMismatchException");
}

/// Values of a transaction may lie deeper than those of an item.
#[tokio::test]
async fn requests_that_differ_in_a_very_deep_value_differ() {
    let (harness, _) = database().await;
    let check = |leaf: &str| {
        let value = (0..31).fold(json!({"S": leaf}), |value, _| json!({"L": [value]}));
        let put = json!({"TableName": PLAIN, "Item": {"pk": {"S": "k"}},
            "ConditionExpression": "n <> :v", "ExpressionAttributeValues": {":v": value}});
        json!({"TransactItems": [{"Put": put}], "ClientRequestToken": "token"})
    };
    harness.call("TransactWriteItems", check("a")).await;
    harness.call("TransactWriteItems", check("a")).await;
    let (code, _) = harness.error("TransactWriteItems", check("b")).await;
    assert_eq!(code, "IdempotentParameterMismatchException");
}
