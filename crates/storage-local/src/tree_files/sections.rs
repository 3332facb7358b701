//! The container that all files of the tree have: named sections, a list of them, and an end of fixed length.
//!
//! | bytes | what |
//! |---|---|
//! | 0.. | the sections, one after the other |
//! | then | the list: `TOC!`, how many, and of each its begin, its length, the length of its name, its name |
//! | last 38 | `SFA!`, version 1, kind of checksum 0, XXH3-128 of the list, begin of the list, length of the list |
//!
//! All integers are little-endian; begins and lengths have 8 bytes, the count 4, the length of a name 2.

use std::fs::File;
use std::os::unix::fs::FileExt;

use xxhash_rust::xxh3::xxh3_128;

use super::FileError;

const END_BYTES: u64 = 38;
const END_MAGIC: &[u8] = b"SFA!\x01\x00";
const LIST_MAGIC: &[u8] = b"TOC!";

/// One section of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) name: Vec<u8>,
    pub(super) begin: u64,
    pub(super) length_bytes: u64,
}

/// The sections of a file, as its verified list names them.
#[derive(Debug)]
pub(super) struct Sections {
    sections: Vec<Section>,
}

impl Sections {
    /// Reads the end of a file and the list that it names, and verifies both.
    pub(super) fn read(file: &File) -> Result<Sections, FileError> {
        let file_bytes = file.metadata()?.len();
        let end_begin = file_bytes.checked_sub(END_BYTES).ok_or_else(too_short)?;
        let end = read_at(file, end_begin, END_BYTES)?;
        let mut end = Reader(&end);
        if end.take(END_MAGIC.len())? != END_MAGIC {
            return Err(FileError::damaged("its end is not as it was written"));
        }
        let (checksum, begin, length_bytes) = (end.u128()?, end.u64()?, end.u64()?);
        if begin.checked_add(length_bytes) != Some(end_begin) {
            return Err(FileError::damaged("it does not have the length that its end says"));
        }
        let list = read_at(file, begin, length_bytes)?;
        if xxh3_128(&list) != checksum {
            return Err(FileError::damaged("the list of its sections has the wrong checksum"));
        }
        Ok(Sections { sections: decode(&list, begin)? })
    }

    /// The section with this name.
    pub(super) fn find(&self, name: &str) -> Result<&Section, FileError> {
        let section = self.sections.iter().find(|section| section.name == name.as_bytes());
        section.ok_or_else(|| FileError::damaged(format!("its section {name} is missing")))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Section> {
        self.sections.iter()
    }
}

impl Section {
    /// The bytes of the section.
    pub(super) fn read(&self, file: &File) -> Result<Vec<u8>, FileError> {
        read_at(file, self.begin, self.length_bytes)
    }
}

/// Reads bytes that are known to lie within the file, which bounds the memory.
fn read_at(file: &File, begin: u64, length_bytes: u64) -> Result<Vec<u8>, FileError> {
    let length = usize::try_from(length_bytes).map_err(|_| too_short())?;
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, begin)?;
    Ok(bytes)
}

/// Decodes a list whose checksum is right. All sections lie before it.
fn decode(list: &[u8], list_begin: u64) -> Result<Vec<Section>, FileError> {
    let mut reader = Reader(list);
    if reader.take(LIST_MAGIC.len())? != LIST_MAGIC {
        return Err(FileError::damaged("the list of its sections is not one"));
    }
    let count = reader.u32()?;
    let mut sections = Vec::new();
    for _ in 0..count {
        let (begin, length_bytes) = (reader.u64()?, reader.u64()?);
        let name_bytes = reader.u16()?.into();
        let name = reader.take(name_bytes)?.to_vec();
        if begin.checked_add(length_bytes).is_none_or(|end| end > list_begin) {
            return Err(FileError::damaged("a section lies outside of it"));
        }
        sections.push(Section { name, begin, length_bytes });
    }
    Ok(sections)
}

fn too_short() -> FileError {
    FileError::damaged("it is too short")
}

/// Takes integers from the front of some bytes.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], FileError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or_else(too_short)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const LENGTH: usize>(&mut self) -> Result<[u8; LENGTH], FileError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or_else(too_short)?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(super) fn u8(&mut self) -> Result<u8, FileError> {
        self.array().map(u8::from_le_bytes)
    }

    pub(super) fn u16(&mut self) -> Result<u16, FileError> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, FileError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, FileError> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn u128(&mut self) -> Result<u128, FileError> {
        self.array().map(u128::from_le_bytes)
    }
}
