//! Slowing writers down before the tree stops them.
//!
//! The tree writes memtables out and compacts in the background. When that falls too far behind, it stops its
//! writers altogether: with four full memtables or thirty runs of tables in the first level, until
//! one is gone, which can be a second. Long before that, the committer rests after each group, for a
//! time that grows with the bytes it wrote and with how far the tree is behind. So the rate of
//! writes comes down to what the disk takes, and each write waits a little instead of a few very long.
//!
//! | full memtables | runs | bytes a second let in |
//! |---|---|---|
//! | 0, 1 | up to 11 | all |
//! | 2 | from 12 | 64 MiB |
//! | 3 | from 20 | 16 MiB |

use std::time::Duration;

/// What waits for the tree's background work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Backlog {
    /// Memtables that are full and not on disk yet.
    pub(crate) full_memtables: usize,
    /// Runs of tables that are not compacted yet.
    pub(crate) runs: usize,
}

/// A tree that is a little behind.
const SLOW_BYTES_PER_SEC: u64 = 64 << 20;
/// A tree that is about to stop its writers.
const SLOWEST_BYTES_PER_SEC: u64 = 16 << 20;

/// The longest rest after one group, however large it was.
const REST_MAX: Duration = Duration::from_millis(50);

impl Backlog {
    /// How long to rest after so many bytes were written.
    pub(crate) fn rest(self, written_bytes: u64) -> Duration {
        match self.bytes_per_sec() {
            Some(rate) => {
                Duration::from_micros(written_bytes.saturating_mul(1_000_000) / rate).min(REST_MAX)
            }
            None => Duration::ZERO,
        }
    }

    /// How much may be written; anything if the tree keeps up.
    fn bytes_per_sec(self) -> Option<u64> {
        match (self.full_memtables, self.runs) {
            (0..=1, 0..=11) => None,
            (0..=2, 0..=19) => Some(SLOW_BYTES_PER_SEC),
            (_, _) => Some(SLOWEST_BYTES_PER_SEC),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(full_memtables: usize, runs: usize, written_bytes: u64) -> Duration {
        Backlog { full_memtables, runs }.rest(written_bytes)
    }

    #[test]
    fn a_tree_that_keeps_up_slows_nobody() {
        assert_eq!(rest(1, 11, 1 << 20), Duration::ZERO);
    }

    #[test]
    fn the_rest_grows_with_the_bytes_and_the_backlog() {
        assert_eq!(rest(2, 0, 64 << 10), Duration::from_micros(976));
        assert_eq!(rest(0, 12, 64 << 10), Duration::from_micros(976));
        assert_eq!(rest(3, 0, 64 << 10), Duration::from_micros(3906));
        assert_eq!(rest(0, 20, 64 << 10), Duration::from_micros(3906));
    }

    #[test]
    fn a_rest_is_bounded_however_large_the_group() {
        assert_eq!(rest(9, 99, 1 << 30), REST_MAX);
    }
}
