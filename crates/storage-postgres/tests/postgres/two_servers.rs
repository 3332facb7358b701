//! Two engines on one store, used in turns: together they behave as one engine does.

use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use monotable_storage::{CommitId, Decision, Engine, Key, Reads, Result, Settled, Wants};
use monotable_storage_postgres::{PostgresEngine, PostgresSnapshot};

use crate::store::Store;

monotable_storage::engine_tests!(|| (Pair::open(), ()));

/// Every call goes to the other one.
struct Pair {
    engines: [PostgresEngine; 2],
    turn: AtomicBool,
}

impl Pair {
    fn open() -> Pair {
        let store = Store::new();
        Pair { engines: [store.open(), store.open()], turn: AtomicBool::new(false) }
    }

    fn next(&self) -> &PostgresEngine {
        let [one, other] = &self.engines;
        if self.turn.fetch_xor(true, Ordering::Relaxed) { one } else { other }
    }
}

impl Engine for Pair {
    type Snapshot = PostgresSnapshot;

    async fn snapshot(&self) -> Result<PostgresSnapshot> {
        self.next().snapshot().await
    }

    async fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        self.next().get(key).await
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>> {
        self.next().get_many(keys).await
    }

    async fn transact<T: Send>(
        &self,
        wants: Wants<'_>,
        decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> Result<T> {
        self.next().transact(wants, decide).await
    }

    async fn settle(&self, commit: CommitId) -> Result<Settled> {
        self.next().settle(commit).await
    }

    async fn now_millis(&self) -> Result<Option<u64>> {
        self.next().now_millis().await
    }

    fn is_shared(&self) -> bool {
        true
    }

    async fn close(&self) -> Result<()> {
        let [one, other] = &self.engines;
        one.close().await?;
        other.close().await
    }
}
