//! Real time, which is what a benchmark measures.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]

use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result};

/// The time of this moment.
pub fn now() -> Instant {
    Instant::now()
}

/// The time of this moment as a server of this machine has it, in seconds since 1970.
pub fn epoch_seconds() -> u64 {
    SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs())
}

/// Waits while other tasks run.
pub async fn wait(duration: Duration) {
    tokio::time::sleep(duration).await;
}

/// Lets the whole thread sleep until a moment, which is far more exact than waiting as a task.
pub fn sleep_until(moment: Instant) {
    thread::sleep(moment.saturating_duration_since(now()));
}

/// What comes of something, or an error if nothing has come of it after so long.
pub async fn within<T>(limit: Duration, something: impl Future<Output = Result<T>>) -> Result<T> {
    let finished = tokio::time::timeout(limit, something).await;
    finished.with_context(|| format!("nothing was answered for {} s", limit.as_secs()))?
}
