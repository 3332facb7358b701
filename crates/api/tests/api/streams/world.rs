//! The API on a database in memory that can be closed and opened again, and what the tests do with
//! it.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use monotable_api::{Api, ApiError};
use monotable_database::{Clock, Database, DatabaseOptions, Home, Ids, Lags};
use monotable_identity::Caller;
use monotable_storage::{
    Decision, Engine, Key, MemoryEngine, MemorySnapshot, Reads, Result, Wants,
};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::clock::MovableClock;

/// What sleeps in a database at rest: its upkeep and its sweeper.
const SLEEPERS: usize = 2;

pub(crate) const MINUTE: Duration = Duration::from_secs(60);
pub(crate) const HOUR: Duration = Duration::from_secs(60 * 60);

/// How many turns a call gets to come to where it waits, and more reads than any call does.
const TURNS: usize = 100;
const READS_MAX: usize = 1 << 20;

pub(crate) type Answer = std::result::Result<Value, ApiError>;

/// The API under test.
pub(crate) struct World {
    engine: KeptEngine,
    clock: Arc<MovableClock>,
    options: DatabaseOptions,
    database: Arc<Database<KeptEngine>>,
    api: Api<KeptEngine>,
}

impl World {
    /// The API on an empty database.
    pub(crate) async fn new() -> World {
        World::with(DatabaseOptions::default()).await
    }

    /// The same with other options.
    pub(crate) async fn with(options: DatabaseOptions) -> World {
        let engine = KeptEngine(Arc::new(MemoryEngine::new()));
        let clock = Arc::new(MovableClock::new());
        let database = open(&engine, &clock, options).await;
        let api = Api::new(database.clone(), Home::default());
        World { engine, clock, options, database, api }
    }

    /// Closes the database and opens it again on what it has stored.
    pub(crate) async fn restart(&mut self) {
        self.database.close().await.unwrap();
        self.clock.forget_sleepers();
        self.database = open(&self.engine, &self.clock, self.options).await;
        self.api = Api::new(self.database.clone(), Home::default());
    }

    /// Lets time pass, and the work in the background be done.
    pub(crate) async fn advance(&self, duration: Duration) {
        self.clock.advance(duration).await;
    }

    /// How far the work in the background is behind.
    pub(crate) async fn lags(&self) -> Lags {
        self.api.lags().await.unwrap()
    }

    /// The time in seconds since 1970.
    pub(crate) fn now_secs(&self) -> u64 {
        self.clock.now_millis() / 1000
    }

    /// The answer of a call that must succeed.
    pub(crate) async fn call(&self, operation: &str, request: Value) -> Value {
        match self.answer(operation, request).await {
            Ok(answer) => answer,
            Err(error) => panic!("{operation} failed: {error:?}"),
        }
    }

    /// The code and the text of a call that must fail.
    pub(crate) async fn error(&self, operation: &str, request: Value) -> (String, String) {
        let error = match self.answer(operation, request).await {
            Ok(answer) => panic!("{operation} succeeded: {answer}"),
            Err(error) => error,
        };
        let body: Value = serde_json::from_slice(&error.into_body()).unwrap();
        let code = body["__type"].as_str().unwrap().rsplit('#').next().unwrap();
        (code.to_owned(), body["message"].as_str().unwrap_or_default().to_owned())
    }

    async fn answer(&self, operation: &str, request: Value) -> Answer {
        let service = match operation {
            "ListStreams" | "DescribeStream" | "GetShardIterator" | "GetRecords" => {
                "DynamoDBStreams_20120810"
            }
            _ => "DynamoDB_20120810",
        };
        self.answer_to(&format!("{service}.{operation}"), request).await
    }

    /// The answer to a request with this target.
    pub(crate) async fn answer_to(&self, target: &str, request: Value) -> Answer {
        let body = request.to_string();
        let body = self.api.call(&Caller::anyone(), target, body.as_bytes()).await?;
        Ok(serde_json::from_slice(&body).unwrap())
    }

