//! How indexes follow the items of their table.
//!
//! An entry follows from the item alone, so keeping an index needs no reads: the entries of the old
//! and the new item are compared, and what differs is put and deleted in the batch that writes the
//! item.

use bytes::Bytes;
use monotable_item::stored::{self, CorruptItem, ItemView};
use monotable_storage::Batch;

use crate::capacity::{Consumed, HalfUnits, write_units};
use crate::index_key::IndexKey;
use crate::keyspace::counter;
use crate::projection::among;
use crate::schema::{IndexId, IndexKind, IndexProjection, IndexSchema, TableSchema};

/// An entry of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: Vec<u8>,
    /// The projected attributes, as a stored item.
    pub(crate) value: Bytes,
}

impl Entry {
    pub(crate) fn size_bytes(&self) -> Result<usize, CorruptItem> {
        Ok(ItemView::new(&self.value)?.size_bytes())
    }
}

/// The entry of a stored item in an index: none if it lacks one of the index's key attributes.
pub(crate) fn entry(
    schema: &TableSchema,
    index: &IndexSchema,
    table_key: &[u8],
    item: &Bytes,
) -> Result<Option<Entry>, CorruptItem> {
    let Some(key) = IndexKey::of(index, item)? else { return Ok(None) };
    let Some(key) = key.encode(schema.id, index, table_key)? else { return Ok(None) };
    Ok(Some(Entry { key, value: project(schema, index, item)? }))
}

/// From so many attributes on it is worth while to sort the names that an index copies, and to walk
/// through both side by side.
const MANY_ATTRIBUTES: usize = 64;

/// What an index copies from a stored item.
fn project(schema: &TableSchema, index: &IndexSchema, item: &Bytes) -> Result<Bytes, CorruptItem> {
    if index.projected == IndexProjection::All {
        return Ok(item.clone());
    }
    let item = ItemView::new(item)?;
    if item.attributes().count_left() > MANY_ATTRIBUTES {
        let names = index.projected_names(&schema.key);
        return Ok(stored::select(item, among(&names))?.into());
    }
    let projects =
        |name: &[u8]| std::str::from_utf8(name).is_ok_and(|name| index.projects(&schema.key, name));
    Ok(stored::select(item, projects)?.into())
}

/// The change of one item, as its indexes see it.
pub(crate) struct ItemChange<'a> {
    pub(crate) schema: &'a TableSchema,
    /// The encoded key of the item.
    pub(crate) table_key: &'a [u8],
    /// The indexes that do not hold the item yet: they get it, as it is then, when they are filled.
    pub(crate) unfilled: &'a [IndexId],
    pub(crate) old: Option<&'a Bytes>,
    pub(crate) new: Option<&'a Bytes>,
}

impl<'a> ItemChange<'a> {
    /// Writes what the change means for every index to the batch, and adds what it costs. Returns
    /// the growth in bytes of the local indexes.
    pub(crate) fn write_entries(
        &self,
        batch: &mut Batch,
        consumed: &mut Consumed,
    ) -> Result<i64, CorruptItem> {
        let mut local_growth = 0;
        for index in self.schema.maintained_indexes() {
            let (old, new) = self.entries(index)?;
            if old == new {
                continue;
            }
            let size = |entry: &Option<Entry>| entry.as_ref().map(Entry::size_bytes).transpose();
            let sizes = (size(&old)?, size(&new)?);
            consumed.add_index(index.id, delta_units(&old, &new, sizes));
            if self.unfilled.contains(&index.id) {
                continue;
            }
            let growth = sizes.1.unwrap_or(0) as i64 - sizes.0.unwrap_or(0) as i64;
            let items = i64::from(new.is_some()) - i64::from(old.is_some());
            count(batch, self.schema, Some(index.id), items, growth);
            if index.kind == IndexKind::Local {
                local_growth += growth;
            }
            write_delta(batch, old, new);
        }
        Ok(local_growth)
    }

    /// The entries of the old and the new item. Mostly the item keeps its place in the index, which
    /// is then worked out once.
    fn entries(&self, index: &IndexSchema) -> Result<(Option<Entry>, Option<Entry>), CorruptItem> {
        let key_of =
            |item: Option<&'a Bytes>| item.map(|item| IndexKey::of(index, item)).transpose();
        let (old, new) = (key_of(self.old)?.flatten(), key_of(self.new)?.flatten());
        let encode = |key: &Option<IndexKey<'_>>| match key {
            Some(key) => key.encode(self.schema.id, index, self.table_key),
            None => Ok(None),
        };
        let new_key = encode(&new)?;
        let old_key = if old == new { new_key.clone() } else { encode(&old)? };
        let entry = |key: Option<Vec<u8>>, item: Option<&Bytes>| match (key, item) {
            (Some(key), Some(item)) => {
                Ok(Some(Entry { key, value: project(self.schema, index, item)? }))
            }
            (None, _) | (_, None) => Ok(None),
        };
        Ok((entry(old_key, self.old)?, entry(new_key, self.new)?))
    }
}

/// Adds to the counters of a table or of one of its indexes.
pub(crate) fn count(
    batch: &mut Batch,
    schema: &TableSchema,
    index: Option<IndexId>,
    items: i64,
    bytes: i64,
) {
    if items != 0 {
        batch.add(counter::items_key(schema.id, index), items);
    }
    if bytes != 0 {
        batch.add(counter::bytes_key(schema.id, index), bytes);
    }
}

/// What an index is charged: a move of the entry is a deletion and an insertion.
fn delta_units(
    old: &Option<Entry>,
    new: &Option<Entry>,
    (old_size, new_size): (Option<usize>, Option<usize>),
) -> HalfUnits {
    let moved = old.as_ref().zip(new.as_ref()).is_some_and(|(old, new)| old.key != new.key);
    let units = |size: Option<usize>| size.map(write_units).unwrap_or_default();
    if moved { units(old_size) + units(new_size) } else { units(old_size.max(new_size)) }
}

fn write_delta(batch: &mut Batch, old: Option<Entry>, new: Option<Entry>) {
    let new_key = new.as_ref().map(|entry| &entry.key);
    if let Some(old) = old.filter(|old| Some(&old.key) != new_key) {
        batch.delete(old.key);
    }
    if let Some(new) = new {
        batch.put(new.key, new.value);
    }
}
