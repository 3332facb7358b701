//! A clock that stands still until it is moved.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use monotable_database::Clock;
use tokio::sync::watch;

/// The first moment of every test: 2023-11-14T22:13:20Z.
const START_MILLIS: u64 = 1_700_000_000_000;

pub(crate) struct ManualClock {
    now_millis: watch::Sender<u64>,
    /// Cloned by everyone who sleeps, so that the count of clones says how many do.
    sleepers: Arc<()>,
}

impl ManualClock {
    pub(crate) fn new() -> Arc<ManualClock> {
        let now_millis = watch::Sender::new(START_MILLIS);
        Arc::new(ManualClock { now_millis, sleepers: Arc::new(()) })
    }

    pub(crate) fn advance(&self, duration: Duration) {
        self.now_millis.send_modify(|now| *now += duration.as_millis() as u64);
    }

    /// Whether somebody waits for a moment that has not come.
    pub(crate) fn has_sleepers(&self) -> bool {
        self.sleepers() > 0
    }

    /// How many wait for a moment that has not come.
    pub(crate) fn sleepers(&self) -> usize {
        Arc::strong_count(&self.sleepers) - 1
    }
}

impl Clock for ManualClock {
    fn now_millis(&self) -> u64 {
        *self.now_millis.borrow()
    }

    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let mut now_millis = self.now_millis.subscribe();
        let until_millis = self.now_millis() + duration.as_millis() as u64;
        let sleeper = self.sleepers.clone();
        Box::pin(async move {
            now_millis.wait_for(|now| *now >= until_millis).await.expect("the clock is there");
            drop(sleeper);
        })
    }
}
