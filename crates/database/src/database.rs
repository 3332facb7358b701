//! The database: an engine, what is remembered of its tables, and the background work.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use monotable_storage::{
    Batch, Decision, Direction, Engine, Error, ErrorKind, Key, KeyRange, Reads,
    Result as StorageResult, Settled, Snapshot, Wants,
};
use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinSet;

use crate::clock::{Clock, Ids};
use crate::error::OpenError;
use crate::history::History;
use crate::home::Home;
use crate::item_guard::{GuardPost, ItemGuard};
use crate::keyspace;
use crate::lease::{Job, RunningJobs};
use crate::rewind::SavedSets;
use crate::schema::{IndexStatus, TableSchema};
use crate::settlement::Waits;
use crate::stream::StreamOptions;
use crate::sweep::{LastFullSweep, SweepFrom};
use crate::table::Table;
use crate::table_cache::TableCache;
use crate::vector::{SketchMemory, VectorOptions};

/// How often what has expired is removed, and shards are looked at, at least and at most.
const UPKEEP_INTERVAL_MAX: Duration = Duration::from_secs(60);
const UPKEEP_INTERVAL_MIN: Duration = Duration::from_millis(100);
/// How many entries one background transaction touches.
const CHUNK_ENTRIES: usize = 256;
/// How often a transaction is tried that met others, or whose answer was lost.
const TRANSACT_ATTEMPTS_MAX: usize = 16;

/// How a database behaves.
#[derive(Debug, Clone, Copy)]
pub struct DatabaseOptions {
    /// How streams are cut.
    pub streams: StreamOptions,
    /// How often expired items are looked for.
    pub ttl_interval: Duration,
    /// How long changes of tables and indexes are shown as under way.
    pub control_plane_delay: Duration,
    /// How vectors are searched.
    pub vectors: VectorOptions,
}

impl Default for DatabaseOptions {
    fn default() -> DatabaseOptions {
        DatabaseOptions {
            streams: StreamOptions::default(),
            ttl_interval: Duration::from_secs(1),
            control_plane_delay: Duration::ZERO,
            vectors: VectorOptions::default(),
        }
    }
}

impl DatabaseOptions {
    /// How long the upkeep rests between two turns: a shard that lives for seconds cannot wait a
    /// minute for its turn.
    fn upkeep_interval(&self) -> Duration {
        let shard_age = Duration::from_millis(self.streams.shard_age_millis);
        shard_age.clamp(UPKEEP_INTERVAL_MIN, UPKEEP_INTERVAL_MAX)
    }
}

/// A DynamoDB database on a storage engine.
pub struct Database<E: Engine> {
    pub(crate) engine: E,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn Ids>,
    pub(crate) options: DatabaseOptions,
    pub(crate) tables: TableCache,
    /// What was there a short time ago, if it is kept.
    pub(crate) history: History<E::Snapshot>,
    pub(crate) jobs: RunningJobs,
    pub(crate) waits: Waits,
    pub(crate) sketch_memory: Arc<SketchMemory>,
    pub(crate) guard: GuardPost,
    /// Who this is among the users of the store.
    pub(crate) owner: u128,
    /// Held by the upkeep that is under way.
    pub(crate) upkeep: tokio::sync::Mutex<()>,
    /// Tables as they were, for those who go back.
    pub(crate) saved: SavedSets,
    /// Held by the sweep that is under way.
    pub(crate) last_full_sweep: tokio::sync::Mutex<LastFullSweep>,
    /// Where the background work runs.
    runtime: Handle,
    tasks: Mutex<JoinSet<()>>,
    stop: watch::Sender<bool>,
}

impl<E: Engine> Database<E> {
    /// Sets a guard, which sees the items that clients' writes make and may refuse them.
    pub fn set_item_guard(&self, guard: Option<Arc<dyn ItemGuard>>) {
        self.guard.set(guard);
    }

