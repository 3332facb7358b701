//! Item collections: the counter `05 table hash(partition key) partition key` has the bytes of the
//! items with that partition key and of their entries in local indexes. Kept only for tables that
//! have local indexes.

use super::{push_partition, table_prefix, tag};
use crate::schema::TableId;

/// The start of the names of all counters of a table.
pub(crate) fn prefix(table: TableId) -> Vec<u8> {
    table_prefix(tag::COLLECTION, table)
}

/// The counter of a collection.
pub(crate) fn counter(table: TableId, partition_key: &[u8]) -> Vec<u8> {
    let mut key = table_prefix(tag::COLLECTION, table);
    push_partition(&mut key, partition_key);
    key
}
