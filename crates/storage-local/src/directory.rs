//! The data directory: who may open it, what it holds, and which format that has.
//!
//! A directory that is not ours is never written to, and nothing that may be data is ever removed.
//! The one thing that is, an unfinished new store, is recognized by three facts together: it has no
//! `FORMAT`, it has `CREATING`, and neither its tree nor its journal holds anything yet. No other
//! state can be left behind by a creation that was cut short:
//!
//! 1. `CREATING` is on disk before the first file of the tree and of the journal is made.
//! 2. `FORMAT` appears whole, by a rename, after all of those are on disk. From here on the
//!    directory is a store.
//! 3. `CREATING` is removed. A directory that has both is a store, and `CREATING` means nothing.
//!
//! What a store holds is for its owner alone. The directories are made so that no other user can
//! enter them, which covers the files that the tree's own code makes; a directory that was there
//! before keeps its mode, and those below it are closed.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::OpenError;

const LOCK: &str = "LOCK";
const FORMAT: &str = "FORMAT";
const FORMAT_NEXT: &str = "FORMAT.next";
const CREATING: &str = "CREATING";
const TREE: &str = "data";
const JOURNAL: &str = "journal";
/// Where stores of format 1 have their data, which is the mark of one that lost its `FORMAT`.
const FIRST_FORMAT_TREE: &str = "tree";

/// The one format that is read and written.
const FORMAT_VERSION: u32 = 4;
const FORMAT_PREFIX: &str = "monotable storage format ";

/// Only the owner may list and enter a directory.
const DIRECTORY_MODE: u32 = 0o700;
/// Only the owner may read and write a file.
const FILE_MODE: u32 = 0o600;

/// What a journal that was just made takes at most: the head of its one segment.
const NEW_JOURNAL_BYTES: u64 = 4096;

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
    /// Nothing yet: tree and journal are to be made, and then [`Directory::finish_creation`]
    /// called.
    Nothing,
}

impl Directory {
    /// Locks `path`, which may be missing, and says what it holds.
    pub(crate) fn open(path: &Path) -> Result<(Directory, Content), OpenError> {
        create_directories(path)?;
        refuse_foreign(path)?;
        let directory = Directory { path: path.to_owned(), _lock: lock(path)? };
        if !directory.has_format()? {
            directory.start_creation()?;
            return Ok((directory, Content::Nothing));
        }
        directory.remove_file(CREATING)?;
        Ok((directory, Content::Store))
    }

    /// Locks a store against changes by other processes, without writing anything.
    pub(crate) fn open_to_read(path: &Path) -> Result<Directory, OpenError> {
        let lock_path = path.join(LOCK);
        let file = File::open(&lock_path).map_err(OpenError::io(&lock_path))?;
        let directory = Directory { path: path.to_owned(), _lock: try_lock(path, file)? };
        if directory.has_format()? {
            Ok(directory)
        } else {
            Err(OpenError::corrupt(path, "its FORMAT file is missing"))
        }
    }

    /// Where the tree lies.
    pub(crate) fn tree_path(&self) -> PathBuf {
        self.path.join(TREE)
    }

    /// Where the journal lies.
    pub(crate) fn journal_path(&self) -> PathBuf {
        self.path.join(JOURNAL)
    }

    /// The file that names the format.
    pub(crate) fn format_path(&self) -> PathBuf {
        self.path.join(FORMAT)
    }

    /// Makes the directory a store, once its tree and its journal are on disk.
    pub(crate) fn finish_creation(&self) -> Result<(), OpenError> {
        self.write(FORMAT_NEXT, &format_text())?;
        let next = self.path.join(FORMAT_NEXT);
        fs::rename(&next, self.path.join(FORMAT)).map_err(OpenError::io(&next))?;
        sync_directory(&self.path)?;
        self.remove_file(CREATING)
    }

