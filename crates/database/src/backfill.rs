//! Filling a new index with the items that were there before it.
//!
//! From the moment the index is in the schema every write keeps it, so only older items are missing. The
//! backfill walks over all items and, in a transaction that holds the item still, writes the entry of
//! the item as it is then. Whatever a concurrent write did before or does after, the entry is right.
//!
//! Counting is apart: while the index is being created, its counters stand still. They start, in one step
//! with the index becoming active, from what a snapshot of that moment holds.

use std::ops::{Bound, ControlFlow};
use std::sync::Arc;

use bytes::Bytes;
use monotable_item::stored::ItemView;
use monotable_storage::{
    Batch, Decision, Direction, Engine, ErrorKind, Key, KeyRange, Reads, Result as StorageResult,
    Snapshot,
};

use crate::Database;
use crate::index::{self, entry};
use crate::keyspace::garbage::Garbage;
use crate::keyspace::{index_entry, item, table};
use crate::schema::{IndexId, IndexStatus, TableSchema};
use crate::table::Table;

impl<E: Engine> Database<E> {
    /// Fills an index in the background.
    pub(crate) fn start_backfill(self: &Arc<Self>, table: &Arc<Table>, index: IndexId) {
        let (database, table) = (self.clone(), table.clone());
        self.spawn(async move {
            if let Err(error) = database.backfill(&table, index).await {
                tracing::error!(%error, "an index could not be filled; the next start tries again");
            }
        });
    }

    /// Removes an index that is marked as deleting, in the background.
    pub(crate) fn start_index_removal(self: &Arc<Self>, table: &Arc<Table>, index: IndexId) {
        let (database, table) = (self.clone(), table.clone());
        self.spawn(async move {
            if let Err(error) = database.remove_index(&table, index).await {
                tracing::error!(%error, "an index could not be removed; the next start tries again");
            }
        });
    }

    async fn backfill(&self, table: &Table, index: IndexId) -> StorageResult<()> {
        self.reset_counters(table, index).await?;
        let mut rest = item::range(table.schema().id);
        loop {
            let mut keys = Vec::new();
            let last = self.visit_chunk(&rest, |key, _| keys.push(key.to_vec())).await?;
            let Some(last) = last else { break };
            if self.is_stopping() || table.is_dropped() {
                return Ok(());
            }
            self.fill(table, index, &keys).await?;
            rest = KeyRange::new(Bound::Excluded(last), rest.end().map(<[u8]>::to_vec));
        }
        self.activate(table, index).await
    }

    /// Sets the counters to nothing: an activation that was cut short may have left something in them.
    async fn reset_counters(&self, table: &Table, index: IndexId) -> StorageResult<()> {
        let garbage = Garbage::Index(table.schema().id, index);
        let decide = |_: &Reads| {
            let mut batch = Batch::new();
            garbage.counters().into_iter().for_each(|counter| batch.delete(counter));
            Decision::Commit(batch, ())
        };
        self.engine.transact(&[], decide).await
    }

    /// Writes the entries of these items as they are now. It holds the gate as any write does, so that
    /// nothing is written for a table whose data is being removed.
    async fn fill(&self, table: &Table, id: IndexId, keys: &[Key]) -> StorageResult<()> {
        let Some(_in_use) = table.use_for_writing().await else { return Ok(()) };
        let schema = table.schema();
        let Some(index) = schema.index_by_id(id) else { return Ok(()) };
        let decide = |reads: &Reads| {
            let mut batch = Batch::new();
            for (key, item) in keys.iter().zip(reads.iter()) {
                let Some(item) = item else { continue };
                match entry(&schema, index, item::key_parts(key), item) {
                    Ok(Some(entry)) => batch.put(entry.key, entry.value),
                    Ok(None) => {}
                    Err(corrupt) => return Decision::Keep(Err(corrupt)),
                }
            }
            if batch.is_empty() { Decision::Keep(Ok(())) } else { Decision::Commit(batch, Ok(())) }
        };
        self.engine.transact(keys, decide).await?.map_err(corrupt)
    }

    /// Makes a filled index active and starts its counters.
    ///
    /// Writes begin to count with the schema in memory; the stored schema says so only together with the
    /// sums of the snapshot, so that a crash between the two leads to a new backfill.
    async fn activate(&self, table: &Table, id: IndexId) -> StorageResult<()> {
        let _change = table.begin_change().await;
        let mut schema = (*table.schema()).clone();
        if table.is_dropped() || schema.index_by_id(id).is_none() {
            return Ok(());
        }
        set_status(&mut schema, id, IndexStatus::Active);
        let gate = table.close_gate().await;
        // A write whose caller went away no longer holds the gate, but may still be on its way into the
        // store. It comes before this transaction, so the snapshot holds it.
        self.reset_counters(table, id).await?;
        let snapshot = self.engine.snapshot().await?;
        table.set_schema(schema.clone());
        drop(gate);
        let sums = count_entries(&snapshot, &schema, id).await?;
        let decide = |_: &Reads| {
            let mut batch = Batch::new();
            batch.put(table::encode_key(&schema.name), table::encode_value(&schema));
            index::count(&mut batch, &schema, Some(id), sums.items, sums.bytes);
            Decision::Commit(batch, ())
        };
        self.engine.transact(&[], decide).await
    }

    async fn remove_index(&self, table: &Table, id: IndexId) -> StorageResult<()> {
        self.purge(Garbage::Index(table.schema().id, id)).await?;
        let _change = table.begin_change().await;
        if self.is_stopping() || table.is_dropped() {
            return Ok(());
        }
        let _gate = table.close_gate().await;
        let mut schema = (*table.schema()).clone();
        schema.indexes.retain(|index| index.id != id);
        schema.prune_definitions();
        self.store_schema(&schema).await?;
        table.set_schema(schema);
        Ok(())
    }
}

#[derive(Default)]
struct Sums {
    items: i64,
    bytes: i64,
}

async fn count_entries<S: Snapshot>(
    snapshot: &S,
    schema: &TableSchema,
    id: IndexId,
) -> StorageResult<Sums> {
    let mut sums = Sums::default();
    let mut damage = None;
    let visit = |_: &[u8], value: Bytes| match ItemView::new(&value) {
        Ok(view) => {
            sums.items += 1;
            sums.bytes += view.size_bytes() as i64;
            ControlFlow::Continue(())
        }
        Err(corrupt) => {
            damage = Some(corrupt);
            ControlFlow::Break(())
        }
    };
    snapshot.visit(&index_entry::range(schema.id, id), Direction::Forward, visit).await?;
    damage.map_or(Ok(sums), |damage| Err(corrupt(damage)))
}

pub(crate) fn set_status(schema: &mut TableSchema, id: IndexId, status: IndexStatus) {
    for index in schema.indexes.iter_mut().filter(|index| index.id == id) {
        index.status = status;
    }
}

fn corrupt(damage: monotable_item::stored::CorruptItem) -> monotable_storage::Error {
    monotable_storage::Error::with_source(ErrorKind::Corrupt, damage)
}
