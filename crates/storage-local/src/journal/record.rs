//! One commit as it lies in the journal.
//!
//! A record begins on a block of its own, so that writing it never changes a block that holds an
//! earlier one, and so that a block of a used file is overwritten whole, without reading it first.
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | XXH3 of all that follows, up to the end of the writes, with the seed of the segment |
//! | 8..12 | length of the writes |
//! | 12..16 | 0 |
//! | 16..24 | the record's number; each record of a store has the next one |
//! | 24..32 | the sequence number of its writes in the tree |
//! | 32..40 | the position of the last append, of this record or from before it |
//! | 40..48 | all records with a lower number than this were on disk when this one was written |
//! | 48.. | the writes: length of the key, length of the value or `ff ff ff ff` for a deletion, key, value; or, for a range that is removed before them, length of its first key, `fe ff ff ff`, length of the first key behind it or `ff ff ff ff` if there is none, the two keys |
//!
//! All integers are little-endian.

use monotable_tree::RemovedRange;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// What is read and written as a whole.
pub(crate) const BLOCK_BYTES: usize = 4096;
/// The fixed part of a record.
pub(crate) const HEAD_BYTES: usize = 48;
const CHECKSUM_BYTES: usize = 8;
/// The length of a value that is not there.
const DELETED: u32 = u32::MAX;
/// What stands for the length of a value where a range is removed.
const REMOVED_RANGE: u32 = u32::MAX - 1;
/// The length of the end of a range that has none.
const ENDLESS: u32 = u32::MAX;

/// The fixed part of a record, but for its checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordHead {
    /// Length of the writes.
    pub(crate) writes_bytes: u32,
    /// The record's number.
    pub(crate) number: u64,
    /// The sequence number of its writes in the tree.
    pub(crate) sequence_number: u64,
    /// The position of the last append.
    pub(crate) last_position: u64,
    /// All records with a lower number were on disk when this one was written.
    pub(crate) on_disk_below: u64,
}

impl RecordHead {
    /// Reads the fixed part, which says nothing about whether the record is whole.
    pub(crate) fn read(head: &[u8; HEAD_BYTES]) -> RecordHead {
        RecordHead {
            writes_bytes: u32_at(head, 8),
            number: u64_at(head, 16),
            sequence_number: u64_at(head, 24),
            last_position: u64_at(head, 32),
            on_disk_below: u64_at(head, 40),
        }
    }

    /// How many bytes of its segment the record takes.
    pub(crate) fn segment_bytes(&self) -> u64 {
        (HEAD_BYTES as u64 + u64::from(self.writes_bytes)).next_multiple_of(BLOCK_BYTES as u64)
    }
}

/// Returns whether a record, without what fills its last block, is as it was written to the segment
/// with this seed.
pub(crate) fn is_whole(record: &[u8], seed: u64) -> bool {
    let Some((checksum, rest)) = record.split_first_chunk::<CHECKSUM_BYTES>() else { return false };
    u64::from_le_bytes(*checksum) == xxh3_64_with_seed(rest, seed)
}

/// Where records are put together. It keeps its memory, which is that of the largest group lately.
#[derive(Debug, Default)]
pub(crate) struct RecordBuffer {
    bytes: Vec<u8>,
}

/// Memory beyond this is given back, so that one large commit is not remembered for ever.
const KEPT_BYTES: usize = 1 << 20;

