//! Items: `02 table hash(partition key) partition key sort key` → the stored item. The partition
//! key is in the form of [`key_form`](super::key_form).
//!
//! Within one partition key, items lie in sort-key order, so every key condition is one contiguous
//! range.

use monotable_storage::KeyRange;

use super::{push_partition, table_prefix, tag};
use crate::schema::TableId;

/// How many bytes lie before the partition key.
const HEAD_BYTES: usize = 1 + 4 + 8;

/// The key of the item with these encoded key parts.
pub(crate) fn encode_key(table: TableId, partition_key: &[u8], sort_key: &[u8]) -> Vec<u8> {
    let mut key = partition_prefix(table, partition_key);
    key.extend_from_slice(sort_key);
    key
}

/// The start of the keys of all items with this partition key.
pub(crate) fn partition_prefix(table: TableId, partition_key: &[u8]) -> Vec<u8> {
    let mut key = table_prefix(tag::ITEM, table);
    push_partition(&mut key, partition_key);
    key
}

/// The start of the keys of all items of a table.
pub(crate) fn prefix(table: TableId) -> Vec<u8> {
    table_prefix(tag::ITEM, table)
}

/// The keys of all items of a table.
pub(crate) fn range(table: TableId) -> KeyRange {
    KeyRange::prefix(&prefix(table))
}

/// The encoded partition and sort key at the end of an item's key.
pub(crate) fn key_parts(key: &[u8]) -> &[u8] {
    key.get(HEAD_BYTES..).unwrap_or_default()
}

/// The hash of the partition key, which lies before it in an item's key.
pub(crate) fn partition_hash(key: &[u8]) -> Option<u64> {
    let hash = key.get(HEAD_BYTES - 8..HEAD_BYTES)?;
    hash.first_chunk().copied().map(u64::from_be_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_one_partition_lie_together_in_sort_order() {
        let key = |partition: &[u8], sort: &[u8]| encode_key(TableId(7), partition, sort);
        assert!(key(b"p", b"a") < key(b"p", b"b"));
        assert!(key(b"p", b"a").starts_with(&partition_prefix(TableId(7), b"p")));
        assert!(!key(b"q", b"a").starts_with(&partition_prefix(TableId(7), b"p")));
        assert_eq!(key_parts(&key(b"p", b"a")), b"pa");
    }
}
