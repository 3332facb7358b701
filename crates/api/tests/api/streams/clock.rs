//! A clock that stands still until it is moved, and wakes whoever sleeps by it.

use std::future::Future;
use std::pin::Pin;
use std::sync::Mutex;
use std::time::Duration;

use monotable_database::Clock;
use tokio::sync::watch;

/// 2026-11-15T12:00:00.250Z, when every test begins.
const START_MILLIS: u64 = 1_794_744_000_250;
/// How often other tasks get their turn before they are taken for hanging.
const TURNS_MAX: usize = 1_000_000;

/// The clock.
pub(crate) struct MovableClock {
    now_millis: watch::Sender<u64>,
    /// When each sleeper wants to be woken.
    wakes_millis: Mutex<Vec<u64>>,
}

impl MovableClock {
    pub(crate) fn new() -> MovableClock {
        let now_millis = watch::Sender::new(START_MILLIS);
        MovableClock { now_millis, wakes_millis: Mutex::new(Vec::new()) }
    }

    /// Moves the clock, and waits until everyone who was woken has done his work and sleeps again.
    pub(crate) async fn advance(&self, duration: Duration) {
        let now_millis = self.now_millis() + duration.as_millis() as u64;
        let sleepers = self.sleepers();
        self.wakes_millis.lock().unwrap().retain(|wake| *wake > now_millis);
        self.now_millis.send_replace(now_millis);
        self.wait_for_sleepers(sleepers).await;
    }

    /// Waits until so many sleep.
    pub(crate) async fn wait_for_sleepers(&self, sleepers: usize) {
        for _ in 0..TURNS_MAX {
            if self.sleepers() >= sleepers {
                return;
            }
            tokio::task::yield_now().await;
        }
        panic!("{} of {sleepers} sleep", self.sleepers());
    }

    /// Forgets the sleepers: their database is closed.
    pub(crate) fn forget_sleepers(&self) {
        self.wakes_millis.lock().unwrap().clear();
    }

    fn sleepers(&self) -> usize {
        self.wakes_millis.lock().unwrap().len()
    }
}

impl Clock for MovableClock {
    fn now_millis(&self) -> u64 {
        *self.now_millis.borrow()
    }

    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let wake_millis = self.now_millis() + duration.as_millis() as u64;
        self.wakes_millis.lock().unwrap().push(wake_millis);
        let mut now_millis = self.now_millis.subscribe();
        Box::pin(async move {
            now_millis.wait_for(|now| *now >= wake_millis).await.unwrap();
        })
    }
}
