//! A segment: the records of one memtable, or of several that were filled one after the other.
//!
//! A segment is one use of a file. Its first block is a head that names it; records follow, a block or more each. When
//! nothing of it is needed any more the file becomes the place of a later segment: its old bytes stay and
//! are overwritten. So a sync finds a file whose length and blocks do not change, and does not have to wait for the file system's
//! own journal, which all other files of the disk share.
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

use xxhash_rust::xxh3::xxh3_64;

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
    /// What the checksums of the segment's records are seeded with. It tells them from records that an earlier use of the file left.
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
