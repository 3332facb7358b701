//! The engine as one server sees it: shared, with a clock of its own, and slow.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use bytes::Bytes;
use monotable_database::Clock;
use monotable_storage::{CommitId, Decision, Engine, Key, Reads, Result, Settled, Wants};

use super::gate::Gate;
use super::recorded_engine::RecordedEngine;

/// Every call waits at the gate, and so does every answer that others may overtake.
pub(super) struct GatedEngine<E> {
    pub(super) inner: Arc<E>,
    pub(super) gate: Arc<Gate>,
    /// Beneath everything, and with the clock of the store.
    pub(super) recorded: Arc<RecordedEngine>,
    pub(super) server: usize,
    pub(super) sharing: Sharing,
}

/// Whether others use the store too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sharing {
    Shared,
    Alone,
}

impl<E> GatedEngine<E> {
    async fn pass(&self, call: &'static str, what: impl Hash) {
        let mut digest = DefaultHasher::new();
        what.hash(&mut digest);
        self.gate.pass((self.server, call, digest.finish())).await;
    }
}

impl<E: Engine> Engine for GatedEngine<E> {
    type Snapshot = E::Snapshot;

    async fn snapshot(&self) -> Result<E::Snapshot> {
        self.pass("snapshot", ()).await;
        let snapshot = self.inner.snapshot().await;
        self.pass("snapshot taken", ()).await;
        snapshot
    }

    async fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        self.pass("get", key).await;
        let value = self.inner.get(key).await;
        self.pass("got", key).await;
        value
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>> {
        self.pass("get many", keys).await;
        let values = self.inner.get_many(keys).await;
        self.pass("got many", keys).await;
        values
    }

    async fn transact<T: Send>(
        &self,
        wants: Wants<'_>,
        decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> Result<T> {
        self.pass("transact", (wants.locked, wants.shared)).await;
        self.recorded.called_by(self.server);
        let answer = self.inner.transact(wants, decide).await;
        self.pass("transacted", (wants.locked, answer.is_ok())).await;
        answer
    }

    async fn settle(&self, commit: CommitId) -> Result<Settled> {
        self.pass("settle", commit).await;
        self.inner.settle(commit).await
    }

    async fn now_millis(&self) -> Result<Option<u64>> {
        self.pass("now", ()).await;
        Ok(Some(self.recorded.clock.now_millis()))
    }

    fn is_shared(&self) -> bool {
        self.sharing == Sharing::Shared
    }

    fn removes_ranges_whole(&self) -> bool {
        self.inner.removes_ranges_whole()
    }

    /// The store stays open for the others.
    async fn close(&self) -> Result<()> {
        Ok(())
    }
}
