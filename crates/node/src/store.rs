//! The engine that was chosen when the server started.
//!
//! Engines are chosen at run time, but the code above them is compiled for one type of engine. This
//! is that type: each call goes to the engine that is there, and the whole program exists once.
//!
//! A transaction or a visit is given a closure, and would be compiled with it for every engine.
//! Only the engine on disk is worth that; the others call the closure through a pointer.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use bytes::Bytes;
use monotable_server::{Health, HealthProbe, StorageProbe};
use monotable_storage::{
    CommitId, Decision, Direction, Engine, Error, ErrorKind, Key, KeyRange, MemoryEngine,
    MemorySnapshot, Reads, Result, Settled, Snapshot, StoreStatistics, Wants,
};
use monotable_storage_local::{LocalEngine, LocalSnapshot};
use monotable_storage_postgres::{PostgresEngine, PostgresSnapshot, StoreHealth};

/// An engine in memory, on disk, or on a database.
pub enum Store {
    /// In memory.
    Memory(MemoryEngine),
    /// On disk, shared with the probe of its health.
    Local(Arc<LocalEngine>),
    /// On a database, shared with the probe of its health.
    Postgres(Arc<PostgresEngine>),
}

/// What a transaction decides, with the answer kept elsewhere.
type Decide<'a> = dyn FnMut(&Reads) -> Decision<()> + Send + 'a;

/// What looks at the entries of a range.
type Visit<'a> = dyn FnMut(&[u8], Bytes) -> ControlFlow<()> + Send + 'a;

/// What looks at the entries of a log.
type VisitLog<'a> = dyn FnMut(u64, Bytes) -> ControlFlow<()> + Send + 'a;

impl Store {
    /// Tells how the store is doing, from now on. What is in memory alone has nothing to tell.
    pub fn storage_probe(&self) -> StorageProbe {
        match self {
            Store::Memory(_) => StorageProbe::default(),
            Store::Local(engine) => {
                let engine = engine.clone();
                StorageProbe::new(move || engine.statistics().map(StoreStatistics::Disk))
            }
            Store::Postgres(engine) => {
                let engine = engine.clone();
                StorageProbe::new(move || Some(StoreStatistics::Remote(engine.statistics())))
            }
        }
    }

    /// Tells whether the store takes writes, from now on.
    pub fn health_probe(&self) -> HealthProbe {
        match self {
            Store::Memory(_) => HealthProbe::default(),
            Store::Local(engine) => {
                let engine = engine.clone();
                HealthProbe::new(move || health_of(&engine))
            }
            Store::Postgres(engine) => {
                let engine = engine.clone();
                HealthProbe::new(move || match engine.health() {
                    StoreHealth::Writable => Health::Ok,
                    StoreHealth::Unwritable { reason } => Health::StoreUnavailable { reason },
                })
            }
        }
    }

    async fn transact_by_pointer(&self, wants: Wants<'_>, decide: &mut Decide<'_>) -> Result<()> {
        match self {
            Store::Memory(engine) => engine.transact(wants, decide).await,
            Store::Local(engine) => engine.transact(wants, decide).await,
            Store::Postgres(engine) => engine.transact(wants, decide).await,
        }
    }

    /// The engine, if other servers may use its store too.
    pub fn shared(&self) -> Option<Arc<PostgresEngine>> {
        match self {
            Store::Memory(_) | Store::Local(_) => None,
            Store::Postgres(engine) => Some(engine.clone()),
        }
    }
}

/// Whether the engine on disk takes writes.
fn health_of(engine: &LocalEngine) -> Health {
    use monotable_storage_local::Health as EngineHealth;
    let reason = match engine.health() {
        EngineHealth::Writable => return Health::Ok,
        EngineHealth::Full => "the disk is full; writes are accepted again when there is room",
        EngineHealth::Reserved => {
            "the disk is nearly full, down to what --disk-reserve leaves free; writes are accepted \
             again when there is room"
        }
        EngineHealth::Poisoned => {
            let reason = "a write failed; restart the server when the disk is sound".to_owned();
            return Health::NeedsRestart { reason };
        }
        _ => "the store refuses writes",
    };
    Health::RefusesWrites { reason: reason.to_owned() }
}

/// One moment of a [`Store`].
#[derive(Clone)]
pub enum StoreSnapshot {
    /// Of a store in memory.
    Memory(MemorySnapshot),
    /// Of a store on disk.
    Local(LocalSnapshot),
    /// Of a store on a database.
    Postgres(PostgresSnapshot),
}

impl StoreSnapshot {
    async fn visit_by_pointer(
        &self,
        range: &KeyRange,
        direction: Direction,
        about: usize,
        visit: &mut Visit<'_>,
    ) -> Result<()> {
        match self {
            StoreSnapshot::Memory(it) => it.visit(range, direction, about, visit).await,
            StoreSnapshot::Local(it) => it.visit(range, direction, about, visit).await,
            StoreSnapshot::Postgres(it) => it.visit(range, direction, about, visit).await,
        }
    }

    async fn visit_log_by_pointer(
        &self,
        log: &[u8],
        positions: RangeInclusive<u64>,
        direction: Direction,
        about: usize,
        visit: &mut VisitLog<'_>,
    ) -> Result<()> {
        match self {
            StoreSnapshot::Memory(it) => {
                it.visit_log(log, positions, direction, about, visit).await
            }
            StoreSnapshot::Local(it) => it.visit_log(log, positions, direction, about, visit).await,
            StoreSnapshot::Postgres(it) => {
                it.visit_log(log, positions, direction, about, visit).await
            }
        }
    }
}

impl Engine for Store {
    type Snapshot = StoreSnapshot;

