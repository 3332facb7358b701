//! Waiting for a database, in real time whatever clock the layers above are given.

use std::time::Duration;

use tokio::runtime::Handle;

/// The limit was exceeded.
#[derive(Debug)]
pub(crate) struct TooLate;

/// Returns what `future` returns, unless it takes longer than `limit`.
#[expect(clippy::disallowed_methods, reason = "a database takes real time")]
pub(crate) async fn within<T>(
    limit: Duration,
    future: impl Future<Output = T>,
) -> Result<T, TooLate> {
    tokio::time::timeout(limit, future).await.map_err(|_| TooLate)
}

/// The same for callers on a runtime that may lack timers, with those of another runtime.
#[expect(clippy::disallowed_methods, reason = "a database takes real time")]
pub(crate) async fn within_on<T>(
    timers: &Handle,
    limit: Duration,
    future: impl Future<Output = T>,
) -> Result<T, TooLate> {
    let end = {
        let _context = timers.enter();
        tokio::time::sleep(limit)
    };
    tokio::select! {
        biased;
        answer = future => Ok(answer),
        () = end => Err(TooLate),
    }
}

/// Waits before the next attempt.
#[expect(clippy::disallowed_methods, reason = "a database takes real time")]
pub(crate) async fn pause(duration: Duration) {
    tokio::time::sleep(duration).await;
}
