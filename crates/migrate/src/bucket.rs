//! A rate limit in units: as a bucket that fills with time, and may be overdrawn.
//!
//! What a write consumes is known when it is answered. So a write may begin while there is anything
//! in the bucket, takes one unit on account, and pays the rest afterwards; a debt makes the next
//! ones wait. Over any stretch of time no more is consumed than the rate allows, but for one
//! second's worth and what is under way.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use monotable_remote::Clock;

/// What a write pays before it is known what it costs.
const ON_ACCOUNT: f64 = 1.0;

/// No single wait is longer, so that a request to stop is noticed.
const WAIT_LONGEST: Duration = Duration::from_millis(250);

/// Units that flow in at a rate.
#[derive(Debug)]
pub(crate) struct Bucket {
    per_second: f64,
    level: Mutex<Level>,
}

#[derive(Debug, Clone, Copy)]
struct Level {
    units: f64,
    at_millis: u64,
}

impl Bucket {
    /// A bucket with a tenth of a second's worth in it.
    pub(crate) fn new(per_second: f64, now_millis: u64) -> Bucket {
        let level = Level { units: per_second / 10.0, at_millis: now_millis };
        Bucket { per_second, level: Mutex::new(level) }
    }

    /// Waits until a write may begin.
    pub(crate) async fn begin(&self, clock: &dyn Clock) {
        while let Err(wait) = self.take(clock.now_millis()) {
            clock.sleep(wait.min(WAIT_LONGEST)).await;
        }
    }

    /// Pays for a write that has ended.
    pub(crate) fn pay(&self, units: f64) {
        self.lock().units -= units - ON_ACCOUNT;
    }

    /// Takes what a write pays on account, or says how long to wait.
    fn take(&self, now_millis: u64) -> Result<(), Duration> {
        let mut level = self.lock();
        let passed = now_millis.saturating_sub(level.at_millis);
        let flown_in = self.per_second * Duration::from_millis(passed).as_secs_f64();
        level.units = (level.units + flown_in).min(self.per_second.max(ON_ACCOUNT));
        level.at_millis = level.at_millis.max(now_millis);
        if level.units >= ON_ACCOUNT {
            level.units -= ON_ACCOUNT;
            return Ok(());
        }
        let missing = (ON_ACCOUNT - level.units) / self.per_second;
        Err(Duration::from_secs_f64(missing.max(0.001)))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Level> {
        self.level.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_lets_as_many_units_pass_as_the_rate_says() {
        let bucket = Bucket::new(100.0, 0);
        let mut passed = 0;
        for now in 0..=1_000 {
            while bucket.take(now).is_ok() {
                passed += 1;
            }
        }
        assert!((109..=110).contains(&passed), "{passed}");
    }

    #[test]
    fn a_write_that_cost_more_makes_the_next_one_wait() {
        let bucket = Bucket::new(10.0, 0);
        assert_eq!(bucket.take(0), Ok(()));
        bucket.pay(6.0);
        assert_eq!(bucket.take(0), Err(Duration::from_millis(600)));
        assert!(bucket.take(599).is_err());
        assert_eq!(bucket.take(601), Ok(()));
    }

    #[test]
    fn idle_time_is_worth_one_second_at_most() {
        let bucket = Bucket::new(5.0, 0);
        let passed = (0..100).filter(|_| bucket.take(3_600_000).is_ok()).count();
        assert_eq!(passed, 5);
    }
}
