//! [`MemoryEngine`]: the store in memory, gone when the process ends.
//!
//! One ordered map behind a reader-writer lock holds every entry, with as many old versions as open
//! snapshots can still see (`versioned_map`). A commit numbers itself, writes its versions under
//! that number, and drops what nobody can see any more; a snapshot is a commit number, and reads
//! the newest version that is not above it. So taking a snapshot costs the same however large the
//! store is, and a reader never sees half of a batch.
//!
//! The alternative, a persistent map that snapshots share and writers copy on write, takes four
//! times as long for a put while a snapshot is open, and here every read opens one
//! (`docs/design/0002-storage.md` has the figures).
//!
//! Nobody keeps the map's lock for long: a range is visited in chunks that are copied out first,
//! and a transaction decides outside of it, under the locks of its own keys.

mod open_snapshots;
mod ordered_key;
mod snapshot;
mod versioned_map;

use std::sync::{Arc, RwLock};

use self::open_snapshots::OpenSnapshots;
pub use self::snapshot::MemorySnapshot;
use self::versioned_map::VersionedMap;
use crate::write_set::WriteSet;
use crate::{Batch, Decision, Engine, Error, ErrorKind, Key, KeyLocks, Reads, Result};

/// An [`Engine`] that keeps everything in memory and nothing on disk.
#[derive(Debug)]
pub struct MemoryEngine {
    store: Arc<Store>,
    key_locks: Arc<KeyLocks>,
}

impl MemoryEngine {
    /// An engine without entries.
    pub fn new() -> MemoryEngine {
        MemoryEngine { store: Arc::new(Store::new()), key_locks: KeyLocks::new() }
    }
}

impl Default for MemoryEngine {
    fn default() -> MemoryEngine {
        MemoryEngine::new()
    }
}

impl Engine for MemoryEngine {
    type Snapshot = MemorySnapshot;

    async fn snapshot(&self) -> Result<MemorySnapshot> {
        MemorySnapshot::open(&self.store)
    }

    async fn transact<T: Send>(
        &self,
        keys: &[Key],
        mut decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> Result<T> {
        // Nothing waits after this, so the guard cannot be dropped before the commit is done.
        let _guard = self.key_locks.lock(keys).await;
        let reads = self.store.read_newest(keys)?;
        match decide(&reads) {
            Decision::Keep(answer) => Ok(answer),
            Decision::Commit(batch, answer) => self.store.commit(batch).map(|()| answer),
        }
    }

    async fn close(&self) -> Result<()> {
        self.store.close()
    }
}

/// What the engine and its snapshots share.
#[derive(Debug)]
struct Store {
    /// `None` once closed.
    map: RwLock<Option<VersionedMap>>,
    /// Locked after `map` where both are.
    open_snapshots: OpenSnapshots,
}

impl Store {
    fn new() -> Store {
        Store {
            map: RwLock::new(Some(VersionedMap::default())),
            open_snapshots: OpenSnapshots::default(),
        }
    }

    /// Reads the map, unless the store is closed.
    fn with_map<T>(&self, read: impl FnOnce(&VersionedMap) -> T) -> Result<T> {
        let map = self.map.read().map_err(poisoned)?;
        Ok(read(map.as_ref().ok_or(ErrorKind::Closed)?))
    }

    fn read_newest(&self, keys: &[Key]) -> Result<Reads> {
        self.with_map(|map| Reads::new(keys.iter().map(|key| map.newest(key)).collect()))
    }

    fn commit(&self, batch: Batch) -> Result<()> {
        let mut map = self.map.write().map_err(poisoned)?;
        let map = map.as_mut().ok_or(ErrorKind::Closed)?;
        let mut write_set = WriteSet::new(map.last_position());
        write_set.apply(batch, map)?;
        map.commit(write_set, &self.open_snapshots.lock());
        Ok(())
    }

    fn close(&self) -> Result<()> {
        self.map.write().map_err(poisoned)?.take();
        Ok(())
    }
}

/// A thread that panicked in the middle of a commit left the map half written.
fn poisoned<T>(_: T) -> Error {
    Error::new(ErrorKind::Poisoned)
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::engine_tests!(|| (MemoryEngine::new(), ()));
}
