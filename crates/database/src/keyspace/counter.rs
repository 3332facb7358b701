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

/// The table and index that a counter belongs to; no index stands for the table itself.
pub(crate) fn decode_key(key: &[u8]) -> Option<(TableId, Option<IndexId>)> {
    let (&[tag::COUNTER], rest) = key.split_first_chunk::<1>()? else { return None };
    let (table, rest) = rest.split_first_chunk::<4>()?;
    let (index, what) = rest.split_first_chunk::<4>()?;
    let index = Some(IndexId(u32::from_be_bytes(*index))).filter(|index| *index != TABLE_ITSELF);
    matches!(what, [ITEMS | BYTES]).then_some((TableId(u32::from_be_bytes(*table)), index))
}

fn encode_key(table: TableId, index: Option<IndexId>, what: u8) -> Vec<u8> {
    let mut key = index_prefix(tag::COUNTER, table, index.unwrap_or(TABLE_ITSELF));
    key.push(what);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_read_back() {
        for index in [None, Some(IndexId(0)), Some(IndexId(7))] {
            assert_eq!(decode_key(&items_key(TableId(3), index)), Some((TableId(3), index)));
            assert_eq!(decode_key(&bytes_key(TableId(3), index)), Some((TableId(3), index)));
        }
        assert_eq!(decode_key(b"\x04\0\0\0\x03"), None);
        assert_eq!(decode_key(&encode_key(TableId(3), None, 2)), None);
    }
}
