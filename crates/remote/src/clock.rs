//! Time comes from outside, so that tests decide how it passes.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

/// The time, and waiting for it to pass.
pub trait Clock: Send + Sync + 'static {
    /// Milliseconds since 1970. Requests are signed with it, and the age of records is counted by
    /// it.
    fn now_millis(&self) -> u64;

    /// Ends when so much time has passed for whoever watches.
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}
