//! What a connection has been doing, for the watches over those that stall.
//!
//! One timer watches a whole connection, and a request only counts itself. A timer for the headers
//! and the body of every request would cost more than all other work of this crate.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use monotable_database::Clock;
use tokio::sync::Notify;

use crate::limits::Limits;

/// The requests of one connection.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    /// How many requests have arrived whole.
    arrived: AtomicU64,
    /// How many of them are being worked on.
    working: AtomicU32,
    /// Whether anything has arrived, if no request has arrived whole.
    has_begun: AtomicBool,
    /// How many requests have arrived in part, or have answers that have not left.
    under_way: AtomicU32,
    /// Bytes that came and went in pieces.
    moved_bytes: AtomicU64,
    /// Bytes of memory that the client keeps: what it has not sent to the end, or not read.
    owed_bytes: AtomicU64,
    /// Others need what the client keeps.
    cut: Notify,
}

/// Work on a request. It ends when this is dropped.
pub(crate) struct Working<'a>(&'a Activity);

/// A request that has begun to arrive, or whose answer has not left. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct UnderWay(Arc<Activity>);

/// How long the three kinds of quiet may last.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quiet {
    pub(crate) first_byte: Duration,
    pub(crate) idle: Duration,
    pub(crate) stalled: Duration,
}

impl Activity {
    /// Notes that a request has arrived whole and that work on it begins.
    pub(crate) fn work(&self) -> Working<'_> {
        self.arrived.fetch_add(1, Ordering::Relaxed);
        self.working.fetch_add(1, Ordering::Relaxed);
        Working(self)
    }

    /// How many requests have arrived whole.
    pub(crate) fn arrived(&self) -> u64 {
        self.arrived.load(Ordering::Relaxed)
    }

    /// Whether any request is under way.
    pub(crate) fn is_under_way(&self) -> bool {
        self.under_way.load(Ordering::Relaxed) > 0
    }

    /// Notes that the client has sent something.
    pub(crate) fn begin(&self) {
        self.has_begun.store(true, Ordering::Relaxed);
    }

    /// Notes that a request has arrived in part.
    pub(crate) fn under_way(self: &Arc<Activity>) -> UnderWay {
        self.begin();
        self.under_way.fetch_add(1, Ordering::Relaxed);
        UnderWay(self.clone())
    }

    /// Whether one request at most is under way.
    pub(crate) fn is_alone(&self) -> bool {
        self.under_way.load(Ordering::Relaxed) <= 1
    }

    /// Notes that so many bytes of something larger have come or gone.
    pub(crate) fn note_moved(&self, bytes: usize) {
        self.moved_bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// How many bytes have come and gone in pieces.
    pub(crate) fn moved_bytes(&self) -> u64 {
        self.moved_bytes.load(Ordering::Relaxed)
    }

    /// Adds to what the client keeps.
    pub(crate) fn owe(&self, bytes: u64) {
        self.owed_bytes.fetch_add(bytes, Ordering::SeqCst);
    }

    /// Takes from what the client keeps.
    pub(crate) fn pay(&self, bytes: u64) {
        self.owed_bytes.fetch_sub(bytes, Ordering::SeqCst);
    }

    /// How much memory the client keeps.
    pub(crate) fn owed_bytes(&self) -> u64 {
        self.owed_bytes.load(Ordering::SeqCst)
    }

    /// Has the connection closed, because others need what the client keeps.
    pub(crate) fn cut(&self) {
        self.cut.notify_one();
    }

    /// Ends when the connection is to be closed: others need what the client keeps, or it has been
    /// quiet for too long.
    pub(crate) async fn is_over(&self, clock: &dyn Clock, quiet: Quiet) {
        tokio::select! {
            () = self.cut.notified() => {
                tracing::info!("closing a slow connection whose memory others need");
            }
            () = self.stalled(clock, quiet) => tracing::debug!("closing a connection that stalled"),
        }
    }

    /// Ends when no request has arrived for a whole time of its kind, with none being worked on
    /// at its end. So a connection stalls for at least that long and for less than twice as long.
    async fn stalled(&self, clock: &dyn Clock, quiet: Quiet) {
        let step = quiet.first_byte.min(quiet.idle).min(quiet.stalled);
        let mut lasted = Duration::ZERO;
        let mut before = self.arrived.load(Ordering::Relaxed);
        loop {
            clock.sleep(step).await;
            let arrived = self.arrived.load(Ordering::Relaxed);
            if self.working.load(Ordering::Relaxed) > 0 || arrived != before {
                before = arrived;
                lasted = Duration::ZERO;
                continue;
            }
            lasted += step;
            if lasted >= self.quiet_allowed(quiet) {
                return;
            }
        }
    }

    fn quiet_allowed(&self, quiet: Quiet) -> Duration {
        let has_spoken =
            self.has_begun.load(Ordering::Relaxed) || self.arrived.load(Ordering::Relaxed) > 0;
        if !has_spoken {
            quiet.first_byte
        } else if self.under_way.load(Ordering::Relaxed) > 0 {
            quiet.stalled
        } else {
            quiet.idle
        }
    }
}

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.0.working.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

impl From<&Limits> for Quiet {
    fn from(limits: &Limits) -> Quiet {
        Quiet {
            first_byte: limits.first_byte_timeout,
            idle: limits.idle_timeout,
            stalled: limits.stall_timeout,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Waker};

    use monotable_database::ManualClock;

    use super::*;

    const QUIET: Quiet = Quiet {
        first_byte: Duration::from_secs(10),
        idle: Duration::from_secs(60),
        stalled: Duration::from_secs(20),
    };

    /// After how many seconds a connection in this state is closed.
    fn seconds_until_closed(activity: &Activity) -> u64 {
        let clock = ManualClock::new(0);
        let mut over = pin!(activity.is_over(&clock, QUIET));
        let mut context = Context::from_waker(Waker::noop());
        for second in 0..1000 {
            if over.as_mut().poll(&mut context).is_ready() {
                return second;
            }
            clock.advance(Duration::from_secs(1));
        }
        panic!("the connection stays open");
    }

    #[test]
    fn each_kind_of_quiet_has_its_own_time() {
        let activity = Arc::new(Activity::default());
        assert_eq!(seconds_until_closed(&activity), 10);
        let part = activity.under_way();
        assert_eq!(seconds_until_closed(&activity), 20);
        drop(part);
        assert_eq!(seconds_until_closed(&activity), 60);
        drop(activity.work());
        assert_eq!(seconds_until_closed(&activity), 60);
    }

    #[test]
    fn a_client_whose_memory_others_need_is_cut_off_at_once() {
        let activity = Activity::default();
        activity.cut();
        assert_eq!(seconds_until_closed(&activity), 0);
    }
}
