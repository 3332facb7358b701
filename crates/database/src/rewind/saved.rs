//! Tables that are kept in memory as they were at one moment.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use monotable_storage::{Direction, KeyRange, Result as StorageResult, Snapshot};

use super::is_deleting;
use crate::database::rest_after;
use crate::error::RewindError;
use crate::home::Home;
use crate::keyspace::{item, table};
use crate::schema::{IndexStatus, TableSchema};

/// How many bytes all items that are kept may have.
pub const SAVED_BYTES_MAX: usize = 256 << 20;
/// Under how many names tables can be kept.
pub const SAVED_COUNT_MAX: usize = 32;
/// What an item takes besides its bytes, about.
const ITEM_OVERHEAD_BYTES: usize = 64;
/// How many entries are read before others have their turn.
const CHUNK_ENTRIES: usize = 1000;

/// The home of tables that are being built.
pub(super) fn unfinished_home() -> Home {
    Home::new("", "unfinished")
}

/// Returns whether a table is one that is being built.
pub(super) fn is_unfinished(schema: &TableSchema) -> bool {
    schema.home == unfinished_home()
}

/// A table and its items, in their stored form.
#[derive(Debug)]
pub(super) struct TableContents {
    pub(super) schema: TableSchema,
    pub(super) items: Vec<Bytes>,
}

impl TableContents {
    /// The table without items. Nothing about it is under way: an index that is being created is
    /// there, and one that is being deleted is not.
    pub(super) fn empty(schema: &TableSchema) -> TableContents {
        let mut schema = TableSchema { transition: None, ..schema.clone() };
        schema.indexes.retain(|index| index.status != IndexStatus::Deleting);
        schema.vector_indexes.retain(|index| index.status != IndexStatus::Deleting);
        for index in &mut schema.indexes {
            (index.status, index.transition) = (IndexStatus::Active, None);
        }
        for index in &mut schema.vector_indexes {
            (index.status, index.transition) = (IndexStatus::Active, None);
        }
        schema.time_to_live.iter_mut().for_each(|ttl| ttl.is_active = true);
        schema.prune_definitions();
        TableContents { schema, items: Vec::new() }
    }
}

/// All tables as they were at one moment.
#[derive(Debug)]
pub struct SavedTables {
    name: String,
    taken_millis: u64,
    tables: Vec<Arc<TableContents>>,
    size_bytes: usize,
}

impl SavedTables {
    /// The name that they are kept under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// When they were saved, in milliseconds since 1970.
    pub fn taken_millis(&self) -> u64 {
        self.taken_millis
    }

    /// How many tables there are.
    pub fn table_count(&self) -> usize {
        self.tables.len()
    }

    /// How many items all tables have.
    pub fn item_count(&self) -> usize {
        self.tables.iter().map(|table| table.items.len()).sum()
    }

    /// How much memory they take, about.
    pub fn size_bytes(&self) -> usize {
        self.size_bytes
    }

    pub(super) fn contents(&self) -> &[Arc<TableContents>] {
        &self.tables
    }

    /// Reads all tables of a moment, unless their items take more than this.
    pub(super) async fn read<S: Snapshot>(
        snapshot: &S,
        name: &str,
        taken_millis: u64,
        bytes_max: usize,
    ) -> Result<SavedTables, RewindError> {
        let name = name.to_owned();
        let mut saved = SavedTables { name, taken_millis, tables: Vec::new(), size_bytes: 0 };
        for schema in schemas(snapshot).await? {
            let mut contents = TableContents::empty(&schema);
            contents.items = saved.read_items(snapshot, &schema, bytes_max).await?;
            saved.tables.push(Arc::new(contents));
        }
        Ok(saved)
    }

    async fn read_items<S: Snapshot>(
        &mut self,
        snapshot: &S,
        schema: &TableSchema,
        bytes_max: usize,
    ) -> Result<Vec<Bytes>, RewindError> {
        let (mut rest, mut items) = (item::range(schema.id), Vec::new());
        loop {
            let before = items.len();
            // A value may share memory with much else, which must not be kept for its sake.
            let keep = |value: Bytes| items.push(Bytes::copy_from_slice(&value));
            let last = visit_chunk(snapshot, &rest, keep).await?;
            let added = items.iter().skip(before).map(|item: &Bytes| item.len());
            self.size_bytes += added.map(|bytes| bytes + ITEM_OVERHEAD_BYTES).sum::<usize>();
            if self.size_bytes > bytes_max {
                return Err(RewindError::TooLarge { bytes_max: SAVED_BYTES_MAX });
            }
            match last {
                Some(last) => rest = rest_after(&rest, last),
                None => return Ok(items),
            }
            tokio::task::yield_now().await;
        }
    }
}

