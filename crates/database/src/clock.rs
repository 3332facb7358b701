//! Time and ids come from outside, so that tests and users can decide what they are.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

/// The time, and waiting for it to pass.
pub trait Clock: Send + Sync + 'static {
    /// Milliseconds since 1970.
    fn now_millis(&self) -> u64;

    /// Ends when so much time has passed.
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// Ids that are unique.
pub trait Ids: Send + Sync + 'static {
    /// 128 random bits.
    fn random(&self) -> u128;
}
