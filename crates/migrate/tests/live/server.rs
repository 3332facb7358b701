//! A server in this process, and one that meddles with items just before a migration writes them.

use std::collections::HashSet;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use monotable_api::Api;
use monotable_database::{Clock as DatabaseTime, Database, DatabaseOptions, Home, Ids};
use monotable_identity::{AuthenticationError, Caller};
use monotable_remote::{Endpoint, Identity};
use monotable_server::{
    Access, Answer, DatabaseClock, Handler, HealthProbe, Limits, Listener, Monitoring, Options,
    Server,
};
use monotable_storage::MemoryEngine;
use serde_json::{Value as Json, json};

use crate::clock::SystemClock;
use crate::models::TABLE;

/// Starts a server in memory. It ends with the runtime of the test.
pub(crate) async fn start() -> Arc<Endpoint> {
    serve(api().await).await
}

/// Starts a server that changes or deletes every item once, just before the first conditional write
/// to it.
pub(crate) async fn start_meddling() -> Arc<Endpoint> {
    serve(Meddler { api: api().await, seen: Mutex::default() }).await
}

async fn api() -> Api<MemoryEngine> {
    let (time, ids): (Arc<dyn DatabaseTime>, Arc<dyn Ids>) =
        (Arc::new(SystemClock), Arc::new(CountedIds));
    let database =
        Database::open(MemoryEngine::new(), time, ids, DatabaseOptions::default()).await.unwrap();
    Api::new(database, Home::default())
}

async fn serve<H: Handler>(handler: H) -> Arc<Endpoint> {
    let listener = Listener::bind("127.0.0.1", 0).await.unwrap();
    let address = format!("http://{}", listener.address());
    let options = Options {
        region: "us-east-1".to_owned(),
        limits: Limits::default(),
        clock: DatabaseClock::System,
        access: Access::default(),
        health: HealthProbe::default(),
        keyring: None,
        pages: None,
        monitoring: Monitoring::default(),
    };
    let server = Server::new(handler, options, Arc::new(SystemClock), &CountedIds);
    tokio::spawn(server.serve(listener, std::future::pending()));
    Arc::new(Endpoint::new(&address, Identity::anonymous(), Arc::new(SystemClock)).unwrap())
}

impl DatabaseTime for SystemClock {
    fn now_millis(&self) -> u64 {
        monotable_remote::Clock::now_millis(self)
    }

    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        monotable_remote::Clock::sleep(self, duration)
    }
}

/// Ids that need no randomness: request ids and stream ids of one test are enough.
struct CountedIds;

impl Ids for CountedIds {
    fn random(&self) -> u128 {
        static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);
        u128::from(NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) << 64
    }
}

/// Answers as the API does, after somebody else was faster.
struct Meddler {
    api: Api<MemoryEngine>,
    seen: Mutex<HashSet<String>>,
}

impl Meddler {
    /// The change that comes first, if a call is the first write of a migration to an item.
    fn change_before(&self, target: &str, body: &[u8]) -> Option<(&'static str, Json)> {
        let request: Json = serde_json::from_slice(body).ok()?;
        let key = match target.rsplit('.').next()? {
            "UpdateItem" => request.get("Key")?,
            "TransactWriteItems" => request.pointer("/TransactItems/1/Delete/Key")?,
            _ => return None,
        };
        if !self.seen.lock().unwrap().insert(key.to_string()) {
            return None;
        }
        let id = key["SK"]["S"].as_str()?;
        // Every tenth item is deleted, so that a stump of it would show.
        if id.ends_with('0') {
            return Some(("DeleteItem", json!({ "TableName": TABLE, "Key": key })));
        }
        let change = json!({
            "TableName": TABLE,
            "Key": key,
            "UpdateExpression": "SET note = :note, #status = :status",
            "ExpressionAttributeNames": { "#status": "status" },
            "ExpressionAttributeValues": { ":note": { "S": "meddled" },
                ":status": { "S": "PAID" } },
        });
        Some(("UpdateItem", change))
    }
}

impl Handler for Meddler {
    async fn call(&self, caller: &Caller, target: &str, body: &[u8]) -> Answer {
        if let Some((operation, change)) = self.change_before(target, body) {
            let target = format!("DynamoDB_20120810.{operation}");
            let change = change.to_string();
            let answer = Handler::call(&self.api, caller, &target, change.as_bytes()).await;
            assert_eq!(answer.status, 200);
        }
        Handler::call(&self.api, caller, target, body).await
    }

    async fn catch_up(&self) {
        Handler::catch_up(&self.api).await;
    }

    fn refuse(&self, error: &AuthenticationError) -> Answer {
        Handler::refuse(&self.api, error)
    }

    fn busy(&self) -> Answer {
        Handler::busy(&self.api)
    }

    fn failed(&self, cause: &(dyn Error + 'static)) -> Answer {
        Handler::failed(&self.api, cause)
    }
}
