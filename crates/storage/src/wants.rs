//! What a transaction reads.

use crate::{Direction, Key, KeyRange};

/// What a transaction reads before it decides, and how it holds on to it.
///
/// ```text
/// Wants::locked(&keys)                     // a write of these items
/// Wants::locked(&keys).and_shared(&fence)  // the same, if the table is still what it was
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Wants<'a> {
    /// Keys that no other transaction may read in one of these ways or change until this one ends.
    pub locked: &'a [Key],
    /// Keys that no other transaction may change until this one ends; any number may share them.
    /// Whoever writes such a key must have locked it: a blind write is not held up.
    pub shared: &'a [Key],
    /// Ranges that are read once all keys are held. Entries may still come and go in them, but for
    /// those whose writers share a key that this transaction has locked.
    pub ranges: &'a [RangeRead],
    /// Logs whose ends are read once all keys are held. The same holds for what is appended to
    /// them.
    pub ends: &'a [Key],
}

impl<'a> Wants<'a> {
    /// Nothing: for a batch that depends on nothing.
    pub fn nothing() -> Wants<'static> {
        Wants::default()
    }

    /// These keys, locked.
    pub fn locked(keys: &'a [Key]) -> Wants<'a> {
        Wants { locked: keys, ..Wants::default() }
    }

    /// The same, and these keys shared.
    #[must_use]
    pub fn and_shared(self, keys: &'a [Key]) -> Wants<'a> {
        Wants { shared: keys, ..self }
    }

    /// The same, and these ranges.
    #[must_use]
    pub fn and_ranges(self, ranges: &'a [RangeRead]) -> Wants<'a> {
        Wants { ranges, ..self }
    }

    /// The same, and the ends of these logs.
    #[must_use]
    pub fn and_ends(self, logs: &'a [Key]) -> Wants<'a> {
        Wants { ends: logs, ..self }
    }
}

/// The first entries of a range, seen from one of its ends.
#[derive(Clone, Debug)]
pub struct RangeRead {
    /// The range.
    pub range: KeyRange,
    /// From which end.
    pub direction: Direction,
    /// How many at the most.
    pub limit: usize,
}
