//! Calls whose table changes while they are under way. They are checked again, and to those who
//! sent them, and to faults and capacity, they are still one call.

use monotable_model::diagnostic::SourceFile;
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

const MODEL: &str = r#"
format = 1
name = "letters"
[tables.on-demand]
partition_key = "pk"
[entities.Letter]
key = { partition = "{letter}" }
attributes = { letter = "S" }
"#;

/// The keys of the table, and how often each was asked for.
fn counted_keys(world: &World) -> Vec<(Option<String>, u64)> {
    let report = world.api.observer().report(0);
    let of_model = report.models.iter().flat_map(|model| &model.tables);
    let keys = of_model.chain(&report.tables).flat_map(|table| &table.keys);
    let counted = keys.flat_map(|keys| &keys.accessed);
    counted.map(|key| (key.key.clone(), key.count)).collect()
}

#[tokio::test]
async fn the_key_of_a_call_that_is_checked_again_is_counted_once() {
    let insert = json!({"Statement": format!("INSERT INTO \"{ON_DEMAND}\" VALUE {{'pk': 'a'}}")});
    let calls = [
        ("PutItem", put(ON_DEMAND, "a")),
        ("BatchWriteItem", batch(ON_DEMAND, &["a"])),
        ("BatchExecuteStatement", json!({"Statements": [insert]})),
    ];
    for (operation, request) in calls {
        let world = World::new().await;
        world.api.observer().load(SourceFile::new("letters.toml", MODEL), 0).unwrap();
        world.fault(&[&format!("delay time=1s first=1 operation={operation}")]);
        answer_with_change(&world, ON_DEMAND, operation, request.clone()).await;
        assert_eq!(counted_keys(&world), [(Some("a".to_owned()), 1)], "{operation}");
        world.call(operation, request).await.ok();
        assert_eq!(counted_keys(&world), [(Some("a".to_owned()), 2)], "{operation} again");
    }
}

#[tokio::test]
async fn a_key_that_is_watched_without_a_model_is_counted_once() {
    let world = World::new().await;
    world.api.observer().watch_keys();
    let enable = json!({"TableName": ON_DEMAND, "ContributorInsightsAction": "ENABLE"});
    world.ok("UpdateContributorInsights", enable).await;
    world.fault(&["delay time=1s first=1 operation=PutItem"]);
    answer_with_change(&world, ON_DEMAND, "PutItem", put(ON_DEMAND, "a")).await;
    assert_eq!(counted_keys(&world), [(Some("a".to_owned()), 1)]);
}
