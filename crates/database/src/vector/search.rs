//! Finding the nearest vectors.
//!
//! A search is one pass over the entries of a partition in key order, with a heap of the nearest so
//! far. What it keeps in memory does not grow with the index. The pass is made in pieces: between
//! two of them others have their turn, and a search that nobody waits for any more ends.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use bytes::Bytes;
use monotable_expr::Projection;
use monotable_item::stored::{self, CorruptItem, ItemView};
use monotable_item::{Item, Value};
use monotable_storage::{Direction, Engine, Key, KeyRange, Snapshot};

use super::distance::Target;
use super::schema::{VectorIndexDefinition, VectorIndexSchema};
use super::value::number_of;
use crate::Database;
use crate::database::rest_after;
use crate::error::ReadError;
use crate::key::encode_partition;
use crate::key_value::{KeySource, of_value};
use crate::keyspace::{counter, vector_entry};
use crate::off_worker;
use crate::projection::project;
use crate::schema::{IndexId, IndexStatus, TableSchema};
use crate::table::Table;

/// How many entries are looked at before others have their turn.
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
    /// What is returned of the entries. Without it that is everything but the vector.
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
    /// Finds the nearest vectors in an index of a table that the search was checked against, the
    /// nearest first, and of those that are as near the one with the lower key first.
    pub async fn search_vectors(
        &self,
        table: &Table,
        search: &VectorSearch,
    ) -> Result<Vec<VectorMatch>, ReadError> {
        let snapshot = self.engine.snapshot().await?;
        if self.engine.is_shared() {
            let record = snapshot.get(table.record_key()).await?;
            Box::pin(self.check_version(table, record.as_ref())).await?;
        }
        let schema = table.schema();
        let index = schema.vector_index_by_id(search.index);
        let index = index.filter(|index| index.status == IndexStatus::Active);
        let index = index.ok_or(ReadError::IndexNotFound)?;
        let size_bytes = snapshot.counter(&counter::bytes_key(schema.id, Some(index.id))).await?;
        off_worker::move_if_large(usize::try_from(size_bytes).unwrap_or(0)).await;
        let nearest = nearest(&snapshot, schema, index, search).await?;
        Ok(nearest.into_matches(&index.definition, search)?)
    }
}

async fn nearest<'s, S: Snapshot>(
    snapshot: &S,
    schema: &TableSchema,
    index: &'s VectorIndexSchema,
    search: &'s VectorSearch,
) -> Result<Nearest<'s>, ReadError> {
    let mut nearest = Nearest::new(&index.definition, search);
    let mut rest = searched_range(schema, index, search);
    while let Some(range) = rest.take() {
        let (mut left, mut last) = (PIECE_ENTRIES, None);
        let visit = |key: &[u8], value: Bytes| {
            if nearest.take(key, value).is_err() {
                return ControlFlow::Break(());
            }
            left -= 1;
            if left > 0 {
                return ControlFlow::Continue(());
            }
            last = Some(key.to_vec());
            ControlFlow::Break(())
        };
        snapshot.visit(&range, Direction::Forward, PIECE_ENTRIES, visit).await?;
        nearest.damage.map_or(Ok(()), Err)?;
        rest = last.map(|last: Key| rest_after(&range, last));
        tokio::task::yield_now().await;
    }
    Ok(nearest)
}

/// Where the entries lie that are searched. A value that no partition key has leads nowhere.
fn searched_range(
    schema: &TableSchema,
    index: &VectorIndexSchema,
    search: &VectorSearch,
) -> Option<KeyRange> {
    let Some(part) = index.definition.partition() else {
        return Some(vector_entry::range(schema.id, index.id));
    };
    let wanted = Item::from([(part.name.clone(), search.partition.clone()?)]);
    let partition = encode_partition(std::slice::from_ref(part), &wanted, None).ok()?;
    Some(KeyRange::prefix(&vector_entry::partition_prefix(schema.id, index.id, &partition)))
}

/// The nearest entries so far.
struct Nearest<'s> {
    target: Target<'s>,
    dimensions: u32,
    search: &'s VectorSearch,
    /// The farthest is on top.
    kept: BinaryHeap<Candidate>,
    damage: Option<CorruptItem>,
}

impl<'s> Nearest<'s> {
    fn new(definition: &VectorIndexDefinition, search: &'s VectorSearch) -> Nearest<'s> {
        Nearest {
            target: Target::new(definition.distance, &search.vector),
            dimensions: definition.dimensions,
            search,
            kept: BinaryHeap::with_capacity(search.limit + 1),
            damage: None,
        }
    }

    /// Looks at the next entry in key order.
    fn take(&mut self, key: &[u8], value: Bytes) -> Result<(), CorruptItem> {
        let taken = self.compare(key, value);
        self.damage = taken.err();
        taken
    }

    fn compare(&mut self, key: &[u8], value: Bytes) -> Result<(), CorruptItem> {
        let (vector, attributes) = split(self.dimensions, &value)?;
        if !self.passes(attributes)? {
            return Ok(());
        }
        let rank = self.target.rank(vector);
        let is_full = self.kept.len() >= self.search.limit;
        // Of two that are as near, the first one seen has the lower key.
        if is_full && self.kept.peek().is_none_or(|farthest| rank >= farthest.rank) {
            return Ok(());
        }
        if is_full {
            self.kept.pop();
        }
        self.kept.push(Candidate { rank, key: key.to_vec(), value });
        Ok(())
    }

    fn passes(&self, attributes: &[u8]) -> Result<bool, CorruptItem> {
        if self.search.filters.is_empty() {
            return Ok(true);
        }
        let item = ItemView::new(attributes)?;
        let mut filters = self.search.filters.iter();
        Ok(filters.all(|(name, value)| item.key_value(name) == Some(of_value(value))))
    }

    fn into_matches(
        self,
        definition: &VectorIndexDefinition,
        search: &VectorSearch,
    ) -> Result<Vec<VectorMatch>, CorruptItem> {
        let target = self.target;
        let found = self.kept.into_sorted_vec().into_iter().map(|candidate| {
            let item = returned(definition, search.projection.as_ref(), &candidate.value)?;
            Ok(VectorMatch { item, score: target.score(candidate.rank) })
        });
        found.collect()
    }
}

/// What is returned of an entry.
fn returned(
    definition: &VectorIndexDefinition,
    projection: Option<&Projection>,
    value: &Bytes,
) -> Result<Bytes, CorruptItem> {
    let (vector, attributes) = split(definition.dimensions, value)?;
    let attributes = value.slice_ref(attributes);
    let Some(projection) = projection else { return Ok(attributes) };
    if !projection.roots().contains(definition.attribute.as_str()) {
        return project(&attributes, projection);
    }
    let mut item = stored::decode(&attributes)?;
    let numbers = vector_entry::numbers(vector).map(|number| Value::Number(number_of(number)));
    item.insert(definition.attribute.clone(), Value::List(numbers.collect()));
    Ok(stored::encode(&projection.project(&item)).into())
}

fn split(dimensions: u32, value: &[u8]) -> Result<(&[u8], &[u8]), CorruptItem> {
    vector_entry::split_value(dimensions, value).ok_or(CorruptItem::SHORT_VECTOR)
}

/// An entry that may be among the nearest.
struct Candidate {
    rank: f32,
    key: Vec<u8>,
    value: Bytes,
}

/// By distance, then by key.
impl Ord for Candidate {
    fn cmp(&self, other: &Candidate) -> Ordering {
        self.rank.total_cmp(&other.rank).then_with(|| self.key.cmp(&other.key))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Candidate) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Candidate) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}
