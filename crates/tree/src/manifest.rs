//! The list of tables, by which a directory is a tree.
//!
//! It is rewritten with every change, beside the old one, and takes its place by a rename. A file
//! that is not in it belongs to a change that was cut short.
//!
//! | what | as |
//! |---|---|
//! | `MONOLST` and 1, the version of this layout | 8 bytes |
//! | id of the next table, highest commit that is in no memtable any more, commit of the newest removed range | `u64` each |
//! | number of removed ranges; for each: first key, whether it has an end, end, commit | `u32`; length as `u32` and bytes, `u8`, length and bytes, `u64` |
//! | number of tables; for each: level, id, bytes, checksum of its end | `u32`; `u32`, `u64`, `u64`, `u64` |
//! | XXH3 of all that | `u64` |
//!
//! Integers are little-endian. Tables of level 0 are listed with the newest first.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::removed::{RemovedRange, RemovedRanges};
use crate::table::Table;
use crate::{Error, Result};

const MAGIC: &[u8; 8] = b"MONOLST\x01";
const NAME: &str = "MANIFEST";
const NEXT_NAME: &str = "MANIFEST.next";
const TABLES: &str = "tables";
/// Only the owner may read and write it.
const FILE_MODE: u32 = 0o600;

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    pub(crate) next_id: u64,
    pub(crate) persisted: u64,
    pub(crate) removed: RemovedRanges,
    pub(crate) tables: Vec<ListedTable>,
}

/// A table of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ListedTable {
    pub(crate) level: u32,
    pub(crate) id: u64,
    pub(crate) bytes: u64,
    pub(crate) checksum: u64,
}

impl Manifest {
    /// The file that it is in.
    pub fn path(directory: &Path) -> PathBuf {
        directory.join(NAME)
    }

    /// The files of its tables.
    pub fn table_paths(&self, directory: &Path) -> Vec<PathBuf> {
        self.tables.iter().map(|table| table_path(directory, table.id)).collect()
    }

    /// The highest commit that is in tables, or came to nothing.
    pub fn persisted(&self) -> u64 {
        self.persisted
    }

    /// Reads the list, and changes nothing.
    pub fn read(directory: &Path) -> Result<Manifest> {
        let path = Manifest::path(directory);
        let bytes = fs::read(&path).map_err(Error::io(&path))?;
        decode(&bytes).map_err(|what| Error::damaged(&path, what))
    }

    /// Refuses a directory that has a file of a name that no tree makes, or lacks a table.
    pub fn check_names(&self, directory: &Path) -> Result<()> {
        for path in list(directory)? {
            let known = [NAME, NEXT_NAME, TABLES];
            if !known.iter().any(|known| path.file_name().is_some_and(|name| name == *known)) {
                return Err(foreign(&path));
            }
        }
        let found = list(&directory.join(TABLES))?;
        if let Some(foreign_path) = found.iter().find(|path| table_id(path).is_none()) {
            return Err(foreign(foreign_path));
        }
        match self.table_paths(directory).iter().find(|path| !found.contains(path)) {
            Some(missing) => Err(Error::damaged(missing, "it is missing")),
            None => Ok(()),
        }
    }

    /// Opens a table of the list. It must be the one that was written.
    pub(crate) fn open_table(directory: &Path, listed: &ListedTable) -> Result<Table> {
        let path = table_path(directory, listed.id);
        let table = Table::open(&path)?;
        let found = (table.id(), table.size_bytes(), table.checksum());
        if found == (listed.id, listed.bytes, listed.checksum) {
            Ok(table)
        } else {
            Err(Error::damaged(&path, "it is another table than the one that is listed"))
        }
    }

    /// Opens all tables one after the other, and compares everything in them with its checksum.
    /// `found` is given each path with what is wrong with it, `read` how many bytes were read.
    pub fn verify_tables(
        &self,
        directory: &Path,
        read: &mut dyn FnMut(u64),
        found: &mut dyn FnMut(PathBuf, Result<()>),
    ) {
        for listed in &self.tables {
            let opened = Manifest::open_table(directory, listed);
            found(table_path(directory, listed.id), opened.and_then(|table| table.verify(read)));
        }
    }

    /// Puts the list in the place of the one before, durably.
    pub(crate) fn write(&self, directory: &Path) -> Result<()> {
        let next = directory.join(NEXT_NAME);
        let write = || {
            let mut options = OpenOptions::new();
            options.write(true).create(true).truncate(true).mode(FILE_MODE);
            let mut file = options.open(&next)?;
            file.write_all(&self.encode())?;
            file.sync_all()?;
            fs::rename(&next, Manifest::path(directory))?;
            File::open(directory)?.sync_all()
        };
        write().map_err(Error::io(&next))
    }

