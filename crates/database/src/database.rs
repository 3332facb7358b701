//! The database: an engine, the open tables, and the work that goes on in the background.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use bytes::Bytes;
use monotable_storage::{
    Batch, Decision, Direction, Engine, Key, KeyRange, Reads, Result as StorageResult, Snapshot,
};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::clock::{Clock, Ids};
use crate::error::OpenError;
use crate::keyspace;
use crate::schema::{IndexStatus, TableId, TableSchema};
use crate::stream::{StreamId, StreamOptions, StreamSchema};
use crate::sweep::{LastFullSweep, SweepFrom};
use crate::table::Table;

/// How often what has expired is removed, and shards are looked at, at least and at most.
const UPKEEP_INTERVAL_MAX: Duration = Duration::from_secs(60);
const UPKEEP_INTERVAL_MIN: Duration = Duration::from_millis(100);
/// How many entries one background transaction touches.
const CHUNK_ENTRIES: usize = 256;

/// How a database behaves.
#[derive(Debug, Clone, Copy)]
pub struct DatabaseOptions {
    /// How streams are cut.
    pub streams: StreamOptions,
    /// How often expired items are looked for.
    pub ttl_interval: Duration,
}

impl Default for DatabaseOptions {
    fn default() -> DatabaseOptions {
        DatabaseOptions { streams: StreamOptions::default(), ttl_interval: Duration::from_secs(1) }
    }
}

impl DatabaseOptions {
    /// How long the upkeep rests between two turns: a shard that lives for seconds cannot wait a minute
    /// for its turn.
    fn upkeep_interval(&self) -> Duration {
        let shard_age = Duration::from_millis(self.streams.shard_age_millis);
        shard_age.clamp(UPKEEP_INTERVAL_MIN, UPKEEP_INTERVAL_MAX)
    }
}

/// A DynamoDB database on a storage engine.
pub struct Database<E> {
    pub(crate) engine: E,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn Ids>,
    pub(crate) options: DatabaseOptions,
    pub(crate) tables: RwLock<BTreeMap<String, Arc<Table>>>,
    pub(crate) streams: RwLock<BTreeMap<(TableId, StreamId), Arc<StreamSchema>>>,
    /// Held while a name of a table comes or goes.
    pub(crate) catalog_change: tokio::sync::Mutex<()>,
    /// Held by the sweep that is under way.
    pub(crate) last_full_sweep: tokio::sync::Mutex<LastFullSweep>,
    tasks: Mutex<JoinSet<()>>,
    stop: watch::Sender<bool>,
}

impl<E: Engine> Database<E> {
    /// Opens the tables of a store, and goes on with what was under way when it was closed.
    pub async fn open(
        engine: E,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Ids>,
        options: DatabaseOptions,
    ) -> Result<Arc<Database<E>>, OpenError> {
        let tables = load_tables(&engine).await?;
        let streams = load_streams(&engine).await?;
        let database = Arc::new(Database {
            engine,
            clock,
            ids,
            options,
            tables: RwLock::new(tables),
            streams: RwLock::new(streams),
            catalog_change: tokio::sync::Mutex::new(()),
            last_full_sweep: tokio::sync::Mutex::default(),
            tasks: Mutex::new(JoinSet::new()),
            stop: watch::Sender::new(false),
        });
        database.resume().await?;
        Ok(database)
    }

    /// Ends the work in the background and closes the store. What was not finished goes on when it is
    /// opened again.
    pub async fn close(&self) -> StorageResult<()> {
        self.stop.send_replace(true);
        let mut tasks = std::mem::take(&mut *self.lock_tasks());
        while tasks.join_next().await.is_some() {}
        self.engine.close().await
    }

    /// The table of this name.
    pub fn table(&self, name: &str) -> Option<Arc<Table>> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// The time by the database's clock, in milliseconds since 1970.
    pub fn now_millis(&self) -> u64 {
        self.clock.now_millis()
    }

    async fn resume(self: &Arc<Self>) -> Result<(), OpenError> {
        self.resume_purges().await?;
        for table in self.all_tables() {
            self.open_missing_stream(&table).await?;
            self.start_expiry_fill(&table);
            for index in &table.schema().indexes {
                match index.status {
                    IndexStatus::Active => {}
                    IndexStatus::Creating => self.start_backfill(&table, index.id),
                    IndexStatus::Deleting => self.start_index_removal(&table, index.id),
                }
            }
        }
        let database = self.clone();
        self.spawn(async move { database.keep_up().await });
        let database = self.clone();
        self.spawn(async move { database.keep_sweeping().await });
        Ok(())
    }

    /// All tables.
    pub(crate) fn all_tables(&self) -> Vec<Arc<Table>> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Removes expired items, from time to time.
    async fn keep_sweeping(&self) {
        while !self.sleep_or_stop(self.options.ttl_interval).await {
            if let Err(error) = self.sweep(SweepFrom::Mark).await {
                tracing::error!(%error, "expired items could not be removed");
            }
        }
    }

    /// Removes what has expired, from time to time.
    async fn keep_up(&self) {
        while !self.sleep_or_stop(self.options.upkeep_interval()).await {
            if let Err(error) = self.forget_tokens().await {
                tracing::error!(%error, "expired request tokens could not be removed");
            }
            if let Err(error) = self.keep_streams().await {
                tracing::error!(%error, "streams could not be brought up to date");
            }
        }
    }

