//! Power cuts while memtables are written out and tables are merged, at any step of it.
//!
//! The tree writes its files by itself, so a disk of the tests cannot lose them. But it is known
//! what it does, in this order, and that each step is on disk before the next one:
//!
//! 1. Tables: each is written and synced, and then their directory.
//! 2. The list of tables: written to `MANIFEST.next`, synced, renamed to `MANIFEST`, and its
//!    directory synced.
//! 3. Old tables are removed when nobody reads them any more.
//!
//! So what a power cut leaves is the state before, with some of these steps done and the next one
//! done by half. These states are put together from the directory before and after, and opened. The
//! journal's blocks that were not synced are lost besides.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Bound;
use std::path::PathBuf;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::journal::LocalDisk;
use crate::journal::tests::unsafe_disk::UnsafeDisk;

type Files = BTreeMap<PathBuf, Vec<u8>>;
type Entries = BTreeMap<Vec<u8>, Vec<u8>>;

#[derive(Clone, Copy, Debug)]
enum Step {
    Write { key: u8, length: u16 },
    Delete { key: u8 },
    WriteOut,
    RemoveRange { start: u8, end: u8 },
    Merge,
    Release,
    Reopen,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        8 => (0..12_u8, 1..6_000_u16).prop_map(|(key, length)| Step::Write { key, length }),
        2 => (0..12_u8).prop_map(|key| Step::Delete { key }),
        3 => Just(Step::WriteOut),
        1 => Just(Step::Merge),
        1 => Just(Step::Release),
        1 => (0..12_u8, 0..12_u8).prop_map(|(start, end)| Step::RemoveRange { start, end }),
        1 => Just(Step::Reopen),
    ];
    vec(step, 1..40)
}

/// A store that is worked on without threads, and what it must hold.
struct Run {
    store: Store,
    memtable: Arc<Memtable>,
    disk: Arc<UnsafeDisk>,
    path: PathBuf,
    written: Entries,
    /// What it holds if the write that failed is on disk all the same.
    unanswered: Option<Entries>,
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

impl Run {
    fn new(path: &Path, disk: Arc<UnsafeDisk>) -> Run {
        let store = Store::open(path, &Options::default(), disk.clone()).unwrap();
        let memtable = store.tree().state().active().clone();
        let (path, written) = (path.to_owned(), Entries::new());
        Run { store, memtable, disk, path, written, unanswered: None }
    }

    fn take(&mut self, step: Step) -> Result<(), Failure> {
        match step {
            Step::Write { key, length } => {
                let value = vec![length as u8; length.into()];
                self.write(vec![key], Some(value))?;
            }
            Step::Delete { key } => self.write(vec![key], None)?,
            Step::RemoveRange { start, end } => self.remove_range(&[start], &[end])?,
            Step::WriteOut => self.write_out()?,
            Step::Merge => self.change_tables(|tree| tree.tidy(&|| false).map(drop))?,
            Step::Release => self.change_tables(|tree| {
                tree.release_obsolete(&|| ());
                Ok(())
            })?,
            Step::Reopen => self.reopen()?,
        }
        Ok(())
    }

    fn write(&mut self, key: Vec<u8>, value: Option<Vec<u8>>) -> Result<(), Failure> {
        let mut with_it = self.written.clone();
        match &value {
            Some(value) => drop(with_it.insert(key.clone(), value.clone())),
            None => drop(with_it.remove(&key)),
        }
        self.unanswered = Some(with_it.clone());
        let number = self.store.take_number();
        let writes = [(key.clone(), value.clone().map(Bytes::from))];
        self.store.journal().append(&[], &writes, number, 0)?;
        self.memtable.insert(key, value.map(Bytes::from), number);
        (self.written, self.unanswered) = (with_it, None);
        Ok(())
    }

