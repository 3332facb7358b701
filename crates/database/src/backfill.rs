//! Filling a new index with the items that were there before it.
//!
//! The items are walked over in key order, in sixteen slices of the hash space. How far a slice is
//! filled is stored: the index holds exactly the items up to there, counters and all. A write
//! shares that note, and so knows whether its item is in the index yet; one that is not is left to
//! the filling. The filling locks the note of its slice, reads the next items once no write is
//! under way on the slice, and moves the note on in the transaction that writes their entries. So
//! the index and its counters are exact at every moment, it does not matter how often the filling
//! is interrupted and which server resumes it, and writers to the other slices notice nothing.

use std::sync::Arc;

use bytes::Bytes;
use monotable_storage::{
    Batch, Decision, Direction, Engine, ErrorKind, Key, KeyRange, RangeRead, Reads,
    Result as StorageResult, Wants,
};

use crate::Database;
use crate::alteration::{After, ChangeRequirements};
use crate::any_index::AnyIndex;
use crate::database::rest_after;
use crate::error::{CorruptRecord, TableError};
use crate::index;
use crate::keyspace::fill::{self, Filled, SLICES};
use crate::keyspace::garbage::Garbage;
use crate::keyspace::item;
use crate::lease::{Job, Lease};
use crate::off_worker;
use crate::schema::{IndexId, IndexStatus, TableSchema};
use crate::table::Table;
use crate::ttl::shared_keys;

/// How many items are put into an index at once. Writers to their slice wait meanwhile.
const FILL_ITEMS: usize = 128;

/// How far a step came.
enum Step {
    /// There is more to do.
    More,
    /// The slice, or the index, is complete.
    Done,
    /// The table has changed.
    Changed,
}

impl<E: Engine> Database<E> {
    /// Fills an index in the background.
    pub(crate) fn start_backfill(self: &Arc<Self>, table: &Arc<Table>, index: IndexId) {
        let (database, table) = (self.clone(), table.clone());
        self.spawn(async move {
            if let Err(error) = database.backfill(table, index).await {
                tracing::error!(%error, "an index could not be filled; it is tried again");
            }
        });
    }

    /// Removes an index that is marked as deleting, in the background.
    pub(crate) fn start_index_removal(self: &Arc<Self>, table: &Arc<Table>, index: IndexId) {
        let (database, table) = (self.clone(), table.clone());
        self.spawn(async move {
            if let Err(error) = database.finish_index_removal(&table, index).await {
                tracing::error!(%error, "an index could not be removed; it is tried again");
            }
        });
    }

    async fn backfill(self: &Arc<Self>, table: Arc<Table>, index: IndexId) -> StorageResult<()> {
        let job = Job::Fill(table.schema().id, index);
        let Some(mut lease) = self.take(job).await? else { return Ok(()) };
        self.fill_index(table, index, &mut lease).await?;
        self.give_back(lease).await
    }

    async fn fill_index(
        self: &Arc<Self>,
        mut table: Arc<Table>,
        index: IndexId,
        lease: &mut Lease<'_>,
    ) -> StorageResult<()> {
        let mut slice = 0;
        loop {
            // Those who were answered go first.
            tokio::task::yield_now().await;
            if self.is_stopping() || !self.keep(lease).await? {
                return Ok(());
            }
            let step = match slice {
                SLICES => self.activate(&table, index, lease).await?,
                slice => self.fill_some(&table, index, slice, lease).await?,
            };
            match step {
                Step::More => {}
                Step::Done if slice == SLICES => return Ok(()),
                Step::Done => slice += 1,
                Step::Changed => match self.reload_filling(&table, index).await? {
                    Some(changed) => table = changed,
                    None => return Ok(()),
                },
            }
        }
    }

    /// The table as it is now, if it still has the index and that is to be filled.
    async fn reload_filling(
        &self,
        table: &Table,
        index: IndexId,
    ) -> StorageResult<Option<Arc<Table>>> {
        let changed = self.reload_table(table).await?;
        let is_filling = |changed: &Arc<Table>| {
            changed.schema().id == table.schema().id
                && changed.schema().filling_indexes().any(|filling| filling == index)
        };
        Ok(changed.filter(is_filling))
    }

    /// Puts the next items of a slice into an index.
    async fn fill_some(
        &self,
        table: &Table,
        id: IndexId,
        slice: u8,
        lease: &Lease<'_>,
    ) -> StorageResult<Step> {
        let schema = table.schema();
        let Some(index) = schema.any_index_by_id(id) else { return Ok(Step::Changed) };
        let note = [fill::encode_key(schema.id, id, slice)];
        let [key] = &note;
        let known = self.engine.get(key).await?;
        let filled = fill::decode_value(known.as_deref())?;
        let Some(range) = items_after(schema, slice, &filled) else { return Ok(Step::Done) };
        let wanted = [RangeRead { range, direction: Direction::Forward, limit: FILL_ITEMS }];
        let decide = |reads: &Reads| {
            let is_ours = table.stands(reads.shared(0)) && lease.stands(reads.shared(1));
            if !is_ours {
                return Decision::Keep(Ok(Step::Changed));
            }
            // Somebody else has gone on with it.
            if reads.get(0) != known.as_ref() {
                return Decision::Keep(Ok(Step::More));
            }
            let items_bytes = reads.range(0).iter().map(|(_, item)| item.len()).sum();
            let put = || put_entries(schema, index, reads.range(0));
            match off_worker::run(items_bytes, put) {
                Ok(mut batch) => {
                    let next = match reads.range(0).last() {
                        Some((last, _)) if reads.range(0).len() == FILL_ITEMS => {
                            Filled::Through(last.clone())
                        }
                        Some(_) | None => Filled::Everything,
                    };
                    batch.put(key.clone(), fill::encode_value(&next));
                    Decision::Commit(batch, Ok(Step::More))
                }
                Err(damage) => Decision::Keep(Err(corrupt(damage))),
            }
        };
        let shared = shared_keys(table, lease);
        let wants = Wants::locked(&note).and_shared(&shared).and_ranges(&wanted);
        self.transact(wants, decide).await?
    }

