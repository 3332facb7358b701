//! A table: sorted entries in a file that is written once and mapped.
//!
//! ```text
//! blocks │ index │ filter │ what the table says about itself
//! ```
//!
//! Each part has a checksum. Those of blocks are compared when a block is first read, those of
//! index and filter when the table is first read, and that of the end when the table is opened.
//! What was compared once is taken for good while the process runs.

mod block;
mod cursor;
mod filter;
mod index;
mod meta;
mod writer;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bytes::Bytes;
use xxhash_rust::xxh3::xxh3_64;

pub(crate) use cursor::TableCursor;
pub(crate) use meta::Meta;
pub(crate) use writer::TableWriter;

use crate::mapped::{self, Holders};
use crate::obsolete::ObsoleteFile;
use crate::removed::RemovedRange;
use crate::{Error, Found, Result};
use block::{Block, common};
use index::Index;

/// See the module.
pub struct Table {
    path: PathBuf,
    content: Bytes,
    holders: Holders,
    meta: Meta,
    /// How many bytes all keys begin with alike.
    prefix_bytes: usize,
    /// The checksum of what the table says about itself, by which a list of tables knows it.
    checksum: u64,
    /// A bit for each block whose checksum was compared.
    compared: Box<[AtomicU64]>,
    /// Samples of the index, once it and the filter were compared with their checksums.
    samples: OnceLock<Box<[u64]>>,
    /// Whether the file is removed when the table is no longer read.
    is_obsolete: AtomicBool,
}

impl Table {
    /// Opens a table.
    pub(crate) fn open(path: &Path) -> Result<Table> {
        let file = File::open(path).map_err(Error::io(path))?;
        let length = file.metadata().map_err(Error::io(path))?.len();
        let (content, holders) = match length {
            // Nothing cannot be mapped.
            0 => (Bytes::new(), Holders::default()),
            _ => mapped::map(&file).map_err(Error::io(path))?,
        };
        let (meta, checksum) = Meta::decode(&content).map_err(|what| Error::damaged(path, what))?;
        let words = (meta.blocks as usize).div_ceil(64);
        Ok(Table {
            path: path.to_owned(),
            content,
            holders,
            prefix_bytes: common(&meta.first_key, &meta.last_key),
            meta,
            checksum,
            compared: (0..words).map(|_| AtomicU64::new(0)).collect(),
            samples: OnceLock::new(),
            is_obsolete: AtomicBool::new(false),
        })
    }

