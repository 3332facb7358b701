//! Checking a store that is not open: every byte that has a checksum is compared with it, and
//! nothing is written.
//!
//! Opening a store verifies what the opening depends on, and a read verifies the blocks that it
//! reads. Damage in blocks that are not read stays unnoticed until a merge comes to it.
//! [`verify()`] finds it, and says which files to bring back from a copy.

use std::fs;
use std::path::{Path, PathBuf};

use monotable_tree::Manifest;

use crate::OpenError;
use crate::directory::Directory;
use crate::error::open_tree_error;
use crate::journal::Journal;

/// What a check has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many files were read.
    pub files: u64,
    /// How many bytes were read and compared with their checksums.
    pub bytes: u64,
    /// What is damaged. A store without faults opens, and everything in it can be read.
    pub faults: Vec<Fault>,
}

/// Damage to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file, or the directory that lacks something.
    pub path: PathBuf,
    /// What is wrong with it.
    pub what: String,
}

/// How far a check is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many bytes were read.
    pub bytes: u64,
    /// How many there are, as far as the names and sizes of files tell.
    pub total_bytes: u64,
}

/// Checks the store in the directory `path`, which no engine may have open meanwhile. `progress` is
/// called now and then.
///
/// Damage is not an error but a fault of the report. An error says that there is no store, or none
/// that this version reads, or that it could not be read.
pub fn verify(path: impl AsRef<Path>, progress: impl FnMut(Progress)) -> Result<Report, OpenError> {
    let directory = Directory::open_to_read(path.as_ref())?;
    let total_bytes = total_bytes(path.as_ref());
    let mut check = Check { report: Report::default(), total_bytes, progress };
    check.file(&directory.format_path());
    let persisted = check.tree(&directory.tree_path())?;
    check.journal(&directory.journal_path(), persisted)?;
    Ok(check.report)
}

struct Check<F> {
    report: Report,
    total_bytes: u64,
    progress: F,
}

impl<F: FnMut(Progress)> Check<F> {
    /// Checks the tree, and returns the highest commit in it as far as that can be known.
    fn tree(&mut self, path: &Path) -> Result<Option<u64>, OpenError> {
        let read = Manifest::read(path).map_err(open_tree_error);
        let Some(manifest) = self.note(read)? else { return Ok(None) };
        self.file(&Manifest::path(path));
        self.note(manifest.check_names(path).map_err(open_tree_error))?;
        let mut faults = Vec::new();
        let found = &mut |path, outcome: Result<(), _>| faults.push((path, outcome));
        manifest.verify_tables(path, &mut |bytes| self.read(bytes), found);
        for (_, outcome) in faults {
            self.report.files += 1;
            self.note(outcome.map_err(open_tree_error))?;
        }
        Ok(Some(manifest.persisted()))
    }

    fn journal(&mut self, path: &Path, persisted: Option<u64>) -> Result<(), OpenError> {
        let checked = Journal::check(path, &mut |bytes| self.read(bytes));
        self.report.files += fs::read_dir(path).map_or(0, |entries| entries.count() as u64);
        let Some(checked) = self.note(checked)? else { return Ok(()) };
        let known = checked.last_sequence_number;
        if let Some(persisted) = persisted.filter(|persisted| *persisted > known) {
            let what = format!("it ends with commit {known}, and the tables have {persisted}");
            self.fault(path.to_owned(), what);
        }
        Ok(())
    }

    /// Takes damage down as a fault, once for each file, and passes other errors on.
    fn note<T>(&mut self, checked: Result<T, OpenError>) -> Result<Option<T>, OpenError> {
        match checked {
            Ok(checked) => Ok(Some(checked)),
            Err(OpenError::Corrupt { path, source }) => {
                self.fault(path, source.to_string());
                Ok(None)
            }
            Err(other) => Err(other),
        }
    }

