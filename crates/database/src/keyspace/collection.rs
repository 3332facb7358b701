//! Item collections: `05 table hash(partition key) partition key` → bytes of the items with that partition
//! key and of their entries in local indexes. Kept only for tables that have local indexes.

use monotable_storage::KeyRange;

use super::{push_partition, table_prefix, tag};
use crate::schema::TableId;

/// The key of the collection's counter.
pub(crate) fn encode_key(table: TableId, partition_key: &[u8]) -> Vec<u8> {
    let mut key = table_prefix(tag::COLLECTION, table);
    push_partition(&mut key, partition_key);
    key
}

/// The counters of all collections of a table.
pub(crate) fn range(table: TableId) -> KeyRange {
    KeyRange::prefix(&table_prefix(tag::COLLECTION, table))
}
