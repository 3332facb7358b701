//! Garbage: `07 table index` → nothing. What it names is no longer part of any table, and its data
//! is to be removed in the background, after a restart too. The index number `FFFFFFFF` stands for
//! the whole table; with a byte `01` behind it, the number is that of an expiry index.

use monotable_storage::KeyRange;

use super::{
    collection, counter, expiry, fill, index_entry, index_prefix, item, tag, vector_entry,
};
use crate::schema::{ExpiryId, IndexId, TableId};

const WHOLE_TABLE: u32 = u32::MAX;
const EXPIRY: u8 = 1;

/// What is to be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Garbage {
    /// A table's items, with the data of its indexes named apart.
    Table(TableId),
    /// The entries of an index, of whichever kind.
    Index(TableId, IndexId),
    /// The entries of an expiry index.
    Expiry(TableId, ExpiryId),
}

impl Garbage {
    /// The key that notes this.
    pub(crate) fn encode_key(self) -> Vec<u8> {
        match self {
            Garbage::Table(table) => index_prefix(tag::GARBAGE, table, IndexId(WHOLE_TABLE)),
            Garbage::Index(table, index) => index_prefix(tag::GARBAGE, table, index),
            Garbage::Expiry(table, expiry) => {
                let mut key = index_prefix(tag::GARBAGE, table, IndexId(expiry.0));
                key.push(EXPIRY);
                key
            }
        }
    }

    /// Reads what [`Garbage::encode_key`] wrote.
    pub(crate) fn decode_key(key: &[u8]) -> Option<Garbage> {
        let (&[found], rest) = key.split_first_chunk::<1>()?;
        let (table, rest) = rest.split_first_chunk::<4>()?;
        let (number, kind) = rest.split_first_chunk::<4>()?;
        let table = TableId(u32::from_be_bytes(*table));
        match (found, u32::from_be_bytes(*number), kind) {
            (tag::GARBAGE, WHOLE_TABLE, []) => Some(Garbage::Table(table)),
            (tag::GARBAGE, index, []) => Some(Garbage::Index(table, IndexId(index))),
            (tag::GARBAGE, expiry, [EXPIRY]) => Some(Garbage::Expiry(table, ExpiryId(expiry))),
            _ => None,
        }
    }

    /// The ranges of keys that hold the data.
    pub(crate) fn ranges(self) -> Vec<KeyRange> {
        match self {
            Garbage::Table(table) => vec![item::range(table)],
            Garbage::Index(table, index) => {
                let (entries, vectors) =
                    (index_entry::range(table, index), vector_entry::range(table, index));
                vec![entries, vectors, fill::range(table, index)]
            }
            Garbage::Expiry(table, expiry) => vec![expiry::range(table, expiry)],
        }
    }

    /// The start of the names of counters that go with the data, of which there can be many.
    pub(crate) fn counter_prefix(self) -> Option<Vec<u8>> {
        match self {
            Garbage::Table(table) => Some(collection::prefix(table)),
            Garbage::Index(..) | Garbage::Expiry(..) => None,
        }
    }

    /// The counters that go with the data.
    pub(crate) fn counters(self) -> Vec<Vec<u8>> {
        let (table, index) = match self {
            Garbage::Table(table) => (table, None),
            Garbage::Index(table, index) => (table, Some(index)),
            Garbage::Expiry(..) => return Vec::new(),
        };
        vec![counter::items_key(table, index), counter::bytes_key(table, index)]
    }
}

/// All that is to be removed.
pub(crate) fn range() -> KeyRange {
    KeyRange::prefix(&[tag::GARBAGE])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_read_back() {
        let expiry = Garbage::Expiry(TableId(3), ExpiryId(2));
        for garbage in [Garbage::Table(TableId(3)), Garbage::Index(TableId(3), IndexId(0)), expiry]
        {
            assert_eq!(Garbage::decode_key(&garbage.encode_key()), Some(garbage));
        }
        assert_eq!(Garbage::decode_key(b"\x07\0\0"), None);
    }
}
