//! Counters: `04 table index what` counts how many items or bytes a table or index holds.
//!
//! The table itself has the index number `FFFFFFFF`. Counters change by blind additions in the
//! transaction of the write, so they are exact and no write waits for another one's counter.

use super::{index_prefix, tag};
use crate::schema::{IndexId, TableId};

const ITEMS: u8 = 0;
const BYTES: u8 = 1;

/// The index number that stands for the table itself.
const TABLE_ITSELF: IndexId = IndexId(u32::MAX);

/// The number of items of a table, or of entries of one of its indexes.
pub(crate) fn items_key(table: TableId, index: Option<IndexId>) -> Vec<u8> {
    encode_key(table, index, ITEMS)
}

/// The bytes of the items of a table, or of the entries of one of its indexes.
pub(crate) fn bytes_key(table: TableId, index: Option<IndexId>) -> Vec<u8> {
    encode_key(table, index, BYTES)
}

fn encode_key(table: TableId, index: Option<IndexId>, what: u8) -> Vec<u8> {
    let mut key = index_prefix(tag::COUNTER, table, index.unwrap_or(TABLE_ITSELF));
    key.push(what);
    key
}
