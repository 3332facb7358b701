//! The open tree and its keyspaces.

use std::num::NonZero;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use bytes::Bytes;
use fjall::{
    AbstractTree, Database, Keyspace, KeyspaceCreateOptions, OwnedWriteBatch, PersistMode,
};
use monotable_storage::{CommittedState, Error, ErrorKind, Key, KeyRange, Result, WriteSet};

use crate::back_pressure::Backlog;
use crate::directory::{Content, Directory};
use crate::error::tree_error;
use crate::tree_shape;
use crate::{OpenError, Options};

const DATA: &str = "data";
const METADATA: &str = "metadata";
const LAST_POSITION: &[u8] = b"last_position";

/// The file by which the tree's own code tells that there is a tree. Without it, it would make a
/// new one in place of a damaged one.
const TREE_MARKER: &str = "version";

/// How much journal is kept before the tree writes out whatever still needs it. It bounds the
/// time that opening takes after a crash.
const JOURNAL_BYTES: u64 = 128 << 20;

/// The open tree. Everything that reads or writes holds it; the directory is free for others once
/// the last of them is gone.
pub(crate) struct Store {
    // Fields are dropped in this order: the tree is shut down before the directory is unlocked.
    data: Keyspace,
    /// Made with the first append: a store without any starts with fewer files to sync.
    metadata: OnceLock<Keyspace>,
    database: Database,
    closed: AtomicBool,
    _directory: Directory,
}

impl Store {
    pub(crate) fn open(path: &Path, options: &Options) -> Result<Store, OpenError> {
        let (directory, content) = Directory::open(path)?;
        if content == Content::Store && !directory.tree_path().join(TREE_MARKER).exists() {
            return Err(OpenError::corrupt(path, "its tree is missing"));
        }
        let database = open_database(&directory, options).map_err(OpenError::tree(path))?;
        if content == Content::Store && !database.keyspace_exists(DATA) {
            return Err(OpenError::corrupt(path, "a keyspace is missing"));
        }
        let (data, metadata) = open_keyspaces(&database).map_err(OpenError::tree(path))?;
        if content == Content::Nothing {
            database.persist(PersistMode::SyncAll).map_err(OpenError::tree(path))?;
            directory.finish_creation()?;
        }
        let closed = AtomicBool::new(false);
        Ok(Store { data, metadata, database, closed, _directory: directory })
    }

    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    pub(crate) fn data(&self) -> &Keyspace {
        &self.data
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

    /// How far the tree's background work is behind.
    pub(crate) fn backlog(&self) -> Backlog {
        let (full_memtables, runs) =
            (self.data.sealed_memtable_count(), self.data.tree.l0_run_count());
        Backlog { full_memtables, runs }
    }

    /// The position of the last append that was committed.
    pub(crate) fn last_position(&self) -> Result<u64> {
        let Some(metadata) = self.metadata.get() else { return Ok(0) };
        let Some(stored) = metadata.get(LAST_POSITION).map_err(tree_error)? else { return Ok(0) };
        let position = stored.as_ref().try_into().map_err(|_| {
            Error::with_source(ErrorKind::Corrupt, format!("position of {} bytes", stored.len()))
        })?;
        Ok(u64::from_be_bytes(position))
    }

    fn metadata(&self) -> fjall::Result<&Keyspace> {
        if let Some(metadata) = self.metadata.get() {
            return Ok(metadata);
        }
        let metadata = self.database.keyspace(METADATA, KeyspaceCreateOptions::default)?;
        Ok(self.metadata.get_or_init(|| metadata))
    }

    /// Makes a write set one atomic write of the tree. The position of the last append goes with
    /// the appends, so that none can be given twice.
    pub(crate) fn tree_batch(
        &self,
        write_set: WriteSet,
        last_position: u64,
    ) -> fjall::Result<OwnedWriteBatch> {
        let mut batch = self.database.batch();
        if write_set.last_position() != last_position {
            let position = write_set.last_position().to_be_bytes();
            batch.insert(self.metadata()?, LAST_POSITION, position);
        }
        for (key, value) in write_set.into_writes() {
            match value {
                Some(value) => batch.insert(&self.data, key, value),
                None => batch.remove(&self.data, key),
            }
        }
        Ok(batch)
    }
}

/// What the next commit starts from. Only the committer writes, so it may read the newest state.
impl CommittedState for Store {
    fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        Ok(self.data.get(key).map_err(tree_error)?.map(Bytes::from))
    }

    fn keys(&self, range: &KeyRange) -> Result<Vec<Key>> {
        let entries = self.data.range::<&[u8], _>((range.start(), range.end()));
        let keys = entries.map(|entry| entry.key().map(|key| key.to_vec()));
        keys.collect::<fjall::Result<_>>().map_err(tree_error)
    }
}

fn open_database(directory: &Directory, options: &Options) -> fjall::Result<Database> {
    Database::builder(directory.tree_path())
        .cache_size(options.cache_bytes)
        .max_journaling_size(JOURNAL_BYTES)
        .worker_threads(worker_threads())
        .open()
}

/// How many threads write out and compact. Never one alone: the tree's workers also send to the
/// bounded queue that they read from, and a single one that finds it full waits for itself. Nor two:
/// the first one leaves compactions to the others by putting them back into the queue, over and over
/// while the only other one is at work, which takes a whole processor.
fn worker_threads() -> usize {
    thread::available_parallelism().map_or(3, NonZero::get).clamp(3, 4)
}

fn open_keyspaces(database: &Database) -> fjall::Result<(Keyspace, OnceLock<Keyspace>)> {
    let data = database.keyspace(DATA, tree_shape::of_data)?;
    let metadata = match database.keyspace_exists(METADATA) {
        true => OnceLock::from(database.keyspace(METADATA, KeyspaceCreateOptions::default)?),
        false => OnceLock::new(),
    };
    Ok((data, metadata))
}
