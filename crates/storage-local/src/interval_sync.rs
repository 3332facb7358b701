//! Syncs the journal in the background, for [`Durability::Interval`](crate::Durability::Interval).

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::store::Store;
use crate::timing::now;

/// A thread that brings every write to disk within the interval, and sleeps while there is none.
///
/// It begins half an interval after the first write that is not on disk yet, so that the other half
/// is left for the sync. A write that comes right after a sync has begun waits for that one and for
/// its own, which takes the whole interval if a sync takes half of it.
pub(crate) struct IntervalSync {
    state: Arc<State>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct State {
    signals: Mutex<Signals>,
    changed: Condvar,
}

#[derive(Default)]
struct Signals {
    /// When the first write came that no sync has begun for.
    unsynced_since: Option<Instant>,
    stopped: bool,
    failed: bool,
}

impl IntervalSync {
    pub(crate) fn start(store: Arc<Store>, interval: Duration) -> std::io::Result<IntervalSync> {
        let state = Arc::<State>::default();
        let thread = thread::Builder::new().name("storage-sync".to_owned()).spawn({
            let state = state.clone();
            move || state.run(&store, interval)
        })?;
        Ok(IntervalSync { state, thread: Some(thread) })
    }

    /// Says that something was written.
    pub(crate) fn written(&self) {
        // Only the first write of an interval wakes the thread; it would have nothing to do for
        // the others.
        let mut signals = self.state.lock();
        if signals.unsynced_since.is_none() {
            signals.unsynced_since = Some(now());
            drop(signals);
            self.state.changed.notify_one();
        }
    }

    /// Returns whether a sync has failed.
    pub(crate) fn failed(&self) -> bool {
        self.state.lock().failed
    }
}

impl Drop for IntervalSync {
    fn drop(&mut self) {
        self.state.lock().stopped = true;
        self.state.changed.notify_one();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread that syncs the journal panicked");
        }
    }
}

impl State {
    fn lock(&self) -> MutexGuard<'_, Signals> {
        self.signals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, store: &Store, interval: Duration) {
        while let Some(since) = self.wait_for_write() {
            if !self.wait(delay(since.elapsed(), interval)) {
                return;
            }
            if let Err(error) = store.journal().sync() {
                tracing::error!(%error, "sync failed, no further writes are accepted");
                store.health().poison();
                self.lock().failed = true;
                return;
            }
        }
    }

    /// Waits until something is written, and returns when that was; none means to stop.
    fn wait_for_write(&self) -> Option<Instant> {
        let idle = |signals: &mut Signals| signals.unsynced_since.is_none() && !signals.stopped;
        let signals = self.changed.wait_while(self.lock(), idle);
        let signals = signals.unwrap_or_else(PoisonError::into_inner);
        signals.unsynced_since.filter(|_| !signals.stopped)
    }

    /// Lets so much time pass and takes note that a sync follows; `false` means to stop.
    fn wait(&self, delay: Duration) -> bool {
        let running = |signals: &mut Signals| !signals.stopped;
        let (mut signals, _) = self
            .changed
            .wait_timeout_while(self.lock(), delay, running)
            .unwrap_or_else(PoisonError::into_inner);
        signals.unsynced_since = None;
        !signals.stopped
    }
}

/// How long to wait before a sync, so long after the first write that it is for.
fn delay(since_write: Duration, interval: Duration) -> Duration {
    (interval / 2).saturating_sub(since_write)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERVAL: Duration = Duration::from_millis(100);

    /// When a write is on disk that came so long before the end of a sync, if syncs take so long.
    fn on_disk_after(before_end: Duration, sync: Duration) -> Duration {
        before_end + delay(before_end, INTERVAL) + sync
    }

    #[test]
    fn a_write_is_on_disk_within_the_interval_if_a_sync_takes_half_of_it() {
        for sync in [1, 10, 49, 50].map(Duration::from_millis) {
            // It may come at any moment of the sync before, or when nothing is being synced.
            for part in 0..=10 {
                assert!(on_disk_after(sync * part / 10, sync) <= INTERVAL, "{sync:?}, {part}");
            }
        }
    }

    #[test]
    fn a_slow_disk_is_not_waited_for_twice() {
        let slow = Duration::from_millis(300);
        assert_eq!(delay(slow, INTERVAL), Duration::ZERO);
        assert_eq!(on_disk_after(slow, slow), slow * 2);
    }
}