    /// The answer of a call that reads so many times, waits until something else has been done, and
    /// goes on; `None` if it does not read as often.
    pub(crate) async fn call_around(
        &self,
        (operation, request): (&str, Value),
        reads_before: usize,
        meanwhile: impl Future<Output = ()>,
    ) -> Option<Answer> {
        let reads = Arc::new(Semaphore::new(reads_before));
        let mut call = pin!(READS.scope(reads.clone(), self.answer(operation, request)));
        tokio::select! {
            _ = &mut call => return None,
            () = take_turns() => {}
        }
        meanwhile.await;
        reads.add_permits(READS_MAX);
        Some(call.await)
    }

    /// Creates the table `shop` with the keys `pk` and `sk` and a stream; gives the stream's ARN.
    pub(crate) async fn create_table(&self, view_type: &str) -> String {
        self.create_table_named("shop", view_type).await
    }

    /// The same with another name.
    pub(crate) async fn create_table_named(&self, name: &str, view_type: &str) -> String {
        self.create_table_with(name, view_type, json!({"BillingMode": "PAY_PER_REQUEST"})).await
    }

    /// The same with a name and settings.
    pub(crate) async fn create_table_with(
        &self,
        name: &str,
        view_type: &str,
        settings: Value,
    ) -> String {
        let stream = json!({"StreamEnabled": true, "StreamViewType": view_type});
        let mut table = json!({
            "TableName": name,
            "AttributeDefinitions": [
                {"AttributeName": "pk", "AttributeType": "S"},
                {"AttributeName": "sk", "AttributeType": "N"},
            ],
            "KeySchema": [
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
            "StreamSpecification": stream,
        });
        merge(&mut table, settings);
        let created = self.call("CreateTable", table).await;
        created["TableDescription"]["LatestStreamArn"].as_str().unwrap().to_owned()
    }

    /// Changes settings of `shop`.
    pub(crate) async fn update_table(&self, settings: Value) {
        let mut change = json!({"TableName": "shop"});
        merge(&mut change, settings);
        self.call("UpdateTable", change).await;
    }

    /// Puts an item into `shop`.
    pub(crate) async fn put(&self, item: Value) {
        self.call("PutItem", json!({"TableName": "shop", "Item": item})).await;
    }

    /// Deletes an item of `shop`.
    pub(crate) async fn delete(&self, key: Value) {
        self.call("DeleteItem", json!({"TableName": "shop", "Key": key})).await;
    }

    /// Switches the stream of `shop`.
    pub(crate) async fn set_stream(&self, specification: Value) -> Value {
        let change = json!({"TableName": "shop", "StreamSpecification": specification});
        self.call("UpdateTable", change).await["TableDescription"].clone()
    }

    /// Lets the items of `shop` expire by the attribute `ttl`, and waits until they do.
    pub(crate) async fn enable_time_to_live(&self) {
        let specification = json!({"Enabled": true, "AttributeName": "ttl"});
        let change = json!({"TableName": "shop", "TimeToLiveSpecification": specification});
        self.call("UpdateTimeToLive", change).await;
        self.time_to_live_is_enabled().await;
    }

    /// Waits until the items of `shop` expire.
    pub(crate) async fn time_to_live_is_enabled(&self) {
        let is_enabled = async || {
            let answer = self.call("DescribeTimeToLive", json!({"TableName": "shop"})).await;
            answer["TimeToLiveDescription"]["TimeToLiveStatus"] == "ENABLED"
        };
        while !is_enabled().await {
            tokio::task::yield_now().await;
        }
    }

    /// All shards of a stream, read in pages of three.
    pub(crate) async fn shards(&self, arn: &str) -> Vec<Value> {
        let mut request = json!({"StreamArn": arn, "Limit": 3});
        let mut shards = Vec::new();
        loop {
            let stream =
                self.call("DescribeStream", request.clone()).await["StreamDescription"].clone();
            shards.extend(stream["Shards"].as_array().unwrap().clone());
            match stream.get("LastEvaluatedShardId") {
                Some(last) => request["ExclusiveStartShardId"] = last.clone(),
                None => return shards,
            }
        }
    }

    /// An iterator of a type that needs no sequence number.
    pub(crate) async fn iterator(&self, arn: &str, shard: &Value, kind: &str) -> Value {
        let request = json!({
            "StreamArn": arn,
            "ShardId": shard["ShardId"],
            "ShardIteratorType": kind,
        });
        self.call("GetShardIterator", request).await["ShardIterator"].clone()
    }

    /// Records from an iterator on, until there are none: those, and the iterator after them if the
    /// shard is open.
    pub(crate) async fn read_on(&self, iterator: &Value) -> (Vec<Value>, Option<Value>) {
        let mut records = Vec::new();
        let mut next = iterator.clone();
        loop {
            let page = self.call("GetRecords", json!({"ShardIterator": next, "Limit": 2})).await;
            let found = page["Records"].as_array().unwrap();
            records.extend(found.clone());
            match page.get("NextShardIterator") {
                None => return (records, None),
                Some(open) if found.is_empty() => return (records, Some(open.clone())),
                Some(open) => next = open.clone(),
            }
        }
    }

    /// All records of a stream: those of a parent before those of its children.
    pub(crate) async fn read_all(&self, arn: &str) -> Vec<Value> {
        let mut records = Vec::new();
        for shard in self.shards(arn).await {
            let iterator = self.iterator(arn, &shard, "TRIM_HORIZON").await;
            let (found, next) = self.read_on(&iterator).await;
            let is_closed = shard["SequenceNumberRange"].get("EndingSequenceNumber").is_some();
            assert_eq!(next.is_none(), is_closed, "{shard}");
            records.extend(found);
        }
        records
    }

    /// The shard that holds the records of an item that was put into `shop`.
    pub(crate) async fn shard_with_records(&self, arn: &str) -> Value {
        for shard in self.shards(arn).await {
            let iterator = self.iterator(arn, &shard, "TRIM_HORIZON").await;
            if !self.read_on(&iterator).await.0.is_empty() {
                return shard;
            }
        }
        panic!("no shard has records");
    }
}

/// The sequence number of a record.
pub(crate) fn sequence_number(record: &Value) -> String {
    record["dynamodb"]["SequenceNumber"].as_str().unwrap().to_owned()
}

async fn open(
    engine: &KeptEngine,
    clock: &Arc<MovableClock>,
    options: DatabaseOptions,
) -> Arc<Database<KeptEngine>> {
    let ids = Arc::new(CountingIds(AtomicU64::new(1)));
    let database = Database::open(engine.clone(), clock.clone(), ids, options).await.unwrap();
    clock.wait_for_sleepers(SLEEPERS).await;
    database
}

tokio::task_local! {
    /// How many reads of the store a call may do before it waits.
    static READS: Arc<Semaphore>;
}

/// An engine in memory that outlives its database, and holds up calls in their middle.
#[derive(Clone)]
struct KeptEngine(Arc<MemoryEngine>);

/// Lets a call come to where it waits.
async fn take_turns() {
    for _ in 0..TURNS {
        tokio::task::yield_now().await;
    }
}

/// Waits until the call may read.
async fn may_read() {
    if let Ok(reads) = READS.try_with(Arc::clone) {
        reads.acquire().await.expect("it is never closed").forget();
    }
}

impl Engine for KeptEngine {
    type Snapshot = MemorySnapshot;

    async fn snapshot(&self) -> Result<MemorySnapshot> {
        may_read().await;
        self.0.snapshot().await
    }

    async fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        may_read().await;
        self.0.get(key).await
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>> {
        may_read().await;
        self.0.get_many(keys).await
    }

    async fn transact<T: Send>(
        &self,
        wants: Wants<'_>,
        decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> Result<T> {
        self.0.transact(wants, decide).await
    }

    async fn close(&self) -> Result<()> {
        Ok(())
    }
}

struct CountingIds(AtomicU64);

impl Ids for CountingIds {
    fn random(&self) -> u128 {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

fn merge(request: &mut Value, more: Value) {
    let (Value::Object(request), Value::Object(more)) = (request, more) else {
        panic!("requests are objects")
    };
    request.extend(more);
}
