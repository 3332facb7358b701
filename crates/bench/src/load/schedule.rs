//! When the requests of an open loop should be sent.

use std::time::{Duration, Instant};

/// Moments at equal distances, which follow from the rate alone: however late somebody looks, none
/// is left out and none is moved.
#[derive(Debug, Clone)]
pub(super) struct Schedule {
    start: Instant,
    per_second: f64,
    next: u64,
    total: u64,
}

impl Schedule {
    /// Moments from a start on, so many per second, for so long.
    pub(super) fn new(start: Instant, per_second: f64, length: Duration) -> Schedule {
        let total = (per_second * length.as_secs_f64()) as u64;
        Schedule { start, per_second, next: 0, total }
    }

    /// The next moment; none after the last.
    pub(super) fn next(&self) -> Option<Instant> {
        let after = Duration::from_secs_f64(self.next as f64 / self.per_second);
        (self.next < self.total).then(|| self.start + after)
    }

    /// The next moment if it has come, which is then gone.
    pub(super) fn take_due(&mut self, now: Instant) -> Option<Instant> {
        let due = self.next().filter(|moment| *moment <= now)?;
        self.next += 1;
        Some(due)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Histogram;
    use super::*;
    use crate::clock;

    const MILLISECOND: Duration = Duration::from_millis(1);

    #[test]
    fn moments_lie_at_equal_distances() {
        let start = clock::now();
        let mut schedule = Schedule::new(start, 1000.0, 3 * MILLISECOND);
        assert_eq!(schedule.next(), Some(start));
        assert_eq!(schedule.take_due(start), Some(start));
        assert_eq!(schedule.take_due(start), None);
        assert_eq!(schedule.next(), Some(start + MILLISECOND));
    }

    #[test]
    fn whoever_looks_late_finds_every_moment_as_it_was() {
        let start = clock::now();
        let mut schedule = Schedule::new(start, 1000.0, 10 * MILLISECOND);
        let late = start + Duration::from_secs(1);
        let due: Vec<Instant> = std::iter::from_fn(|| schedule.take_due(late)).collect();
        let expected: Vec<Instant> = (0..10).map(|number| start + number * MILLISECOND).collect();
        assert_eq!(due, expected);
        assert_eq!(schedule.next(), None);
    }

    /// A server that answers in no time but stalls once for half of the run: a closed loop would
    /// see one slow request in a thousand, but half of the requests would have had to wait.
    #[test]
    fn a_stall_is_felt_by_all_requests_that_should_have_been_sent_in_it() {
        let start = clock::now();
        let mut schedule = Schedule::new(start, 1000.0, 1000 * MILLISECOND);
        let stall = start + 250 * MILLISECOND..start + 750 * MILLISECOND;
        let mut latencies = Histogram::new();
        let mut now = start;
        while let Some(next) = schedule.next() {
            now = now.max(next);
            let answered = if stall.contains(&now) { stall.end } else { now };
            while let Some(intended) = schedule.take_due(answered) {
                latencies.record(answered - intended);
            }
            now = answered;
        }
        assert_eq!(latencies.total(), 1000);
        let median = latencies.quantile(0.5);
        let ninetieth = latencies.quantile(0.9).as_secs_f64() * 1e3;
        assert!(median < MILLISECOND, "{median:?}");
        assert!((396.0..404.0).contains(&ninetieth), "{ninetieth}");
    }
}
