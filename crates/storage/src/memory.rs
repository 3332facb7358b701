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

use bytes::Bytes;

use self::open_snapshots::OpenSnapshots;
pub use self::snapshot::MemorySnapshot;
use self::snapshot::RestOfRange;
use self::versioned_map::VersionedMap;
use crate::space::{log_entry_position, log_range};
use crate::write_set::WriteSet;
use crate::{
    Batch, Decision, Direction, Engine, Error, ErrorKind, Key, KeyGuard, KeyLocks, RangeRead,
    Reads, Result, Wants,
};

/// An [`Engine`] that keeps everything in memory and nothing on disk.
#[derive(Debug)]
pub struct MemoryEngine {
    store: Arc<SharedMap>,
    key_locks: Arc<KeyLocks>,
}

impl MemoryEngine {
    /// An engine without entries.
    pub fn new() -> MemoryEngine {
        MemoryEngine { store: Arc::new(SharedMap::new()), key_locks: KeyLocks::new() }
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

    async fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        self.store.with_map(|map| map.newest(key))
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>> {
        self.store.with_map(|map| keys.iter().map(|key| map.newest(key)).collect())
    }

    async fn transact<T: Send>(
        &self,
        wants: Wants<'_>,
        mut decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> Result<T> {
        // Nothing waits after this, so the guard cannot be dropped before the commit is done.
        let guard = self.key_locks.lock(&wants).await;
        let reads = self.store.read(&wants, &guard)?;
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
struct SharedMap {
    /// `None` once closed.
    map: RwLock<Option<VersionedMap>>,
    /// Locked after `map` where both are.
    open_snapshots: OpenSnapshots,
}

impl SharedMap {
    fn new() -> SharedMap {
        SharedMap {
            map: RwLock::new(Some(VersionedMap::default())),
            open_snapshots: OpenSnapshots::default(),
        }
    }

    /// Reads the map, unless the store is closed.
    fn with_map<T>(&self, read: impl FnOnce(&VersionedMap) -> T) -> Result<T> {
        let map = self.map.read().map_err(poisoned)?;
        Ok(read(map.as_ref().ok_or(ErrorKind::Closed)?))
    }

    /// Reads what a transaction wants, which `guard` holds.
    fn read(&self, wants: &Wants<'_>, guard: &KeyGuard) -> Result<Reads> {
        let mut values = Vec::with_capacity(wants.locked.len() + wants.shared.len());
        self.with_map(|map| values.extend(wants.locked.iter().map(|key| map.newest(key))))?;
        for key in wants.shared {
            let read = || self.with_map(|map| map.newest(key));
            values.push(guard.shared_value(key, read)?);
        }
        let reads = Reads::new(values, wants.locked.len());
        if wants.ranges.is_empty() && wants.ends.is_empty() {
            return Ok(reads);
        }
        let ranges = wants.ranges.iter().map(|wanted| self.read_range(wanted));
        let ends = wants.ends.iter().map(|log| self.log_end(log));
        Ok(reads.with(ranges.collect::<Result<_>>()?, ends.collect::<Result<_>>()?))
    }

    fn read_range(&self, wanted: &RangeRead) -> Result<Vec<(Key, Bytes)>> {
        let mut rest = RestOfRange::of_keys(&wanted.range, wanted.direction);
        self.with_map(|map| rest.newest(map, wanted.limit))
    }

    fn log_end(&self, log: &[u8]) -> Result<u64> {
        let mut rest = RestOfRange::new(&log_range(log, &(0..=u64::MAX)), Direction::Backward);
        let last = self.with_map(|map| rest.newest(map, 1))?;
        last.first().map_or(Ok(0), |(key, _)| log_entry_position(key))
    }

    fn commit(&self, batch: Batch) -> Result<()> {
        batch.check_size()?;
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