    /// Opens the tables of a store, and resumes what was under way when it was closed. All work in
    /// the background runs on the runtime that the database is opened on.
    pub async fn open(
        engine: E,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Ids>,
        options: DatabaseOptions,
    ) -> Result<Arc<Database<E>>, OpenError> {
        let owner = if engine.is_shared() { ids.random() } else { 0 };
        let database = Arc::new(Database {
            engine,
            clock,
            ids,
            options,
            tables: TableCache::default(),
            history: History::default(),
            jobs: RunningJobs::default(),
            waits: Waits::default(),
            sketch_memory: Arc::new(SketchMemory::new(&options.vectors)),
            guard: GuardPost::default(),
            owner,
            upkeep: tokio::sync::Mutex::default(),
            saved: SavedSets::default(),
            last_full_sweep: tokio::sync::Mutex::default(),
            runtime: Handle::current(),
            tasks: Mutex::new(JoinSet::new()),
            stop: watch::Sender::new(false),
        });
        database.load_tables().await?;
        if !database.engine.is_shared() {
            database.discard_unfinished().await?;
        }
        database.resume_jobs().await?;
        database.start_upkeep();
        Ok(database)
    }

    /// Ends the work in the background and closes the store. What was not finished is resumed when
    /// it is opened again, or on another server.
    pub async fn close(&self) -> StorageResult<()> {
        self.stop.send_replace(true);
        let mut tasks = std::mem::take(&mut *self.lock_tasks());
        while tasks.join_next().await.is_some() {}
        self.engine.close().await
    }

    /// The table of this name. On a store that others use too it may be out of date, which shows
    /// when it is used.
    pub async fn table(&self, home: &Home, name: &str) -> StorageResult<Option<Arc<Table>>> {
        let table = match self.tables.get(home, name) {
            None if self.engine.is_shared() => Box::pin(self.reload(home, name)).await?,
            known => known,
        };
        Ok(table.filter(|table| !self.is_gone(table)))
    }

    /// The table of this name as its record says now. What the background has just changed may not
    /// have reached the cache yet, though a description shows it already.
    pub async fn current_table(
        &self,
        home: &Home,
        name: &str,
    ) -> StorageResult<Option<Arc<Table>>> {
        let table = self.reload(home, name).await?;
        Ok(table.filter(|table| !self.is_gone(table)))
    }

    /// Returns whether other processes may change tables at the same time.
    pub fn is_shared(&self) -> bool {
        self.engine.is_shared()
    }

    /// Whether this is the table as its record says now. If it is not, the cache is up to date
    /// afterwards.
    pub async fn is_current(&self, table: &Table) -> StorageResult<bool> {
        let current = self.reload_table(table).await?;
        Ok(current.is_some_and(|current| current.stamp() == table.stamp()))
    }

    /// Reads the record of a table again, of which a version is known.
    pub(crate) async fn reload_table(&self, table: &Table) -> StorageResult<Option<Arc<Table>>> {
        self.reload(&table.schema().home, &table.schema().name).await
    }

    /// Reads the record of a table again.
    pub(crate) async fn reload(
        &self,
        home: &Home,
        name: &str,
    ) -> StorageResult<Option<Arc<Table>>> {
        let known = self.tables.get(home, name);
        let _loading = self.tables.loading();
        match self.engine.get(&keyspace::table::encode_key(home, name)).await? {
            Some(record) => self.learn(keyspace::table::decode_value(&record)?),
            None => known.iter().for_each(|known| self.tables.learn_gone(known.schema())),
        }
        Ok(self.tables.get(home, name))
    }

    /// Takes note of a schema that was read.
    fn learn(&self, schema: TableSchema) {
        let known = self.tables.get(&schema.home, &schema.name);
        match known.filter(|known| known.stamp().table == schema.id) {
            Some(known) => self.tables.learn(known.changed(schema)),
            None => self.tables.learn(Table::new(schema)),
        }
    }

    /// Reads the records of all tables.
    async fn load_tables(&self) -> StorageResult<Vec<Arc<Table>>> {
        let _loading = self.tables.loading();
        let mut records = Vec::new();
        let collect = |_: &[u8], value: Bytes| {
            records.push(value);
            ControlFlow::Continue(())
        };
        let (snapshot, range) = (self.engine.snapshot().await?, keyspace::table::range());
        snapshot.visit(&range, Direction::Forward, usize::MAX, collect).await?;
        let mut tables = Vec::with_capacity(records.len());
        for record in records {
            let schema = keyspace::table::decode_value(&record)?;
            let (home, name) = (schema.home.clone(), schema.name.clone());
            self.learn(schema);
            tables.extend(self.tables.get(&home, &name));
        }
        Ok(tables)
    }

    /// All tables.
    pub(crate) async fn all_tables(&self) -> StorageResult<Vec<Arc<Table>>> {
        if self.engine.is_shared() { self.load_tables().await } else { Ok(self.tables.all()) }
    }

