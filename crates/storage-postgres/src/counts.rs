//! What a server counts about its store.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use monotable_storage::{Histogram, RemoteStatistics, Settled};

/// Bounds of the time of a round trip, in nanoseconds: 100 µs to 10 s.
const ROUND_TRIP_NANOS: &[u64] = &[
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
    500_000_000,
    1_000_000_000,
    2_500_000_000,
    10_000_000_000,
];

/// Bounds of the number of transactions that go together.
const GROUP_MEMBERS: &[u64] = &[1, 2, 4, 8, 16, 32, 64, 128];

/// A number that many threads add to.
#[derive(Debug, Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    pub(crate) fn add(&self, amount: u64) {
        self.0.fetch_add(amount, Ordering::Relaxed);
    }

    fn subtract(&self, amount: u64) {
        self.0.fetch_sub(amount, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Everything that is counted.
#[derive(Debug)]
pub(crate) struct Counts {
    open_connections: Count,
    opened_connections: Count,
    pub(crate) failed_connections: Count,
    pub(crate) retries: Count,
    read_nanos: Histogram,
    commit_nanos: Histogram,
    groups: Histogram,
    lost_and_committed: Count,
    lost_and_not_committed: Count,
    lost_and_unknown: Count,
}

impl Default for Counts {
    fn default() -> Counts {
        Counts {
            open_connections: Count::default(),
            opened_connections: Count::default(),
            failed_connections: Count::default(),
            retries: Count::default(),
            read_nanos: Histogram::new(ROUND_TRIP_NANOS),
            commit_nanos: Histogram::new(ROUND_TRIP_NANOS),
            groups: Histogram::new(GROUP_MEMBERS),
            lost_and_committed: Count::default(),
            lost_and_not_committed: Count::default(),
            lost_and_unknown: Count::default(),
        }
    }
}

/// A connection that is counted as open until this is dropped.
#[derive(Debug)]
pub(crate) struct OpenConnection(Arc<Counts>);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.open_connections.subtract(1);
    }
}

impl Counts {
    /// Counts a connection that was opened.
    pub(crate) fn connection(self: &Arc<Self>) -> OpenConnection {
        self.open_connections.add(1);
        self.opened_connections.add(1);
        OpenConnection(self.clone())
    }

    /// Counts the round trip that locks and reads for a group.
    pub(crate) fn read(&self, took: Duration) {
        self.read_nanos.count(nanos(took));
    }

    /// Counts the round trip that commits for a group of so many.
    pub(crate) fn commit(&self, members: usize, took: Duration) {
        self.commit_nanos.count(nanos(took));
        self.groups.count(members as u64);
    }

    /// Counts a commit whose answer was lost, and what was found out about it.
    pub(crate) fn lost(&self, settled: Option<Settled>) {
        match settled {
            Some(Settled::Committed) => self.lost_and_committed.add(1),
            Some(Settled::NotCommitted) => self.lost_and_not_committed.add(1),
            None => self.lost_and_unknown.add(1),
        }
    }

    /// All of it, with what is known elsewhere.
    pub(crate) fn statistics(&self, is_writable: bool, open_snapshots: usize) -> RemoteStatistics {
        RemoteStatistics {
            is_writable,
            open_connections: self.open_connections.get(),
            opened_connections: self.opened_connections.get(),
            failed_connections: self.failed_connections.get(),
            open_snapshots: open_snapshots as u64,
            retries: self.retries.get(),
            read_nanos: self.read_nanos.counts(),
            commit_nanos: self.commit_nanos.counts(),
            group_commits: self.groups.counts(),
            lost_and_committed: self.lost_and_committed.get(),
            lost_and_not_committed: self.lost_and_not_committed.get(),
            lost_and_unknown: self.lost_and_unknown.get(),
        }
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_is_open_until_it_ends() {
        let counts = Arc::<Counts>::default();
        let (first, _second) = (counts.connection(), counts.connection());
        drop(first);
        let statistics = counts.statistics(true, 0);
        assert_eq!((statistics.open_connections, statistics.opened_connections), (1, 2));
    }

    #[test]
    fn lost_answers_are_counted_by_what_became_of_the_commit() {
        let counts = Counts::default();
        for settled in [Some(Settled::Committed), None, Some(Settled::NotCommitted), None] {
            counts.lost(settled);
        }
        let found = counts.statistics(true, 0);
        let found =
            (found.lost_and_committed, found.lost_and_not_committed, found.lost_and_unknown);
        assert_eq!(found, (1, 1, 2));
    }
}
