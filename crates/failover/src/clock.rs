//! The real clock: what is watched here runs in other processes.
#![expect(clippy::disallowed_methods, reason = "other processes have the real time")]

use std::thread;
use std::time::{Duration, Instant};

/// Time since a run began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }

    /// Microseconds since the start.
    pub(crate) fn micros(self) -> u64 {
        u64::try_from(self.0.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

/// Waits.
pub(crate) fn rest(duration: Duration) {
    thread::sleep(duration);
}

/// Repeats `attempt` until it gives something or the time is over.
pub(crate) fn until<T>(limit: Duration, mut attempt: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        let result = attempt();
        if result.is_some() || start.elapsed() >= limit {
            return result;
        }
        thread::sleep(Duration::from_millis(100));
    }
}
