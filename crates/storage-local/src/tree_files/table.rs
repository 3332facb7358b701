//! A table: what is verified of it when a store is opened, and all of it.
//!
//! A block has a head of 33 bytes: `LSM` and 3, its kind, XXH3-128 of what follows the head, how long that is, how long it is without compression, and
//! the lower half of the lower half of XXH3-128 of the head. Every section but `table_version` consists of blocks.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use lsm_tree::table::block::BlockType;
use lsm_tree::table::{Block, DataBlock};
use lsm_tree::{CompressionType, SeqNo};
use xxhash_rust::xxh3::Xxh3Default;

use super::FileError;
use super::sections::{Section, Sections};

const DATA: &[u8] = b"data";
const META: &str = "meta";
const HIGHEST_SEQUENCE_NUMBER: &[u8] = b"seqno#max";
const READ_BYTES: usize = 256 << 10;

/// The one section without blocks. It says what the metadata says again, and nothing reads it.
const WITHOUT_BLOCKS: &[u8] = b"table_version";

/// Refuses a table whose end or metadata is damaged, and returns the highest sequence number in it.
pub(super) fn refuse_table(path: &Path) -> Result<SeqNo, FileError> {
    let file = File::open(path)?;
    let sections = Sections::read(&file)?;
    let meta = sections.find(META)?.read(&file)?;
    let block = read_block(&mut meta.as_slice())?;
    if block.header.block_type != BlockType::Meta {
        return Err(FileError::damaged("its metadata is another block"));
    }
    let number = DataBlock::new(block).point_read(HIGHEST_SEQUENCE_NUMBER, SeqNo::MAX);
    let number = number.and_then(|entry| entry.value.first_chunk().copied());
    number
        .map(u64::from_le_bytes)
        .ok_or_else(|| FileError::damaged("its metadata has no highest sequence number"))
}

/// Whether a table was written to its end. One that was not is named by no list.
pub(crate) fn is_finished(path: &Path) -> Result<bool, FileError> {
    match Sections::read(&File::open(path)?) {
        Ok(_) => Ok(true),
        Err(FileError::Damaged(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Reads a table whole, compares it with its checksum, and says which block is damaged.
pub(crate) fn check_table(
    path: &Path,
    checksum: u128,
    read: &mut dyn FnMut(u64),
) -> Result<(), FileError> {
    let file = File::open(path)?;
    if checksum_of(&file, read)? == checksum {
        return Ok(());
    }
    for section in Sections::read(&file)?.iter() {
        check_blocks(&file, section)?;
    }
    Err(FileError::damaged("it does not have the checksum that the list of tables names"))
}

/// Reads what a table has besides its data: indexes, filters, metadata.
pub(crate) fn check_index(path: &Path) -> Result<(), FileError> {
    let file = File::open(path)?;
    let sections = Sections::read(&file)?;
    let mut others = sections.iter().filter(|section| section.name != DATA);
    others.try_for_each(|section| check_blocks(&file, section))
}

fn checksum_of(mut file: &File, read: &mut dyn FnMut(u64)) -> io::Result<u128> {
    let (mut hasher, mut buffer) = (Xxh3Default::new(), vec![0; READ_BYTES]);
    file.seek(SeekFrom::Start(0))?;
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            return Ok(hasher.digest128());
        }
        hasher.update(buffer.get(..count).unwrap_or_default());
        read(count as u64);
    }
}

fn check_blocks(mut file: &File, section: &Section) -> Result<(), FileError> {
    if section.name == WITHOUT_BLOCKS {
        return Ok(());
    }
    file.seek(SeekFrom::Start(section.begin))?;
    let mut reader = BufReader::with_capacity(READ_BYTES, file.take(section.length_bytes));
    let left = |reader: &BufReader<io::Take<&File>>| {
        reader.get_ref().limit() + reader.buffer().len() as u64
    };
    loop {
        let offset = section.begin + section.length_bytes - left(&reader);
        if left(&reader) == 0 {
            return Ok(());
        }
        read_block(&mut reader).map_err(|error| match error {
            FileError::Damaged(what) => FileError::Damaged(format!("at byte {offset}, {what}")),
            FileError::Io(error) => FileError::Io(error),
        })?;
    }
}

fn read_block(reader: &mut impl Read) -> Result<Block, FileError> {
    Block::from_reader(reader, CompressionType::None).map_err(|error| match error {
        lsm_tree::Error::Io(error) => FileError::from(error),
        _ => FileError::damaged("a block is not as it was written"),
    })
}

#[cfg(test)]
mod tests {
    use lsm_tree::{AbstractTree, SequenceNumberCounter};

    use super::*;
    use crate::tree_files::Manifest;
    use crate::tree_shape;

    /// A tree with one table of some blocks.
    fn make(tree: &Path) -> (std::path::PathBuf, u128) {
        let numbers = SequenceNumberCounter::new(1);
        let made = tree_shape::config(tree, 1 << 20, &numbers).open().unwrap();
        for number in 0..50_u8 {
            let _ = made.insert([number], [number; 900], 7);
        }
        made.flush_active_memtable(0).unwrap();
        Manifest::read(tree).unwrap().tables().next().unwrap()
    }

    #[test]
    fn every_byte_that_an_opening_goes_by_is_verified() {
        let temporary = tempfile::tempdir().unwrap();
        let (path, checksum) = make(&temporary.path().join("data"));
        assert_eq!(refuse_table(&path).unwrap(), 7);
        let (bytes, meta) = (std::fs::read(&path).unwrap(), META.as_bytes());
        let sections = Sections::read(&File::open(&path).unwrap()).unwrap();
        let begin = sections.iter().find(|section| section.name == meta).unwrap().begin;
        for offset in begin as usize..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[offset] ^= 1 << (offset % 8);
            std::fs::write(&path, damaged).unwrap();
            assert!(matches!(refuse_table(&path), Err(FileError::Damaged(_))), "byte {offset}");
            assert!(check_table(&path, checksum, &mut |_| ()).is_err());
        }
        for length in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            std::fs::write(&path, &bytes[..length]).unwrap();
            assert!(matches!(refuse_table(&path), Err(FileError::Damaged(_))), "{length} bytes");
            assert!(!is_finished(&path).unwrap());
        }
    }

    #[test]
    fn the_block_that_is_damaged_is_told() {
        let temporary = tempfile::tempdir().unwrap();
        let (path, checksum) = make(&temporary.path().join("data"));
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[10_000] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let error = check_table(&path, checksum, &mut |_| ()).unwrap_err().to_string();
        let begin = error.strip_prefix("at byte ").and_then(|rest| rest.split(',').next());
        let begin: usize = begin.unwrap().parse().unwrap();
        assert!((1..=10_000).contains(&begin), "{error}");
        // What the blocks beside the data say is good.
        check_index(&path).unwrap();
    }
}
