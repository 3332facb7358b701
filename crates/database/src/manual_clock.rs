//! A clock that stands still until it is moved.
//!
//! A task that sleeps on it wakes when the clock is moved to or past the end of that sleep, however
//! far it is moved at once: a week passes in one step, and each sleeper wakes once.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::clock::Clock;

/// A [`Clock`] that others move.
#[derive(Debug)]
pub struct ManualClock {
    state: Mutex<State>,
}

/// The clock was asked to go back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the clock is at {now_millis} ms since 1970 and cannot go back to {wanted_millis}")]
pub struct ClockMovedBack {
    /// Where the clock is.
    pub now_millis: u64,
    /// Where it was to go.
    pub wanted_millis: u64,
}

#[derive(Debug)]
struct State {
    now_millis: u64,
    next_sleeper: u64,
    /// Who sleeps, by when the sleep ends. The number tells sleepers with the same end apart.
    sleepers: BTreeMap<(u64, u64), oneshot::Sender<()>>,
}

impl ManualClock {
    /// A clock that stands at a time, in milliseconds since 1970.
    pub fn new(now_millis: u64) -> ManualClock {
        let state = State { now_millis, next_sleeper: 0, sleepers: BTreeMap::new() };
        ManualClock { state: Mutex::new(state) }
    }

    /// Moves the clock to a time and wakes those whose sleep is over.
    pub fn set(&self, millis: u64) -> Result<(), ClockMovedBack> {
        let mut state = self.lock();
        if millis < state.now_millis {
            return Err(ClockMovedBack { now_millis: state.now_millis, wanted_millis: millis });
        }
        state.move_to(millis);
        Ok(())
    }

    /// Moves the clock forward and wakes those whose sleep is over. Returns the time it is then.
    pub fn advance(&self, duration: Duration) -> u64 {
        let mut state = self.lock();
        let millis = state.now_millis.saturating_add(whole_millis(duration));
        state.move_to(millis);
        millis
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn move_to(&mut self, millis: u64) {
        self.now_millis = millis;
        let asleep = self.sleepers.split_off(&(millis.saturating_add(1), 0));
        for sleeper in std::mem::replace(&mut self.sleepers, asleep).into_values() {
            // One that does not wait any more needs no waking.
            let _ = sleeper.send(());
        }
    }
}

fn whole_millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

impl Clock for ManualClock {
    fn now_millis(&self) -> u64 {
        self.lock().now_millis
    }

    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let mut state = self.lock();
        // Those who waited for something else first leave their sleeps behind.
        state.sleepers.retain(|_, sleeper| !sleeper.is_closed());
        let end = state.now_millis.saturating_add(whole_millis(duration));
        let number = state.next_sleeper;
        state.next_sleeper += 1;
        let (wake, woken) = oneshot::channel();
        state.sleepers.insert((end, number), wake);
        drop(state);
        Box::pin(async move {
            // A clock that is gone wakes nobody.
            if woken.await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use super::*;

    type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

    fn is_over(sleep: &mut Sleep) -> bool {
        sleep.as_mut().poll(&mut Context::from_waker(Waker::noop())) == Poll::Ready(())
    }

    #[test]
    fn sleepers_wake_when_the_clock_passes_them_and_not_before() {
        let clock = ManualClock::new(1000);
        let mut short = clock.sleep(Duration::from_millis(10));
        let mut long = clock.sleep(Duration::from_secs(7 * 24 * 60 * 60));
        clock.set(1009).unwrap();
        assert!(!is_over(&mut short));
        clock.set(1010).unwrap();
        assert!(is_over(&mut short) && !is_over(&mut long));
        clock.advance(Duration::from_secs(7 * 24 * 60 * 60));
        assert!(is_over(&mut long));
    }

    #[test]
    fn the_clock_does_not_go_back() {
        let clock = ManualClock::new(1000);
        let refused = ClockMovedBack { now_millis: 1000, wanted_millis: 999 };
        assert_eq!(clock.set(999), Err(refused));
        assert_eq!(clock.set(1000), Ok(()));
        assert_eq!(clock.now_millis(), 1000);
    }

    #[test]
    fn sleeps_that_nobody_waits_for_are_forgotten() {
        let clock = ManualClock::new(0);
        for _ in 0..10 {
            drop(clock.sleep(Duration::from_secs(1)));
        }
        let _kept = clock.sleep(Duration::from_secs(1));
        assert_eq!(clock.lock().sleepers.len(), 1);
    }

    #[test]
    fn a_sleep_of_no_time_ends_when_the_clock_is_moved_by_none() {
        let clock = ManualClock::new(5);
        let mut sleep = clock.sleep(Duration::ZERO);
        assert_eq!(clock.advance(Duration::ZERO), 5);
        assert!(is_over(&mut sleep));
    }
}
