//! The open tree, and the journal of what is not in its tables yet.

use std::io;
use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use lsm_tree::compaction::{CompactionStrategy, PullDown};
use lsm_tree::{
    AbstractTree, AnyTree, Guard, InternalValue, IterGuardImpl, Memtable, SeqNo,
    SequenceNumberCounter, UserKey, ValueType,
};
use monotable_storage::{Direction, Error, ErrorKind, Key, KeyRange, Result};

use crate::damage::{self, Bounds};
use crate::directory::{Content, Directory, sync_directory};
use crate::error::{DamagedTable, open_tree_error, tree_error};
use crate::health::{HealthState, Writing};
use crate::instants::{HeldInstant, Instants};
use crate::journal::{Disk, Journal, Record};
use crate::retired::Retired;
use crate::tree_files::{FileError, Manifest, check_table};
use crate::{OpenError, Options, tree_shape};

/// The part of a full memtable that is worth a table.
const LARGE_PART: u64 = 8;
/// Where tables are merged to at last.
const LAST_LEVEL: u8 = 6;
/// How many times larger tables may be when nothing can be merged otherwise.
const LARGER_TABLES: [u64; 3] = [4, 16, 64];

/// The open tree. Everything that reads or writes holds it; the directory is free for others once
/// the last of them is gone.
pub(crate) struct Store {
    tree: AnyTree,
    journal: Journal,
    /// Gives each commit, and each change of the tree's tables, the next sequence number.
    numbers: SequenceNumberCounter,
    instants: Arc<Instants>,
    retired: Retired,
    /// How large tables become, which is as large as memtables.
    table_bytes: u64,
    health: Arc<HealthState>,
    closed: AtomicBool,
    // The last field, so that the directory is unlocked after everything else is gone.
    _directory: Directory,
}

impl Store {
    pub(crate) fn open(
        path: &Path,
        options: &Options,
        disk: Arc<dyn Disk>,
    ) -> Result<Store, OpenError> {
        let (directory, content) = Directory::open(path)?;
        if content == Content::Nothing {
            Journal::create(&directory.journal_path())?;
        }
        if content == Content::Store {
            refuse_damage(&directory)?;
        }
        let numbers = SequenceNumberCounter::new(1);
        let tree_path = directory.tree_path();
        let tree = tree_shape::config(&tree_path, options.cache_bytes, &numbers).open();
        let tree = tree.map_err(|error| name_damage(&tree_path, error))?;
        if content == Content::Nothing {
            directory.finish_creation()?;
        }
        let mut replay = Replay::new(&tree);
        let journal =
            Journal::open(&directory.journal_path(), options.durability, disk, &mut |record| {
                replay.insert(record).map_err(|error| OpenError::corrupt(path, error))
            })?;
        let health = Arc::<HealthState>::default();
        if !journal.has_begun() {
            health.found_full(Writing::Commits, &io::Error::from(io::ErrorKind::StorageFull));
        }
        // The newest entries may have been deletions that no table keeps.
        let highest = tree.get_highest_seqno().max(Some(journal.last_sequence_number()));
        numbers.fetch_max(highest.map_or(0, |highest| highest + 1));
        Ok(Store {
            tree,
            journal,
            numbers,
            instants: Arc::default(),
            retired: Retired::default(),
            table_bytes: options.memtable_bytes,
            health,
            closed: AtomicBool::new(false),
            _directory: directory,
        })
    }

    pub(crate) fn journal(&self) -> &Journal {
        &self.journal
    }

    pub(crate) fn tree(&self) -> &AnyTree {
        &self.tree
    }

    /// Whether it can be written to.
    pub(crate) fn health(&self) -> &Arc<HealthState> {
        &self.health
    }

    /// Refuses once the store is closed.
    pub(crate) fn check_open(&self) -> Result<()> {
        match self.closed.load(Ordering::Acquire) {
            true => Err(Error::new(ErrorKind::Closed)),
            false => Ok(()),
        }
    }

    /// Refuses every read from here on.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }

