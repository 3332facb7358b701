//! Two servers on one store: what one of them has changed, the other goes by as soon as it would
//! refuse a request for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use monotable_api::Api;
use monotable_database::{Database, DatabaseOptions, Home, Ids, ManualClock};
use monotable_identity::Caller;
use monotable_storage::{
    Decision, Engine, Key, MemoryEngine, MemorySnapshot, Reads, Result, Wants,
};
use serde_json::{Value, json};

const NOW_MILLIS: u64 = 1_794_744_000_250;

/// A store in memory that others use too.
#[derive(Clone)]
struct SharedEngine(Arc<MemoryEngine>);

impl Engine for SharedEngine {
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
        decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> Result<T> {
        self.0.transact(wants, decide).await
    }

    fn is_shared(&self) -> bool {
        true
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

struct Server(Api<SharedEngine>);

impl Server {
    /// A server whose ids begin here.
    async fn start(engine: &SharedEngine, first_id: u64) -> Server {
        let clock = Arc::new(ManualClock::new(NOW_MILLIS));
        let ids = Arc::new(CountingIds(AtomicU64::new(first_id)));
        let database = Database::open(engine.clone(), clock, ids, DatabaseOptions::default());
        Server(Api::new(database.await.unwrap(), Home::default()))
    }

    /// The answer of a call that must succeed.
    async fn call(&self, operation: &str, request: Value) -> Value {
        let target = format!("DynamoDB_20120810.{operation}");
        let body = request.to_string();
        match self.0.call(&Caller::anyone(), &target, body.as_bytes()).await {
            Ok(answer) => serde_json::from_slice(&answer).unwrap(),
            Err(error) => panic!("{operation} failed: {error:?}"),
        }
    }
}

/// Two servers, with the table `orders` in their store that both remember.
async fn servers() -> [Server; 2] {
    let engine = SharedEngine(Arc::default());
    let servers = [Server::start(&engine, 1).await, Server::start(&engine, 1 << 32).await];
    create(&servers[0], "id").await;
    for server in &servers {
        server.call("Scan", json!({ "TableName": "orders" })).await;
    }
    servers
}

/// Creates the table `orders` with this key.
async fn create(server: &Server, key: &str) {
    let request = json!({
        "TableName": "orders",
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{ "AttributeName": key, "AttributeType": "S" }],
        "KeySchema": [{ "AttributeName": key, "KeyType": "HASH" }],
    });
    server.call("CreateTable", request).await;
}

/// Deletes the table, and makes it anew with another key.
async fn replace(server: &Server, key: &str) {
    server.call("DeleteTable", json!({ "TableName": "orders" })).await;
    while server.call("ListTables", json!({})).await["TableNames"] != json!([]) {
        tokio::task::yield_now().await;
    }
    create(server, key).await;
}

fn statements(texts: &[&str]) -> Value {
    let statements: Vec<Value> = texts.iter().map(|text| json!({ "Statement": text })).collect();
    json!({ "Statements": statements })
}

#[tokio::test]
async fn a_put_that_the_remembered_table_would_refuse_is_checked_again() {
    let [one, other] = servers().await;
    replace(&one, "pk").await;
    let item = json!({ "pk": { "S": "a" } });
    other.call("PutItem", json!({ "TableName": "orders", "Item": item })).await;
}

#[tokio::test]
async fn statements_that_the_remembered_table_would_refuse_are_checked_again() {
    let [one, other] = servers().await;
    replace(&one, "pk").await;
    let inserts = ["INSERT INTO orders VALUE {'pk': 'a'}", "INSERT INTO orders VALUE {'pk': 'b'}"];
    let answer = other.call("BatchExecuteStatement", statements(&inserts)).await;
    let inserted = json!({ "TableName": "orders" });
    assert_eq!(answer["Responses"], json!([inserted, inserted]));
    let scanned = one.call("Scan", json!({ "TableName": "orders" })).await;
    assert_eq!(scanned["Count"], 2);
}

#[tokio::test]
async fn a_statement_that_the_table_refuses_is_refused_beside_one_that_it_takes() {
    let [one, other] = servers().await;
    replace(&one, "pk").await;
    let mixed = ["INSERT INTO orders VALUE {'id': 'a'}", "INSERT INTO orders VALUE {'pk': 'b'}"];
    let answer = other.call("BatchExecuteStatement", statements(&mixed)).await;
    assert_eq!(answer["Responses"][0]["Error"]["Code"], "ValidationError");
    assert_eq!(answer["Responses"][1], json!({ "TableName": "orders" }));
}
