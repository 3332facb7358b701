//! The entry of an item in a vector index.

use bytes::Bytes;
use monotable_item::stored::{self, CorruptItem, ItemView};
use monotable_storage::Batch;

use super::schema::{VectorIndexDefinition, VectorIndexSchema};
use super::sketches::Sketches;
use super::value::read_vector;
use crate::capacity::Consumed;
use crate::index::{ItemChange, count};
use crate::key::encode_partition;
use crate::keyspace::vector_entry::{self, NUMBER_BYTES};
use crate::projection::among;
use crate::schema::TableSchema;

/// What a change of an entry is charged at least.
const CHARGED_BYTES_MIN: usize = 1024;

/// An entry of a vector index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct VectorEntry {
    pub(crate) key: Vec<u8>,
    pub(crate) value: Bytes,
    /// Its size as DynamoDB counts it: four bytes for each number of the vector.
    pub(crate) size_bytes: usize,
}

/// Returns the entry of a stored item in a vector index: none if the item has no vector that the
/// index can hold, or lacks the attribute that decides the partition.
pub(crate) fn entry(
    schema: &TableSchema,
    index: &VectorIndexSchema,
    table_key: &[u8],
    item: &Bytes,
) -> Result<Option<VectorEntry>, CorruptItem> {
    let definition = &index.definition;
    let view = ItemView::new(item)?;
    let Some(value) = view.get(&definition.attribute)? else { return Ok(None) };
    let Ok(vector) = read_vector(value, definition.dimensions)? else { return Ok(None) };
    let Some(partition) = partition_of(definition, &view) else { return Ok(None) };
    let attributes = project(schema, definition, view)?;
    let attribute_bytes = ItemView::new(&attributes)?.size_bytes();
    let vector_bytes = definition.attribute.len() + vector.len() * NUMBER_BYTES;
    Ok(Some(VectorEntry {
        key: vector_entry::encode_key(schema.id, index.id, &partition, table_key),
        value: vector_entry::encode_value(&vector, &attributes).into(),
        size_bytes: vector_bytes + attribute_bytes,
    }))
}

/// The partition of an item, which is empty if the index has none.
fn partition_of(definition: &VectorIndexDefinition, item: &ItemView<'_>) -> Option<Vec<u8>> {
    match definition.partition() {
        None => Some(Vec::new()),
        Some(part) => encode_partition(std::slice::from_ref(part), item, None).ok(),
    }
}

/// What an index copies from a stored item besides the vector.
fn project(
    schema: &TableSchema,
    definition: &VectorIndexDefinition,
    item: ItemView<'_>,
) -> Result<Vec<u8>, CorruptItem> {
    match definition.projected_names(&schema.key) {
        Some(names) => stored::select(item, among(&names)),
        None => stored::select(item, |name| name != definition.attribute.as_bytes()),
    }
}

impl ItemChange<'_> {
    /// Adds the effect of the change on every vector index to the batch, and its cost.
    pub(crate) fn write_vector_entries(
        &self,
        batch: &mut Batch,
        consumed: &mut Consumed,
        sketches: &Sketches,
    ) -> Result<(), CorruptItem> {
        for index in self.schema.vector_indexes.iter().filter(|index| index.is_maintained()) {
            let entry_of = |item: Option<&Bytes>| match item {
                Some(item) => entry(self.schema, index, self.table_key, item),
                None => Ok(None),
            };
            let (old, new) = (entry_of(self.old)?, entry_of(self.new)?);
            if old == new {
                continue;
            }
            consumed.add_vector_index(index.id, charged_bytes(&old, &new));
            if self.unfilled.contains(&index.id) {
                continue;
            }
            let size =
                |entry: &Option<VectorEntry>| entry.as_ref().map_or(0, |entry| entry.size_bytes);
            let items = i64::from(new.is_some()) - i64::from(old.is_some());
            let growth = size(&new) as i64 - size(&old) as i64;
            count(batch, self.schema, Some(index.id), items, growth);
            // Before the commit, so that no search misses what is committed.
            new.iter().for_each(|new| sketches.note(old.as_ref(), new));
            write_delta(batch, old, new);
        }
        Ok(())
    }
}

/// What an index is charged: a move of the entry is a deletion and an insertion.
fn charged_bytes(old: &Option<VectorEntry>, new: &Option<VectorEntry>) -> u64 {
    let bytes = |entry: &VectorEntry| entry.size_bytes.max(CHARGED_BYTES_MIN) as u64;
    match (old, new) {
        (Some(old), Some(new)) if old.key != new.key => bytes(old) + bytes(new),
        (Some(old), Some(new)) => bytes(old).max(bytes(new)),
        (Some(only), None) | (None, Some(only)) => bytes(only),
        (None, None) => 0,
    }
}

fn write_delta(batch: &mut Batch, old: Option<VectorEntry>, new: Option<VectorEntry>) {
    let new_key = new.as_ref().map(|entry| &entry.key);
    if let Some(old) = old.filter(|old| Some(&old.key) != new_key) {
        batch.delete(old.key);
    }
    if let Some(new) = new {
        batch.put(new.key, new.value);
    }
}