    /// The sequence number of the next commit.
    pub(crate) fn next_number(&self) -> SeqNo {
        self.numbers.next()
    }

    /// Holds the newest moment open. Only the committer may ask, between two commits: it alone knows that none is half done.
    pub(crate) fn newest_instant(&self) -> HeldInstant {
        self.instants.hold(self.numbers.get())
    }

    pub(crate) fn get(&self, key: &[u8], instant: SeqNo) -> Result<Option<Bytes>> {
        let value = self.tree.get(key, instant);
        let value = value.map_err(|error| {
            let key = Bound::Included(UserKey::from(key));
            self.name_table(error, &(key.clone(), key), Direction::Forward)
        })?;
        Ok(value.map(Bytes::from))
    }

    /// What a caller must do about an error that was met after the last key that was read, with the file that it is about.
    pub(crate) fn read_error(
        &self,
        error: lsm_tree::Error,
        (start, end): (Bound<&[u8]>, Bound<&[u8]>),
        direction: Direction,
        last: Option<UserKey>,
    ) -> Error {
        let (start, end) = (start.map(UserKey::from), end.map(UserKey::from));
        let bounds = match (direction, last) {
            (Direction::Forward, Some(last)) => (Bound::Included(last), end),
            (Direction::Backward, Some(last)) => (start, Bound::Included(last)),
            (Direction::Forward | Direction::Backward, None) => (start, end),
        };
        self.name_table(error, &bounds, direction)
    }

    fn name_table(&self, error: lsm_tree::Error, bounds: &Bounds, direction: Direction) -> Error {
        match damage::find_unreadable(&self.tree, bounds, direction) {
            Some(path) => {
                Error::with_source(ErrorKind::Corrupt, DamagedTable { path, source: error })
            }
            None => tree_error(error),
        }
    }

    /// The entries between two bounds that leave room.
    pub(crate) fn range(
        &self,
        start: Bound<&[u8]>,
        end: Bound<&[u8]>,
        instant: SeqNo,
    ) -> impl DoubleEndedIterator<Item = IterGuardImpl> + use<> {
        self.tree.range::<&[u8], _>((start, end), instant, None)
    }

    pub(crate) fn keys(&self, range: &KeyRange) -> Result<Vec<Key>> {
        let entries = self.range(range.start(), range.end(), SeqNo::MAX);
        let keys = entries.map(|entry| entry.key().map(|key| key.to_vec()));
        keys.collect::<lsm_tree::Result<_>>().map_err(|error| {
            let bounds = (range.start(), range.end());
            self.read_error(error, bounds, Direction::Forward, None)
        })
    }

    /// Whether the memtable is worth a table of its own, though it is not full.
    pub(crate) fn has_large_memtable(&self) -> bool {
        self.tree.active_memtable().size() >= self.table_bytes / LARGE_PART
    }

    /// Writes the full memtables to tables on disk.
    pub(crate) fn flush(&self) -> lsm_tree::Result<()> {
        let lock = self.tree.get_flush_lock();
        self.tree.flush(&lock, self.oldest_instant())?;
        Ok(())
    }

    /// Keeps a memtable that was written out until the tree has forgotten it.
    pub(crate) fn retire(&self, memtable: Arc<Memtable>) {
        self.retired.push(self.numbers.get(), memtable);
    }

    /// Merges some tables, if any are due, and tells whether it did.
    pub(crate) fn merge_due(&self) -> lsm_tree::Result<bool> {
        self.merge(Arc::new(tree_shape::compaction(self.table_bytes)))
    }

