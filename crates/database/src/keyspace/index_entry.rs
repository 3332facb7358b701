//! Index entries: `03 table index hash(index partition key) index partition key index sort key
//! table key` → projected attributes. The partition key and the table key are in the form of
//! [`key_form`].
//!
//! The table key ends the key because index keys need not be unique. Entries sort as the index's
//! sort key does, so a query is one range; the projected attributes are in the stored form of an
//! item.

use monotable_storage::KeyRange;

use super::{index_prefix, key_form, push_partition, tag};
use crate::schema::{IndexId, TableId};

/// The key of the entry of the item whose encoded table key is `table_key`.
pub(crate) fn encode_key(
    table: TableId,
    index: IndexId,
    partition_key: &[u8],
    sort_key: &[u8],
    table_key: &[u8],
) -> Vec<u8> {
    let mut key = partition_prefix(table, index, partition_key);
    key.extend_from_slice(sort_key);
    key_form::push(&mut key, table_key);
    key
}

/// The start of the keys of all entries with this index partition key.
pub(crate) fn partition_prefix(table: TableId, index: IndexId, partition_key: &[u8]) -> Vec<u8> {
    let mut key = index_prefix(tag::INDEX_ENTRY, table, index);
    push_partition(&mut key, partition_key);
    key
}

/// The start of the keys of all entries of an index.
pub(crate) fn prefix(table: TableId, index: IndexId) -> Vec<u8> {
    index_prefix(tag::INDEX_ENTRY, table, index)
}

/// The keys of all entries of an index.
pub(crate) fn range(table: TableId, index: IndexId) -> KeyRange {
    KeyRange::prefix(&prefix(table, index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_index_keys_are_told_apart_by_the_table_key() {
        let key = |sort: &[u8], table_key: &[u8]| {
            encode_key(TableId(1), IndexId(2), b"p", sort, table_key)
        };
        assert!(key(b"s\0\0", b"a") < key(b"s\0\0", b"b"));
        assert!(key(b"s\0\0", b"b") < key(b"t\0\0", b"a"));
        assert!(key(b"s", b"a").starts_with(&prefix(TableId(1), IndexId(2))));
    }
}
