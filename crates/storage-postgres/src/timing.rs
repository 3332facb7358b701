//! Waiting for a database, whose time is the real one whatever clock the layers above are given.

use std::time::Duration;

use tokio::runtime::Handle;

/// No answer in time.
#[derive(Debug)]
pub(crate) struct TooLate;

/// What `future` gives, unless it takes longer than `limit`.
#[expect(clippy::disallowed_methods, reason = "a database takes real time")]
pub(crate) async fn within<T>(
    limit: Duration,
    future: impl Future<Output = T>,
) -> Result<T, TooLate> {
    tokio::time::timeout(limit, future).await.map_err(|_| TooLate)
}

/// The same for whoever may be on a runtime that has no timers, by those of this one.
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

/// Waits before the next try.
#[expect(clippy::disallowed_methods, reason = "a database takes real time")]
pub(crate) async fn pause(duration: Duration) {
    tokio::time::sleep(duration).await;
}
