//! Transactions that other calls meet on their items.
//!
//! AWS's developer guide names the conflicts: a write of an item that an ongoing TransactWriteItems
//! includes, an item of a TransactWriteItems that is part of another one, and an item of a
//! TransactGetItems that is being written. A transaction is held up by a delay, so that the others
//! come while it is under way.

use std::time::Duration;

use monotable_api::ApiError;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::world::{ON_DEMAND, World, batch, put, transaction};

type Call = JoinHandle<Result<Value, ApiError>>;

/// Starts a call that goes on when the clock is moved, and waits until it is under way.
async fn start(world: &World, operation: &'static str, request: Value) -> Call {
    world.fault(&[&format!("delay time=1s operation={operation} first=1")]);
    let caller = world.clone();
    let call = tokio::spawn(async move { caller.call(operation, request).await });
    world.until_waiting().await;
    call
}

async fn finish(world: &World, call: Call) {
    world.clock.advance(Duration::from_secs(1));
    call.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_write_that_meets_a_transaction_is_refused() {
    let world = World::with_conflicts().await;
    let ongoing = start(&world, "TransactWriteItems", transaction(ON_DEMAND, &["a", "b"])).await;
    let key = json!({"TableName": ON_DEMAND, "Key": {"pk": {"S": "b"}}});
    for (operation, request) in
        [("PutItem", put(ON_DEMAND, "a")), ("UpdateItem", key.clone()), ("DeleteItem", key.clone())]
    {
        let error = world.error(operation, request).await;
        assert_eq!(error["__type"], "TransactionConflictException", "{operation}");
    }
    assert!(world.put(ON_DEMAND, "c").await.is_ok());
    assert!(world.call("GetItem", key).await.is_ok());
    finish(&world, ongoing).await;
    assert!(world.put(ON_DEMAND, "a").await.is_ok());
}

#[tokio::test]
async fn a_transaction_that_meets_another_is_cancelled() {
    let world = World::with_conflicts().await;
    let ongoing = start(&world, "TransactWriteItems", transaction(ON_DEMAND, &["b"])).await;
    let error = world.error("TransactWriteItems", transaction(ON_DEMAND, &["a", "b"])).await;
    let codes: Vec<&Value> =
        error["CancellationReasons"].as_array().unwrap().iter().map(|it| &it["Code"]).collect();
    assert_eq!(codes, ["None", "TransactionConflict"]);
    let gets = json!({"TransactItems":
        [{"Get": {"TableName": ON_DEMAND, "Key": {"pk": {"S": "b"}}}}]});
    let error = world.error("TransactGetItems", gets.clone()).await;
    assert_eq!(error["CancellationReasons"][0]["Code"], "TransactionConflict");
    finish(&world, ongoing).await;
    assert!(world.call("TransactGetItems", gets).await.is_ok());
}

#[tokio::test]
async fn a_transactional_read_meets_a_write_and_a_transaction_does_not() {
    let world = World::with_conflicts().await;
    let ongoing = start(&world, "PutItem", put(ON_DEMAND, "a")).await;
    let gets = json!({"TransactItems":
        [{"Get": {"TableName": ON_DEMAND, "Key": {"pk": {"S": "a"}}}}]});
    let error = world.error("TransactGetItems", gets).await;
    assert_eq!(error["CancellationReasons"][0]["Code"], "TransactionConflict");
    assert!(world.call("TransactWriteItems", transaction(ON_DEMAND, &["a"])).await.is_ok());
    assert!(world.put(ON_DEMAND, "a").await.is_ok());
    finish(&world, ongoing).await;
}

#[tokio::test]
async fn the_members_of_a_batch_that_meet_a_transaction_are_left() {
    let world = World::with_conflicts().await;
    let ongoing = start(&world, "TransactWriteItems", transaction(ON_DEMAND, &["b"])).await;
    let answer = world.ok("BatchWriteItem", batch(ON_DEMAND, &["a", "b"])).await;
    let left = json!([{"PutRequest": {"Item": {"pk": {"S": "b"}}}}]);
    assert_eq!(answer["UnprocessedItems"][ON_DEMAND], left);
    let answer = world.ok("BatchWriteItem", batch(ON_DEMAND, &["b"])).await;
    assert_eq!(answer["UnprocessedItems"][ON_DEMAND], left);
    finish(&world, ongoing).await;
}

#[tokio::test]
async fn the_same_token_is_in_progress_until_the_transaction_has_ended() {
    let world = World::with_conflicts().await;
    let mut request = transaction(ON_DEMAND, &["a"]);
    request["ClientRequestToken"] = "token".into();
    let ongoing = start(&world, "TransactWriteItems", request.clone()).await;
    let mut other = transaction(ON_DEMAND, &["b"]);
    other["ClientRequestToken"] = "token".into();
    let error = world.error("TransactWriteItems", other).await;
    assert_eq!(error["__type"], "TransactionInProgressException");
    finish(&world, ongoing).await;
    assert!(world.call("TransactWriteItems", request).await.is_ok());
}

#[tokio::test]
async fn a_transaction_that_is_abandoned_holds_nothing() {
    let world = World::with_conflicts().await;
    let ongoing = start(&world, "TransactWriteItems", transaction(ON_DEMAND, &["a"])).await;
    assert!(world.put(ON_DEMAND, "a").await.is_err());
    ongoing.abort();
    assert!(ongoing.await.is_err());
    assert!(world.put(ON_DEMAND, "a").await.is_ok());
}

#[tokio::test]
async fn nothing_conflicts_unless_it_is_asked_for() {
    let world = World::new().await;
    let ongoing = start(&world, "TransactWriteItems", transaction(ON_DEMAND, &["a"])).await;
    assert!(world.put(ON_DEMAND, "a").await.is_ok());
    finish(&world, ongoing).await;
}
