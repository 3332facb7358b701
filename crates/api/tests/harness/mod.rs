//! The API on a database in memory, with a clock that stands still and ids that count up.

use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use monotable_api::{Api, ApiError};
use monotable_database::{Clock, Database, DatabaseOptions, Home, Ids};
use monotable_identity::Caller;
use monotable_observe::Observer;
use monotable_storage::MemoryEngine;
use serde_json::Value;

/// 2026-11-15T12:00:00.250Z, the time of every test.
const NOW_MILLIS: u64 = 1_794_744_000_250;

/// The API under test.
pub(crate) struct Harness {
    api: Api<Arc<MemoryEngine>>,
}

impl Harness {
    /// The API on an empty database.
    pub(crate) async fn new() -> Harness {
        Harness::observed_by(Arc::default()).await
    }

    /// The API on an empty database, with somebody who sees what calls are.
    pub(crate) async fn observed_by(observer: Arc<Observer>) -> Harness {
        let Harness { api } = Harness::with_clock(Arc::new(StoppedClock)).await;
        Harness { api: api.observed_by(observer) }
    }

    /// The API on an empty database with this clock.
    pub(crate) async fn with_clock(clock: Arc<dyn Clock>) -> Harness {
        Harness::with(clock, DatabaseOptions::default()).await
    }

    /// The same with other options.
    pub(crate) async fn with(clock: Arc<dyn Clock>, options: DatabaseOptions) -> Harness {
        Harness::on(Arc::default(), clock, options).await
    }

    /// The same on a store that the test has as well.
    pub(crate) async fn on(
        engine: Arc<MemoryEngine>,
        clock: Arc<dyn Clock>,
        options: DatabaseOptions,
    ) -> Harness {
        let ids = Arc::new(CountingIds(AtomicU64::new(1)));
        let database = Database::open(engine, clock, ids, options);
        Harness { api: Api::new(database.await.unwrap(), Home::default()) }
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
        match self.answer(operation, request).await {
            Ok(answer) => panic!("{operation} succeeded: {answer}"),
            Err(error) => code_and_text(error),
        }
    }

    async fn answer(&self, operation: &str, request: Value) -> Result<Value, ApiError> {
        let body = self.send(operation, request.to_string().as_bytes()).await?;
        Ok(serde_json::from_slice(&body).unwrap())
    }

    /// The body of the answer to a body. An operation of another service than that of tables has
    /// its name with that of the service.
    pub(crate) async fn send(&self, operation: &str, body: &[u8]) -> Result<Vec<u8>, ApiError> {
        self.send_as(&Caller::anyone(), operation, body).await
    }

    /// The same for a body that somebody sends.
    pub(crate) async fn send_as(
        &self,
        caller: &Caller,
        operation: &str,
        body: &[u8],
    ) -> Result<Vec<u8>, ApiError> {
        if operation.contains('.') {
            return self.api.call(caller, operation, body).await;
        }
        self.api.call(caller, &format!("DynamoDB_20120810.{operation}"), body).await
    }
}

/// The code without its namespace, and the text.
pub(crate) fn code_and_text(error: ApiError) -> (String, String) {
    let body: Value = serde_json::from_slice(&error.into_body()).unwrap();
    let code = body["__type"].as_str().unwrap().rsplit('#').next().unwrap();
    let text = body.get("message").or(body.get("Message")).and_then(Value::as_str);
    (code.to_owned(), text.unwrap_or_default().to_owned())
}

struct StoppedClock;

impl Clock for StoppedClock {
    fn now_millis(&self) -> u64 {
        NOW_MILLIS
    }

    fn sleep(&self, _: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(pending())
    }
}

struct CountingIds(AtomicU64);

impl Ids for CountingIds {
    fn random(&self) -> u128 {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed))
    }
}
