//! Where the blocks of a table lie, by their last keys.
//!
//! | what | as |
//! |---|---|
//! | the eight bytes of each last key that follow what all keys begin with, as a big-endian number | `u64` each |
//! | for each block: where it begins, its length, where what follows of its last key ends below | three `u32` each |
//! | the last keys, without what all keys begin with | one after the other |
//!
//! Integers are little-endian. A search goes through the first part alone, which lies close
//! together, and looks at keys only where eight bytes do not decide. It begins with some of that
//! part which are kept in memory ([`samples`]): a search through all of a table that was not read
//! lately would wait for memory at each step.

use std::cmp::Ordering;

const HEAD_BYTES: usize = 8;
const PLACE_BYTES: usize = 12;
/// One in this many heads is a sample.
const SAMPLE_INTERVAL: usize = 64;

/// Puts an index together.
#[derive(Debug, Default)]
pub(super) struct IndexBuilder {
    blocks: Vec<(BlockPlace, Vec<u8>)>,
}

/// Where a block lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockPlace {
    pub(super) begin: u32,
    pub(super) length: u32,
}

impl IndexBuilder {
    pub(super) fn push(&mut self, place: BlockPlace, last_key: &[u8]) {
        self.blocks.push((place, last_key.to_vec()));
    }

    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// The index of a table all of whose keys begin with this many bytes alike.
    pub(super) fn finish(&self, prefix_bytes: usize) -> Vec<u8> {
        let rest = |key: &'_ Vec<u8>| key.get(prefix_bytes..).unwrap_or_default().to_vec();
        let mut bytes = Vec::new();
        for (_, key) in &self.blocks {
            bytes.extend_from_slice(&head(&rest(key)).to_le_bytes());
        }
        let mut key_end = 0_u32;
        for (place, key) in &self.blocks {
            key_end += rest(key).len() as u32;
            for part in [place.begin, place.length, key_end] {
                bytes.extend_from_slice(&part.to_le_bytes());
            }
        }
        self.blocks.iter().for_each(|(_, key)| bytes.extend_from_slice(&rest(key)));
        bytes
    }
}

/// The first eight bytes as a number that sorts as they do.
fn head(rest: &[u8]) -> u64 {
    if let Some(head) = rest.first_chunk() {
        return u64::from_be_bytes(*head);
    }
    let mut head = [0; HEAD_BYTES];
    head.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
    u64::from_be_bytes(head)
}

/// An index that is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Index<'a> {
    /// What all keys of the table begin with.
    prefix: &'a [u8],
    heads: &'a [[u8; HEAD_BYTES]],
    places: &'a [[u8; PLACE_BYTES]],
    keys: &'a [u8],
    samples: &'a [u64],
}

/// Samples of an index of this many blocks.
pub(super) fn samples(index: &[u8], blocks: usize) -> Box<[u64]> {
    let heads = index.get(..blocks * HEAD_BYTES).unwrap_or_default().as_chunks().0;
    heads.iter().step_by(SAMPLE_INTERVAL).map(|head| u64::from_le_bytes(*head)).collect()
}

impl<'a> Index<'a> {
    /// Takes an index of this many blocks apart; none if it makes no sense.
    pub(super) fn read(
        bytes: &'a [u8],
        blocks: usize,
        prefix: &'a [u8],
        samples: &'a [u64],
    ) -> Option<Index<'a>> {
        let (heads, rest) = bytes.split_at_checked(blocks * HEAD_BYTES)?;
        let (places, keys) = rest.split_at_checked(blocks * PLACE_BYTES)?;
        let (heads, places) = (heads.as_chunks().0, places.as_chunks().0);
        Some(Index { prefix, heads, places, keys, samples })
    }

    /// How many blocks there are.
    pub(super) fn len(&self) -> usize {
        self.heads.len()
    }

    /// Where a block lies.
    pub(super) fn place(&self, block: usize) -> Option<BlockPlace> {
        let (begin, rest) = self.places.get(block)?.split_first_chunk()?;
        let (length, _) = rest.split_first_chunk()?;
        Some(BlockPlace { begin: u32::from_le_bytes(*begin), length: u32::from_le_bytes(*length) })
    }

    /// The first block whose last key is not below `key`; the number of blocks if there is none.
    pub(super) fn find(&self, key: &[u8]) -> usize {
        let Some(rest) = key.strip_prefix(self.prefix) else {
            return if key < self.prefix { 0 } else { self.len() };
        };
        let wanted = head(rest);
        let head_at = |head: &[u8; HEAD_BYTES]| u64::from_le_bytes(*head);
        // The sample before is below what is wanted, and the next one is not.
        let samples_below = self.samples.partition_point(|sample| *sample < wanted);
        let first = samples_below.saturating_sub(1) * SAMPLE_INTERVAL;
        let nearby = self.heads.get(first..).unwrap_or_default();
        let nearby = nearby.get(..SAMPLE_INTERVAL.min(nearby.len())).unwrap_or_default();
        let begin = first + nearby.partition_point(|head| head_at(head) < wanted);
        let alike = self.heads.get(begin..).unwrap_or_default();
        // Most often none or one, so the end of them is looked for from the front.
        let alike = match alike.iter().take(2).filter(|head| head_at(head) == wanted).count() {
            2 => alike.partition_point(|head| head_at(head) == wanted),
            few => few,
        };
        let (mut low, mut high) = (begin, begin + alike);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.rest_of(middle).cmp(rest) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal | Ordering::Greater => high = middle,
            }
        }
        low
    }

    /// The last key of a block without what all keys begin with.
    fn rest_of(&self, block: usize) -> &'a [u8] {
        let end = |block: usize| {
            self.places.get(block)?.last_chunk().map(|end| u32::from_le_bytes(*end) as usize)
        };
        let begin = block.checked_sub(1).map_or(Some(0), end);
        let key = begin.zip(end(block)).and_then(|(begin, end)| self.keys.get(begin..end));
        key.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    fn key() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            vec(any::<u8>(), 0..12),
            vec(0..2_u8, 0..12),
            vec(0..2_u8, 0..4).prop_map(|end| [&[7; 9][..], &end].concat())
        ]
    }

    proptest! {
        #[test]
        fn the_first_block_that_ends_behind_a_key_is_found(
            keys in btree_set(key(), 1..300),
            others in vec(key(), 30),
            prefix in vec(any::<u8>(), 0..3),
        ) {
            let with_prefix = |key: &Vec<u8>| [prefix.as_slice(), key].concat();
            let mut builder = IndexBuilder::default();
            for (number, key) in keys.iter().enumerate() {
                let place = BlockPlace { begin: number as u32, length: 5 };
                builder.push(place, &with_prefix(key));
            }
            let bytes = builder.finish(prefix.len());
            let samples = samples(&bytes, builder.len());
            let index = Index::read(&bytes, builder.len(), &prefix, &samples).unwrap();
            for wanted in others.iter().chain(&keys).map(with_prefix).chain(others.clone()) {
                let expected = keys.iter().take_while(|key| with_prefix(key) < wanted).count();
                prop_assert_eq!(index.find(&wanted), expected);
            }
            prop_assert_eq!(index.place(0), Some(BlockPlace { begin: 0, length: 5 }));
            prop_assert_eq!(index.place(keys.len()), None);
        }
    }
}
