//! Which commit numbers open snapshots stand at.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The commit numbers of all open snapshots.
#[derive(Debug, Default)]
pub(super) struct OpenSnapshots {
    counts: Mutex<SnapshotCounts>,
}

/// How many snapshots are open at each commit number that has any.
#[derive(Debug, Default)]
pub(super) struct SnapshotCounts(BTreeMap<u64, usize>);

impl OpenSnapshots {
    /// The counts themselves. Every change to them is a single step, so those that a panicking
    /// thread left are good.
    pub(super) fn lock(&self) -> MutexGuard<'_, SnapshotCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SnapshotCounts {
    pub(super) fn open(&mut self, commit: u64) {
        *self.0.entry(commit).or_default() += 1;
    }

    pub(super) fn close(&mut self, commit: u64) {
        let count = self.0.entry(commit).or_default();
        *count = count.saturating_sub(1);
        if *count == 0 {
            self.0.remove(&commit);
        }
    }

    /// Returns whether any snapshot sees what was written by commit `written` and replaced by
    /// `replaced`.
    pub(super) fn any_between(&self, written: u64, replaced: u64) -> bool {
        self.0.range(written..replaced).next().is_some()
    }

    /// Returns whether any snapshot is older than `commit`.
    pub(super) fn any_before(&self, commit: u64) -> bool {
        self.0.first_key_value().is_some_and(|(oldest, _)| *oldest < commit)
    }
}
