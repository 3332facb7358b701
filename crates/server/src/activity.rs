//! What a connection has been doing, for the watch over stalled ones.
//!
//! One timer watches a whole connection, and a request only counts itself. A timer for the headers
//! and the body of every request would cost more than all other work of this crate.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use monotable_database::Clock;

/// The requests of one connection.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    /// How many requests have arrived whole.
    arrived: AtomicU64,
    /// How many of them are being worked on.
    working: AtomicU32,
}

/// Work on a request. It ends when this is dropped.
pub(crate) struct Working<'a>(&'a Activity);

impl Activity {
    /// Notes that a request has arrived whole and that work on it begins.
    pub(crate) fn work(&self) -> Working<'_> {
        self.arrived.fetch_add(1, Ordering::Relaxed);
        self.working.fetch_add(1, Ordering::Relaxed);
        Working(self)
    }

    /// Ends when a whole `timeout` has passed in which no request arrived, with none being worked on
    /// at its end. So a connection stalls for at least that long and for less than twice as long.
    pub(crate) async fn stalled(&self, clock: &dyn Clock, timeout: Duration) {
        loop {
            let before = self.arrived.load(Ordering::Relaxed);
            clock.sleep(timeout).await;
            let is_idle = self.working.load(Ordering::Relaxed) == 0;
            if is_idle && self.arrived.load(Ordering::Relaxed) == before {
                return;
            }
        }
    }
}

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.0.working.fetch_sub(1, Ordering::Relaxed);
    }
}
