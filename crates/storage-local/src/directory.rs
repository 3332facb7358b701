//! The data directory: who may open it, what it holds, and which format that has.
//!
//! A directory that is not ours is never written to, and nothing that may be data is ever
//! removed. The one thing that is, an unfinished new store, is told by its `CREATING` file: it
//! stands from before the first file of the tree is made until after `FORMAT` is on disk, and no
//! engine answers a write before it is gone.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::OpenError;

const LOCK: &str = "LOCK";
const FORMAT: &str = "FORMAT";
const CREATING: &str = "CREATING";
const FORMAT_NEXT: &str = "FORMAT.next";
const TREE: &str = "data";
const JOURNAL: &str = "journal";
/// Where format 1 has its tree and its journal.
const OLD_TREE: &str = "tree";

/// The format that is written.
const FORMAT_VERSION: u32 = 2;
const FORMAT_PREFIX: &str = "monotable storage format ";

/// A data directory that this process alone may use.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    /// Holds the file lock until it is dropped.
    _lock: File,
}

/// What a directory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// A store.
    Store,
    /// A store of an earlier format, to be upgraded before it is used.
    OldStore,
    /// Nothing yet: the tree is to be made, and then [`Directory::finish_creation`] called.
    Nothing,
}

impl Directory {
    /// Locks `path`, which may be missing, and says what it holds.
    pub(crate) fn open(path: &Path) -> Result<(Directory, Content), OpenError> {
        fs::create_dir_all(path).map_err(OpenError::io(path))?;
        refuse_foreign(path)?;
        let directory = Directory { path: path.to_owned(), _lock: lock(path)? };
        let content = match directory.read_format()? {
            Some(format) if !directory.has(CREATING)? => match format {
                FORMAT_VERSION => Content::Store,
                _ => Content::OldStore,
            },
            _ => Content::Nothing,
        };
        match content {
            Content::Nothing => directory.start_creation()?,
            // An upgrade may have been cut short after its last step that matters.
            Content::Store => directory.remove(OLD_TREE)?,
            Content::OldStore => {}
        }
        Ok((directory, content))
    }

    /// Where the tree lies.
    pub(crate) fn tree_path(&self) -> PathBuf {
        self.path.join(TREE)
    }

    /// Where the journal lies.
    pub(crate) fn journal_path(&self) -> PathBuf {
        self.path.join(JOURNAL)
    }

    /// Where format 1 has its tree and its journal.
    pub(crate) fn old_tree_path(&self) -> PathBuf {
        self.path.join(OLD_TREE)
    }

    /// Makes a store of an earlier format one of this format, once everything else is in its place and on disk.
    pub(crate) fn finish_upgrade(&self) -> Result<(), OpenError> {
        self.write(FORMAT_NEXT, &format_text())?;
        let next = self.path.join(FORMAT_NEXT);
        fs::rename(&next, self.path.join(FORMAT)).map_err(OpenError::io(&next))?;
        self.sync()?;
        self.remove(OLD_TREE)
    }

    /// Makes the directory a store, once its tree is on disk.
    pub(crate) fn finish_creation(&self) -> Result<(), OpenError> {
        self.write(FORMAT, &format_text())?;
        let creating = self.path.join(CREATING);
        fs::remove_file(&creating).map_err(OpenError::io(&creating))?;
        self.sync()
    }

    /// Marks the directory as unfinished, and clears away an earlier attempt that was cut short.
    fn start_creation(&self) -> Result<(), OpenError> {
        for part in [TREE, JOURNAL, OLD_TREE] {
            if self.has(part)? && !self.has(CREATING)? {
                return Err(OpenError::corrupt(&self.path, "its FORMAT file is missing"));
            }
            self.remove(part)?;
        }
        self.write(CREATING, "")
    }

    /// The format of the store, if there is one.
    fn read_format(&self) -> Result<Option<u32>, OpenError> {
        let path = self.path.join(FORMAT);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(OpenError::io(&path))?,
        };
        let found = parse_format(&text)
            .ok_or_else(|| OpenError::corrupt(&path, format!("it says {text:?}")))?;
        match found {
            1..=FORMAT_VERSION => Ok(Some(found)),
            0 => Err(OpenError::corrupt(&path, "there is no format 0")),
            _ => {
                let path = self.path.clone();
                Err(OpenError::NewerFormat { path, found, supported: FORMAT_VERSION })
            }
        }
    }

    /// Removes a directory with all that it holds, if it is there.
    fn remove(&self, name: &str) -> Result<(), OpenError> {
        let path = self.path.join(name);
        match fs::remove_dir_all(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.map_err(OpenError::io(&path)),
        }
    }

    fn has(&self, name: &str) -> Result<bool, OpenError> {
        let path = self.path.join(name);
        path.try_exists().map_err(OpenError::io(&path))
    }

    /// Writes a small file durably.
    fn write(&self, name: &str, content: &str) -> Result<(), OpenError> {
        let path = self.path.join(name);
        let write = || {
            let mut file = File::create(&path)?;
            file.write_all(content.as_bytes())?;
            file.sync_all()
        };
        write().map_err(OpenError::io(&path))?;
        self.sync()
    }

    /// Makes the names of the files durable.
    pub(crate) fn sync(&self) -> Result<(), OpenError> {
        File::open(&self.path)
            .and_then(|directory| directory.sync_all())
            .map_err(OpenError::io(&self.path))
    }
}