    /// Marks the directory as unfinished, and clears away an earlier attempt that was cut short.
    fn start_creation(&self) -> Result<(), OpenError> {
        let parts = [TREE, JOURNAL, FIRST_FORMAT_TREE].map(|part| self.path.join(part));
        if parts.iter().any(|part| part.exists()) {
            self.refuse_what_may_be_a_store()?;
        }
        for part in [self.tree_path(), self.journal_path()] {
            match fs::remove_dir_all(&part) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                removed => removed.map_err(OpenError::io(&part))?,
            }
        }
        self.write(CREATING, "")?;
        // Made here and not by the tree, which would let others in.
        create_directories(&self.tree_path())?;
        create_directories(&self.journal_path())
    }

    /// Refuses a directory without `FORMAT` that an unfinished creation cannot have left.
    fn refuse_what_may_be_a_store(&self) -> Result<(), OpenError> {
        let has_data = self.path.join(FIRST_FORMAT_TREE).exists()
            || total_bytes(&self.tree_path().join("tables"))? > 0
            || total_bytes(&self.journal_path())? > NEW_JOURNAL_BYTES;
        if has_data || !self.path.join(CREATING).exists() {
            Err(OpenError::corrupt(&self.path, "its FORMAT file is missing"))
        } else {
            Ok(())
        }
    }

    /// Returns whether the directory says that it is a store; an error if it is one that this
    /// version does not read.
    fn has_format(&self) -> Result<bool, OpenError> {
        let path = self.path.join(FORMAT);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            read => read.map_err(OpenError::io(&path))?,
        };
        let text = String::from_utf8_lossy(&text);
        let found = parse_format(&text)
            .ok_or_else(|| OpenError::corrupt(&path, format!("it says {text:?}")))?;
        let (path, supported) = (self.path.clone(), FORMAT_VERSION);
        match found {
            FORMAT_VERSION => Ok(true),
            0 => Err(OpenError::corrupt(&path.join(FORMAT), "there is no format 0")),
            1..FORMAT_VERSION => Err(OpenError::OlderFormat { path, found, supported }),
            _ => Err(OpenError::NewerFormat { path, found, supported }),
        }
    }

    fn remove_file(&self, name: &str) -> Result<(), OpenError> {
        let path = self.path.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => {
                removed.map_err(OpenError::io(&path))?;
                sync_directory(&self.path)
            }
        }
    }

    /// Writes a small file durably.
    fn write(&self, name: &str, content: &str) -> Result<(), OpenError> {
        let path = self.path.join(name);
        let write = || {
            let mut file = private_file().create(true).truncate(true).open(&path)?;
            file.write_all(content.as_bytes())?;
            file.sync_all()
        };
        write().map_err(OpenError::io(&path))?;
        sync_directory(&self.path)
    }
}

/// How a file that is written is opened, and made for its owner alone.
pub(crate) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).mode(FILE_MODE);
    options
}

/// Makes the names of a directory's files durable.
pub(crate) fn sync_directory(path: &Path) -> Result<(), OpenError> {
    File::open(path).and_then(|directory| directory.sync_all()).map_err(OpenError::io(path))
}

/// Makes a directory and those above it that are missing, all of them durably.
fn create_directories(path: &Path) -> Result<(), OpenError> {
    // A relative path ends with the empty one, which is the working directory.
    let missing: Vec<&Path> = path
        .ancestors()
        .take_while(|ancestor| !ancestor.as_os_str().is_empty() && !ancestor.exists())
        .collect();
    for path in missing.into_iter().rev() {
        match DirBuilder::new().mode(DIRECTORY_MODE).create(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => created.map_err(OpenError::io(path))?,
        }
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        sync_directory(parent.unwrap_or(Path::new(".")))?;
    }
    Ok(())
}

/// What the files of a directory take, if it is there. A directory in it counts as something.
fn total_bytes(path: &Path) -> Result<u64, OpenError> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        entries => entries.map_err(OpenError::io(path))?,
    };
    let mut total = 0;
    for entry in entries {
        let length = entry.and_then(|entry| entry.metadata()).map_err(OpenError::io(path))?.len();
        total += length;
    }
    Ok(total)
}

