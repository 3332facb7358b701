//! Real time, which is what a benchmark measures.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]

use std::time::{Duration, Instant};

/// The time of this moment.
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Waits while other tasks run.
pub(crate) async fn wait(duration: Duration) {
    tokio::time::sleep(duration).await;
}
