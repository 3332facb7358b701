//! How long calls hold their workers, for the test that says how long they may.
//!
//! The time is taken from the beginning of a poll to its end, without what moved off the worker in
//! between. Nothing is measured unless a watcher is set.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The time that a thread has worked so far.
pub type HoldClock = fn() -> Duration;

static CLOCK: OnceLock<HoldClock> = OnceLock::new();
static LONGEST_NANOS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static SINCE: Cell<Option<Duration>> = const { Cell::new(None) };
}

/// Measures holds from here on, with a clock of the thread's own time.
pub fn watch_holds(clock: HoldClock) {
    CLOCK.get_or_init(|| clock);
}

/// The longest hold since the last call of this.
pub fn longest_hold() -> Duration {
    Duration::from_nanos(LONGEST_NANOS.swap(0, Ordering::Relaxed))
}

/// A poll on a worker, which ends when this is dropped.
pub(super) struct Hold(Option<HoldClock>);

#[inline]
pub(super) fn begin() -> Hold {
    let clock = CLOCK.get().copied();
    if let Some(clock) = clock {
        SINCE.set(Some(clock()));
    }
    Hold(clock)
}

impl Drop for Hold {
    #[inline]
    fn drop(&mut self) {
        if let Some(clock) = self.0 {
            end(clock);
        }
    }
}

fn end(clock: HoldClock) {
    if let Some(since) = SINCE.take() {
        let nanos = clock().saturating_sub(since).as_nanos();
        LONGEST_NANOS.fetch_max(u64::try_from(nanos).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// Work off the worker within a poll: what comes before and after it is held apart.
pub(super) struct Pause(Option<HoldClock>);

pub(super) fn pause() -> Pause {
    let clock = CLOCK.get().copied().filter(|_| SINCE.get().is_some());
    clock.into_iter().for_each(end);
    Pause(clock)
}

impl Drop for Pause {
    fn drop(&mut self) {
        if let Some(clock) = self.0 {
            SINCE.set(Some(clock()));
        }
    }
}
