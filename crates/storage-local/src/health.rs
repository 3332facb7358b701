//! Whether the engine accepts writes, to be asked without writing.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether an engine accepts writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Health {
    /// Writes are accepted.
    Writable,
    /// The disk has no room. Writes are refused as
    /// [`Unavailable`](monotable_storage::ErrorKind::Unavailable), or will be soon; reads go on. It
    /// is tried again every few seconds, and writes are accepted by themselves when there is room.
    Full,
    /// The disk has room, but no more than is to be left free. Writes are refused as
    /// [`Unavailable`](monotable_storage::ErrorKind::Unavailable) until there is more; reads go on.
    Reserved,
    /// A write or a sync has failed, and what is on disk is not known. Writes are refused as
    /// [`Poisoned`](monotable_storage::ErrorKind::Poisoned) until the store is opened again; reads
    /// go on.
    Poisoned,
}

/// What needs room on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writing {
    /// Commits, to the journal.
    Commits,
    /// Memtables, to tables.
    Memtables,
    /// Tables, to larger ones.
    Merges,
}

/// What is left free of the disk is all that there is.
#[derive(Debug, thiserror::Error)]
#[error("the disk has {free_bytes} bytes of room, and {reserve_bytes} of them are left free")]
pub(crate) struct BelowReserve {
    pub(crate) free_bytes: u64,
    pub(crate) reserve_bytes: u64,
}

/// What everybody who writes has met last.
#[derive(Debug, Default)]
pub(crate) struct HealthState {
    full: [AtomicBool; 3],
    is_reserved: AtomicBool,
    is_poisoned: AtomicBool,
}

impl HealthState {
    pub(crate) fn get(&self) -> Health {
        let is_full = |flag: &AtomicBool| flag.load(Ordering::Acquire);
        match (self.is_poisoned.load(Ordering::Acquire), self.full.iter().any(is_full)) {
            (true, _) => Health::Poisoned,
            (false, true) => Health::Full,
            (false, false) if self.is_reserved() => Health::Reserved,
            (false, false) => Health::Writable,
        }
    }

    /// Notes that what is left of the disk is to be left free, and says so once.
    pub(crate) fn found_reserved(&self, below: &BelowReserve) {
        if !self.is_reserved.swap(true, Ordering::AcqRel) {
            tracing::warn!(error = %below, "the disk is nearly full, writes are refused");
        }
    }

    /// Notes that there is more room than is to be left free.
    pub(crate) fn found_more_than_reserved(&self) {
        if self.is_reserved() {
            self.is_reserved.store(false, Ordering::Release);
            tracing::warn!("the disk has room again, writes are accepted");
        }
    }

    pub(crate) fn is_reserved(&self) -> bool {
        self.is_reserved.load(Ordering::Acquire)
    }

    /// Notes that there was no room, and says so once.
    pub(crate) fn found_full(&self, writing: Writing, error: &dyn std::error::Error) {
        if !self.flag(writing).swap(true, Ordering::AcqRel) {
            tracing::warn!(%error, ?writing, "the disk is full, it is tried again");
        }
    }

    /// Notes that there was room.
    pub(crate) fn found_room(&self, writing: Writing) {
        // Asked for with every commit, which changes nothing but rarely.
        if self.is_full(writing) {
            self.flag(writing).store(false, Ordering::Release);
            tracing::info!(?writing, "the disk has room again");
        }
    }

    pub(crate) fn is_full(&self, writing: Writing) -> bool {
        self.flag(writing).load(Ordering::Acquire)
    }

    /// Notes that nothing more is written.
    pub(crate) fn poison(&self) {
        self.is_poisoned.store(true, Ordering::Release);
    }

    fn flag(&self, writing: Writing) -> &AtomicBool {
        let [commits, memtables, merges] = &self.full;
        match writing {
            Writing::Commits => commits,
            Writing::Memtables => memtables,
            Writing::Merges => merges,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_over_when_all_who_met_it_found_room() {
        let health = HealthState::default();
        assert_eq!(health.get(), Health::Writable);
        let error = std::io::Error::from(std::io::ErrorKind::StorageFull);
        health.found_full(Writing::Commits, &error);
        health.found_full(Writing::Merges, &error);
        health.found_room(Writing::Commits);
        assert_eq!(health.get(), Health::Full);
        health.found_room(Writing::Merges);
        assert_eq!(health.get(), Health::Writable);
        health.found_reserved(&BelowReserve { free_bytes: 1, reserve_bytes: 2 });
        assert_eq!(health.get(), Health::Reserved);
        health.found_more_than_reserved();
        assert_eq!(health.get(), Health::Writable);
        health.poison();
        health.found_full(Writing::Commits, &error);
        assert_eq!(health.get(), Health::Poisoned);
    }
}
