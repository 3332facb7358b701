//! An item collection of a table with local indexes grows to 10 GB.
//!
//! Code and text are those of AWS's page on errors of DynamoDB. So many bytes are not written here:
//! their counter is raised in the store.

use std::ops::ControlFlow;
use std::sync::Arc;

use monotable_database::{DatabaseOptions, ManualClock};
use monotable_item::limits::ITEM_COLLECTION_BYTES_MAX;
use monotable_storage::{Batch, Decision, Engine, MemoryEngine, Reads, Snapshot, Wants};
use serde_json::{Value, json};

use super::support::{PAIRS, definitions, with};
use crate::harness::Harness;

/// Where the names of counters of item collections begin.
const COLLECTIONS: &[u8] = &[0x05];

/// A store whose table has one collection, of the partition `p`.
struct Store {
    engine: Arc<MemoryEngine>,
    harness: Harness,
}

impl Store {
    async fn new() -> Store {
        let engine = Arc::new(MemoryEngine::new());
        let clock = Arc::new(ManualClock::new(1_794_744_000_250));
        let harness = Harness::on(engine.clone(), clock, DatabaseOptions::default()).await;
        for definition in definitions() {
            harness.call("CreateTable", definition).await;
        }
        harness.call("PutItem", put("p", "first")).await;
        Store { engine, harness }
    }

    /// Raises the counter of the collection to so many bytes.
    async fn raise_to(&self, bytes: u64) {
        let snapshot = self.engine.snapshot().await.unwrap();
        let mut found = Vec::new();
        let note = |name: &[u8], value: i64| {
            found.push((name.to_vec(), value));
            ControlFlow::Continue(())
        };
        snapshot.visit_counters(COLLECTIONS, None, 2, note).await.unwrap();
        let [(name, value)] = found.try_into().unwrap();
        let decide = |_: &Reads| {
            let mut batch = Batch::new();
            batch.add(name.clone(), i64::try_from(bytes).unwrap() - value);
            Decision::Commit(batch, ())
        };
        self.engine.transact(Wants::nothing(), decide).await.unwrap();
    }

    async fn full() -> Store {
        let store = Store::new().await;
        store.raise_to(ITEM_COLLECTION_BYTES_MAX + 1).await;
        store
    }
}

fn key(partition: &str, sort: &str) -> Value {
    json!({"pk": {"S": partition}, "sk": {"S": sort}})
}

fn put(partition: &str, sort: &str) -> Value {
    json!({"TableName": PAIRS, "Item": key(partition, sort)})
}

#[tokio::test]
async fn a_full_collection_takes_no_writes_that_may_grow_it() {
    let store = Store::full().await;
    let update = json!({"TableName": PAIRS, "Key": key("p", "first"),
        "UpdateExpression": "REMOVE a"});
    let batch = json!({"RequestItems": {PAIRS: [{"PutRequest": {"Item": key("p", "b")}}]}});
    for (operation, request) in
        [("PutItem", put("p", "b")), ("UpdateItem", update), ("BatchWriteItem", batch)]
    {
        let (code, text) = store.harness.error(operation, request).await;
        assert_eq!(code, "ItemCollectionSizeLimitExceededException", "{operation}");
        assert_eq!(text, "Collection size exceeded.", "{operation}");
    }
    let query = json!({"TableName": PAIRS, "KeyConditionExpression": "pk = :p",
        "ExpressionAttributeValues": {":p": {"S": "p"}}});
    assert_eq!(store.harness.call("Query", query).await["Count"], 1);
}

#[tokio::test]
async fn a_full_collection_cancels_a_transaction() {
    let store = Store::full().await;
    let request = json!({"TransactItems": [{"Put": put("q", "a")}, {"Put": put("p", "b")}]});
    let (code, text) = store.harness.error("TransactWriteItems", request).await;
    assert_eq!(code, "TransactionCanceledException");
    assert!(text.ends_with("[None, ItemCollectionSizeLimitExceeded]"), "{text}");
}

#[tokio::test]
async fn a_full_collection_is_read_and_shrinks_and_others_grow() {
    let store = Store::full().await;
    let first = json!({"TableName": PAIRS, "Key": key("p", "first")});
    assert_eq!(store.harness.call("GetItem", first.clone()).await["Item"], key("p", "first"));
    store.harness.call("PutItem", put("q", "a")).await;
    store.harness.call("DeleteItem", first).await;
    // What was deleted makes room.
    store.harness.call("PutItem", put("p", "b")).await;
}

#[tokio::test]
async fn a_collection_takes_writes_up_to_the_limit() {
    let store = Store::new().await;
    store.raise_to(ITEM_COLLECTION_BYTES_MAX).await;
    let request = with(put("p", "b"), json!({"ReturnItemCollectionMetrics": "SIZE"}));
    let answer = store.harness.call("PutItem", request).await;
    let metrics = &answer["ItemCollectionMetrics"];
    assert_eq!(metrics["SizeEstimateRangeGB"], json!([10.0, 11.0]));
    let (code, _) = store.harness.error("PutItem", put("p", "c")).await;
    assert_eq!(code, "ItemCollectionSizeLimitExceededException");
}
