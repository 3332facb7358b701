//! The list of tables: `current`, which names it, and the list itself.
//!
//! | bytes of `current` | what |
//! |---|---|
//! | 0..8 | the number of the list: its file is `v` and this number |
//! | 8..24 | XXH3-128 of that file |
//! | 24 | kind of checksum, 0 |
//!
//! The section `tables` of the list has the number of levels, of each level the number of its runs, of each run the number of its tables (4 bytes), and of
//! each table its number, the kind of its checksum, XXH3-128 of its file, and what is added to its sequence numbers.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

use super::FileError;
use super::sections::{Reader, Sections};
use super::table::refuse_table;
use crate::OpenError;

const CURRENT: &str = "current";
const TABLES: &str = "tables";
const CURRENT_BYTES: usize = 25;
const LEVELS: u8 = 7;
/// The one kind of checksum there is.
const XXH3: u8 = 0;

/// A verified list of tables.
#[derive(Debug)]
pub(crate) struct Manifest {
    tree: PathBuf,
    /// The file that holds it.
    path: PathBuf,
    /// The checksum of each table's file, by the table's number.
    tables: BTreeMap<u64, u128>,
}

impl Manifest {
    /// Reads and verifies the list that `current` names.
    pub(crate) fn read(tree: &Path) -> Result<Manifest, OpenError> {
        let current_path = tree.join(CURRENT);
        let current = read_current(&current_path).map_err(FileError::at(&current_path))?;
        let path = tree.join(format!("v{}", current.number));
        if !path.exists() {
            let what = format!("it names v{}, which is missing", current.number);
            return Err(OpenError::corrupt(&current_path, what));
        }
        let tables = read_list(&path, current.checksum).map_err(FileError::at(&path))?;
        Ok(Manifest { tree: tree.to_owned(), path, tables })
    }

    /// The files that the list is made of.
    pub(crate) fn paths(&self) -> [PathBuf; 2] {
        [self.tree.join(CURRENT), self.path.clone()]
    }

    /// Where the tables lie, with the checksums of their files.
    pub(crate) fn tables(&self) -> impl Iterator<Item = (PathBuf, u128)> {
        let directory = self.tree.join(TABLES);
        self.tables
            .iter()
            .map(move |(number, checksum)| (directory.join(number.to_string()), *checksum))
    }

    /// Refuses a table that is missing or whose end is damaged, and files that the tree would stumble over or remove though no store
    /// made them. Returns the highest sequence number that any table has.
    pub(crate) fn refuse_damage(&self) -> Result<Option<u64>, OpenError> {
        self.refuse_foreign()?;
        let mut highest = None;
        for (path, _) in self.tables() {
            highest = highest.max(Some(refuse_table(&path).map_err(FileError::at(&path))?));
        }
        Ok(highest)
    }

    fn refuse_foreign(&self) -> Result<(), OpenError> {
        for path in list(&self.tree)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // The tree removes everything whose name begins like that of a list.
            if name.strip_prefix('v').is_some_and(|number| !is_number(number)) {
                return Err(OpenError::corrupt(&path, "no store makes a file of this name"));
            }
        }
        for path in list(&self.tree.join(TABLES))? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // Those of the operating system are passed over by the tree, too.
            if name == ".DS_Store" || name.starts_with("._") {
                continue;
            }
            if !is_number(&name) || path.is_dir() {
                return Err(OpenError::corrupt(&path, "no store makes a file of this name"));
            }
        }
        Ok(())
    }
}

/// The number of the list that counts.
pub(crate) fn current_number(tree: &Path) -> Result<u64, FileError> {
    read_current(&tree.join(CURRENT)).map(|current| current.number)
}

struct Current {
    number: u64,
    checksum: u128,
}

fn read_current(path: &Path) -> Result<Current, FileError> {
    let bytes = fs::read(path)?;
    let mut reader = Reader(&bytes);
    let (number, checksum, kind) = (reader.u64()?, reader.u128()?, reader.u8()?);
    if bytes.len() != CURRENT_BYTES || kind != XXH3 {
        return Err(FileError::damaged("it is not as it was written"));
    }
    Ok(Current { number, checksum })
}

fn read_list(path: &Path, checksum: u128) -> Result<BTreeMap<u64, u128>, FileError> {
    if xxh3_128(&fs::read(path)?) != checksum {
        return Err(FileError::damaged("it does not have the checksum that `current` names"));
    }
    let file = File::open(path)?;
    let section = Sections::read(&file)?.find(TABLES)?.read(&file)?;
    decode_tables(&section)
}

fn decode_tables(section: &[u8]) -> Result<BTreeMap<u64, u128>, FileError> {
    let (mut reader, mut tables) = (Reader(section), BTreeMap::new());
    if reader.u8()? != LEVELS {
        return Err(FileError::damaged("it has another number of levels than trees have"));
    }
    for _ in 0..LEVELS {
        for _ in 0..reader.u8()? {
            for _ in 0..reader.u32()? {
                let (number, kind, checksum) = (reader.u64()?, reader.u8()?, reader.u128()?);
                let _added_to_sequence_numbers = reader.u64()?;
                if kind != XXH3 || tables.insert(number, checksum).is_some() {
                    return Err(FileError::damaged(format!(
                        "it does not list table {number} well"
                    )));
                }
            }
        }
    }
    Ok(tables)
}

/// The number as it is written in the name of a file: an equal number written otherwise would be another file for the same table.
fn is_number(name: &str) -> bool {
    name.parse::<u64>().is_ok_and(|number| number.to_string() == name)
}

fn list(directory: &Path) -> Result<Vec<PathBuf>, OpenError> {
    let entries = fs::read_dir(directory).map_err(FileError::from);
    let entries = entries.map_err(FileError::at(directory))?;
    entries.map(|entry| Ok(entry.map_err(OpenError::io(directory))?.path())).collect()
}
