//! A block of entries, the smallest part of a table with a checksum.
//!
//! Entries are sorted by their keys, and a key is there once. Each is stored as what differs from
//! the one before; every few entries one is whole, where a search can begin.
//!
//! | what | as |
//! |---|---|
//! | entries | how many bytes of the key are those of the key before, how many are its own, number of the commit, 0 for a deletion or 1 + length of the value (all four as varints), own bytes of the key, value |
//! | where the whole ones begin | `u32` each |
//! | how many of those there are | `u32` |
//! | XXH3 of all that, seeded with the table's id | `u64` |
//!
//! Integers are little-endian.

use std::cmp::Ordering;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::varint;

/// How many entries there are from one that is whole to the next.
const INTERVAL: usize = 4;
const CHECKSUM_BYTES: usize = 8;

/// Puts a block together.
#[derive(Debug, Default)]
pub(super) struct BlockBuilder {
    bytes: Vec<u8>,
    whole: Vec<u32>,
    entries: usize,
    last_key: Vec<u8>,
}

impl BlockBuilder {
    pub(super) fn push(&mut self, key: &[u8], number: u64, value: Option<&[u8]>) {
        let shared = match self.entries % INTERVAL {
            0 => {
                self.whole.push(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX));
                0
            }
            _ => common(&self.last_key, key),
        };
        let own = key.get(shared..).unwrap_or_default();
        varint::push(&mut self.bytes, shared as u64);
        varint::push(&mut self.bytes, own.len() as u64);
        varint::push(&mut self.bytes, number);
        varint::push(&mut self.bytes, value.map_or(0, |value| value.len() as u64 + 1));
        self.bytes.extend_from_slice(own);
        self.bytes.extend_from_slice(value.unwrap_or_default());
        self.last_key.truncate(shared);
        self.last_key.extend_from_slice(own);
        self.entries += 1;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries == 0
    }

    pub(super) fn size_bytes(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn last_key(&self) -> &[u8] {
        &self.last_key
    }

    /// Appends the block to `file`, and begins the next one.
    pub(super) fn finish(&mut self, table: u64, file: &mut Vec<u8>) {
        let begin = file.len();
        file.extend_from_slice(&self.bytes);
        for place in &self.whole {
            file.extend_from_slice(&place.to_le_bytes());
        }
        file.extend_from_slice(&(self.whole.len() as u32).to_le_bytes());
        let checksum = xxh3_64_with_seed(file.get(begin..).unwrap_or_default(), table);
        file.extend_from_slice(&checksum.to_le_bytes());
        self.bytes.clear();
        self.whole.clear();
        self.entries = 0;
    }
}

/// How many bytes two keys begin with alike.
pub(super) fn common(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// Returns whether a block is as it was written.
pub(super) fn is_whole(block: &[u8], table: u64) -> bool {
    let Some((content, checksum)) = block.split_last_chunk::<CHECKSUM_BYTES>() else {
        return false;
    };
    xxh3_64_with_seed(content, table) == u64::from_le_bytes(*checksum)
}

/// A block that is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    entries: &'a [u8],
    /// Where the whole entries begin.
    whole: &'a [[u8; 4]],
}

/// An entry as it is stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredEntry<'a> {
    pub(super) shared: usize,
    pub(super) own: &'a [u8],
    pub(super) number: u64,
    pub(super) value: Option<&'a [u8]>,
}

