//! What an engine counts about itself, for whoever watches over it.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts values by size: how many were at most as large as each bound.
///
/// Counting takes two additions and no lock. What is read meanwhile may have a value counted that
/// is not in the sum yet.
#[derive(Debug)]
pub struct Histogram {
    bounds: &'static [u64],
    /// One more than there are bounds: the last is for what is larger than all of them.
    counts: Box<[AtomicU64]>,
    sum: AtomicU64,
}

/// What a [`Histogram`] has counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HistogramCounts {
    /// The largest value of each part, in order.
    pub bounds: &'static [u64],
    /// How many values each part has, with one more part for all that is larger.
    pub counts: Vec<u64>,
    /// The sum of all values.
    pub sum: u64,
}

impl Histogram {
    /// A histogram with these bounds, which are in order.
    pub fn new(bounds: &'static [u64]) -> Histogram {
        let counts = (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect();
        Histogram { bounds, counts, sum: AtomicU64::new(0) }
    }

    /// Counts a value.
    pub fn count(&self, value: u64) {
        let part = self.bounds.partition_point(|bound| *bound < value);
        if let Some(count) = self.counts.get(part) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.sum.fetch_add(value, Ordering::Relaxed);
    }

    /// What was counted so far.
    pub fn counts(&self) -> HistogramCounts {
        HistogramCounts {
            bounds: self.bounds,
            counts: self.counts.iter().map(|count| count.load(Ordering::Relaxed)).collect(),
            sum: self.sum.load(Ordering::Relaxed),
        }
    }
}

impl HistogramCounts {
    /// How many values there are.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Adds what another histogram with the same bounds has counted.
    pub fn absorb(&mut self, other: &HistogramCounts) {
        if self.counts.is_empty() {
            self.bounds = other.bounds;
            self.counts = vec![0; other.counts.len()];
        }
        self.counts.iter_mut().zip(&other.counts).for_each(|(sum, count)| *sum += count);
        self.sum += other.sum;
    }
}

/// How an engine on a disk is doing.
#[derive(Debug, Clone, Default)]
pub struct EngineStatistics {
    /// Bytes of all its files.
    pub disk_bytes: u64,
    /// Bytes of the disk that are free for it, if that is known.
    pub disk_free_bytes: Option<u64>,
    /// Bytes of the disk that it leaves free.
    pub disk_reserve_bytes: u64,
    /// Whether it takes writes.
    pub is_writable: bool,
    /// Files that hold data, without those of the journal.
    pub table_files: u64,
    /// Bytes of writes that are held in memory, until they go to files.
    pub memtable_bytes: u64,
    /// Bytes written to the journal since it was opened.
    pub journal_written_bytes: u64,
    /// How long the syncs of the journal took, in nanoseconds.
    pub journal_sync_nanos: HistogramCounts,
    /// How many transactions were committed together, group by group.
    pub group_commits: HistogramCounts,
    /// Bytes of files that are due to be merged.
    pub merge_debt_bytes: u64,
    /// Bytes written by merges since it was opened.
    pub merged_bytes: u64,
    /// Merges under way.
    pub merges_running: u64,
}

/// How an engine on a database over the network is doing, counted since it was opened.
#[derive(Debug, Clone, Default)]
pub struct RemoteStatistics {
    /// Whether it took writes when it was last asked.
    pub is_writable: bool,
    /// Connections to the database that are open.
    pub open_connections: u64,
    /// Connections that were opened.
    pub opened_connections: u64,
    /// Connections that could not be opened.
    pub failed_connections: u64,
    /// Snapshots that are open, each on a connection of its own.
    pub open_snapshots: u64,
    /// Transactions that were tried again because they met others, or lost their connection.
    pub retries: u64,
    /// How long the round trips took that lock and read, in nanoseconds.
    pub read_nanos: HistogramCounts,
    /// How long the round trips took that write and commit, in nanoseconds.
    pub commit_nanos: HistogramCounts,
    /// How many transactions were committed together, group by group.
    pub group_commits: HistogramCounts,
    /// Commits whose answer was lost, and which turned out to have happened.
    pub lost_and_committed: u64,
    /// Commits whose answer was lost, and which turned out not to have happened.
    pub lost_and_not_committed: u64,
    /// Commits whose answer was lost, and of which nothing could be found out in time.
    pub lost_and_unknown: u64,
}

/// How an engine is doing, by its kind.
#[derive(Debug, Clone)]
pub enum StoreStatistics {
    /// One on a disk of this machine.
    Disk(EngineStatistics),
    /// One on a database over the network.
    Remote(RemoteStatistics),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_counted_with_the_first_bound_that_is_not_smaller() {
        let histogram = Histogram::new(&[10, 20]);
        for value in [0, 10, 11, 20, 21, 1000] {
            histogram.count(value);
        }
        let counts = histogram.counts();
        assert_eq!((counts.counts.as_slice(), counts.sum), (&[2, 2, 2][..], 1062));
        assert_eq!(counts.total(), 6);
    }

    #[test]
    fn counts_of_several_histograms_add_up() {
        let histogram = Histogram::new(&[10]);
        histogram.count(4);
        histogram.count(40);
        let mut sum = HistogramCounts::default();
        sum.absorb(&histogram.counts());
        sum.absorb(&histogram.counts());
        assert_eq!((sum.bounds, sum.counts.as_slice(), sum.sum), (&[10][..], &[2, 2][..], 88));
    }
}
