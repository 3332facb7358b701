//! How long the committer waits for more requests before it commits what it has.
//!
//! A sync takes as long for one batch as for many, in time and in work for the processor. Writers
//! that were answered come back after a moment; a sync that began without them makes them wait for
//! the next one, and groups come to half of what they could be. So the committer waits for as many
//! requests as there were writers lately: for half of what a sync takes, but at least for what a
//! writer needs to come back over a connection. If they do not come, the next group is not waited
//! for. A writer that is alone is never made to wait.
//!
//! On a disk that syncs sooner than writers come back, it waits for half of them. While it syncs
//! for one half, the other half comes back, and neither the disk nor the processors rest.

use std::time::Duration;

/// The part of a sync's duration that may be spent waiting.
const PATIENCE_PART: u32 = 2;
/// What may be spent in any case, and about what a writer needs to come back.
const PATIENCE_MIN: Duration = Duration::from_micros(500);
/// How much the newest sync counts in the mean of their durations.
const SYNC_WEIGHT: u32 = 8;
/// The mean counts no sync for more than this, so that a disk that stalled once is forgotten soon.
const SYNC_MAX: Duration = Duration::from_millis(20);

/// What the last commits tell about the next one.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    /// How many writers there seem to be: those of the last group, and those who came meanwhile.
    writers: usize,
    mean_sync: Duration,
}

impl Gathering {
    /// How many requests to wait for.
    pub(crate) fn hoped_for(&self) -> usize {
        let is_quick = self.mean_sync < PATIENCE_MIN;
        let hoped_for = if is_quick { self.writers.div_ceil(2) } else { self.writers };
        hoped_for.max(1)
    }

    /// How long to wait for them.
    pub(crate) fn patience(&self) -> Duration {
        match self.writers {
            0 | 1 => Duration::ZERO,
            _ => (self.mean_sync / PATIENCE_PART).max(PATIENCE_MIN),
        }
    }

    /// Notes a commit: of how many requests, how long it took, and how many waited at its end.
    pub(crate) fn committed(&mut self, requests: usize, took: Duration, waiting: usize) {
        self.writers = requests + waiting;
        let took = took.min(SYNC_MAX);
        self.mean_sync = (self.mean_sync * (SYNC_WEIGHT - 1) + took) / SYNC_WEIGHT;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOW_SYNC: Duration = Duration::from_millis(4);
    const FAST_SYNC: Duration = Duration::from_micros(100);

    #[test]
    fn a_lone_writer_is_not_made_to_wait() {
        let mut gathering = Gathering::default();
        assert_eq!(gathering.patience(), Duration::ZERO);
        (0..100).for_each(|_| gathering.committed(1, SLOW_SYNC, 0));
        assert_eq!((gathering.hoped_for(), gathering.patience()), (1, Duration::ZERO));
    }

    #[test]
    fn two_halves_of_the_writers_find_together() {
        let mut gathering = Gathering::default();
        (0..100).for_each(|_| gathering.committed(8, SLOW_SYNC, 8));
        assert_eq!(gathering.hoped_for(), 16);
        assert!(gathering.patience() > SLOW_SYNC / 3 && gathering.patience() <= SLOW_SYNC / 2);
    }

    #[test]
    fn on_a_quick_disk_half_of_the_writers_come_back_while_the_others_are_served() {
        let mut gathering = Gathering::default();
        (0..100).for_each(|_| gathering.committed(8, FAST_SYNC, 8));
        assert_eq!(gathering.hoped_for(), 8);
    }

    #[test]
    fn writers_that_did_not_come_back_are_not_waited_for_again() {
        let mut gathering = Gathering::default();
        gathering.committed(16, FAST_SYNC, 0);
        assert_eq!((gathering.hoped_for(), gathering.patience()), (8, PATIENCE_MIN));
        gathering.committed(1, FAST_SYNC, 0);
        assert_eq!((gathering.hoped_for(), gathering.patience()), (1, Duration::ZERO));
    }

    #[test]
    fn a_disk_that_stalled_once_does_not_make_writers_wait_long() {
        let mut gathering = Gathering::default();
        gathering.committed(16, Duration::from_secs(10), 0);
        assert!(gathering.patience() < Duration::from_millis(2));
    }
}
