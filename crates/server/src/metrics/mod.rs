//! What the server counts, and the page on which Prometheus reads it.
//!
//! Counting is always on, so a request must hardly notice it. It adds to a handful of atomic
//! numbers, takes no lock and, once a kind of call has been seen, allocates nothing. Threads count
//! apart from each other (`calls`), and what they counted is summed up when the page is read.
//!
//! Who may name what is bounded: an operation that DynamoDB does not have is counted as
//! `_unknown`, and only so many tables are told apart (`table_names`); all others are `_other`.
//!
//! `catalogue` lists every metric. The guide and the dashboard are checked against it.

mod calls;
mod catalogue;
mod counted_call;
mod operation;
mod page;
mod process;
mod report;
mod table_names;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use monotable_storage::StoreStatistics;

pub use catalogue::{CATALOGUE, Kind, Metric};
pub(crate) use counted_call::CountedCall;
pub(crate) use operation::Operation;
pub(crate) use page::{CONTENT_TYPE as PAGE_CONTENT_TYPE, Page};
pub(crate) use report::{Circumstances, write_page};

use calls::Calls;

/// How many tables are told apart, unless said otherwise.
pub const METRICS_TABLES_MAX: usize = 50;

/// Tells how the store is doing; nothing if it has nothing to tell.
#[derive(Clone)]
pub struct StorageProbe(Arc<dyn Fn() -> Option<StoreStatistics> + Send + Sync>);

impl StorageProbe {
    /// A probe that asks this. It is asked on the task of a connection, so it must not wait for
    /// long.
    pub fn new(
        statistics: impl Fn() -> Option<StoreStatistics> + Send + Sync + 'static,
    ) -> StorageProbe {
        StorageProbe(Arc::new(statistics))
    }

    pub(crate) fn statistics(&self) -> Option<StoreStatistics> {
        (self.0)()
    }
}

impl Default for StorageProbe {
    fn default() -> StorageProbe {
        StorageProbe::new(|| None)
    }
}

impl fmt::Debug for StorageProbe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StorageProbe").finish()
    }
}

/// A number that only grows, or goes up and down.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds so much.
    pub fn add(&self, amount: u64) {
        self.0.fetch_add(amount, Ordering::Relaxed);
    }

    /// Takes so much away.
    pub fn subtract(&self, amount: u64) {
        self.0.fetch_sub(amount, Ordering::Relaxed);
    }

    /// The number.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Everything that is counted.
#[derive(Debug)]
pub struct Metrics {
    calls: Calls,
    pub(crate) connections: Connections,
    /// What became of lines of the audit log.
    pub audit: Audit,
    /// What became of spans.
    pub traces: Traces,
}

/// Connections.
#[derive(Debug, Default)]
pub(crate) struct Connections {
    pub(crate) open: Counter,
    pub(crate) accepted: Counter,
    pub(crate) refused: Counter,
}

/// Lines of the audit log.
#[derive(Debug, Default)]
pub struct Audit {
    /// Those that were written.
    pub written: Counter,
    /// Those that could not be.
    pub dropped: Counter,
}

/// Spans of traces.
#[derive(Debug, Default)]
pub struct Traces {
    /// Those that were sent.
    pub sent: Counter,
    /// Those that could not be.
    pub dropped: Counter,
}

impl Metrics {
    /// Counts of a server that tells so many tables apart.
    pub fn new(tables_max: usize) -> Metrics {
        Metrics {
            calls: Calls::new(tables_max),
            connections: Connections::default(),
            audit: Audit::default(),
            traces: Traces::default(),
        }
    }

    /// Counts a call that was answered.
    pub(crate) fn count(&self, call: &CountedCall<'_>) {
        self.calls.count(call);
    }
}

impl Default for Metrics {
    fn default() -> Metrics {
        Metrics::new(METRICS_TABLES_MAX)
    }
}