    /// The number of this process among the users of the store, which its leases have.
    pub fn owner(&self) -> u128 {
        self.owner
    }

    /// The clock that the database uses.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    /// The time by the database's clock, in milliseconds since 1970.
    pub fn now_millis(&self) -> u64 {
        self.clock.now_millis()
    }

    /// The time by which all users of the store agree, in milliseconds since 1970.
    pub(crate) async fn store_now_millis(&self) -> StorageResult<u64> {
        Ok(self.engine.now_millis().await?.unwrap_or_else(|| self.clock.now_millis()))
    }

    /// Runs a storage transaction until it is known what became of it; see [`Engine::transact`]. On
    /// a store of one process no answer is lost and nothing meets another process.
    pub(crate) async fn transact<T: Send>(
        &self,
        wants: Wants<'_>,
        decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> StorageResult<T> {
        if !self.engine.is_shared() {
            return self.engine.transact(wants, decide).await;
        }
        // Behind a pointer, so that a store of one's own pays nothing for it.
        Box::pin(self.transact_shared(wants, decide)).await
    }

    async fn transact_shared<T: Send>(
        &self,
        wants: Wants<'_>,
        mut decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> StorageResult<T> {
        let mut answer = None;
        let mut keep_answer = |reads: &Reads| decide(reads).answer_in(&mut answer);
        self.transact_settled(wants, &mut keep_answer).await?;
        answer.ok_or_else(|| Error::new(ErrorKind::Corrupt))
    }

    /// The same for all transactions, so that it is compiled once: beside a network, an indirect
    /// call costs nothing.
    async fn transact_settled(
        &self,
        wants: Wants<'_>,
        decide: &mut (dyn FnMut(&Reads) -> Decision<()> + Send),
    ) -> StorageResult<()> {
        for _ in 0..TRANSACT_ATTEMPTS_MAX {
            let outcome = match self.engine.transact(wants, &mut *decide).await {
                Ok(()) => Settled::Committed,
                Err(error) => self.settle(error).await?,
            };
            if outcome == Settled::Committed {
                return Ok(());
            }
        }
        Err(Error::new(ErrorKind::Conflict))
    }

    /// What became of a transaction that was answered with an error, if anything can be said.
    async fn settle(&self, error: Error) -> StorageResult<Settled> {
        match (error.kind(), error.commit()) {
            (ErrorKind::Unknown, Some(commit)) => {
                self.engine.settle(commit).await.map_err(|_| error)
            }
            (ErrorKind::Conflict, _) => Ok(Settled::NotCommitted),
            _ => Err(error),
        }
    }

    /// Starts on everything that is left to do.
    async fn resume_jobs(self: &Arc<Self>) -> StorageResult<()> {
        self.resume_purges().await?;
        for table in self.all_tables().await? {
            self.start_jobs_of(&table);
        }
        Ok(())
    }

    /// Starts on what a table needs done.
    pub(crate) fn start_jobs_of(self: &Arc<Self>, table: &Arc<Table>) {
        self.start_deletion(table);
        self.start_expiry_fill(table);
        for index in table.schema().every_index() {
            match index.status() {
                IndexStatus::Active => {}
                IndexStatus::Creating => self.start_backfill(table, index.id()),
                IndexStatus::Deleting => self.start_or_await_removal(table, index),
            }
        }
    }

    fn start_upkeep(self: &Arc<Self>) {
        let database = self.clone();
        self.spawn(async move { database.keep_up().await });
        let database = self.clone();
        self.spawn(async move { database.keep_sweeping().await });
    }

    /// Removes expired items, from time to time.
    async fn keep_sweeping(&self) {
        while !self.sleep_or_stop(self.options.ttl_interval).await {
            if let Err(error) = self.sweep(SweepFrom::Mark).await {
                tracing::error!(%error, "expired items could not be removed");
            }
        }
    }

    /// Removes what has expired, and resumes what could not be finished, from time to time.
    async fn keep_up(self: &Arc<Self>) {
        while !self.sleep_or_stop(self.options.upkeep_interval()).await {
            if let Err(error) = self.resume_jobs().await {
                tracing::error!(%error, "background work could not be resumed");
            }
            if let Err(error) = self.do_upkeep().await {
                tracing::error!(%error, "what is too old could not be removed");
            }
        }
    }

    /// Does at once what the background does from time to time. Those who move the clock call this,
    /// so that what has become due is done when the call returns.
    pub async fn catch_up(self: &Arc<Self>) -> StorageResult<()> {
        for table in self.all_tables().await? {
            self.settle_table(&table).await?;
            self.finish_expiry_fill(&table).await?;
        }
        self.sweep(SweepFrom::Start).await?;
        self.do_upkeep().await
    }

    /// Forgets old tokens and leases, closes shards that are old enough, and forgets records that
    /// are too old.
    async fn do_upkeep(self: &Arc<Self>) -> StorageResult<()> {
        let _turn = self.upkeep.lock().await;
        let Some(mut lease) = self.take(Job::Upkeep).await? else { return Ok(()) };
        self.forget_tokens(&lease).await?;
        self.forget_leases(&lease).await?;
        for table in self.all_tables().await? {
            self.rotate_stream(&table, &lease).await?;
        }
        self.trim_streams(&mut lease).await
    }

    /// Waits; gives `true` at once when the database closes.
    pub(crate) async fn sleep_or_stop(&self, duration: Duration) -> bool {
        let mut stop = self.stop.subscribe();
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => true,
            () = self.clock.sleep(duration) => false,
        }
    }

    /// Returns whether background work must end.
    pub(crate) fn is_stopping(&self) -> bool {
        *self.stop.borrow()
    }

    /// Runs work in the background until it ends, which it must do soon after
    /// [`Database::is_stopping`].
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.lock_tasks();
        while tasks.try_join_next().is_some() {}
        tasks.spawn_on(work, &self.runtime);
    }

