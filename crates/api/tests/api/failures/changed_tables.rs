//! Calls whose table changes while they are under way. They are checked again, and to those who
//! sent them, and to faults and capacity, they are still one call.

use serde_json::{Value, json};

use super::capacity::puts_let_in;
use super::world::{ON_DEMAND, PROVISIONED, World, batch, put};

/// Of how many turns of the runtime a call that does not wait for the clock takes only a few.
const TURNS_MAX: usize = 10_000;

/// Sends a call that a fault delays by a second, and changes its table meanwhile.
async fn answer_with_change(
    world: &World,
    table: &str,
    operation: &'static str,
    request: Value,
) -> Value {
    let delayed = world.clone();
    let call = tokio::spawn(async move { delayed.ok(operation, request).await });
    world.until_waiting().await;
    let change = json!({"TableName": table, "DeletionProtectionEnabled": true});
    world.ok("UpdateTable", change).await;
    world.advance(1.0);
    // Nothing else moves the clock: a call that waits again is not answered.
    for _ in 0..TURNS_MAX {
        tokio::task::yield_now().await;
    }
    assert!(call.is_finished());
    call.await.unwrap()
}

#[tokio::test]
async fn a_fault_of_the_first_call_hits_the_answer_of_a_batch_that_is_checked_again() {
    let world = World::new().await;
    world.fault(&[
        "delay time=1s first=1 operation=BatchWriteItem",
        "unprocessed count=1 first=1 operation=BatchWriteItem",
    ]);
    let request = batch(ON_DEMAND, &["a", "b"]);
    let answer = answer_with_change(&world, ON_DEMAND, "BatchWriteItem", request).await;
    assert_eq!(answer["UnprocessedItems"][ON_DEMAND].as_array().map(Vec::len), Some(1));
    let counts: Vec<(u64, u64)> =
        world.api.faults().reports().map(|report| (report.matched, report.hit)).collect();
    assert_eq!(counts, [(1, 1), (1, 1)]);
}

#[tokio::test]
async fn a_call_that_is_checked_again_is_delayed_once() {
    let world = World::new().await;
    world.fault(&["delay time=1s operation=PutItem"]);
    answer_with_change(&world, ON_DEMAND, "PutItem", put(ON_DEMAND, "a")).await;
}

#[tokio::test]
async fn a_statement_of_a_batch_that_is_checked_again_is_one_call() {
    let world = World::new().await;
    world.fault(&["delay time=1s first=1 operation=BatchExecuteStatement"]);
    let insert = |pk: &str| {
        let statement = format!("INSERT INTO \"{ON_DEMAND}\" VALUE {{'pk': '{pk}'}}");
        json!({ "Statement": statement })
    };
    let request = json!({"Statements": [insert("a"), insert("b")]});
    let answer = answer_with_change(&world, ON_DEMAND, "BatchExecuteStatement", request).await;
    assert_eq!(answer["Responses"].as_array().map(Vec::len), Some(2));
    let matched: Vec<u64> = world.api.faults().reports().map(|report| report.matched).collect();
    assert_eq!(matched, [2]);
}

#[tokio::test]
async fn a_write_that_is_checked_again_takes_its_units_once() {
    let world = World::with_capacity().await;
    world.fault(&["delay time=1s first=1 operation=PutItem"]);
    answer_with_change(&world, PROVISIONED, "PutItem", put(PROVISIONED, "a")).await;
    // A table that is used for the first time has the units of a second, and the put took one.
    assert_eq!(puts_let_in(&world).await, 4);
}
