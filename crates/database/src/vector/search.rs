//! Finding the nearest vectors.
//!
//! A search is one pass over the entries of a partition in key order, with a heap of the nearest so
//! far. Its memory does not grow with the index. The pass is split into pieces: other tasks get a
//! turn between two of them, and a search whose caller has gone ends.
//!
//! Where there are many entries, their sketches first tell which of them to read (`prescan`). The
//! result is the same.

use std::ops::ControlFlow;
use std::sync::Arc;

use bytes::Bytes;
use monotable_expr::Projection;
use monotable_item::stored::CorruptItem;
use monotable_item::{Item, Value};
use monotable_storage::{Direction, Engine, Key, KeyRange, Snapshot};

use super::nearest::Nearest;
use super::prescan;
use super::schema::VectorIndexSchema;
use crate::Database;
use crate::database::rest_after;
use crate::error::ReadError;
use crate::key::encode_partition;
use crate::keyspace::{counter, vector_entry};
use crate::off_worker;
use crate::schema::{IndexId, IndexStatus, TableSchema};
use crate::table::Table;

/// How many entries are visited before other tasks get a turn.
const PIECE_ENTRIES: usize = 4096;

/// A search for the nearest vectors. It was checked against the index: the vector has its
/// dimensions, and the values have the types of the search schema.
#[derive(Debug, Clone)]
pub struct VectorSearch {
    /// The vector index.
    pub index: IndexId,
    /// The vector that others are compared with.
    pub vector: Vec<f32>,
    /// How many are wanted.
    pub limit: usize,
    /// The partition that is searched, if the index has partitions.
    pub partition: Option<Value>,
    /// Which values attributes must have.
    pub filters: Vec<(String, Value)>,
    /// What is returned of the entries; everything but the vector by default.
    pub projection: Option<Projection>,
}

/// An item that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorMatch {
    /// What is returned of it, in its stored form.
    pub item: Bytes,
    /// How far it is.
    pub score: f32,
}

impl<E: Engine> Database<E> {
    /// Finds the nearest vectors in an index of the table that the search was checked against: the
    /// nearest first, and of equally near ones the one with the lower key.
    pub async fn search_vectors(
        self: &Arc<Self>,
        table: &Table,
        search: &VectorSearch,
    ) -> Result<Vec<VectorMatch>, ReadError> {
        let schema = table.schema();
        let index = schema.vector_index_by_id(search.index);
        let index = index.filter(|index| index.status == IndexStatus::Active);
        let prefix = index.and_then(|index| searched_prefix(schema, index, search));
        // Looked up before the snapshot is taken, so that it covers everything in the snapshot.
        let sketched = prefix.as_ref().and_then(|prefix| table.sketches().complete(prefix));
        let snapshot = self.engine.snapshot().await?;
        if self.engine.is_shared() {
            let record = snapshot.get(table.record_key()).await?;
            Box::pin(self.check_version(table, record.as_ref())).await?;
        }
        let index = index.ok_or(ReadError::IndexNotFound)?;
        let Some(prefix) = prefix else { return Ok(Vec::new()) };
        let size_bytes = snapshot.counter(&counter::bytes_key(schema.id, Some(index.id))).await?;
        off_worker::move_if_large(usize::try_from(size_bytes).unwrap_or(0)).await;
        let mut sketches = None;
        if let Some(sketched) = sketched {
            let found = prescan::nearest(&snapshot, index, search, &sketched).await?;
            if found.is_worn {
                self.start_sketching(table, index, prefix.clone(), found.vectors);
            }
            if let Some(nearest) = found.nearest {
                self.sketch_memory.count_sketched(&sketched);
                return Ok(nearest.into_matches()?);
            }
            sketches = Some(found.vectors);
        }
        let (nearest, entries) = nearest(&snapshot, index, search, &prefix).await?;
        self.sketch_memory.count_full();
        // If the sketches do not help although none of them is stale, building them again is no
        // use.
        if sketches != Some(entries) {
            self.start_sketching(table, index, prefix, entries);
        }
        Ok(nearest.into_matches()?)
    }
}

/// Visits all entries; returns the nearest, and how many entries there are.
async fn nearest<'s, S: Snapshot>(
    snapshot: &S,
    index: &'s VectorIndexSchema,
    search: &'s VectorSearch,
    prefix: &Key,
) -> Result<(Nearest<'s>, usize), ReadError> {
    let mut nearest = Nearest::new(&index.definition, search);
    let (mut entries, mut damage) = (0, None::<CorruptItem>);
    let mut rest = Some(KeyRange::prefix(prefix));
    while let Some(range) = rest.take() {
        let (mut left, mut last) = (PIECE_ENTRIES, None);
        let visit = |key: &[u8], value: Bytes| {
            damage = nearest.take(key, value).err();
            if damage.is_some() {
                return ControlFlow::Break(());
            }
            (entries, left) = (entries + 1, left - 1);
            if left > 0 {
                return ControlFlow::Continue(());
            }
            last = Some(key.to_vec());
            ControlFlow::Break(())
        };
        snapshot.visit(&range, Direction::Forward, PIECE_ENTRIES, visit).await?;
        damage.map_or(Ok(()), Err)?;
        rest = last.map(|last: Key| rest_after(&range, last));
        tokio::task::yield_now().await;
    }
    Ok((nearest, entries))
}

/// The key prefix of the entries to search. A value that cannot be a partition key matches nothing.
fn searched_prefix(
    schema: &TableSchema,
    index: &VectorIndexSchema,
    search: &VectorSearch,
) -> Option<Key> {
    let Some(part) = index.definition.partition() else {
        return Some(vector_entry::prefix(schema.id, index.id));
    };
    let wanted = Item::from([(part.name.clone(), search.partition.clone()?)]);
    let partition = encode_partition(std::slice::from_ref(part), &wanted, None).ok()?;
    Some(vector_entry::partition_prefix(schema.id, index.id, &partition))
}