/// Refuses a directory with a file that no store makes, before anything is written to it.
fn refuse_foreign(path: &Path) -> Result<(), OpenError> {
    let ours = [LOCK, FORMAT, CREATING, TREE, JOURNAL, OLD_TREE];
    let is_ours = |name: &OsStr| ours.iter().any(|ours| name == *ours);
    for entry in fs::read_dir(path).map_err(OpenError::io(path))? {
        let name = entry.map_err(OpenError::io(path))?.file_name();
        // A store may come to hold files of other purposes; those do no harm once it is a store.
        if !is_ours(&name) && !path.join(FORMAT).exists() {
            let found = name.to_string_lossy().into_owned();
            return Err(OpenError::NotMonotable { path: path.to_owned(), found });
        }
    }
    Ok(())
}

fn lock(path: &Path) -> Result<File, OpenError> {
    let lock_path = path.join(LOCK);
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&lock_path)
        .map_err(OpenError::io(&lock_path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(source)) => Err(OpenError::Io { path: lock_path, source }),
    }
}

fn format_text() -> String {
    format!("{FORMAT_PREFIX}{FORMAT_VERSION}\n")
}

fn parse_format(text: &str) -> Option<u32> {
    text.strip_prefix(FORMAT_PREFIX)?.strip_suffix('\n')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn create(path: &Path) {
        let (directory, content) = Directory::open(path).unwrap();
        assert_eq!(content, Content::Nothing);
        fs::create_dir(directory.tree_path()).unwrap();
        directory.finish_creation().unwrap();
    }

    fn error_of(path: &Path) -> String {
        let message = Directory::open(path).unwrap_err().to_string();
        message.replace(path.to_str().unwrap(), "DIR")
    }

    #[test]
    fn a_missing_directory_becomes_a_store_once() {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("a/b");
        create(&path);
        assert_eq!(Directory::open(&path).unwrap().1, Content::Store);
        assert_eq!(fs::read_to_string(path.join(FORMAT)).unwrap(), "monotable storage format 2\n");
        assert!(!path.join(CREATING).exists());
    }

    #[test]
    fn a_directory_with_other_files_is_refused_and_left_alone() {
        let temporary = tempfile::tempdir().unwrap();
        fs::write(temporary.path().join("notes.txt"), "mine").unwrap();
        let expected = "DIR is not empty and not a Monotable data directory: it has notes.txt";
        assert_eq!(error_of(temporary.path()), expected);
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_second_engine_is_refused_until_the_first_is_gone() {
        let temporary = tempfile::tempdir().unwrap();
        create(temporary.path());
        let first = Directory::open(temporary.path()).unwrap();
        assert_eq!(error_of(temporary.path()), "DIR is in use by another process");
        drop(first);
        Directory::open(temporary.path()).unwrap();
    }

    #[test]
    fn a_newer_format_is_refused_by_its_number() {
        let temporary = tempfile::tempdir().unwrap();
        create(temporary.path());
        fs::write(temporary.path().join(FORMAT), "monotable storage format 7\n").unwrap();
        let expected = "DIR has storage format 7, and this version reads formats up to 2";
        assert_eq!(error_of(temporary.path()), expected);
    }

    #[test]
    fn an_unreadable_format_is_corrupt() {
        let temporary = tempfile::tempdir().unwrap();
        create(temporary.path());
        for text in ["", "monotable storage format", "monotable storage format 0\n", "gibberish"] {
            fs::write(temporary.path().join(FORMAT), text).unwrap();
            assert!(error_of(temporary.path()).starts_with("DIR/FORMAT is corrupt: "), "{text}");
        }
    }

    #[test]
    fn a_tree_without_a_format_is_corrupt_and_kept() {
        let temporary = tempfile::tempdir().unwrap();
        create(temporary.path());
        fs::remove_file(temporary.path().join(FORMAT)).unwrap();
        assert_eq!(error_of(temporary.path()), "DIR is corrupt: its FORMAT file is missing");
        assert!(temporary.path().join(TREE).exists());
    }

    #[test]
    fn a_creation_cut_short_anywhere_starts_over() {
        let temporary = tempfile::tempdir().unwrap();
        let (directory, _) = Directory::open(temporary.path()).unwrap();
        fs::create_dir(directory.tree_path()).unwrap();
        fs::write(directory.tree_path().join("half"), "").unwrap();
        drop(directory);
        let (directory, content) = Directory::open(temporary.path()).unwrap();
        assert_eq!(content, Content::Nothing);
        assert!(!directory.tree_path().exists());
        fs::write(temporary.path().join(FORMAT), "monotable storage format 2\n").unwrap();
        drop(directory);
        assert_eq!(Directory::open(temporary.path()).unwrap().1, Content::Nothing);
    }
}
