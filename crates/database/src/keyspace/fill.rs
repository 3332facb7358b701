//! Fills: `0D table index slice` → how far a slice of a new index is filled.
//!
//! The slices are sixteen equal ranges of partition hashes. Value: `00` and the key of the last
//! item that is in the index, or `01` if all are. Items behind it are not in the index yet, and
//! writes leave them out.

use monotable_storage::KeyRange;

use super::{index_prefix, item, partition_hash, tag};
use crate::error::CorruptRecord;
use crate::key::ItemKey;
use crate::schema::{IndexId, TableId};

/// How many slices there are.
pub(crate) const SLICES: u8 = 16;
const SLICE_SHIFT: u32 = 60;

const THROUGH: u8 = 0;
const COMPLETE: u8 = 1;

/// How far a slice is filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Filled {
    /// Not at all.
    Nothing,
    /// Up to and with the item of this key.
    Through(Vec<u8>),
    /// Whole.
    Everything,
}

impl Filled {
    /// Returns whether the index holds the item that lies at `key`.
    pub(crate) fn holds(&self, key: &[u8]) -> bool {
        match self {
            Filled::Nothing => false,
            Filled::Through(last) => key <= last.as_slice(),
            Filled::Everything => true,
        }
    }
}

/// The slice that an item belongs to.
pub(crate) fn slice_of(key: &ItemKey) -> u8 {
    (partition_hash(key.partition()) >> SLICE_SHIFT) as u8
}

/// The key of a slice.
pub(crate) fn encode_key(table: TableId, index: IndexId, slice: u8) -> Vec<u8> {
    let mut key = index_prefix(tag::FILL, table, index);
    key.push(slice);
    key
}

/// The keys of all slices of an index.
pub(crate) fn encode_keys(table: TableId, index: IndexId) -> Vec<Vec<u8>> {
    (0..SLICES).map(|slice| encode_key(table, index, slice)).collect()
}

/// The keys of all slices of an index, as a range.
pub(crate) fn range(table: TableId, index: IndexId) -> KeyRange {
    KeyRange::prefix(&index_prefix(tag::FILL, table, index))
}

/// Where the items of a slice lie.
pub(crate) fn items(table: TableId, slice: u8) -> KeyRange {
    let bound = |slice: u8| {
        let mut key = item::prefix(table);
        key.extend((u64::from(slice) << SLICE_SHIFT).to_be_bytes());
        key
    };
    match slice + 1 {
        SLICES => KeyRange::new(
            std::ops::Bound::Included(bound(slice)),
            item::range(table).end().map(<[u8]>::to_vec),
        ),
        next => KeyRange::half_open(bound(slice), bound(next)),
    }
}

/// The value of a slice; nothing is stored for one that is not filled at all.
pub(crate) fn encode_value(filled: &Filled) -> Vec<u8> {
    match filled {
        Filled::Nothing => Vec::new(),
        Filled::Through(last) => [&[THROUGH], last.as_slice()].concat(),
        Filled::Everything => vec![COMPLETE],
    }
}

/// Reads what [`encode_value`] wrote.
pub(crate) fn decode_value(value: Option<&[u8]>) -> Result<Filled, CorruptRecord> {
    match value {
        None | Some([]) => Ok(Filled::Nothing),
        Some([THROUGH, last @ ..]) => Ok(Filled::Through(last.to_vec())),
        Some([COMPLETE]) => Ok(Filled::Everything),
        Some(_) => Err(CorruptRecord("fill")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_hold_every_item_once() {
        let table = TableId(3);
        for name in 0..500_u32 {
            let key = item::encode_key(table, &name.to_be_bytes(), b"s");
            let holding = (0..SLICES).filter(|slice| items(table, *slice).contains(&key));
            let slices: Vec<u8> = holding.collect();
            let hash = partition_hash(&name.to_be_bytes());
            assert_eq!(slices, [(hash >> SLICE_SHIFT) as u8]);
        }
    }

    #[test]
    fn values_read_back() {
        for filled in [Filled::Nothing, Filled::Through(b"key".to_vec()), Filled::Everything] {
            assert_eq!(decode_value(Some(&encode_value(&filled))), Ok(filled));
        }
        assert!(decode_value(Some(&[9])).is_err());
    }
}
