//! Transactions that an engine runs again after a conflict: what is wrong with an item is counted
//! once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use monotable_api::Api;
use monotable_database::{Database, DatabaseOptions, Home, Ids, ManualClock};
use monotable_identity::Caller;
use monotable_model::diagnostic::SourceFile;
use monotable_model::document::read;
use monotable_observe::{CheckMode, Observer};
use monotable_storage::{
    Decision, Engine, Key, MemoryEngine, MemorySnapshot, Reads, Result, Wants,
};
use serde_json::{Value, json};

const MODEL: &str = r##"
format = 1
name = "shop"
[tables.shop]
partition_key = "pk"
[entities.Order]
key = { partition = "ORDER#{number:06}" }
attributes = { number = "N", state = "S" }
"##;

/// A store in memory on which every transaction meets a conflict at first.
struct ConflictingEngine(MemoryEngine);

impl Engine for ConflictingEngine {
    type Snapshot = MemorySnapshot;

    async fn snapshot(&self) -> Result<MemorySnapshot> {
        self.0.snapshot().await
    }

    async fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        self.0.get(key).await
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>> {
        self.0.get_many(keys).await
    }

    async fn transact<T: Send>(
        &self,
        wants: Wants<'_>,
        mut decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> Result<T> {
        let twice = |reads: &Reads| {
            drop(decide(reads));
            decide(reads)
        };
        self.0.transact(wants, twice).await
    }

    async fn close(&self) -> Result<()> {
        self.0.close().await
    }
}

struct CountingIds(AtomicU64);

impl Ids for CountingIds {
    fn random(&self) -> u128 {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

async fn shop(mode: CheckMode) -> Api<ConflictingEngine> {
    let observer = Observer::new(read, mode);
    observer.load(SourceFile::new("shop.toml", MODEL), 0).unwrap();
    let engine = ConflictingEngine(MemoryEngine::new());
    let ids = Arc::new(CountingIds(AtomicU64::new(1)));
    let clock = Arc::new(ManualClock::new(0));
    let database = Database::open(engine, clock, ids, DatabaseOptions::default()).await.unwrap();
    let api = Api::new(database, Home::default()).observed_by(Arc::new(observer));
    let table = json!({
        "TableName": "shop",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    send(&api, "CreateTable", &table).await.unwrap();
    api
}

async fn send(
    api: &Api<ConflictingEngine>,
    operation: &str,
    request: &Value,
) -> std::result::Result<Vec<u8>, monotable_api::ApiError> {
    let target = format!("DynamoDB_20120810.{operation}");
    api.call(&Caller::anyone(), &target, request.to_string().as_bytes()).await
}

/// A write of every kind that makes an item without leading zeros in its key.
fn writes() -> [(&'static str, Value); 4] {
    let item = json!({"pk": {"S": "ORDER#17"}, "number": {"N": "17"}});
    let update = json!({
        "TableName": "shop",
        "Key": {"pk": {"S": "ORDER#18"}},
        "UpdateExpression": "SET #n = :n",
        "ExpressionAttributeNames": {"#n": "number"},
        "ExpressionAttributeValues": {":n": {"N": "18"}},
    });
    let put = json!({"Put": {"TableName": "shop", "Item": item}});
    [
        ("PutItem", json!({"TableName": "shop", "Item": item})),
        ("UpdateItem", update.clone()),
        ("BatchWriteItem", json!({"RequestItems": {"shop": [{"PutRequest": {"Item": item}}]}})),
        ("TransactWriteItems", json!({"TransactItems": [put, {"Update": update}]})),
    ]
}

fn counts(api: &Api<ConflictingEngine>) -> Vec<(u64, u64)> {
    let drift = api.observer().report(0).models.remove(0).drift;
    drift.iter().map(|entry| (entry.count, entry.refused)).collect()
}

#[tokio::test]
async fn a_write_that_is_run_again_is_noted_once() {
    for (operation, request) in writes() {
        let written = if operation == "TransactWriteItems" { 2 } else { 1 };
        let api = shop(CheckMode::Warn).await;
        send(&api, operation, &request).await.unwrap();
        assert_eq!(counts(&api), [(written, 0)], "{operation}");
        let api = shop(CheckMode::Reject).await;
        send(&api, operation, &request).await.unwrap_err();
        assert_eq!(counts(&api), [(written, written)], "{operation}");
    }
}

#[tokio::test]
async fn what_is_not_written_for_another_reason_is_not_noted() {
    let api = shop(CheckMode::Warn).await;
    let item = json!({"pk": {"S": "ORDER#17"}, "number": {"N": "17"}});
    let put = json!({"Put": {"TableName": "shop", "Item": item}});
    let check = json!({"ConditionCheck": {
        "TableName": "shop",
        "Key": {"pk": {"S": "ORDER#000001"}},
        "ConditionExpression": "attribute_exists(pk)",
    }});
    let request = json!({"TransactItems": [put, check]});
    send(&api, "TransactWriteItems", &request).await.unwrap_err();
    let conditional =
        json!({"TableName": "shop", "Item": item, "ConditionExpression": "attribute_exists(pk)"});
    send(&api, "PutItem", &conditional).await.unwrap_err();
    assert!(counts(&api).is_empty());
}