/// The tables of a moment, but for those that are being built or deleted.
async fn schemas<S: Snapshot>(snapshot: &S) -> StorageResult<Vec<TableSchema>> {
    let mut records = Vec::new();
    let mut rest = table::range();
    while let Some(last) = visit_chunk(snapshot, &rest, |value| records.push(value)).await? {
        rest = rest_after(&rest, last);
    }
    let mut schemas = Vec::with_capacity(records.len());
    for record in records {
        let schema = table::decode_value(&record)?;
        if !is_unfinished(&schema) && !is_deleting(&schema) {
            schemas.push(schema);
        }
    }
    Ok(schemas)
}

/// Visits the first values of a range; returns the last key, or none if the range is empty.
async fn visit_chunk<S: Snapshot>(
    snapshot: &S,
    range: &KeyRange,
    mut visit: impl FnMut(Bytes) + Send,
) -> StorageResult<Option<Vec<u8>>> {
    let (mut last, mut left) = (None, CHUNK_ENTRIES);
    let visit = |key: &[u8], value: Bytes| {
        visit(value);
        last = Some(key.to_vec());
        left -= 1;
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    snapshot.visit(range, Direction::Forward, CHUNK_ENTRIES, visit).await?;
    Ok(last)
}

/// The sets of tables that are kept, by name.
#[derive(Debug, Default)]
pub(crate) struct SavedSets(Mutex<BTreeMap<String, Arc<SavedTables>>>);

impl SavedSets {
    pub(super) fn get(&self, name: &str) -> Option<Arc<SavedTables>> {
        self.lock().get(name).cloned()
    }

    pub(super) fn all(&self) -> Vec<Arc<SavedTables>> {
        self.lock().values().cloned().collect()
    }

    pub(super) fn remove(&self, name: &str) -> bool {
        self.lock().remove(name).is_some()
    }

    /// How many bytes may be kept under a name, beside what the others have.
    pub(super) fn room_bytes(&self, name: &str) -> Result<usize, RewindError> {
        room_bytes(&self.lock(), name)
    }

    /// Keeps tables, unless others were kept meanwhile that leave no room.
    pub(super) fn put(&self, saved: SavedTables) -> Result<(), RewindError> {
        let mut sets = self.lock();
        if saved.size_bytes > room_bytes(&sets, &saved.name)? {
            return Err(RewindError::TooLarge { bytes_max: SAVED_BYTES_MAX });
        }
        sets.insert(saved.name.clone(), Arc::new(saved));
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<SavedTables>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn room_bytes(sets: &BTreeMap<String, Arc<SavedTables>>, name: &str) -> Result<usize, RewindError> {
    if sets.len() >= SAVED_COUNT_MAX && !sets.contains_key(name) {
        return Err(RewindError::TooMany { count_max: SAVED_COUNT_MAX });
    }
    let others = sets.values().filter(|saved| saved.name != name);
    let taken: usize = others.map(|saved| saved.size_bytes).sum();
    Ok(SAVED_BYTES_MAX.saturating_sub(taken))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved(name: &str, size_bytes: usize) -> SavedTables {
        SavedTables { name: name.to_owned(), taken_millis: 0, tables: Vec::new(), size_bytes }
    }

    #[test]
    fn what_is_kept_is_bounded_over_all_names() {
        let sets = SavedSets::default();
        sets.put(saved("a", SAVED_BYTES_MAX - 10)).unwrap();
        let refused = sets.put(saved("b", 11)).unwrap_err();
        assert!(matches!(refused, RewindError::TooLarge { .. }), "{refused}");
        sets.put(saved("b", 10)).unwrap();
        sets.put(saved("a", SAVED_BYTES_MAX - 10)).unwrap();
        assert!(sets.remove("a") && !sets.remove("a"));
        assert_eq!(sets.room_bytes("c").unwrap(), SAVED_BYTES_MAX - 10);
    }

    #[test]
    fn so_many_names_and_no_more_can_be_kept() {
        let sets = SavedSets::default();
        for number in 0..SAVED_COUNT_MAX {
            sets.put(saved(&number.to_string(), 1)).unwrap();
        }
        let refused = sets.put(saved("one more", 1)).unwrap_err();
        assert!(matches!(refused, RewindError::TooMany { .. }), "{refused}");
        sets.put(saved("0", 2)).unwrap();
    }
}