    /// Merges tables as if they were to be larger. The tree looks only at the level that is most overdue, and if all its tables
    /// overlap too many of the next level, it does nothing, however many tables wait above. To larger
    /// tables that level is not overdue, or they may overlap more.
    pub(crate) fn merge_larger(&self) -> lsm_tree::Result<bool> {
        for times in LARGER_TABLES {
            if self.merge(Arc::new(tree_shape::compaction(times * self.table_bytes)))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Merges all tables of the first level, with those of the next one that has any or, if those are many, into an
    /// empty level above it. Tells whether it did.
    pub(crate) fn merge_first_level(&self) -> lsm_tree::Result<bool> {
        let tables = |level: u8| self.tree.level_table_count(level.into()).unwrap_or(0);
        let next = (1..LAST_LEVEL).find(|level| tables(*level) > 0).unwrap_or(LAST_LEVEL);
        let has_many = tables(next) > tree_shape::SECOND_LEVEL_TABLES;
        let target = if has_many { (next - 1).max(1) } else { next };
        self.merge(Arc::new(PullDown(0, target)))
    }

    fn merge(&self, strategy: Arc<dyn CompactionStrategy>) -> lsm_tree::Result<bool> {
        let before = self.tree.current_version();
        self.tree.compact(strategy, self.oldest_instant())?;
        let has_merged = self.tree.current_version().id() != before.id();
        self.retired.push(self.numbers.get(), before);
        Ok(has_merged)
    }

    /// Forgets states of the tree that nobody reads any more, and with them memtables and tables.
    pub(crate) fn forget_old(&self) -> lsm_tree::Result<()> {
        let (path, oldest) = (&self.tree.tree_config().path, self.oldest_instant());
        self.tree.get_version_history_lock().maintenance(path, oldest)?;
        self.retired.release_before(oldest);
        Ok(())
    }

    fn oldest_instant(&self) -> SeqNo {
        self.instants.oldest().unwrap_or_else(|| self.numbers.get())
    }
}

/// Refuses a store with damage that can be found without reading its tables. Nothing is changed before this.
fn refuse_damage(directory: &Directory) -> Result<(), OpenError> {
    let (tree, journal) = (directory.tree_path(), directory.journal_path());
    let persisted = Manifest::read(&tree)?.refuse_damage()?;
    let checked = Journal::check(&journal, &mut |_| ())?;
    // Each head of the journal names the last commit before it, and memtables are written out after a head.
    let known = checked.last_sequence_number;
    if let Some(persisted) = persisted.filter(|persisted| *persisted > known) {
        let what = format!("it ends with commit {known}, and the tables have commit {persisted}");
        return Err(OpenError::corrupt(&journal, what));
    }
    // A failed sync may have left names that are shown and not on disk. What is written from here on builds on them.
    match checked.was_closed {
        true => Ok(()),
        false => [tree.join("tables"), tree].iter().try_for_each(|path| sync_directory(path)),
    }
}

/// Why a tree whose list of tables is good does not open, with the table that it is about. All tables are read for that.
fn name_damage(tree: &Path, error: lsm_tree::Error) -> OpenError {
    let Ok(manifest) = Manifest::read(tree) else { return open_tree_error(tree)(error) };
    for (path, checksum) in manifest.tables() {
        if let Err(damage) = check_table(&path, checksum, &mut |_| ()) {
            return FileError::at(&path)(damage);
        }
    }
    open_tree_error(tree)(error)
}

/// Makes a write an entry of the tree.
pub(crate) fn entry(key: Key, value: Option<Bytes>, number: SeqNo) -> InternalValue {
    match value {
        Some(value) => InternalValue::from_components(key, value, number, ValueType::Value),
        None => InternalValue::new_tombstone(key, number),
    }
}

/// Puts what the journal has back into memory.
struct Replay {
    memtable: Arc<Memtable>,
    /// What the tables hold.
    persisted: Option<SeqNo>,
}

impl Replay {
    fn new(tree: &AnyTree) -> Replay {
        Replay { memtable: tree.active_memtable(), persisted: tree.get_highest_persisted_seqno() }
    }

    fn insert(&mut self, record: &Record) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let number = record.head.sequence_number;
        if self.persisted.is_some_and(|persisted| number <= persisted) {
            return Ok(());
        }
        for write in record.writes() {
            let (key, value) = write?;
            self.memtable.insert(entry(key.to_vec(), value.map(Bytes::copy_from_slice), number));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
