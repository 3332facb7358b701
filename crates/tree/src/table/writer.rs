//! Writing a table.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use xxhash_rust::xxh3::xxh3_64;

use super::block::{BlockBuilder, common};
use super::index::{BlockPlace, IndexBuilder};
use super::{Meta, filter};
use crate::{Error, Result};

/// How much is kept together, at least. A search goes through one block; smaller ones make the
/// index larger.
const BLOCK_BYTES: usize = 8 << 10;
/// How much is written and synced at once. A sync of a whole table would keep the disk from the
/// syncs of commits for tens of milliseconds.
const WRITE_BYTES: usize = 1 << 20;
/// Only the owner may read and write a table.
const FILE_MODE: u32 = 0o600;

/// A table that is being written. It is removed again unless it is finished.
#[derive(Debug)]
pub(crate) struct TableWriter {
    path: PathBuf,
    file: File,
    /// What is not written to the file yet.
    buffer: Vec<u8>,
    written_bytes: u64,
    block: BlockBuilder,
    index: IndexBuilder,
    hashes: Vec<u64>,
    meta: Meta,
    is_finished: bool,
}

impl TableWriter {
    /// Begins the table `id` in a file that must not be there, with the number of the newest
    /// removed range that is applied.
    pub(crate) fn create(path: PathBuf, id: u64, applied: u64) -> Result<TableWriter> {
        let options = OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(&path);
        let file = options.map_err(Error::io(&path))?;
        let meta = Meta { id, applied, first_number: u64::MAX, ..Meta::default() };
        Ok(TableWriter {
            path,
            file,
            buffer: Vec::with_capacity(WRITE_BYTES + 2 * BLOCK_BYTES),
            written_bytes: 0,
            block: BlockBuilder::default(),
            index: IndexBuilder::default(),
            hashes: Vec::new(),
            meta,
            is_finished: false,
        })
    }

    /// Adds an entry, whose key is above all before.
    pub(crate) fn push(&mut self, key: &[u8], number: u64, value: Option<&[u8]>) -> Result<()> {
        if self.hashes.is_empty() {
            self.meta.first_key = key.to_vec();
        }
        self.block.push(key, number, value);
        self.hashes.push(xxh3_64(key));
        self.meta.entries += 1;
        self.meta.deletions += u64::from(value.is_none());
        self.meta.first_number = self.meta.first_number.min(number);
        self.meta.last_number = self.meta.last_number.max(number);
        if self.block.size_bytes() >= BLOCK_BYTES {
            self.finish_block()?;
        }
        Ok(())
    }

    /// How large it has become.
    pub(crate) fn size_bytes(&self) -> u64 {
        self.written_bytes + self.buffer.len() as u64 + self.block.size_bytes() as u64
    }

    fn finish_block(&mut self) -> Result<()> {
        let begin = self.written_bytes + self.buffer.len() as u64;
        let before = self.buffer.len();
        self.block.finish(self.meta.id, &mut self.buffer);
        let length = (self.buffer.len() - before) as u64;
        let place = u32::try_from(begin).ok().zip(u32::try_from(length).ok());
        let (begin, length) = place.ok_or_else(|| {
            Error::damaged(&self.path, "more was written to it than a table holds")
        })?;
        self.index.push(BlockPlace { begin, length }, self.block.last_key());
        if self.buffer.len() >= WRITE_BYTES {
            self.write()?;
            self.file.sync_data().map_err(Error::io(&self.path))?;
        }
        Ok(())
    }

    fn write(&mut self) -> Result<()> {
        self.file.write_all(&self.buffer).map_err(Error::io(&self.path))?;
        self.written_bytes += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Writes what is left, and brings everything to disk.
    pub(crate) fn finish(mut self) -> Result<PathBuf> {
        if !self.block.is_empty() {
            self.finish_block()?;
        }
        self.meta.last_key = self.block.last_key().to_vec();
        self.meta.blocks = self.index.len() as u64;
        self.meta.block_bytes = self.written_bytes + self.buffer.len() as u64;
        let index = self.index.finish(common(&self.meta.first_key, &self.meta.last_key));
        self.meta.index_bytes = index.len() as u64;
        self.meta.index_checksum = xxh3_64(&index);
        let filter = filter::build(&self.hashes);
        self.meta.filter_bytes = filter.len() as u64;
        self.meta.filter_checksum = xxh3_64(&filter);
        for part in [index, filter, self.meta.encode()] {
            self.buffer.extend_from_slice(&part);
            self.write()?;
        }
        self.file.sync_all().map_err(Error::io(&self.path))?;
        self.is_finished = true;
        Ok(self.path.clone())
    }
}

impl Drop for TableWriter {
    fn drop(&mut self) {
        if !self.is_finished {
            // If it stays, the next opening removes it.
            drop(fs::remove_file(&self.path));
        }
    }
}