    /// Removes the files of changes that were cut short.
    pub(crate) fn remove_leftovers(&self, directory: &Path) -> Result<()> {
        let listed = self.table_paths(directory);
        let tables = list(&directory.join(TABLES))?;
        let next = Some(directory.join(NEXT_NAME)).filter(|next| next.exists());
        for path in tables.into_iter().filter(|path| !listed.contains(path)).chain(next) {
            fs::remove_file(&path).map_err(Error::io(&path))?;
        }
        Ok(())
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for number in [self.next_id, self.persisted, self.removed.newest()] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&(self.removed.iter().count() as u32).to_le_bytes());
        for range in self.removed.iter() {
            push_key(&mut bytes, &range.start);
            bytes.push(u8::from(range.end.is_some()));
            push_key(&mut bytes, range.end.as_deref().unwrap_or_default());
            bytes.extend_from_slice(&range.number.to_le_bytes());
        }
        bytes.extend_from_slice(&(self.tables.len() as u32).to_le_bytes());
        for table in &self.tables {
            bytes.extend_from_slice(&table.level.to_le_bytes());
            for number in [table.id, table.bytes, table.checksum] {
                bytes.extend_from_slice(&number.to_le_bytes());
            }
        }
        let checksum = xxh3_64(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes
    }
}

fn push_key(bytes: &mut Vec<u8>, key: &[u8]) {
    bytes.extend_from_slice(&(key.len() as u32).to_le_bytes());
    bytes.extend_from_slice(key);
}

fn decode(bytes: &[u8]) -> Result<Manifest, &'static str> {
    let (content, checksum) = bytes.split_last_chunk().ok_or("it is too short")?;
    if xxh3_64(content) != u64::from_le_bytes(*checksum) {
        return Err("it has another checksum");
    }
    let content = content.strip_prefix(MAGIC).ok_or("it is no list of tables")?;
    parse(&mut Reader { rest: content }).ok_or("it makes no sense")
}

fn parse(reader: &mut Reader<'_>) -> Option<Manifest> {
    let (next_id, persisted, newest) = (reader.u64()?, reader.u64()?, reader.u64()?);
    let mut ranges = Vec::new();
    for _ in 0..reader.u32()? {
        let start = reader.key()?;
        let has_end = reader.u8()? == 1;
        let end = Some(reader.key()?).filter(|_| has_end);
        ranges.push(RemovedRange { start, end, number: reader.u64()? });
    }
    let mut tables = Vec::new();
    for _ in 0..reader.u32()? {
        let (level, id) = (reader.u32()?, reader.u64()?);
        tables.push(ListedTable { level, id, bytes: reader.u64()?, checksum: reader.u64()? });
    }
    let removed = RemovedRanges::from_parts(ranges, newest);
    reader.rest.is_empty().then_some(Manifest { next_id, persisted, removed, tables })
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*taken)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn key(&mut self) -> Option<Vec<u8>> {
        let length = self.u32()? as usize;
        let (key, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(key.to_vec())
    }
}

/// Where the tables are.
pub(crate) fn tables_path(directory: &Path) -> PathBuf {
    directory.join(TABLES)
}

/// Where a table is.
pub(crate) fn table_path(directory: &Path, id: u64) -> PathBuf {
    directory.join(TABLES).join(id.to_string())
}

/// The id that a file's name says.
fn table_id(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    name.parse::<u64>().ok().filter(|id| id.to_string() == name)
}

fn foreign(path: &Path) -> Error {
    Error::damaged(path, "no store makes a file of this name")
}

fn list(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(directory).map_err(Error::io(directory))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    paths.collect::<std::io::Result<_>>().map_err(Error::io(directory))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let range = |start: &[u8], end: Option<&[u8]>| RemovedRange {
            start: start.to_vec(),
            end: end.map(<[u8]>::to_vec),
            number: 7,
        };
        Manifest {
            next_id: 12,
            persisted: 99,
            removed: RemovedRanges::default().with(range(b"a", Some(b"b"))).with(range(b"x", None)),
            tables: vec![ListedTable { level: 2, id: 4, bytes: 5_000, checksum: u64::MAX }],
        }
    }

    #[test]
    fn a_list_reads_back_as_it_was_written() {
        let directory = tempfile::tempdir().unwrap();
        for manifest in [Manifest::default(), manifest()] {
            manifest.write(directory.path()).unwrap();
            assert_eq!(Manifest::read(directory.path()).unwrap(), manifest);
        }
    }

    #[test]
    fn every_changed_bit_and_every_cut_is_noticed() {
        let bytes = manifest().encode();
        for place in 0..bytes.len() {
            assert!(decode(&bytes[..place]).is_err());
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[place] ^= 1 << bit;
                assert!(decode(&changed).is_err());
            }
        }
    }

    #[test]
    fn foreign_names_and_missing_tables_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join(TABLES)).unwrap();
        Manifest::default().check_names(directory.path()).unwrap();
        let error = manifest().check_names(directory.path()).unwrap_err().to_string();
        assert!(error.ends_with("tables/4 is corrupt: it is missing"), "{error}");
        for name in ["notes.txt", "tables/+1", "tables/007", "tables/x"] {
            let path = directory.path().join(name);
            fs::write(&path, "mine").unwrap();
            let error = Manifest::default().check_names(directory.path()).unwrap_err();
            let expected =
                format!("{} is corrupt: no store makes a file of this name", path.display());
            assert_eq!(error.to_string(), expected);
            fs::remove_file(&path).unwrap();
        }
    }
}
