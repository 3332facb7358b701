//! What a table says about itself, at its end.
//!
//! | what | as |
//! |---|---|
//! | id, blocks, bytes of the blocks, of the index and of the filter, entries, deletions, lowest and highest number, number of the newest removed range that was applied, XXH3 of the index, of the filter | `u64` each |
//! | first key, last key | length as `u32`, bytes |
//! | length of all that | `u32` |
//! | XXH3 of all that | `u64` |
//! | `MONOTBL` and 1, the version of this layout | 8 bytes |
//!
//! Integers are little-endian.

use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8; 8] = b"MONOTBL\x01";
const TAIL_BYTES: usize = 4 + 8 + 8;

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Meta {
    pub(crate) id: u64,
    pub(crate) blocks: u64,
    pub(crate) block_bytes: u64,
    pub(crate) index_bytes: u64,
    pub(crate) filter_bytes: u64,
    pub(crate) entries: u64,
    pub(crate) deletions: u64,
    pub(crate) first_number: u64,
    pub(crate) last_number: u64,
    /// Nothing in the table is hidden by a removed range up to this commit.
    pub(crate) applied: u64,
    pub(crate) index_checksum: u64,
    pub(crate) filter_checksum: u64,
    pub(crate) first_key: Vec<u8>,
    pub(crate) last_key: Vec<u8>,
}

impl Meta {
    /// The end of a table.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in [
            self.id,
            self.blocks,
            self.block_bytes,
            self.index_bytes,
            self.filter_bytes,
            self.entries,
            self.deletions,
            self.first_number,
            self.last_number,
            self.applied,
            self.index_checksum,
            self.filter_checksum,
        ] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        for key in [&self.first_key, &self.last_key] {
            bytes.extend_from_slice(&(key.len() as u32).to_le_bytes());
            bytes.extend_from_slice(key);
        }
        let (length, checksum) = (bytes.len() as u32, xxh3_64(&bytes));
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes.extend_from_slice(MAGIC);
        bytes
    }

    /// Reads the end of a table, with its checksum. The error says what is wrong.
    pub(super) fn decode(table: &[u8]) -> Result<(Meta, u64), &'static str> {
        let (rest, magic) = table.split_last_chunk().ok_or("it is too short")?;
        if magic != MAGIC {
            return Err("it does not end as tables do");
        }
        let (rest, checksum) = rest.split_last_chunk().ok_or("it is too short")?;
        let (rest, length) = rest.split_last_chunk().ok_or("it is too short")?;
        let begin = rest.len().checked_sub(u32::from_le_bytes(*length) as usize);
        let bytes = begin.and_then(|begin| rest.get(begin..)).ok_or("its end is too short")?;
        let checksum = u64::from_le_bytes(*checksum);
        if xxh3_64(bytes) != checksum {
            return Err("what it says about itself has another checksum");
        }
        let meta = Meta::parse(bytes).ok_or("what it says about itself makes no sense")?;
        let parts = [meta.block_bytes, meta.index_bytes, meta.filter_bytes];
        let parts_bytes = parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(*part));
        if parts_bytes != Some((rest.len() - bytes.len()) as u64) {
            return Err("it has another length than it says");
        }
        Ok((meta, checksum))
    }

    fn parse(bytes: &[u8]) -> Option<Meta> {
        let mut rest = bytes;
        let mut number = || {
            let (number, after) = rest.split_first_chunk()?;
            rest = after;
            Some(u64::from_le_bytes(*number))
        };
        let mut meta = Meta {
            id: number()?,
            blocks: number()?,
            block_bytes: number()?,
            index_bytes: number()?,
            filter_bytes: number()?,
            entries: number()?,
            deletions: number()?,
            first_number: number()?,
            last_number: number()?,
            applied: number()?,
            index_checksum: number()?,
            filter_checksum: number()?,
            ..Meta::default()
        };
        for key in [&mut meta.first_key, &mut meta.last_key] {
            let (length, after) = rest.split_first_chunk()?;
            let (bytes, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            *key = bytes.to_vec();
            rest = after;
        }
        rest.is_empty().then_some(meta)
    }

    /// What the end takes.
    pub(super) fn size_bytes(&self) -> usize {
        12 * 8 + 8 + self.first_key.len() + self.last_key.len() + TAIL_BYTES
    }
}