    /// Does at once what the background does from time to time. Whoever moves the clock calls this, so that
    /// what has become due is done when the call returns.
    pub async fn catch_up(&self) -> StorageResult<()> {
        for table in self.all_tables() {
            self.finish_expiry_fill(&table).await?;
        }
        self.sweep(SweepFrom::Start).await?;
        self.forget_tokens().await?;
        self.keep_streams().await
    }

    /// Closes shards that are old enough, and forgets records that are too old.
    async fn keep_streams(&self) -> StorageResult<()> {
        for table in self.all_tables() {
            self.rotate_stream(&table).await?;
        }
        self.trim_streams().await
    }

    /// Waits; gives `true` at once when the database closes.
    async fn sleep_or_stop(&self, duration: Duration) -> bool {
        let mut stop = self.stop.subscribe();
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => true,
            () = self.clock.sleep(duration) => false,
        }
    }

    /// Whether background work must end.
    pub(crate) fn is_stopping(&self) -> bool {
        *self.stop.borrow()
    }

    /// Runs work in the background until it ends by itself, which it must do soon after
    /// [`Database::is_stopping`].
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.lock_tasks();
        while tasks.try_join_next().is_some() {}
        tasks.spawn(work);
    }

    fn lock_tasks(&self) -> std::sync::MutexGuard<'_, JoinSet<()>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Deletes the entries of a range that `doomed` accepts, some at a time.
    pub(crate) async fn delete_where(
        &self,
        range: &KeyRange,
        mut doomed: impl FnMut(&[u8], &Bytes) -> bool + Send,
    ) -> StorageResult<()> {
        let mut rest = range.clone();
        loop {
            let mut keys: Vec<Key> = Vec::new();
            let seen = self.visit_chunk(&rest, |key, value| {
                if doomed(key, &value) {
                    keys.push(key.to_vec());
                }
            });
            let Some(last) = seen.await? else { return Ok(()) };
            if !keys.is_empty() {
                self.delete_still(&keys, &mut doomed).await?;
            }
            rest = KeyRange::new(std::ops::Bound::Excluded(last), range.end().map(<[u8]>::to_vec));
        }
    }

    /// Deletes those of the entries that `doomed` still accepts: they may have changed since it was asked.
    async fn delete_still(
        &self,
        keys: &[Key],
        doomed: &mut (impl FnMut(&[u8], &Bytes) -> bool + Send),
    ) -> StorageResult<()> {
        let decide = |reads: &Reads| {
            let mut batch = Batch::new();
            for (key, value) in keys.iter().zip(reads.iter()) {
                if value.is_some_and(|value| doomed(key, value)) {
                    batch.delete(key.clone());
                }
            }
            if batch.is_empty() { Decision::Keep(()) } else { Decision::Commit(batch, ()) }
        };
        self.engine.transact(keys, decide).await
    }

    /// Visits the first entries of a range; gives the last key seen, or none if the range is empty.
    pub(crate) async fn visit_chunk(
        &self,
        range: &KeyRange,
        mut visit: impl FnMut(&[u8], Bytes) + Send,
    ) -> StorageResult<Option<Key>> {
        self.visit_some(range, CHUNK_ENTRIES, &mut visit).await
    }

    /// Visits up to so many entries of a range; gives the last key seen, or none if the range is empty.
    pub(crate) async fn visit_some(
        &self,
        range: &KeyRange,
        mut left: usize,
        mut visit: impl FnMut(&[u8], Bytes) + Send,
    ) -> StorageResult<Option<Key>> {
        let mut last = None;
        let snapshot = self.engine.snapshot().await?;
        let visit = |key: &[u8], value: Bytes| {
            visit(key, value);
            last = Some(key.to_vec());
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        snapshot.visit(range, Direction::Forward, visit).await?;
        Ok(last)
    }
}

async fn load_tables<E: Engine>(engine: &E) -> Result<BTreeMap<String, Arc<Table>>, OpenError> {
    let mut records = Vec::new();
    let snapshot = engine.snapshot().await?;
    let collect = |_: &[u8], value: Bytes| {
        records.push(value);
        ControlFlow::Continue(())
    };
    snapshot.visit(&keyspace::table::range(), Direction::Forward, collect).await?;
    let open = |record: &Bytes| {
        let schema: TableSchema = keyspace::table::decode_value(record)?;
        Ok((schema.name.clone(), Table::new(schema)))
    };
    records.iter().map(open).collect()
}

async fn load_streams<E: Engine>(
    engine: &E,
) -> Result<BTreeMap<(TableId, StreamId), Arc<StreamSchema>>, OpenError> {
    let mut records = Vec::new();
    let collect = |_: &[u8], value: Bytes| {
        records.push(value);
        ControlFlow::Continue(())
    };
    let snapshot = engine.snapshot().await?;
    snapshot.visit(&keyspace::stream::range(), Direction::Forward, collect).await?;
    let open = |record: &Bytes| {
        let stream = keyspace::stream::decode_value(record)?;
        Ok(((stream.table, stream.id), Arc::new(stream)))
    };
    records.iter().map(open).collect()
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
