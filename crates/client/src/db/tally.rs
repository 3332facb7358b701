//! The span of an operation: its table, entity and pattern, and the totals of its requests.

use std::sync::{Arc, Mutex, PoisonError};

use tracing::Span;

/// Creates the span of an operation. The totals of its requests are recorded as they are answered.
macro_rules! operation_span {
    ($name:literal, $db:expr, $entity:expr, $pattern:expr) => {
        tracing::debug_span!(
            $name,
            monotable.table = $db.name(),
            monotable.entity = $entity,
            monotable.pattern = $pattern,
            monotable.rcu = tracing::field::Empty,
            monotable.wcu = tracing::field::Empty,
            monotable.rounds = tracing::field::Empty,
            monotable.retries = tracing::field::Empty,
        )
    };
}

pub(super) use operation_span;

/// The totals of the requests of one operation, for its span.
#[derive(Debug, Clone)]
pub(super) struct Tally {
    span: Span,
    sums: Arc<Mutex<Sums>>,
}

#[derive(Debug, Default)]
struct Sums {
    read_units: f64,
    write_units: f64,
    rounds: u64,
}

impl Tally {
    /// A tally for a span that somebody looks at.
    pub(super) fn of(span: &Span) -> Option<Tally> {
        (!span.is_disabled()).then(|| Tally { span: span.clone(), sums: Arc::default() })
    }

    pub(super) fn add_read(&self, units: f64) {
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        sums.read_units += units;
        self.span.record("monotable.rcu", sums.read_units);
    }

    pub(super) fn add_write(&self, units: f64) {
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        sums.write_units += units;
        self.span.record("monotable.wcu", sums.write_units);
    }

    /// Notes that requests are sent again: members that a batch left, or for an item that changed.
    pub(super) fn add_round(&self) {
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        sums.rounds += 1;
        self.span.record("monotable.rounds", sums.rounds);
    }
}