impl<'a> Block<'a> {
    /// Takes a block apart; none if it makes no sense.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Block<'a>> {
        let (content, _) = bytes.split_last_chunk::<CHECKSUM_BYTES>()?;
        let (content, count) = content.split_last_chunk::<4>()?;
        let whole_bytes = 4 * u32::from_le_bytes(*count) as usize;
        let (entries, whole) = content.split_at_checked(content.len().checked_sub(whole_bytes)?)?;
        Some(Block { entries, whole: whole.as_chunks().0 })
    }

    /// How many intervals there are.
    pub(super) fn intervals(&self) -> usize {
        self.whole.len()
    }

    /// The entries of an interval.
    pub(super) fn interval(&self, number: usize) -> Option<StoredEntries<'a>> {
        let begin = u32::from_le_bytes(*self.whole.get(number)?) as usize;
        let end = self.whole.get(number + 1).map(|end| u32::from_le_bytes(*end) as usize);
        let bytes = self.entries.get(begin..end.unwrap_or(self.entries.len()))?;
        Some(StoredEntries { rest: bytes })
    }

    /// The last interval whose first key is not above `key`, or the first one.
    pub(super) fn find_interval(&self, key: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.whole.len());
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let first = self.interval(middle)?.next()?;
            if first.own <= key {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(low)
    }

    /// Looks for a key. The outer none says that the block makes no sense.
    pub(super) fn find(&self, key: &[u8]) -> Option<Option<StoredEntry<'a>>> {
        let mut entries = self.interval(self.find_interval(key)?)?;
        // The keys so far are below, and this is how much the last of them has in common with the
        // key. What is stored of the next one decides without putting it together.
        let mut alike = 0;
        while !entries.rest.is_empty() {
            let entry = entries.next()?;
            match entry.shared.cmp(&alike) {
                Ordering::Greater => continue,
                Ordering::Less => return Some(None),
                Ordering::Equal => {}
            }
            let wanted = key.get(alike..).unwrap_or_default();
            match entry.own.cmp(wanted) {
                Ordering::Equal => return Some(Some(entry)),
                Ordering::Greater => return Some(None),
                Ordering::Less => alike += common(entry.own, wanted),
            }
        }
        Some(None)
    }
}

/// Takes entries off one by one; it ends where they make no sense.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredEntries<'a> {
    rest: &'a [u8],
}

impl StoredEntries<'_> {
    /// Returns whether all was taken.
    pub(super) fn is_done(&self) -> bool {
        self.rest.is_empty()
    }
}

impl<'a> Iterator for StoredEntries<'a> {
    type Item = StoredEntry<'a>;

    fn next(&mut self) -> Option<StoredEntry<'a>> {
        let (shared, rest) = varint::split_length(self.rest)?;
        let (own, rest) = varint::split_length(rest)?;
        let (number, rest) = varint::split(rest)?;
        let (value, rest) = varint::split_length(rest)?;
        let (own, rest) = rest.split_at_checked(own)?;
        let (value, rest) = match value.checked_sub(1) {
            None => (None, rest),
            Some(length) => {
                let (value, rest) = rest.split_at_checked(length)?;
                (Some(value), rest)
            }
        };
        self.rest = rest;
        Some(StoredEntry { shared, own, number, value })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::collection::{btree_map, vec};
    use proptest::prelude::*;

    use super::*;

    fn key() -> impl Strategy<Value = Vec<u8>> {
        vec(0..3_u8, 0..7)
    }

    fn built(entries: &BTreeMap<Vec<u8>, Option<Vec<u8>>>) -> Vec<u8> {
        let mut builder = BlockBuilder::default();
        entries.iter().for_each(|(key, value)| builder.push(key, 7, value.as_deref()));
        let mut file = b"before".to_vec();
        builder.finish(3, &mut file);
        file.split_off(6)
    }

    proptest! {
        #[test]
        fn every_key_is_found_and_no_other(
            entries in btree_map(key(), proptest::option::of(vec(any::<u8>(), 0..5)), 1..40),
            others in vec(key(), 20),
        ) {
            let bytes = built(&entries);
            prop_assert!(is_whole(&bytes, 3) && !is_whole(&bytes, 4));
            let block = Block::read(&bytes).unwrap();
            for key in entries.keys().chain(&others) {
                let found = block.find(key).unwrap();
                let value = found.map(|entry| entry.value.map(<[u8]>::to_vec));
                prop_assert_eq!(value.as_ref(), entries.get(key));
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..80), key in key()) {
            if let Some(block) = Block::read(&bytes) {
                block.find(&key);
            }
        }

        #[test]
        fn a_changed_bit_is_noticed(place in 0..1000_usize, bit in 0..8_u32) {
            let mut bytes = built(&BTreeMap::from([(b"key".to_vec(), Some(b"value".to_vec()))]));
            let place = place % bytes.len();
            bytes[place] ^= 1_u8 << bit;
            prop_assert!(!is_whole(&bytes, 3));
        }
    }
}
