//! Syncs the journal in the background, for [`Durability::Interval`](crate::Durability::Interval).

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::store::Store;

/// A thread that syncs at most an interval after the first write that is not on disk yet, and
/// sleeps while there is none.
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
    unsynced: bool,
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
        if !std::mem::replace(&mut self.state.lock().unsynced, true) {
            self.state.changed.notify_one();
        }
    }

    /// Whether a sync has failed.
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
        while self.wait_for_write() && self.wait_for_interval(interval) {
            if let Err(error) = store.journal().sync() {
                tracing::error!(%error, "sync failed, no further writes are accepted");
                self.lock().failed = true;
                return;
            }
        }
    }

    /// Waits until something is written; `false` means to stop.
    fn wait_for_write(&self) -> bool {
        let idle = |signals: &mut Signals| !signals.unsynced && !signals.stopped;
        let signals = self.changed.wait_while(self.lock(), idle);
        !signals.unwrap_or_else(PoisonError::into_inner).stopped
    }

    /// Lets the interval pass and takes note that a sync follows; `false` means to stop.
    fn wait_for_interval(&self, interval: Duration) -> bool {
        let running = |signals: &mut Signals| !signals.stopped;
        let (mut signals, _) = self
            .changed
            .wait_timeout_while(self.lock(), interval, running)
            .unwrap_or_else(PoisonError::into_inner);
        signals.unsynced = false;
        !signals.stopped
    }
}
