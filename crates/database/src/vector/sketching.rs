//! Sketching a range of entries in the background.
//!
//! A search that has passed over many entries causes them to be sketched, so that the next ones are
//! faster. From the start, writes add their sketches to the range ([`Sketches::begin`]). Writes
//! that were already under way do not, so the table's record is locked once, which waits for them.
//! What they wrote is in the store by then, where the pass over the entries finds it.
//!
//! Sketches are not stored, and commits of other processes would go unnoticed: a store that others
//! use too is not sketched.
//!
//! [`Sketches::begin`]: super::sketches::Sketches::begin

use std::sync::Arc;

use monotable_storage::{Decision, Engine, Key, KeyRange, Reads, Result as StorageResult, Wants};

use super::schema::VectorIndexSchema;
use super::sketch_memory::VectorStatistics;
use super::sketches::Sketching;
use crate::Database;
use crate::database::rest_after;
use crate::off_worker;
use crate::table::Table;

/// How many entries are sketched before other tasks get a turn.
const PIECE_ENTRIES: usize = 512;

impl<E: Engine> Database<E> {
    /// How vectors were searched so far.
    pub fn vector_statistics(&self) -> VectorStatistics {
        self.sketch_memory.statistics()
    }

    /// Sketches a range of entries in the background, if there are enough of them to be worth it.
    pub(super) fn start_sketching(
        self: &Arc<Self>,
        table: &Table,
        index: &VectorIndexSchema,
        prefix: Key,
        entries: usize,
    ) {
        let is_worth_it = entries >= self.options.vectors.sketched_vectors_min;
        if !is_worth_it || self.engine.is_shared() || self.is_stopping() {
            return;
        }
        let memory = &self.sketch_memory;
        let Some(sketching) = table.sketches().begin(index, prefix, entries, memory) else {
            return;
        };
        let (database, record) = (self.clone(), table.record_key().clone());
        let work = async move {
            if let Err(error) = database.sketch(sketching, record).await {
                tracing::error!(%error, "vectors could not be sketched; searches do without");
            }
        };
        self.spawn(off_worker::watch(usize::MAX, work));
    }

    async fn sketch(&self, sketching: Sketching, record: Key) -> StorageResult<()> {
        self.await_writes(record).await?;
        let mut rest = Some(KeyRange::prefix(sketching.range().prefix()));
        while let Some(range) = rest.take() {
            if self.is_stopping() {
                return Ok(());
            }
            let add = |key: &[u8], value: bytes::Bytes| sketching.range().add(key, &value);
            let last = self.visit_some(&range, PIECE_ENTRIES, add).await?;
            rest = last.map(|last| rest_after(&range, last));
            tokio::task::yield_now().await;
        }
        sketching.finish();
        Ok(())
    }

    /// Waits for all writes to a table that are under way.
    async fn await_writes(&self, record: Key) -> StorageResult<()> {
        let record = [record];
        let keep = |_: &Reads| Decision::Keep(());
        self.engine.transact(Wants::locked(&record), keep).await
    }
}
