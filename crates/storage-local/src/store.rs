//! The open tree, and the journal of what is not in its tables yet.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bytes::Bytes;
use monotable_storage::{Error, ErrorKind, Result};
use monotable_tree::{Manifest, Memtable, RemovedRange, State, Tree};

use crate::directory::{Content, Directory, sync_directory};
use crate::error::open_tree_error;
use crate::gaps::Gaps;
use crate::health::{HealthState, Writing};
use crate::journal::{Disk, Journal, JournalRecord, Write};
use crate::pace::Urgency;
use crate::reserve::Reserve;
use crate::statistics::Counters;
use crate::{OpenError, Options};

/// The part of a full memtable that is worth a table.
const LARGE_PART: u64 = 8;

/// The open tree. Everything that reads or writes holds it; the directory is free for others once
/// the last of them is gone.
pub(crate) struct Store {
    tree: Tree,
    journal: Journal,
    /// The number of the next commit. A reader sees all below it.
    next_number: Arc<AtomicU64>,
    gaps: Arc<Gaps>,
    memtable_bytes: u64,
    health: Arc<HealthState>,
    reserve: Reserve,
    counters: Counters,
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
        let tree_path = directory.tree_path();
        match content {
            Content::Nothing => {
                Journal::create(&directory.journal_path())?;
                Tree::create(&tree_path).map_err(open_tree_error)?;
            }
            Content::Store => refuse_damage(&directory)?,
        }
        let table_bytes = options.memtable_bytes;
        let tree = Tree::open(&tree_path, monotable_tree::Options { table_bytes });
        let tree = tree.map_err(open_tree_error)?;
        if content == Content::Nothing {
            directory.finish_creation()?;
        }
        let mut replay = Replay { memtable: tree.state().active().clone(), tree: &tree };
        let journal =
            Journal::open(&directory.journal_path(), options.durability, disk, &mut |record| {
                replay.apply(record).map_err(|error| OpenError::corrupt(path, error))
            })?;
        let health = Arc::<HealthState>::default();
        if !journal.has_begun() {
            health.found_full(Writing::Commits, &io::Error::from(io::ErrorKind::StorageFull));
        }
        let last_number = tree.persisted().max(journal.last_sequence_number());
        let next_number = Arc::new(AtomicU64::new(last_number + 1));
        Ok(Store {
            tree,
            journal,
            gaps: Arc::new(Gaps::new(next_number.clone())),
            next_number,
            memtable_bytes: options.memtable_bytes,
            health,
            reserve: Reserve::new(options.disk_reserve_bytes),
            counters: Counters::default(),
            closed: AtomicBool::new(false),
            _directory: directory,
        })
    }

    pub(crate) fn journal(&self) -> &Journal {
        &self.journal
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Where walks have found nothing.
    pub(crate) fn gaps(&self) -> &Arc<Gaps> {
        &self.gaps
    }

    /// Whether it can be written to.
    pub(crate) fn health(&self) -> &Arc<HealthState> {
        &self.health
    }

    /// What of the disk is left free.
    pub(crate) fn reserve(&self) -> &Reserve {
        &self.reserve
    }

    /// What is counted of commits.
    pub(crate) fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Refuses once the store is closed.
    pub(crate) fn check_open(&self) -> Result<()> {
        if self.closed.load(Ordering::Acquire) {
            Err(Error::new(ErrorKind::Closed))
        } else {
            Ok(())
        }
    }

    /// Refuses every read from here on.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }

    /// The number of the next commit, which only the committer takes.
    pub(crate) fn take_number(&self) -> u64 {
        self.next_number.fetch_add(1, Ordering::SeqCst)
    }

    /// The newest state with the instant at which it holds everything that was committed. Only the
    /// committer may ask, between two commits: it alone knows that none is half done.
    pub(crate) fn newest(&self) -> (Arc<State>, u64) {
        (self.tree.state(), self.next_number.load(Ordering::Acquire))
    }

    /// Returns whether the memtable is worth a table of its own, though it is not full.
    pub(crate) fn has_large_memtable(&self) -> bool {
        self.tree.state().active().size_bytes() >= self.memtable_bytes / LARGE_PART
    }

    /// How urgent it is to write a full memtable out, by how much of the next one is filled.
    pub(crate) fn memtable_urgency(&self) -> Urgency {
        Urgency::of_memtables(self.tree.state().active().size_bytes(), self.memtable_bytes)
    }
}

/// Refuses a store with damage that can be found without reading its tables. Nothing is changed
/// before this.
fn refuse_damage(directory: &Directory) -> Result<(), OpenError> {
    let (tree, journal) = (directory.tree_path(), directory.journal_path());
    let manifest = Manifest::read(&tree).map_err(open_tree_error)?;
    manifest.check_names(&tree).map_err(open_tree_error)?;
    let checked = Journal::check(&journal, &mut |_| ())?;
    // Each head of the journal names the last commit before it, and memtables are written out after
    // a head.
    let (known, persisted) = (checked.last_sequence_number, manifest.persisted());
    if persisted > known {
        let what = format!("it ends with commit {known}, and the tables have commit {persisted}");
        return Err(OpenError::corrupt(&journal, what));
    }
    // A failed sync may have left names that are shown and not on disk. What is written from here
    // on builds on them.
    if checked.was_closed {
        Ok(())
    } else {
        [tree.join("tables"), tree].iter().try_for_each(|path| sync_directory(path))
    }
}

/// Puts what the journal has back into memory.
struct Replay<'a> {
    tree: &'a Tree,
    memtable: Arc<Memtable>,
}

impl Replay<'_> {
    fn apply(
        &mut self,
        record: &JournalRecord,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let number = record.head.sequence_number;
        if number <= self.tree.persisted() {
            return Ok(());
        }
        for write in record.writes() {
            match write? {
                Write::Entry(key, value) => {
                    let value = value.map(Bytes::copy_from_slice);
                    self.memtable.insert(key.to_vec(), value, number);
                }
                Write::RemovedRange(start, end) => {
                    let (start, end) = (start.to_vec(), end.map(<[u8]>::to_vec));
                    self.tree.remove_range(&RemovedRange { start, end, number });
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