    async fn snapshot(&self) -> Result<StoreSnapshot> {
        match self {
            Store::Memory(engine) => engine.snapshot().await.map(StoreSnapshot::Memory),
            Store::Local(engine) => engine.snapshot().await.map(StoreSnapshot::Local),
            Store::Postgres(engine) => engine.snapshot().await.map(StoreSnapshot::Postgres),
        }
    }

    async fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        match self {
            Store::Memory(engine) => engine.get(key).await,
            Store::Local(engine) => engine.get(key).await,
            Store::Postgres(engine) => engine.get(key).await,
        }
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>> {
        match self {
            Store::Memory(engine) => engine.get_many(keys).await,
            Store::Local(engine) => engine.get_many(keys).await,
            Store::Postgres(engine) => engine.get_many(keys).await,
        }
    }

    async fn stale_snapshot(&self) -> Option<StoreSnapshot> {
        match self {
            Store::Memory(_) | Store::Local(_) => None,
            Store::Postgres(engine) => engine.stale_snapshot().await.map(StoreSnapshot::Postgres),
        }
    }

    async fn stale_get_many(&self, keys: &[Key]) -> Option<Vec<Option<Bytes>>> {
        match self {
            Store::Memory(_) | Store::Local(_) => None,
            Store::Postgres(engine) => engine.stale_get_many(keys).await,
        }
    }

    async fn transact<T: Send>(
        &self,
        wants: Wants<'_>,
        mut decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> Result<T> {
        if let Store::Local(engine) = self {
            return engine.transact(wants, decide).await;
        }
        let mut answer = None;
        let mut keep_answer = |reads: &Reads| decide(reads).answer_in(&mut answer);
        self.transact_by_pointer(wants, &mut keep_answer).await?;
        answer.ok_or_else(|| Error::new(ErrorKind::Corrupt))
    }

    async fn settle(&self, commit: CommitId) -> Result<Settled> {
        match self {
            Store::Memory(engine) => engine.settle(commit).await,
            Store::Local(engine) => engine.settle(commit).await,
            Store::Postgres(engine) => engine.settle(commit).await,
        }
    }

    async fn now_millis(&self) -> Result<Option<u64>> {
        match self {
            Store::Memory(engine) => engine.now_millis().await,
            Store::Local(engine) => engine.now_millis().await,
            Store::Postgres(engine) => engine.now_millis().await,
        }
    }

    fn is_shared(&self) -> bool {
        match self {
            Store::Memory(engine) => engine.is_shared(),
            Store::Local(engine) => engine.is_shared(),
            Store::Postgres(engine) => engine.is_shared(),
        }
    }

    fn removes_ranges_whole(&self) -> bool {
        match self {
            Store::Memory(engine) => engine.removes_ranges_whole(),
            Store::Local(engine) => engine.removes_ranges_whole(),
            Store::Postgres(engine) => engine.removes_ranges_whole(),
        }
    }

    async fn close(&self) -> Result<()> {
        match self {
            Store::Memory(engine) => engine.close().await,
            Store::Local(engine) => engine.close().await,
            Store::Postgres(engine) => engine.close().await,
        }
    }
}

impl Snapshot for StoreSnapshot {
    async fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        match self {
            StoreSnapshot::Memory(snapshot) => snapshot.get(key).await,
            StoreSnapshot::Local(snapshot) => snapshot.get(key).await,
            StoreSnapshot::Postgres(snapshot) => snapshot.get(key).await,
        }
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>> {
        match self {
            StoreSnapshot::Memory(snapshot) => snapshot.get_many(keys).await,
            StoreSnapshot::Local(snapshot) => snapshot.get_many(keys).await,
            StoreSnapshot::Postgres(snapshot) => snapshot.get_many(keys).await,
        }
    }

    async fn visit(
        &self,
        range: &KeyRange,
        direction: Direction,
        about: usize,
        mut visit: impl FnMut(&[u8], Bytes) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        if let StoreSnapshot::Local(it) = self {
            return it.visit(range, direction, about, visit).await;
        }
        self.visit_by_pointer(range, direction, about, &mut visit).await
    }

    async fn visit_log(
        &self,
        log: &[u8],
        positions: RangeInclusive<u64>,
        direction: Direction,
        about: usize,
        mut visit: impl FnMut(u64, Bytes) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        if let StoreSnapshot::Local(it) = self {
            return it.visit_log(log, positions, direction, about, visit).await;
        }
        self.visit_log_by_pointer(log, positions, direction, about, &mut visit).await
    }

    async fn logs(&self) -> Result<Vec<Key>> {
        match self {
            StoreSnapshot::Memory(snapshot) => snapshot.logs().await,
            StoreSnapshot::Local(snapshot) => snapshot.logs().await,
            StoreSnapshot::Postgres(snapshot) => snapshot.logs().await,
        }
    }

    async fn counter(&self, counter: &[u8]) -> Result<i64> {
        match self {
            StoreSnapshot::Memory(snapshot) => snapshot.counter(counter).await,
            StoreSnapshot::Local(snapshot) => snapshot.counter(counter).await,
            StoreSnapshot::Postgres(snapshot) => snapshot.counter(counter).await,
        }
    }

    async fn visit_counters(
        &self,
        prefix: &[u8],
        after: Option<&[u8]>,
        about: usize,
        visit: impl FnMut(&[u8], i64) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        match self {
            StoreSnapshot::Memory(it) => it.visit_counters(prefix, after, about, visit).await,
            StoreSnapshot::Local(it) => it.visit_counters(prefix, after, about, visit).await,
            StoreSnapshot::Postgres(it) => it.visit_counters(prefix, after, about, visit).await,
        }
    }
}
