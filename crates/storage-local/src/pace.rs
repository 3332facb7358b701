//! Background work in small pieces, with rests between them.
//!
//! A low priority alone does not keep requests from waiting: a thread that has a processor keeps it
//! for some milliseconds, though others with more right to it are woken meanwhile. So the threads
//! that write and merge tables rest by themselves after each half of a millisecond. The further
//! they are behind, the shorter they rest.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::timing::{now, rest};

/// How long a thread works without a rest.
const PIECE: Duration = Duration::from_micros(500);
/// From how many tables on that were not merged merging is urgent to some degree.
const MANY_TABLES: usize = 6;
/// From how many on the merging no longer gives way.
pub(crate) const URGENT_TABLES: usize = 10;

/// How urgent the work is, by how far it is behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// It is not urgent: rest for as long as it worked.
    None,
    /// Rest for a quarter of that.
    Some,
    /// Rest for a moment, in which waiting threads get the processor.
    Full,
}

impl Urgency {
    /// Of merging, when there are so many tables that are not merged.
    pub(crate) fn of_merges(tables: usize) -> Urgency {
        match tables {
            0..MANY_TABLES => Urgency::None,
            MANY_TABLES..URGENT_TABLES => Urgency::Some,
            _ => Urgency::Full,
        }
    }

    /// Of writing memtables out, when so much of the next one is filled.
    pub(crate) fn of_memtables(filled_bytes: u64, memtable_bytes: u64) -> Urgency {
        match filled_bytes.saturating_mul(4) / memtable_bytes.max(1) {
            0 => Urgency::None,
            1 => Urgency::Some,
            _ => Urgency::Full,
        }
    }
}

/// The piece of work that a thread is at.
#[derive(Debug)]
pub(crate) struct Pace {
    since: Cell<Instant>,
}

impl Pace {
    /// Begins to work.
    pub(crate) fn begin() -> Pace {
        Pace { since: Cell::new(now()) }
    }

    /// To be called again and again while working: rests when it is time to.
    pub(crate) fn keep(&self, urgency: impl FnOnce() -> Urgency) {
        let worked = self.since.get().elapsed();
        if worked < PIECE {
            return;
        }
        match urgency() {
            Urgency::None => rest(worked),
            Urgency::Some => rest(worked / 4),
            Urgency::Full => rest(worked / 8),
        }
        self.since.set(now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_further_behind_the_more_urgent() {
        assert_eq!(
            [5, 6, 9, 10].map(Urgency::of_merges),
            [Urgency::None, Urgency::Some, Urgency::Some, Urgency::Full]
        );
        let of_memtables = |filled| Urgency::of_memtables(filled, 400);
        assert_eq!(
            [0, 99, 100, 199, 200, 900].map(of_memtables),
            [
                Urgency::None,
                Urgency::None,
                Urgency::Some,
                Urgency::Some,
                Urgency::Full,
                Urgency::Full
            ]
        );
    }

    #[test]
    fn a_thread_that_has_worked_for_a_while_rests_for_as_long() {
        let pace = Pace::begin();
        pace.keep(|| panic!("it has hardly begun"));
        rest(PIECE);
        let begin = now();
        pace.keep(|| Urgency::Full);
        assert!(begin.elapsed() >= PIECE / 8);
        rest(PIECE);
        let begin = now();
        pace.keep(|| Urgency::None);
        assert!(begin.elapsed() >= PIECE);
    }
}
