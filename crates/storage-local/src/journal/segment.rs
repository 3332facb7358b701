//! A segment: the records of one memtable, or of several that were filled one after the other.
//!
//! A segment is one use of a file. Its first block is a head that names it; records follow, a block
//! or more each. When nothing of it is needed any more the file becomes the place of a later
//! segment: its old bytes stay and are overwritten. So a sync finds a file whose length and blocks
//! do not change, and does not have to wait for the file system's own journal, which all other
//! files of the disk share.
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | `MONOJRNL` |
//! | 8..16 | XXH3 of all that follows |
//! | 16..20 | version of this layout, 2 |
//! | 20..28 | the segment's number; each segment of a store has the next one |
//! | 28..36 | the oldest segment that was needed when this one began |
//! | 36..44 | the number of its first record |
//! | 44..52 | the position of the last append before it |
//! | 52..60 | the sequence number of the last commit before it: no table has a higher one, as the tables are written later |
//! | 60..68 | the store's salt, the same in all heads: nobody who can choose what is stored can make it look like a record |
//! | 2048..2056 | XXH3 of what follows, with the seed of the segment |
//! | 2056..2064 | if the store was closed with this segment: the number after its last record |
//!
//! The closing note is written when everything else is on disk, and nothing is written to the
//! segment after it. So nothing of the segment may be missing, even if its file is cut off. It lies
//! in the first block, which is never longer than a file; the head beside it is written again with
//! the same bytes, so that it does no harm if the block is written by half.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::record::{BLOCK_BYTES, u32_at, u64_at};

const MAGIC: &[u8; 8] = b"MONOJRNL";
const LAYOUT: u32 = 2;
const HEAD_BYTES: usize = 68;

/// What the first block of a segment says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SegmentHead {
    /// The segment's number.
    pub(crate) number: u64,
    /// The oldest segment that was needed when this one began.
    pub(crate) oldest_needed: u64,
    /// The number of its first record.
    pub(crate) first_record: u64,
    /// The position of the last append before it.
    pub(crate) last_position: u64,
    /// The sequence number of the last commit before it.
    pub(crate) last_sequence_number: u64,
    /// The store's salt.
    pub(crate) salt: u64,
}

impl SegmentHead {
    /// What the checksums of the segment's records are seeded with. It distinguishes them from
    /// records that an earlier use of the file left.
    pub(crate) fn seed(self) -> u64 {
        seed(self.salt, self.number)
    }

    /// The block as it is to be written.
    pub(crate) fn to_block(self) -> Vec<u8> {
        let mut checked = LAYOUT.to_le_bytes().to_vec();
        let fields = [
            self.number,
            self.oldest_needed,
            self.first_record,
            self.last_position,
            self.last_sequence_number,
            self.salt,
        ];
        checked.extend(fields.iter().flat_map(|field| field.to_le_bytes()));
        let mut block = MAGIC.to_vec();
        block.extend(xxh3_64(&checked).to_le_bytes());
        block.extend(checked);
        block.resize(BLOCK_BYTES, 0);
        block
    }

    /// Reads a block; none if it is not the head of a segment.
    pub(crate) fn read(block: &[u8]) -> Option<SegmentHead> {
        let head = block.get(..HEAD_BYTES)?;
        let checked = head.get(16..)?;
        let is_head = head.starts_with(MAGIC)
            && u64_at(head, 8) == xxh3_64(checked)
            && u32_at(head, 16) == LAYOUT;
        is_head.then(|| SegmentHead {
            number: u64_at(head, 20),
            oldest_needed: u64_at(head, 28),
            first_record: u64_at(head, 36),
            last_position: u64_at(head, 44),
            last_sequence_number: u64_at(head, 52),
            salt: u64_at(head, 60),
        })
    }
}

/// Where the closing note lies.
pub(crate) const CLOSING_OFFSET: usize = 2048;

/// Says that a segment with this seed was closed before the record with this number.
pub(crate) fn closing_note(seed: u64, next_record: u64) -> [u8; 16] {
    let number = next_record.to_le_bytes();
    let mut note = [0; 16];
    let bytes = xxh3_64_with_seed(&number, seed).to_le_bytes().into_iter().chain(number);
    note.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
    note
}

/// The number that the closing note of a first block has, if there is one.
pub(crate) fn read_closing_note(block: &[u8], seed: u64) -> Option<u64> {
    let note = block.get(CLOSING_OFFSET..)?.first_chunk::<16>()?;
    let number = u64_at(note, 8);
    (*note == closing_note(seed, number)).then_some(number)
}

/// The seed of a segment of the store with this salt.
pub(crate) fn seed(salt: u64, segment: u64) -> u64 {
    salt.wrapping_add(segment)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: SegmentHead = SegmentHead {
        number: 9,
        oldest_needed: 8,
        first_record: 1234,
        last_position: 77,
        last_sequence_number: 5678,
        salt: 31,
    };

    #[test]
    fn a_head_reads_back_as_it_was_written() {
        let block = HEAD.to_block();
        assert_eq!(block.len(), BLOCK_BYTES);
        assert_eq!(SegmentHead::read(&block), Some(HEAD));
    }

    #[test]
    fn a_closing_note_reads_back_and_is_told_from_anything_else() {
        let mut block = HEAD.to_block();
        assert_eq!(read_closing_note(&block, HEAD.seed()), None);
        block[CLOSING_OFFSET..CLOSING_OFFSET + 16].copy_from_slice(&closing_note(HEAD.seed(), 99));
        assert_eq!(read_closing_note(&block, HEAD.seed()), Some(99));
        assert_eq!(read_closing_note(&block, HEAD.seed() + 1), None);
        assert_eq!(SegmentHead::read(&block), Some(HEAD));
        for place in CLOSING_OFFSET..CLOSING_OFFSET + 16 {
            let mut block = block.clone();
            block[place] ^= 1;
            assert_eq!(read_closing_note(&block, HEAD.seed()), None, "byte {place}");
        }
    }

    #[test]
    fn what_is_no_head_is_told_apart() {
        assert_eq!(SegmentHead::read(&[0; BLOCK_BYTES]), None);
        assert_eq!(SegmentHead::read(b"MONOJRNL"), None);
        for place in 0..HEAD_BYTES {
            let mut block = HEAD.to_block();
            block[place] ^= 1;
            assert_eq!(SegmentHead::read(&block), None, "byte {place}");
        }
    }
}