    /// Makes an index active whose slices are all filled.
    async fn activate(
        self: &Arc<Self>,
        table: &Arc<Table>,
        id: IndexId,
        lease: &Lease<'_>,
    ) -> StorageResult<Step> {
        let notes = fill::encode_keys(table.schema().id, id);
        let requirements = ChangeRequirements { lease: Some(lease), keys: &notes };
        let activated = self.alter_here(table, requirements, |before| {
            for note in &before.also {
                if fill::decode_value(note.map(|note| &**note))? != Filled::Everything {
                    return Err(TableError::Busy);
                }
            }
            let mut schema = before.schema.clone();
            set_status(&mut schema, id, IndexStatus::Active);
            Ok(After { deleted: notes.clone(), ..After::schema(schema) })
        });
        step_of(activated.await)
    }

    /// Removes an index that is marked as deleting, or waits for the task of this process that
    /// does.
    pub(crate) async fn finish_index_removal(
        self: &Arc<Self>,
        table: &Arc<Table>,
        id: IndexId,
    ) -> StorageResult<()> {
        let job = Job::RemoveIndex(table.schema().id, id);
        let Some(mut lease) = self.take(job).await? else {
            self.jobs.wait_for_end(job).await;
            return Ok(());
        };
        // Those who were answered go first.
        tokio::task::yield_now().await;
        self.purge_data(Garbage::Index(table.schema().id, id), &mut lease).await?;
        if self.is_stopping() {
            return Ok(());
        }
        let mut table = Some(table.clone());
        while let Some(current) = table {
            let requirements =
                ChangeRequirements { lease: Some(&lease), ..ChangeRequirements::default() };
            let removed = self.alter_here(&current, requirements, |before| {
                let mut schema = before.schema.clone();
                schema.indexes.retain(|index| index.id != id);
                schema.vector_indexes.retain(|index| index.id != id);
                schema.prune_definitions();
                Ok::<_, TableError>(After::schema(schema))
            });
            match step_of(removed.await)? {
                Step::More | Step::Done => break,
                Step::Changed if !self.keep(&mut lease).await? => return Ok(()),
                Step::Changed => {
                    let changed = self.reload_table(&current).await?;
                    // Another table may have taken the name, with an index of the same number.
                    let has_index = |changed: &Arc<Table>| {
                        changed.schema().id == current.schema().id
                            && changed.schema().any_index_by_id(id).is_some()
                    };
                    table = changed.filter(has_index);
                }
            }
        }
        self.give_back(lease).await
    }
}

/// Where the items of a slice lie that are not in the index yet, if there can be any.
fn items_after(schema: &TableSchema, slice: u8, filled: &Filled) -> Option<KeyRange> {
    let items = fill::items(schema.id, slice);
    match filled {
        Filled::Nothing => Some(items),
        Filled::Through(last) => Some(rest_after(&items, last.clone())),
        Filled::Everything => None,
    }
}

/// Writes the entries of items to an index, and counts them.
fn put_entries(
    schema: &TableSchema,
    index: AnyIndex<'_>,
    items: &[(Key, Bytes)],
) -> Result<Batch, monotable_item::stored::CorruptItem> {
    let mut batch = Batch::new();
    let (mut entries, mut bytes) = (0, 0);
    for (key, item) in items {
        if let Some(entry) = index.entry(schema, item::key_parts(key), item)? {
            entries += 1;
            bytes += entry.size_bytes as i64;
            batch.put(entry.key, entry.value);
        }
    }
    index::count(&mut batch, schema, Some(index.id()), entries, bytes);
    Ok(batch)
}

/// What a change of the table that a job made means for the job.
fn step_of(changed: Result<Arc<Table>, TableError>) -> StorageResult<Step> {
    match changed {
        Ok(_) => Ok(Step::Done),
        Err(TableError::Storage(error)) => Err(error),
        Err(_) => Ok(Step::Changed),
    }
}

pub(crate) fn set_status(schema: &mut TableSchema, id: IndexId, status: IndexStatus) {
    for index in schema.indexes.iter_mut().filter(|index| index.id == id) {
        index.status = status;
    }
    for index in schema.vector_indexes.iter_mut().filter(|index| index.id == id) {
        index.status = status;
    }
}

fn corrupt(damage: monotable_item::stored::CorruptItem) -> monotable_storage::Error {
    monotable_storage::Error::with_source(ErrorKind::Corrupt, damage)
}

impl From<CorruptRecord> for TableError {
    fn from(corrupt: CorruptRecord) -> TableError {
        TableError::Storage(corrupt.into())
    }
}