    fn remove_range(&mut self, start: &[u8], end: &[u8]) -> Result<(), Failure> {
        let mut with_it = self.written.clone();
        with_it.retain(|key, _| **key < *start || **key >= *end);
        self.unanswered = Some(with_it.clone());
        let number = self.store.take_number();
        let range = RemovedRange::new(Bound::Included(start), Bound::Excluded(end), number);
        self.store.journal().append(std::slice::from_ref(&range), &[], number, 0)?;
        self.store.tree().remove_range(&range);
        (self.written, self.unanswered) = (with_it, None);
        Ok(())
    }

    /// What the committer and the background work do when a memtable is full.
    fn write_out(&mut self) -> Result<(), Failure> {
        self.store.journal().prepare_segment()?;
        let segment = self.store.journal().begin_segment()?;
        self.memtable = self.store.tree().seal();
        self.change_tables(|tree| tree.write_out(&|| false).map(drop))?;
        self.store.journal().free_before(segment);
        Ok(())
    }

    /// Changes the tables, and opens every state that a power cut during it can leave.
    fn change_tables(
        &self,
        change: impl FnOnce(&Tree) -> monotable_tree::Result<()>,
    ) -> Result<(), Failure> {
        let before = files(&self.path);
        change(self.store.tree())?;
        let after = files(&self.path);
        for (number, state) in states_between(&before, &after).iter().enumerate() {
            let found = opened(state);
            assert_eq!(found, self.written, "state {number} of {:?}", state.keys());
        }
        Ok(())
    }

