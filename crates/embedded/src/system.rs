//! The clock and the randomness of the machine.

use std::pin::Pin;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use monotable_database::{Clock, Ids};

use crate::background;

/// The clock of the machine. Sleeps are timed by the background, so that they need no runtime where
/// they are awaited.
#[derive(Debug)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock that is passed in")]
    fn now_millis(&self) -> u64 {
        millis_since_1970(SystemTime::now())
    }

    #[expect(clippy::disallowed_methods, reason = "this is the clock that is passed in")]
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let _entered = background::runtime().enter();
        Box::pin(tokio::time::sleep(duration))
    }
}

/// Ids from the randomness of the operating system.
#[derive(Debug)]
pub(crate) struct SystemIds;

impl Ids for SystemIds {
    fn random(&self) -> u128 {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the operating system has randomness");
        u128::from_ne_bytes(bytes)
    }
}

/// A time as databases count it. What lies before 1970 is taken for its beginning.
pub(crate) fn millis_since_1970(time: SystemTime) -> u64 {
    let since_1970 = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX)
}

/// The time that databases count so.
pub(crate) fn time_of(millis: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(millis)
}
