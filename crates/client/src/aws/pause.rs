//! Waiting before something is sent again.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::AsyncSleep;
use aws_smithy_async::rt::sleep::default_async_sleep;

/// The longest first wait.
const FIRST: Duration = Duration::from_millis(50);
/// The longest wait of all.
const LONGEST: Duration = Duration::from_secs(5);

/// Waits, on the timer that the client has for its own retries.
pub(super) async fn pause(client: &Client, attempt: u32) {
    let time = full(attempt).mul_f64(0.5 + random() / 2.0);
    if let Some(sleep) = client.config().sleep_impl().or_else(default_async_sleep) {
        sleep.sleep(time).await;
    }
}

/// How long to wait at most: twice as long each time.
fn full(attempt: u32) -> Duration {
    let doublings = attempt.saturating_sub(1).min(16);
    (FIRST * 2_u32.pow(doublings)).min(LONGEST)
}

/// A number from 0 to 1. Every hasher of the standard library has keys of its own.
fn random() -> f64 {
    let bits = RandomState::new().hash_one(());
    bits as f64 / u64::MAX as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest() {
        let waits = [1, 2, 3, 8, 1000].map(|attempt| full(attempt).as_millis());
        assert_eq!(waits, [50, 100, 200, 5000, 5000]);
    }

    #[test]
    fn jitter_is_not_the_same_twice() {
        let drawn: Vec<f64> = (0..10).map(|_| random()).collect();
        assert!(drawn.iter().all(|number| (0.0..=1.0).contains(number)));
        assert!(drawn.iter().any(|number| *number != drawn[0]));
    }
}
