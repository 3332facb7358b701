//! [`LocalEngine`]: the storage trait over the tree, the key locks and the committer.

use std::path::Path;
use std::sync::{Arc, Weak};

use bytes::Bytes;
use monotable_storage::{
    Decision, Engine, EngineStatistics, Key, KeyGuard, KeyLocks, Reads, Result, Wants,
};

use crate::commit_thread::CommitThread;
use crate::committer::Committer;
use crate::gap_finder::GapFinder;
use crate::gaps::Gaps;
use crate::health::HealthState;
use crate::interval_sync::IntervalSync;
use crate::journal::{Disk, LocalDisk};
use crate::snapshot::Published;
use crate::statistics;
use crate::store::Store;
use crate::{Durability, Health, LocalSnapshot, OpenError, Options};

/// An [`Engine`] that keeps its data in a directory of this machine.
///
/// Dropping it without closing loses nothing that was answered: it finishes what is queued, and
/// blocks until that is done.
pub struct LocalEngine {
    published: Arc<Published>,
    key_locks: Arc<KeyLocks>,
    committer: Committer,
    health: Arc<HealthState>,
    gaps: Arc<Gaps>,
    /// Gone once the engine is closed, so that the directory is free for others.
    store: Weak<Store>,
}

impl LocalEngine {
    /// Opens the store in the directory `path`, or makes one if the directory is empty or missing.
    pub fn open(path: impl AsRef<Path>, options: &Options) -> Result<LocalEngine, OpenError> {
        LocalEngine::open_with(path.as_ref(), options, Arc::new(LocalDisk))
    }

    /// Returns whether writes are accepted, without waiting for anything.
    pub fn health(&self) -> Health {
        self.health.get()
    }

    /// How the engine is doing, or none once it is closed. It asks the operating system for the
    /// sizes of a few files.
    pub fn statistics(&self) -> Option<EngineStatistics> {
        self.store.upgrade().map(|store| statistics::statistics(&store))
    }

    /// Opens a store whose journal is written to this disk.
    fn open_with(
        path: &Path,
        options: &Options,
        disk: Arc<dyn Disk>,
    ) -> Result<LocalEngine, OpenError> {
        let store = Arc::new(Store::open(path, options, disk)?);
        let published = Arc::new(Published::new(store.clone()));
        let (health, gaps) = (store.health().clone(), store.gaps().clone());
        let interval_sync = match options.durability {
            Durability::Sync => None,
            Durability::Interval(interval) => {
                Some(IntervalSync::start(store.clone(), interval).map_err(OpenError::io(path))?)
            }
        };
        let gap_finder = GapFinder::start(published.clone()).map_err(OpenError::io(path))?;
        let (memtable_bytes, weak_store) = (options.memtable_bytes, Arc::downgrade(&store));
        let commit_thread =
            CommitThread::new(store, published.clone(), interval_sync, gap_finder, memtable_bytes);
        let committer = Committer::start(commit_thread).map_err(OpenError::io(path))?;
        let key_locks = KeyLocks::new();
        Ok(LocalEngine { published, key_locks, committer, health, gaps, store: weak_store })
    }
}

impl LocalEngine {
    /// How many entries that were deleted have been met by those who walked over a range. It grows
    /// with what reads have to pass over and find nothing.
    pub fn passed_entries(&self) -> u64 {
        self.gaps.passed_in_all()
    }

    /// Reads what a transaction wants, which `guard` holds.
    async fn read(&self, wants: &Wants<'_>, guard: &KeyGuard) -> Result<Reads> {
        let newest = self.published.get()?;
        let mut values = Vec::with_capacity(wants.locked.len() + wants.shared.len());
        for key in wants.locked {
            values.push(newest.get_now(key)?);
        }
        for key in wants.shared {
            // It is remembered for as long as it stays the same, and must not keep a whole table in
            // memory and on disk.
            let read = || Ok(newest.get_now(key)?.map(|value| Bytes::copy_from_slice(&value)));
            values.push(guard.shared_value(key, read)?);
        }
        let reads = Reads::new(values, wants.locked.len());
        if wants.ranges.is_empty() && wants.ends.is_empty() {
            return Ok(reads);
        }
        let (mut ranges, mut ends) = (Vec::new(), Vec::new());
        for wanted in wants.ranges {
            ranges.push(newest.range_now(wanted).await?);
        }
        for log in wants.ends {
            ends.push(newest.log_end_now(log).await?);
        }
        Ok(reads.with(ranges, ends))
    }
}

impl Engine for LocalEngine {
    type Snapshot = LocalSnapshot;

    async fn snapshot(&self) -> Result<LocalSnapshot> {
        self.published.get()
    }

    async fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        self.published.get()?.get_now(key)
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>> {
        self.published.get()?.get_many_now(keys)
    }

    async fn transact<T: Send>(
        &self,
        wants: Wants<'_>,
        mut decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> Result<T> {
        let guard = self.key_locks.lock(&wants).await;
        match decide(&self.read(&wants, &guard).await?) {
            Decision::Keep(answer) => Ok(answer),
            Decision::Commit(batch, answer) if batch.is_empty() => Ok(answer),
            Decision::Commit(batch, answer) => {
                batch.check_size()?;
                self.committer.commit(batch, guard).await?;
                Ok(answer)
            }
        }
    }

    fn removes_ranges_whole(&self) -> bool {
        true
    }

    async fn close(&self) -> Result<()> {
        self.committer.close().await
    }
}

#[cfg(test)]
mod tests;
