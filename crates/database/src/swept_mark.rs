//! How far the sweeper has come in a table.
//!
//! A sweep removes entries in order of time, and an engine may keep a mark of each removed entry
//! for long. A sweep that began at the oldest time that counts would pass over all of them again,
//! every second. So a table remembers up to which second it was swept: nothing below that
//! [`SweptMark`] is due, but for what was written since.
//!
//! Such a write lowers the mark **after** it has committed ([`PutExpiries`]), and a sweep raises
//! the mark **before** it looks at the store ([`SweptMark::begin`]). Of the two one comes first. If
//! it is the write, the sweep begins low enough and finds its entry; if it is the sweep, the write
//! lowers the mark that the sweep left, and the next one finds it.
//!
//! A write whose caller disconnects while it is being committed lowers the mark too early, and a
//! sweep may come in between. Sweeps of everything, which come from time to time, find what it
//! wrote.

use std::sync::atomic::{AtomicU64, Ordering};

/// The second up to which a table was swept.
#[derive(Debug, Default)]
pub(crate) struct SweptMark(AtomicU64);

impl SweptMark {
    /// Begins a sweep of everything that is due at a time.
    pub(crate) fn begin(&self, now_secs: u64) -> SweepPass<'_> {
        let start_secs = self.0.swap(now_secs.saturating_add(1), Ordering::AcqRel);
        SweepPass { mark: self, start_secs, is_done: false }
    }

    /// The first second that may hold what is due, as far as is known.
    pub(crate) fn secs(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }

    /// Forgets how far the table was swept.
    pub(crate) fn reset(&self) {
        self.lower(0);
    }

    fn lower(&self, secs: u64) {
        self.0.fetch_min(secs, Ordering::AcqRel);
    }
}

/// A sweep under way. One that ends early puts the mark back to where it began.
#[derive(Debug)]
pub(crate) struct SweepPass<'a> {
    mark: &'a SweptMark,
    start_secs: u64,
    is_done: bool,
}

impl SweepPass<'_> {
    /// The first second that may hold what is due.
    pub(crate) fn start_secs(&self) -> u64 {
        self.start_secs
    }

    /// Ends a sweep that has removed all that was due.
    pub(crate) fn finish(mut self) {
        self.is_done = true;
    }
}

impl Drop for SweepPass<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            self.mark.lower(self.start_secs);
        }
    }
}

/// The expiry entries that a transaction puts into one table: lowers the table's mark to the
/// earliest when it is dropped, which must be after the commit.
#[derive(Debug)]
pub(crate) struct PutExpiries<'a> {
    mark: &'a SweptMark,
    /// Atomic only because a transaction may move between threads.
    earliest_secs: AtomicU64,
}

impl<'a> PutExpiries<'a> {
    pub(crate) fn new(mark: &'a SweptMark) -> PutExpiries<'a> {
        PutExpiries { mark, earliest_secs: AtomicU64::new(u64::MAX) }
    }

    /// Notes an entry.
    pub(crate) fn note(&self, expires_at_secs: u64) {
        self.earliest_secs.fetch_min(expires_at_secs, Ordering::Relaxed);
    }
}

impl Drop for PutExpiries<'_> {
    fn drop(&mut self) {
        let earliest_secs = *self.earliest_secs.get_mut();
        if earliest_secs != u64::MAX {
            self.mark.lower(earliest_secs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(mark: &SweptMark, secs: u64) {
        PutExpiries::new(mark).note(secs);
    }

    #[test]
    fn a_sweep_goes_on_where_the_last_one_ended() {
        let mark = SweptMark::default();
        let first = mark.begin(100);
        assert_eq!(first.start_secs(), 0);
        first.finish();
        assert_eq!(mark.begin(200).start_secs(), 101);
    }

    #[test]
    fn a_sweep_that_ends_early_is_made_again() {
        let mark = SweptMark::default();
        mark.begin(100).finish();
        drop(mark.begin(200));
        assert_eq!(mark.begin(300).start_secs(), 101);
    }

    #[test]
    fn an_earlier_entry_lowers_the_mark_and_a_later_one_does_not() {
        let mark = SweptMark::default();
        mark.begin(100).finish();
        put(&mark, 500);
        put(&mark, 40);
        put(&mark, 70);
        assert_eq!(mark.begin(200).start_secs(), 40);
    }

    #[test]
    fn an_entry_put_during_a_sweep_is_left_to_the_next_one() {
        let mark = SweptMark::default();
        let sweep = mark.begin(100);
        put(&mark, 40);
        sweep.finish();
        assert_eq!(mark.begin(200).start_secs(), 40);
    }

    #[test]
    fn a_clock_that_went_back_lowers_the_mark() {
        let mark = SweptMark::default();
        mark.begin(200).finish();
        mark.begin(100).finish();
        assert_eq!(mark.begin(300).start_secs(), 101);
    }
}
