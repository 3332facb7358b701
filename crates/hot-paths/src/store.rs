//! The API on a table in memory with one index, as a server has it.

use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use monotable_api::observation::Attributions;
use monotable_api::{Api, observation};
use monotable_database::{Clock, Database, DatabaseOptions, Home, Ids};
use monotable_identity::Caller;
use monotable_model::diagnostic::SourceFile;
use monotable_observe::{ModelReport, Observer, Outcome, Refused};
use monotable_storage::MemoryEngine;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::order::Order;
use crate::repeat;

/// The name of the table.
pub(crate) const TABLE: &str = "orders";
/// How many stores have orders in the table.
pub(crate) const STORES: u64 = 20;
/// How many orders a store has.
pub(crate) const STORE_ORDERS: u64 = 25;

/// The table as a design.
const MODEL: &str = include_str!("orders.toml");
/// How a call is said to have ended, whatever it was.
const OUTCOME: Outcome = Outcome {
    halves: 1,
    items: 1,
    evaluated: 1,
    duration: Duration::from_micros(100),
    refused: Refused::No,
    is_replay: false,
};

/// 2026-11-15T12:00:00Z, the time of every scenario.
const NOW_MILLIS: u64 = 1_794_744_000_000;

/// A table with orders, and the thread that works on it.
pub(crate) struct LoadedStore {
    runtime: Runtime,
    api: Api<MemoryEngine>,
}

impl LoadedStore {
    /// A table that holds all orders.
    pub(crate) fn with_orders() -> Result<LoadedStore> {
        // Without timers: nothing in a scenario waits for a time.
        let runtime = Builder::new_current_thread().enable_io().build()?;
        let ids = Arc::new(CountingIds::new());
        let options = DatabaseOptions::default();
        let database = Database::open(MemoryEngine::new(), Arc::new(StoppedClock), ids, options);
        let api = Api::new(runtime.block_on(database)?, Home::default());
        let store = LoadedStore { runtime, api };
        store.answer("CreateTable", &table_definition())?;
        for number in 0..STORES * STORE_ORDERS {
            store.send("PutItem", &order(number).put_body(TABLE))?;
        }
        Ok(store)
    }

    /// The thread and the API, for a server.
    pub(crate) fn into_parts(self) -> (Runtime, Api<MemoryEngine>) {
        (self.runtime, self.api)
    }

    /// The same table, watched by a model of it.
    pub(crate) fn with_model() -> Result<LoadedStore> {
        let mut store = LoadedStore::with_orders()?;
        let observer = Observer::default();
        let loaded = observer.load(SourceFile::new("orders.toml", MODEL), NOW_MILLIS);
        loaded.map_err(|error| anyhow!("the model is not loaded: {error:?}"))?;
        store.api = store.api.observed_by(Arc::new(observer));
        Ok(store)
    }

    /// What was seen of the table's model.
    pub(crate) fn seen(&self) -> Result<ModelReport> {
        let models = self.api.observer().report(NOW_MILLIS).models;
        models.into_iter().next().context("no model is loaded")
    }

    /// The answer to one request.
    pub(crate) fn answer(&self, operation: &str, request: &Value) -> Result<Value> {
        Ok(serde_json::from_slice(&self.send(operation, request.to_string().as_bytes())?)?)
    }

    fn send(&self, operation: &str, body: &[u8]) -> Result<Vec<u8>> {
        self.runtime.block_on(self.call(&target(operation), body))
    }

    /// Sends the requests in turn and counts them. All calls of a batch run in one future, as those
    /// of a connection do, so that starting the runtime does not count for each of them.
    pub(crate) fn count_calls(
        &self,
        iterations: u64,
        operation: &str,
        requests: &[Value],
    ) -> Result<()> {
        ensure!(!requests.is_empty(), "there is no request to send");
        let target = target(operation);
        let bodies: Vec<String> = requests.iter().map(Value::to_string).collect();
        repeat::batches(iterations, |numbers| {
            self.runtime.block_on(async {
                // A batch goes on where the one before it stopped, or it would write what is there
                // already.
                let start = usize::try_from(numbers.start)? % bodies.len();
                for (_, body) in numbers.zip(bodies.iter().cycle().skip(start)) {
                    std::hint::black_box(self.call(&target, body.as_bytes()).await?);
                }
                Ok(())
            })
        })
    }

    async fn call(&self, target: &str, body: &[u8]) -> Result<Vec<u8>> {
        // As the server does, which counts calls by what is noted of them.
        let (answer, noted) =
            observation::observe(self.api.call(&Caller::anyone(), target, body)).await;
        if let Attributions::Whole(attribution) = &noted.attributions {
            attribution.count(&OUTCOME);
        }
        std::hint::black_box(&noted);
        answer.map_err(|error| anyhow!("{target} failed: {error:?}"))
    }
}

/// One of all orders as it was loaded. Those of a store were not written one after the other.
pub(crate) fn order(number: u64) -> Order {
    Order { store: number % STORES, number: number / STORES, revision: 0 }
}

fn target(operation: &str) -> String {
    format!("DynamoDB_20120810.{operation}")
}

fn table_definition() -> Value {
    let attribute = |name| json!({ "AttributeName": name, "AttributeType": "S" });
    let key = |partition, sort| {
        json!([
            { "AttributeName": partition, "KeyType": "HASH" },
            { "AttributeName": sort, "KeyType": "RANGE" },
        ])
    };
    let attributes = ["pk", "sk", "customer", "placed_at"].map(attribute);
    json!({
        "TableName": TABLE,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": attributes,
        "KeySchema": key("pk", "sk"),
        "GlobalSecondaryIndexes": [{
            "IndexName": "by_customer",
            "KeySchema": key("customer", "placed_at"),
            "Projection": { "ProjectionType": "ALL" },
        }],
    })
}

/// A clock that stands still.
pub(crate) struct StoppedClock;

impl Clock for StoppedClock {
    fn now_millis(&self) -> u64 {
        NOW_MILLIS
    }

    fn sleep(&self, _: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(pending())
    }
}

/// Ids that count up.
pub(crate) struct CountingIds(AtomicU64);

impl CountingIds {
    pub(crate) fn new() -> CountingIds {
        CountingIds(AtomicU64::new(1))
    }
}

impl Ids for CountingIds {
    fn random(&self) -> u128 {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed))
    }
}
