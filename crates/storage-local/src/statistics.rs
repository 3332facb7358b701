//! What the engine counts about itself.

use monotable_storage::{EngineStatistics, Histogram};
use monotable_tree::Merging;

use crate::Health;
use crate::store::Store;

/// How long a sync takes, in nanoseconds: from a fast drive to one in trouble.
pub(crate) const SYNC_NANOS: &[u64] = &[
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    25_000_000,
    50_000_000,
    100_000_000,
    250_000_000,
    1_000_000_000,
    5_000_000_000,
];

/// How many transactions share a sync.
const GROUP_SIZES: &[u64] = &[1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/// What is counted of commits.
#[derive(Debug)]
pub(crate) struct Counters {
    /// How many transactions each group had.
    pub(crate) group_commits: Histogram,
}

impl Default for Counters {
    fn default() -> Counters {
        Counters { group_commits: Histogram::new(GROUP_SIZES) }
    }
}

/// How the engine on this store is doing.
pub(crate) fn statistics(store: &Store) -> EngineStatistics {
    let (state, journal) = (store.tree().state(), store.journal());
    let Merging { running, written_bytes, due_bytes } = store.tree().merging();
    EngineStatistics {
        disk_bytes: state.table_bytes() + journal.disk_bytes(),
        disk_free_bytes: journal.free_bytes().ok(),
        disk_reserve_bytes: store.reserve().bytes(),
        is_writable: store.health().get() == Health::Writable,
        table_files: state.table_count() as u64,
        memtable_bytes: state.memtable_bytes(),
        journal_written_bytes: journal.written_bytes(),
        journal_sync_nanos: journal.sync_nanos(),
        group_commits: store.counters().group_commits.counts(),
        merge_debt_bytes: due_bytes,
        merged_bytes: written_bytes,
        merges_running: running as u64,
    }
}