impl RecordBuffer {
    /// Begins a record.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(KEPT_BYTES);
        self.bytes.resize(HEAD_BYTES, 0);
    }

    /// Adds a write; no value is a deletion.
    pub(crate) fn push(&mut self, key: &[u8], value: Option<&[u8]>) {
        let value_bytes = value.map_or(DELETED, length);
        self.bytes.extend_from_slice(&length(key).to_le_bytes());
        self.bytes.extend_from_slice(&value_bytes.to_le_bytes());
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(value.unwrap_or_default());
    }

    /// Adds a range that is removed before the writes.
    pub(crate) fn push_range(&mut self, range: &RemovedRange) {
        let end_bytes = range.end.as_deref().map_or(ENDLESS, length);
        for number in [length(&range.start), REMOVED_RANGE, end_bytes] {
            self.bytes.extend_from_slice(&number.to_le_bytes());
        }
        self.bytes.extend_from_slice(&range.start);
        self.bytes.extend_from_slice(range.end.as_deref().unwrap_or_default());
    }

    /// Completes the record: whole blocks, as they are to be written. The head is made from the
    /// length of the writes.
    pub(crate) fn finish(&mut self, seed: u64, make_head: impl FnOnce(u32) -> RecordHead) -> &[u8] {
        let writes_bytes = u32::try_from(self.bytes.len() - HEAD_BYTES);
        let head = make_head(writes_bytes.expect("a group is far below 4 GiB"));
        let fixed = [
            &head.writes_bytes.to_le_bytes()[..],
            &[0; 4],
            &head.number.to_le_bytes(),
            &head.sequence_number.to_le_bytes(),
            &head.last_position.to_le_bytes(),
            &head.on_disk_below.to_le_bytes(),
        ];
        let places = self.bytes.iter_mut().skip(CHECKSUM_BYTES);
        places.zip(fixed.into_iter().flatten()).for_each(|(place, byte)| *place = *byte);
        let checked = self.bytes.get(CHECKSUM_BYTES..).unwrap_or_default();
        let checksum = xxh3_64_with_seed(checked, seed).to_le_bytes();
        self.bytes.iter_mut().zip(checksum).for_each(|(place, byte)| *place = byte);
        self.bytes.resize(self.bytes.len().next_multiple_of(BLOCK_BYTES), 0);
        &self.bytes
    }
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).expect("keys and values are far below 4 GiB")
}

/// A record that was read back.
#[derive(Debug)]
pub(crate) struct JournalRecord {
    pub(crate) head: RecordHead,
    /// Head and writes.
    bytes: Vec<u8>,
}

/// One write of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Write<'a> {
    /// A key and its value; no value is a deletion.
    Entry(&'a [u8], Option<&'a [u8]>),
    /// The first key of a range that is removed, and the first behind it if it has an end.
    RemovedRange(&'a [u8], Option<&'a [u8]>),
}

impl JournalRecord {
    /// Takes the bytes of a record that is whole.
    pub(crate) fn new(head: RecordHead, bytes: Vec<u8>) -> JournalRecord {
        JournalRecord { head, bytes }
    }

    /// Head and writes as they were read.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The writes in the order of their keys; an error if they do not fill the record as they
    /// should.
    pub(crate) fn writes(&self) -> impl Iterator<Item = Result<Write<'_>, Malformed>> {
        let mut rest = self.bytes.get(HEAD_BYTES..).unwrap_or_default();
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let write = split_write(rest);
            rest = write.map_or(&[], |(_, rest)| rest);
            Some(write.map(|(write, _)| write).ok_or(Malformed))
        })
    }
}

/// A record with the right checksum whose writes make no sense.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the writes of a record have the wrong form")]
pub(crate) struct Malformed;

fn split_write(bytes: &[u8]) -> Option<(Write<'_>, &[u8])> {
    let (key_bytes, rest) = bytes.split_first_chunk::<4>()?;
    let (value_bytes, rest) = rest.split_first_chunk::<4>()?;
    let key_bytes = u32::from_le_bytes(*key_bytes) as usize;
    if u32::from_le_bytes(*value_bytes) == REMOVED_RANGE {
        let (end_bytes, rest) = rest.split_first_chunk::<4>()?;
        let (start, rest) = rest.split_at_checked(key_bytes)?;
        let (end, rest) = split_optional(rest, u32::from_le_bytes(*end_bytes))?;
        return Some((Write::RemovedRange(start, end), rest));
    }
    let (key, rest) = rest.split_at_checked(key_bytes)?;
    let (value, rest) = split_optional(rest, u32::from_le_bytes(*value_bytes))?;
    Some((Write::Entry(key, value), rest))
}

/// Takes off so many bytes, or nothing for a length that says so.
fn split_optional(bytes: &[u8], length: u32) -> Option<(Option<&[u8]>, &[u8])> {
    match length {
        u32::MAX => Some((None, bytes)),
        length => bytes.split_at_checked(length as usize).map(|(it, rest)| (Some(it), rest)),
    }
}

