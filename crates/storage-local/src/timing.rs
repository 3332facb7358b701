//! The time that the disk and the processors take, which is no matter of the database's clock.

use std::thread;
use std::time::{Duration, Instant};

/// This moment.
#[expect(clippy::disallowed_methods, reason = "see the module")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Lets so much time pass.
#[expect(clippy::disallowed_methods, reason = "others are let go first by waiting")]
pub(crate) fn rest(duration: Duration) {
    if !duration.is_zero() {
        thread::sleep(duration);
    }
}