/// Refuses a directory with a file that no store makes, before anything is written to it.
fn refuse_foreign(path: &Path) -> Result<(), OpenError> {
    let ours = [LOCK, FORMAT, FORMAT_NEXT, CREATING, TREE, JOURNAL, FIRST_FORMAT_TREE];
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
    let file = private_file().create(true).truncate(false).open(&lock_path);
    try_lock(path, file.map_err(OpenError::io(&lock_path))?)
}

fn try_lock(path: &Path, file: File) -> Result<File, OpenError> {
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(source)) => Err(OpenError::Io { path: path.join(LOCK), source }),
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
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn create(path: &Path) {
        let (directory, content) = Directory::open(path).unwrap();
        assert_eq!(content, Content::Nothing);
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
        assert_eq!(fs::read_to_string(path.join(FORMAT)).unwrap(), "monotable storage format 4\n");
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
        let expected = "DIR has storage format 7, and this version reads format 4";
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
    fn an_older_format_is_refused_and_told_what_to_do() {
        let temporary = tempfile::tempdir().unwrap();
        create(temporary.path());
        for older in [1, 2, 3] {
            let text = format!("monotable storage format {older}\n");
            fs::write(temporary.path().join(FORMAT), text).unwrap();
            let expected = format!(
                "DIR has storage format {older}, and this version reads format 4 only: export its \
                 tables with the version that made it, and import them into an empty directory"
            );
            assert_eq!(error_of(temporary.path()), expected);
            assert!(temporary.path().join(TREE).exists());
        }
    }

    #[test]
    fn a_creation_cut_short_anywhere_starts_over() {
        let temporary = tempfile::tempdir().unwrap();
        let (directory, _) = Directory::open(temporary.path()).unwrap();
        fs::write(directory.tree_path().join("v0"), "half").unwrap();
        fs::create_dir(directory.tree_path().join("tables")).unwrap();
        fs::write(directory.journal_path().join("0.journal"), [0; 4096]).unwrap();
        fs::write(temporary.path().join(FORMAT_NEXT), "mono").unwrap();
        drop(directory);
        let (directory, content) = Directory::open(temporary.path()).unwrap();
        assert_eq!(content, Content::Nothing);
        assert_eq!(fs::read_dir(directory.tree_path()).unwrap().count(), 0);
        assert_eq!(fs::read_dir(directory.journal_path()).unwrap().count(), 0);
    }

    #[test]
    fn a_creation_cut_short_after_its_last_file_is_a_store() {
        let temporary = tempfile::tempdir().unwrap();
        create(temporary.path());
        fs::write(temporary.path().join(CREATING), "").unwrap();
        fs::write(temporary.path().join(TREE).join("v0"), "").unwrap();
        assert_eq!(Directory::open(temporary.path()).unwrap().1, Content::Store);
        assert!(temporary.path().join(TREE).join("v0").exists());
        assert!(!temporary.path().join(CREATING).exists());
    }

    #[test]
    fn a_mark_of_creation_does_not_remove_what_may_be_a_store() {
        for data in ["data/tables/7", "journal/0.journal"] {
            let temporary = tempfile::tempdir().unwrap();
            create(temporary.path());
            fs::remove_file(temporary.path().join(FORMAT)).unwrap();
            fs::write(temporary.path().join(CREATING), "").unwrap();
            let data = temporary.path().join(data);
            fs::create_dir_all(data.parent().unwrap()).unwrap();
            fs::write(&data, [1; 4097]).unwrap();
            assert_eq!(error_of(temporary.path()), "DIR is corrupt: its FORMAT file is missing");
            assert!(data.exists());
        }
    }

    #[test]
    fn only_the_owner_may_enter_and_read() {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("a/b");
        create(&path);
        let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        for directory in ["../../a", ".", TREE, JOURNAL] {
            assert_eq!(mode(path.join(directory)), DIRECTORY_MODE, "{directory}");
        }
        for file in [LOCK, FORMAT] {
            assert_eq!(mode(path.join(file)), FILE_MODE, "{file}");
        }
    }
}