    fn fault(&mut self, path: PathBuf, what: String) {
        if self.report.faults.iter().all(|fault| fault.path != path) {
            self.report.faults.push(Fault { path, what });
        }
    }

    /// Counts a small file that was read whole.
    fn file(&mut self, path: &Path) {
        self.report.files += 1;
        self.read(fs::metadata(path).map_or(0, |metadata| metadata.len()));
    }

    fn read(&mut self, bytes: u64) {
        self.report.bytes += bytes;
        let (bytes, total_bytes) = (self.report.bytes, self.total_bytes);
        (self.progress)(Progress { bytes, total_bytes: total_bytes.max(bytes) });
    }
}

/// The bytes of all files below a directory. What cannot be listed is not counted, and found by the
/// check itself.
fn total_bytes(path: &Path) -> u64 {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => total_bytes(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::FileExt;

    use monotable_storage::{Batch, Engine, testing};

    use super::*;
    use crate::{LocalEngine, Options};

    /// A store with tables and with commits in the journal.
    fn make() -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for memtable_bytes in [4_000, 64 << 20] {
            let options = Options { memtable_bytes, ..Options::default() };
            let engine = LocalEngine::open(directory.path(), &options).unwrap();
            for number in 0..40 {
                let mut batch = Batch::new();
                batch.put(format!("key {number}").into_bytes(), vec![number; 400]);
                runtime.block_on(testing::commit(&engine, &batch)).unwrap();
            }
            runtime.block_on(engine.close()).unwrap();
        }
        directory
    }

    fn first_file(directory: &Path) -> PathBuf {
        fs::read_dir(directory).unwrap().next().unwrap().unwrap().path()
    }

    fn damage(path: &Path, offset: u64) {
        let file = fs::File::options().write(true).open(path).unwrap();
        file.write_all_at(b"damage", offset).unwrap();
    }

    #[test]
    fn a_good_store_has_no_faults_and_is_read_whole() {
        let directory = make();
        let mut last = Progress { bytes: 0, total_bytes: 0 };
        let report = verify(directory.path(), |progress| {
            assert!(progress.bytes >= last.bytes && progress.bytes <= progress.total_bytes);
            last = progress;
        });
        let report = report.unwrap();
        assert_eq!((report.faults, report.bytes), (vec![], last.bytes));
        assert!(report.files > 4 && report.bytes > 40 * 400);
    }

    #[test]
    fn every_damaged_file_is_named() {
        let directory = make();
        let tables = directory.path().join("data/tables");
        let table = first_file(&tables);
        damage(&table, 100);
        let mut journals: Vec<_> =
            fs::read_dir(directory.path().join("journal")).unwrap().collect();
        journals.sort_by_key(|entry| entry.as_ref().unwrap().metadata().unwrap().len());
        let journal = journals.pop().unwrap().unwrap().path();
        damage(&journal, 2 * 4096 + 60);
        let faults = verify(directory.path(), |_| ()).unwrap().faults;
        assert_eq!(faults.iter().map(|fault| &fault.path).collect::<Vec<_>>(), [&table, &journal]);
        assert!(faults[0].what.ends_with(" bytes at 0 have another checksum"), "{:?}", faults[0]);
        assert!(faults[1].what.ends_with("was written and cannot be read"), "{:?}", faults[1]);
        fs::remove_file(&table).unwrap();
        let faults = verify(directory.path(), |_| ()).unwrap().faults;
        assert_eq!((&faults[0].path, &*faults[0].what), (&table, "it is missing"));
    }

    #[test]
    fn a_store_that_is_open_or_is_none_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        assert!(matches!(verify(directory.path(), |_| ()), Err(OpenError::Io { .. })));
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
        let engine = LocalEngine::open(directory.path(), &Options::default()).unwrap();
        assert!(matches!(verify(directory.path(), |_| ()), Err(OpenError::InUse { .. })));
        drop(engine);
        assert_eq!(verify(directory.path(), |_| ()).unwrap().faults, []);
    }
}
