//! The real clock: these suites watch servers that run in other processes, so no clock can be
//! passed in.
#![expect(clippy::disallowed_methods, reason = "a server in another process has its own clock")]

use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const PAUSE: Duration = Duration::from_millis(20);

/// Repeats `attempt` until it gives something or the time is over.
pub(crate) fn until<T>(limit: Duration, mut attempt: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        let result = attempt();
        if result.is_some() || start.elapsed() >= limit {
            return result;
        }
        thread::sleep(PAUSE);
    }
}

/// Seconds since 1970.
pub(crate) fn epoch_secs() -> i64 {
    i64::try_from(since_epoch().as_secs()).expect("seconds since 1970 fit")
}

/// Milliseconds since 1970.
pub(crate) fn epoch_millis() -> u64 {
    u64::try_from(since_epoch().as_millis()).expect("milliseconds since 1970 fit")
}

fn since_epoch() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is past 1970")
}

/// Measures how long something takes.
pub(crate) fn measure<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// Waits.
pub(crate) fn rest(duration: Duration) {
    thread::sleep(duration);
}