    /// Does something that must finish once it has begun, even if the caller goes away. What it
    /// gives besides the answer is done when the caller has been answered.
    pub(crate) async fn own<T: Send + 'static, F: FnOnce() + Send + 'static>(
        &self,
        work: impl Future<Output = (T, F)> + Send + 'static,
    ) -> StorageResult<T> {
        if self.is_stopping() {
            return Err(Error::new(ErrorKind::Closed));
        }
        let (answer, answered) = oneshot::channel();
        self.spawn(async move {
            let (answered, afterwards) = work.await;
            // A caller that went away needs no answer.
            let _ = answer.send(answered);
            afterwards();
        });
        answered.await.map_err(|_| Error::new(ErrorKind::Closed))
    }

    fn lock_tasks(&self) -> std::sync::MutexGuard<'_, JoinSet<()>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Visits the first entries of a range; returns the last key seen, or none if the range is
    /// empty.
    pub(crate) async fn visit_chunk(
        &self,
        range: &KeyRange,
        mut visit: impl FnMut(&[u8], Bytes) + Send,
    ) -> StorageResult<Option<Key>> {
        self.visit_some(range, CHUNK_ENTRIES, &mut visit).await
    }

    /// Visits up to this many entries of a range; returns the last key seen, or none if the range
    /// is empty.
    pub(crate) async fn visit_some(
        &self,
        range: &KeyRange,
        limit: usize,
        mut visit: impl FnMut(&[u8], Bytes) + Send,
    ) -> StorageResult<Option<Key>> {
        let (mut last, mut left) = (None, limit);
        let snapshot = self.engine.snapshot().await?;
        let visit = |key: &[u8], value: Bytes| {
            visit(key, value);
            last = Some(key.to_vec());
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        snapshot.visit(range, Direction::Forward, limit, visit).await?;
        Ok(last)
    }
}

/// What is left of a range after a key.
pub(crate) fn rest_after(range: &KeyRange, last: Key) -> KeyRange {
    KeyRange::new(std::ops::Bound::Excluded(last), range.end().map(<[u8]>::to_vec))
}

/// Commits a batch if it has anything.
pub(crate) fn commit_some<T>(batch: Batch, answer: T) -> Decision<T> {
    if batch.is_empty() { Decision::Keep(answer) } else { Decision::Commit(batch, answer) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval_with_shard_age(shard_age_millis: u64) -> Duration {
        let streams = StreamOptions { shard_age_millis, ..StreamOptions::default() };
        DatabaseOptions { streams, ..DatabaseOptions::default() }.upkeep_interval()
    }

    #[test]
    fn upkeep_comes_as_often_as_shards_close_within_limits() {
        assert_eq!(interval_with_shard_age(4 * 60 * 60 * 1000), Duration::from_secs(60));
        assert_eq!(interval_with_shard_age(2_000), Duration::from_secs(2));
        assert_eq!(interval_with_shard_age(0), Duration::from_millis(100));
    }
}