    /// The file that it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn id(&self) -> u64 {
        self.meta.id
    }

    pub(crate) fn meta(&self) -> &Meta {
        &self.meta
    }

    pub(crate) fn checksum(&self) -> u64 {
        self.checksum
    }

    pub(crate) fn size_bytes(&self) -> u64 {
        self.content.len() as u64
    }

    pub(crate) fn first_key(&self) -> &[u8] {
        &self.meta.first_key
    }

    pub(crate) fn last_key(&self) -> &[u8] {
        &self.meta.last_key
    }

    /// Has the file removed when the table is no longer read.
    pub(crate) fn make_obsolete(&self) {
        self.is_obsolete.store(true, Ordering::Release);
    }

    /// Closes the table, and returns its file for removal. Parts of it may still be held.
    pub(crate) fn into_obsolete_file(mut self) -> ObsoleteFile {
        self.is_obsolete = AtomicBool::new(false);
        self.content = Bytes::new();
        ObsoleteFile::new(std::mem::take(&mut self.path), std::mem::take(&mut self.holders))
    }

    /// Returns whether a key may be there, by the filter alone.
    pub(crate) fn may_have(&self, key: &[u8], hash: u64) -> Result<bool> {
        if key < self.first_key() || key > self.last_key() {
            return Ok(false);
        }
        self.compare_index()?;
        Ok(filter::may_have(self.filter(), hash))
    }

    /// Looks for a key whose hash is known.
    pub(crate) fn get(&self, key: &[u8], hash: u64) -> Result<Option<Found>> {
        if !self.may_have(key, hash)? {
            return Ok(None);
        }
        let block = self.find_block(key)?;
        if block == self.block_count() {
            return Ok(None);
        }
        let found = self.block(block)?.find(key).ok_or_else(|| self.senseless(block))?;
        Ok(found.map(|entry| Found {
            number: entry.number,
            value: entry.value.map(|value| self.share(value)),
        }))
    }

    /// A part of the table that keeps it in memory.
    pub(crate) fn share(&self, part: &[u8]) -> Bytes {
        self.content.slice_ref(part)
    }

    pub(crate) fn block_count(&self) -> usize {
        self.meta.blocks as usize
    }

    /// How many blocks have keys of a removed range, about: the one where it ends does not count.
    pub(crate) fn blocks_in(&self, range: &RemovedRange) -> Result<usize> {
        let begin = self.find_block(&range.start)?;
        let end =
            range.end.as_deref().map_or(Ok(self.block_count()), |end| self.find_block(end))?;
        Ok(end.saturating_sub(begin))
    }

    /// The first block that ends with or behind a key.
    fn find_block(&self, key: &[u8]) -> Result<usize> {
        Ok(self.index()?.find(key))
    }

    fn block(&self, number: usize) -> Result<Block<'_>> {
        let place = self.index()?.place(number).ok_or_else(|| self.senseless(number))?;
        let (begin, length) = (place.begin as usize, place.length as usize);
        let bytes = self.content.get(begin..begin + length);
        let bytes = bytes.ok_or_else(|| self.senseless(number))?;
        let (word, bit) = (self.compared.get(number / 64), 1 << (number % 64));
        let is_compared = word.is_some_and(|word| word.load(Ordering::Relaxed) & bit != 0);
        if !is_compared {
            if !block::is_whole(bytes, self.meta.id) {
                let what = format!("the {length} bytes at {begin} have another checksum");
                return Err(Error::damaged(&self.path, what));
            }
            if let Some(word) = word {
                word.fetch_or(bit, Ordering::Relaxed);
            }
        }
        Block::read(bytes).ok_or_else(|| self.senseless(number))
    }

    fn senseless(&self, block: usize) -> Error {
        Error::damaged(&self.path, format!("block {block} makes no sense"))
    }

    fn part(&self, begin: u64, length: u64) -> &[u8] {
        let (begin, length) = (begin as usize, length as usize);
        self.content.get(begin..begin + length).unwrap_or_default()
    }

    fn index(&self) -> Result<Index<'_>> {
        let meta = &self.meta;
        let bytes = self.part(meta.block_bytes, meta.index_bytes);
        let prefix = meta.first_key.get(..self.prefix_bytes).unwrap_or_default();
        Index::read(bytes, self.block_count(), prefix, self.compare_index()?)
            .ok_or_else(|| Error::damaged(&self.path, "its index is too short"))
    }

    fn filter(&self) -> &[u8] {
        self.part(self.meta.block_bytes + self.meta.index_bytes, self.meta.filter_bytes)
    }

    /// Compares index and filter with their checksums, once. Returns samples of the index.
    fn compare_index(&self) -> Result<&[u64]> {
        if let Some(samples) = self.samples.get() {
            return Ok(samples);
        }
        let index = self.part(self.meta.block_bytes, self.meta.index_bytes);
        if xxh3_64(index) != self.meta.index_checksum {
            return Err(Error::damaged(&self.path, "its index has another checksum"));
        }
        if xxh3_64(self.filter()) != self.meta.filter_checksum {
            return Err(Error::damaged(&self.path, "its filter has another checksum"));
        }
        Ok(self.samples.get_or_init(|| index::samples(index, self.block_count())))
    }

    /// Compares everything with its checksum. `read` is called with the number of bytes of each
    /// part.
    pub fn verify(&self, read: &mut dyn FnMut(u64)) -> Result<()> {
        self.compare_index()?;
        read(self.meta.index_bytes + self.meta.filter_bytes + self.meta.size_bytes() as u64);
        let mut end = 0;
        for number in 0..self.block_count() {
            self.block(number)?;
            let place = self.index()?.place(number).ok_or_else(|| self.senseless(number))?;
            // Every byte must be in a block, or it would not be covered by any checksum.
            if place.begin != end {
                return Err(self.senseless(number));
            }
            end += place.length;
            read(place.length.into());
        }
        if u64::from(end) == self.meta.block_bytes {
            Ok(())
        } else {
            Err(Error::damaged(&self.path, "its blocks have another length than it says"))
        }
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        if self.is_obsolete.load(Ordering::Acquire) {
            // If it stays, the next opening removes it.
            drop(fs::remove_file(&self.path));
        }
    }
}

#[cfg(test)]
mod tests;