    fn reopen(&mut self) -> Result<(), Failure> {
        let (path, disk) = (self.path.clone(), self.disk.clone());
        // The old one is dropped first, as it holds the lock.
        let elsewhere = tempfile::tempdir()?;
        let stand_in = Store::open(elsewhere.path(), &Options::default(), Arc::new(LocalDisk))?;
        drop(std::mem::replace(&mut self.store, stand_in));
        self.store = Store::open(&path, &Options::default(), disk)?;
        self.memtable = self.store.tree().state().active().clone();
        assert_eq!(entries(&self.store), self.written);
        Ok(())
    }
}

/// All files below a directory.
fn files(directory: &Path) -> Files {
    let (mut files, mut directories) = (Files::new(), vec![directory.to_owned()]);
    while let Some(next) = directories.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path)
            } else {
                let name = path.strip_prefix(directory).unwrap().to_owned();
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// What a power cut between two states can leave, by the order of the steps.
fn states_between(before: &Files, after: &Files) -> Vec<Files> {
    let (list, next) = (PathBuf::from("data/MANIFEST"), PathBuf::from("data/MANIFEST.next"));
    let tables = after.keys().filter(|path| !before.contains_key(*path));
    let mut written: Vec<(PathBuf, &Vec<u8>)> =
        tables.map(|path| (path.clone(), &after[path])).collect();
    if before[&list] != after[&list] {
        written.push((next.clone(), &after[&list]));
    }
    let (mut states, mut state) = (vec![before.clone()], before.clone());
    for (path, whole) in written {
        for length in [0, whole.len() / 2, whole.len() - 1] {
            let mut half = whole[..length].to_vec();
            states.push(with(&state, &path, half.clone()));
            // The length may be on disk before the bytes.
            half.resize(whole.len(), 0);
            states.push(with(&state, &path, half));
        }
        state.insert(path, whole.clone());
        states.push(state.clone());
    }
    state.remove(&next);
    state.insert(list.clone(), after[&list].clone());
    states.push(state.clone());
    for path in before.keys().filter(|path| !after.contains_key(*path)) {
        state.remove(path);
        states.push(state.clone());
    }
    assert_eq!(state, *after, "the steps are not those that are known");
    states
}

fn with(state: &Files, path: &Path, bytes: Vec<u8>) -> Files {
    let mut state = state.clone();
    state.insert(path.to_owned(), bytes);
    state
}

/// What a store with these files holds.
fn opened(files: &Files) -> Entries {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir_all(directory.path().join("data/tables")).unwrap();
    fs::create_dir_all(directory.path().join("journal")).unwrap();
    for (path, bytes) in files {
        fs::write(directory.path().join(path), bytes).unwrap();
    }
    entries(&Store::open(directory.path(), &Options::default(), Arc::new(LocalDisk)).unwrap())
}

fn entries(store: &Store) -> Entries {
    let (state, all) = (store.tree().state(), Bound::Unbounded);
    let mut cursor = state.cursor(monotable_tree::Direction::Forward, all, all, u64::MAX).unwrap();
    let mut entries = Entries::new();
    while let Some(key) = cursor.key() {
        entries.extend(cursor.value().map(|value| (key.to_vec(), value.to_vec())));
        cursor.step().unwrap();
    }
    entries
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_power_cut_at_any_step_of_writing_tables_loses_nothing(
        steps in steps(),
        calls in 10..150_u64,
        lost in vec(any::<bool>(), 1..8),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let disk = UnsafeDisk::new(calls);
        let mut run = Run::new(directory.path(), disk.clone());
        let is_cut = steps.iter().any(|step| run.take(*step).is_err());
        let (written, unanswered) = (run.written.clone(), run.unanswered.clone());
        drop(run);
        let mut lost = lost.iter().cycle();
        disk.lose(|| *lost.next().unwrap());
        let found = opened(&files(directory.path()));
        prop_assert!(found == written || (is_cut && Some(found) == unanswered));
    }
}

#[test]
fn memtables_that_are_written_out_and_merged_survive_a_power_cut_at_every_step() {
    let directory = tempfile::tempdir().unwrap();
    let disk = UnsafeDisk::new(u64::MAX);
    let mut run = Run::new(directory.path(), disk);
    let write = |key: u8| [Step::Write { key, length: 5_000 }, Step::Delete { key: key + 1 }];
    for key in 0..4 {
        write(key).into_iter().for_each(|step| run.take(step).unwrap());
        run.take(Step::WriteOut).unwrap();
    }
    let rest = [Step::Merge, Step::Release, Step::Reopen, Step::Write { key: 9, length: 9 }];
    rest.into_iter().for_each(|step| run.take(step).unwrap());
    assert_eq!(run.store.tree().state().table_count(), 1);
}

#[test]
fn tables_that_know_more_than_the_journal_are_refused() {
    let (directory, older) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut run = Run::new(directory.path(), UnsafeDisk::new(u64::MAX));
    run.take(Step::Write { key: 1, length: 10 }).unwrap();
    let journal = files(&directory.path().join("journal"));
    run.take(Step::Write { key: 2, length: 10 }).unwrap();
    run.take(Step::WriteOut).unwrap();
    drop(run);
    let mut mixed = files(directory.path());
    mixed.retain(|path, _| !path.starts_with("journal"));
    mixed.extend(journal.into_iter().map(|(path, bytes)| (Path::new("journal").join(path), bytes)));
    for (path, bytes) in &mixed {
        let path = older.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let opened = Store::open(older.path(), &Options::default(), Arc::new(LocalDisk));
    let error = opened.err().unwrap().to_string();
    let journal = older.path().join("journal");
    assert!(
        error.starts_with(&format!("{} is corrupt: it ends with", journal.display())),
        "{error}"
    );
    assert_eq!(files(older.path()), mixed);
}

#[test]
fn a_foreign_file_that_the_tree_would_remove_is_refused_and_kept() {
    for name in ["data/vacation.jpg", "data/tables/007", "data/tables/+1", "data/tables/notes.txt"]
    {
        let directory = tempfile::tempdir().unwrap();
        drop(Store::open(directory.path(), &Options::default(), Arc::new(LocalDisk)).unwrap());
        let path = directory.path().join(name);
        fs::write(&path, "mine").unwrap();
        let opened = Store::open(directory.path(), &Options::default(), Arc::new(LocalDisk));
        let expected = format!("{} is corrupt: no store makes a file of this name", path.display());
        assert_eq!(opened.err().unwrap().to_string(), expected);
        assert!(path.exists());
    }
}
