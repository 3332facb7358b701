//! Indexes of whichever kind, as those see them who fill, check and remove them.

use bytes::Bytes;
use monotable_item::stored::CorruptItem;
use monotable_storage::KeyRange;

use crate::index;
use crate::keyspace::{index_entry, vector_entry};
use crate::schema::{IndexId, IndexKind, IndexSchema, IndexStatus, TableId, TableSchema};
use crate::status::IndexTransition;
use crate::vector::{self, VectorEntry, VectorIndexSchema};

/// An index of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AnyIndex<'s> {
    /// A local or global one.
    Secondary(&'s IndexSchema),
    /// One of vectors.
    Vector(&'s VectorIndexSchema),
}

/// An entry of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AnyEntry {
    pub(crate) key: Vec<u8>,
    pub(crate) value: Bytes,
    /// Its size as DynamoDB counts it.
    pub(crate) size_bytes: usize,
}

impl<'s> AnyIndex<'s> {
    pub(crate) fn id(self) -> IndexId {
        match self {
            AnyIndex::Secondary(index) => index.id,
            AnyIndex::Vector(index) => index.id,
        }
    }

    pub(crate) fn name(self) -> &'s str {
        match self {
            AnyIndex::Secondary(index) => &index.name,
            AnyIndex::Vector(index) => index.name(),
        }
    }

    pub(crate) fn status(self) -> IndexStatus {
        match self {
            AnyIndex::Secondary(index) => index.status,
            AnyIndex::Vector(index) => index.status,
        }
    }

    /// The change of it that is reported as under way.
    pub(crate) fn transition(self) -> Option<IndexTransition> {
        match self {
            AnyIndex::Secondary(index) => index.transition,
            AnyIndex::Vector(index) => index.transition,
        }
    }

    /// Returns whether it shares the table's partitions.
    pub(crate) fn is_local(self) -> bool {
        match self {
            AnyIndex::Secondary(index) => index.kind == IndexKind::Local,
            AnyIndex::Vector(_) => false,
        }
    }

    /// The projected attributes in the value of an entry, in their stored form.
    pub(crate) fn attributes(self, value: &[u8]) -> Option<&[u8]> {
        match self {
            AnyIndex::Secondary(_) => Some(value),
            AnyIndex::Vector(index) => {
                let split = vector_entry::split_value(index.definition.dimensions, value);
                split.map(|(_, attributes)| attributes)
            }
        }
    }

    /// Where the entries lie.
    pub(crate) fn range(self, table: TableId) -> KeyRange {
        match self {
            AnyIndex::Secondary(index) => index_entry::range(table, index.id),
            AnyIndex::Vector(index) => vector_entry::range(table, index.id),
        }
    }

    /// The entry of a stored item, if the index holds it.
    pub(crate) fn entry(
        self,
        schema: &TableSchema,
        table_key: &[u8],
        item: &Bytes,
    ) -> Result<Option<AnyEntry>, CorruptItem> {
        match self {
            AnyIndex::Secondary(index) => match index::entry(schema, index, table_key, item)? {
                Some(entry) => {
                    let size_bytes = entry.size_bytes()?;
                    Ok(Some(AnyEntry { key: entry.key, value: entry.value, size_bytes }))
                }
                None => Ok(None),
            },
            AnyIndex::Vector(index) => {
                let entry = vector::entry(schema, index, table_key, item)?;
                Ok(entry.map(|VectorEntry { key, value, size_bytes }| AnyEntry {
                    key,
                    value,
                    size_bytes,
                }))
            }
        }
    }
}
