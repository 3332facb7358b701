//! Slowing writers down before memory and tables pile up.
//!
//! Memtables are written out and tables merged in the background. When that falls behind, the
//! committer rests after each group, for a time that grows with the bytes it wrote and with how far
//! the background work is behind. So the rate of writes comes down to what the disk takes, and each
//! write waits a little instead of a few very long.
//!
//! | the memtable is full | tables that are not merged | bytes a second let in |
//! |---|---|---|
//! | less than twice over | up to 15 | all |
//! | twice | from 16 | 64 MiB |
//! | three times | from 24 | 16 MiB |
//! | four times | from 32 | none, until it is less |

use std::time::Duration;

/// What waits for the background work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Backlog {
    /// How many times over the memtable is full that is written to.
    pub(crate) times_full: u64,
    /// Tables that are not merged yet.
    pub(crate) tables: usize,
}

/// How many of them there may be. Each one is another place to look for a key.
const TABLES_MAX: usize = 32;

/// From how many on merging is behind.
const TABLES_MANY: usize = 16;

/// Work that is a little behind.
const SLOW_BYTES_PER_SEC: u64 = 64 << 20;
/// Work that is far behind.
const SLOWEST_BYTES_PER_SEC: u64 = 16 << 20;

/// The longest rest after one group, however large it was.
const REST_MAX: Duration = Duration::from_millis(50);

impl Backlog {
    /// How long to rest after this many bytes were written.
    pub(crate) fn rest(self, written_bytes: u64) -> Duration {
        match self.bytes_per_sec() {
            Some(rate) => {
                Duration::from_micros(written_bytes.saturating_mul(1_000_000) / rate).min(REST_MAX)
            }
            None => Duration::ZERO,
        }
    }

    /// Returns whether nothing may be written until the background work has caught up.
    pub(crate) fn is_full(self) -> bool {
        self.times_full >= 4 || self.tables >= TABLES_MAX
    }

    /// How much may be written; anything if the work keeps up.
    fn bytes_per_sec(self) -> Option<u64> {
        match (self.times_full, self.tables) {
            (0..=1, 0..TABLES_MANY) => None,
            (0..=2, 0..=23) => Some(SLOW_BYTES_PER_SEC),
            (_, _) => Some(SLOWEST_BYTES_PER_SEC),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn backlog(times_full: u64, tables: usize) -> Backlog {
        Backlog { times_full, tables }
    }

    #[test]
    fn work_that_keeps_up_slows_nobody() {
        assert_eq!(backlog(1, 15).rest(1 << 20), Duration::ZERO);
        assert!(!backlog(3, 31).is_full());
    }

    #[test]
    fn the_rest_grows_with_the_bytes_and_the_backlog() {
        assert_eq!(backlog(2, 0).rest(64 << 10), Duration::from_micros(976));
        assert_eq!(backlog(0, 16).rest(64 << 10), Duration::from_micros(976));
        assert_eq!(backlog(3, 0).rest(64 << 10), Duration::from_micros(3906));
        assert_eq!(backlog(0, 24).rest(64 << 10), Duration::from_micros(3906));
        assert!(backlog(4, 0).is_full() && backlog(0, 32).is_full());
    }

    #[test]
    fn a_rest_is_bounded_however_large_the_group() {
        assert_eq!(backlog(9, 99).rest(1 << 30), REST_MAX);
    }
}
