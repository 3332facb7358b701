//! The API on a database in memory, with a clock that the test moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use monotable_api::{Api, ApiError, Imitation};
use monotable_database::{Database, DatabaseOptions, Home, Ids, ManualClock};
use monotable_faults::document;
use monotable_identity::Caller;
use monotable_observe::Observer;
use monotable_storage::MemoryEngine;
use serde_json::{Value, json};

/// A table with 5 read and 5 write units, and a global index `by-owner` with 100 read and 3 write
/// units on `owner`.
pub(crate) const PROVISIONED: &str = "provisioned";
/// An on-demand table with the same index.
pub(crate) const ON_DEMAND: &str = "on-demand";

/// The API under test.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) api: Arc<Api<MemoryEngine>>,
    pub(crate) clock: Arc<ManualClock>,
}

struct CountingIds(AtomicU64);

impl Ids for CountingIds {
    fn random(&self) -> u128 {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

impl World {
    /// Both tables, and nothing that goes wrong.
    pub(crate) async fn new() -> World {
        World::imitating(Imitation::default()).await
    }

    /// Both tables on a server that enforces capacity.
    pub(crate) async fn with_capacity() -> World {
        World::imitating(Imitation { enforces_capacity: true, ..Imitation::default() }).await
    }

    /// Both tables on a server whose transactions conflict.
    pub(crate) async fn with_conflicts() -> World {
        World::imitating(Imitation { has_transaction_conflicts: true, ..Imitation::default() })
            .await
    }

    /// Both tables, and somebody who sees what calls are.
    pub(crate) async fn observed_by(observer: Arc<Observer>) -> World {
        World::with(Imitation::default(), observer).await
    }

    async fn imitating(imitation: Imitation) -> World {
        World::with(imitation, Arc::default()).await
    }

    async fn with(imitation: Imitation, observer: Arc<Observer>) -> World {
        let clock = Arc::new(ManualClock::new(1_794_744_000_000));
        let ids = Arc::new(CountingIds(AtomicU64::new(1)));
        let options = DatabaseOptions::default();
        let database = Database::open(MemoryEngine::new(), clock.clone(), ids, options).await;
        let api = Api::new(database.unwrap(), Home::default()).imitating(imitation);
        let world = World { api: Arc::new(api.observed_by(observer)), clock };
        world
            .create(
                PROVISIONED,
                json!({"BillingMode": "PROVISIONED",
            "ProvisionedThroughput": units(5, 5)}),
                json!({"ProvisionedThroughput": units(100, 3)}),
            )
            .await;
        world.create(ON_DEMAND, json!({"BillingMode": "PAY_PER_REQUEST"}), json!({})).await;
        world
    }

    /// Creates a table with the index `by-owner`.
    pub(crate) async fn create(&self, name: &str, table: Value, index: Value) {
        let key = |name: &str| json!([{"AttributeName": name, "KeyType": "HASH"}]);
        let attribute = |name: &str| json!({"AttributeName": name, "AttributeType": "S"});
        let index = with(
            json!({"IndexName": "by-owner", "KeySchema": key("owner"),
                "Projection": {"ProjectionType": "ALL"}}),
            index,
        );
        let definition = json!({"TableName": name, "KeySchema": key("pk"),
            "AttributeDefinitions": [attribute("pk"), attribute("owner")],
            "GlobalSecondaryIndexes": [index]});
        self.ok("CreateTable", with(definition, table)).await;
    }

    /// Puts faults, as lines, in the place of those there are.
    pub(crate) fn fault(&self, lines: &[&str]) {
        self.fault_by_seed(0, lines);
    }

    pub(crate) fn fault_by_seed(&self, seed: u64, lines: &[&str]) {
        let document = json!({"seed": seed, "faults": lines});
        self.api.set_faults(document::read(&document).unwrap());
    }

    /// The answer to a call.
    pub(crate) async fn call(&self, operation: &str, request: Value) -> Result<Value, ApiError> {
        let target = format!("DynamoDB_20120810.{operation}");
        let body = request.to_string();
        let body = self.api.call(&Caller::anyone(), &target, body.as_bytes()).await?;
        Ok(serde_json::from_slice(&body).unwrap())
    }

    /// The answer to a call that must succeed.
    pub(crate) async fn ok(&self, operation: &str, request: Value) -> Value {
        let answer = self.call(operation, request).await;
        answer.unwrap_or_else(|error| panic!("{operation} failed: {error:?}"))
    }

    /// The body of the answer to a call that must fail, without the namespace of its name.
    pub(crate) async fn error(&self, operation: &str, request: Value) -> Value {
        let error = match self.call(operation, request).await {
            Ok(answer) => panic!("{operation} succeeded: {answer}"),
            Err(error) => error,
        };
        let mut body: Value = serde_json::from_slice(&error.into_body()).unwrap();
        let name = body["__type"].as_str().unwrap().rsplit('#').next().unwrap().to_owned();
        body["__type"] = name.into();
        body
    }

    /// Puts an item with this key.
    pub(crate) async fn put(&self, table: &str, pk: &str) -> Result<Value, ApiError> {
        self.call("PutItem", put(table, pk)).await
    }

    /// The value of `v` of the item, as it is now or as a read that may be stale sees it.
    pub(crate) async fn value(&self, table: &str, pk: &str, is_consistent: bool) -> Value {
        let request = json!({"TableName": table, "Key": {"pk": {"S": pk}},
            "ConsistentRead": is_consistent});
        self.ok("GetItem", request).await["Item"]["v"]["S"].clone()
    }

    /// Waits until a fault has hit a call. One that is delayed waits for the clock then.
    pub(crate) async fn until_waiting(&self) {
        while self.api.faults().reports().all(|report| report.hit == 0) {
            tokio::task::yield_now().await;
        }
    }

    /// Lets time pass.
    pub(crate) fn advance(&self, secs: f64) {
        self.clock.advance(Duration::from_secs_f64(secs));
    }
}

pub(crate) fn units(read: u64, write: u64) -> Value {
    json!({"ReadCapacityUnits": read, "WriteCapacityUnits": write})
}

/// A put of an item that only has a key.
pub(crate) fn put(table: &str, pk: &str) -> Value {
    json!({"TableName": table, "Item": {"pk": {"S": pk}}})
}

/// A put of an item with a value.
pub(crate) fn put_value(table: &str, pk: &str, value: &str) -> Value {
    json!({"TableName": table,
        "Item": {"pk": {"S": pk}, "v": {"S": value}, "owner": {"S": "o"}}})
}

/// A transaction that puts items with these keys.
pub(crate) fn transaction(table: &str, keys: &[&str]) -> Value {
    let items: Vec<Value> = keys.iter().map(|key| json!({"Put": put(table, key)})).collect();
    json!({ "TransactItems": items })
}

/// A batch that puts items with these keys.
pub(crate) fn batch(table: &str, keys: &[&str]) -> Value {
    let items: Vec<Value> =
        keys.iter().map(|key| json!({"PutRequest": {"Item": {"pk": {"S": key}}}})).collect();
    json!({"RequestItems": {table: items}})
}

/// An object with the members of both.
fn with(base: Value, more: Value) -> Value {
    let (Value::Object(mut base), Value::Object(more)) = (base, more) else {
        panic!("both must be objects")
    };
    base.extend(more);
    Value::Object(base)
}