/// An integer of a head. Those are arrays of a known size, so the place is always there.
pub(crate) fn u64_at(bytes: &[u8], begin: usize) -> u64 {
    bytes.get(begin..).and_then(|bytes| bytes.first_chunk()).map_or(0, |it| u64::from_le_bytes(*it))
}

/// The same, half as long.
pub(crate) fn u32_at(bytes: &[u8], begin: usize) -> u32 {
    bytes.get(begin..).and_then(|bytes| bytes.first_chunk()).map_or(0, |it| u32::from_le_bytes(*it))
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    const SEED: u64 = 7;

    fn written(writes: &[(Vec<u8>, Option<Vec<u8>>)]) -> (RecordHead, Vec<u8>) {
        let mut buffer = RecordBuffer::default();
        buffer.clear();
        writes.iter().for_each(|(key, value)| buffer.push(key, value.as_deref()));
        let bytes = buffer.finish(SEED, |writes_bytes| RecordHead {
            writes_bytes,
            number: 3,
            sequence_number: 40,
            last_position: 5,
            on_disk_below: 2,
        });
        (RecordHead::read(bytes.first_chunk().unwrap()), bytes.to_vec())
    }

    fn without_filling(head: RecordHead, bytes: &[u8]) -> &[u8] {
        &bytes[..HEAD_BYTES + head.writes_bytes as usize]
    }

    proptest! {
        #[test]
        fn a_record_reads_back_as_it_was_written(
            writes in vec((vec(any::<u8>(), 0..40),
                proptest::option::of(vec(any::<u8>(), 0..5000))), 0..20)
        ) {
            let (head, bytes) = written(&writes);
            prop_assert_eq!(bytes.len() as u64, head.segment_bytes());
            prop_assert_eq!((head.number, head.sequence_number, head.last_position), (3, 40, 5));
            prop_assert_eq!(head.on_disk_below, 2);
            let record = without_filling(head, &bytes);
            prop_assert!(is_whole(record, SEED));
            let record = JournalRecord::new(head, record.to_vec());
            let read: Vec<_> = record.writes().map(Result::unwrap).collect();
            let expected: Vec<_> =
                writes.iter().map(|(key, value)| Write::Entry(key, value.as_deref())).collect();
            prop_assert_eq!(read, expected);
        }

        #[test]
        fn removed_ranges_read_back(
            ranges in vec((vec(any::<u8>(), 0..40), proptest::option::of(vec(any::<u8>(), 0..40))),
                0..9)
        ) {
            let mut buffer = RecordBuffer::default();
            buffer.clear();
            for (start, end) in &ranges {
                buffer.push_range(&RemovedRange { start: start.clone(), end: end.clone(),
                    number: 1 });
                buffer.push(b"key", None);
            }
            let (head, _) = written(&[]);
            let record = JournalRecord::new(head, buffer.bytes);
            let read: Vec<_> = record.writes().map(Result::unwrap).collect();
            let expected: Vec<_> = ranges.iter().flat_map(|(start, end)| {
                [Write::RemovedRange(start, end.as_deref()), Write::Entry(b"key", None)]
            }).collect();
            prop_assert_eq!(read, expected);
        }

        #[test]
        fn a_changed_byte_or_another_seed_is_noticed(place in 0..60_usize, change in 1..=255_u8) {
            let (head, bytes) = written(&[(b"key".to_vec(), Some(b"a value".to_vec()))]);
            let mut record = without_filling(head, &bytes).to_vec();
            prop_assert!(!is_whole(&record, SEED + 1));
            let place = place % record.len();
            record[place] ^= change;
            prop_assert!(!is_whole(&record, SEED));
        }

        #[test]
        fn writes_of_the_wrong_form_are_an_error_and_end_there(bytes in vec(any::<u8>(), 1..60)) {
            let (head, _) = written(&[]);
            let record = JournalRecord::new(head, [vec![0; HEAD_BYTES], bytes].concat());
            prop_assert!(record.writes().take(100).filter(Result::is_err).count() <= 1);
        }
    }
}
