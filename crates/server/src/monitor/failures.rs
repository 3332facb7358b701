//! Which calls that fail are logged.
//!
//! A store that is away fails every call, and a line for each of them would say the same as many
//! times as clients ask. So of the calls that are told that the service is unavailable, one is
//! logged at a time, with the number of those before it that were not.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long it is quiet after a line.
const INTERVAL: Duration = Duration::from_secs(10);

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Failures(Mutex<Option<Logged>>);

#[derive(Debug)]
struct Logged {
    at: Instant,
    unlogged: u64,
}

impl Failures {
    /// Returns how many failures were not logged before this one, if this one is.
    pub(super) fn note(&self, now: Instant) -> Option<u64> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *last {
            Some(logged) if now.saturating_duration_since(logged.at) < INTERVAL => {
                logged.unlogged += 1;
                None
            }
            before => {
                let unlogged = before.as_ref().map_or(0, |logged| logged.unlogged);
                *before = Some(Logged { at: now, unlogged: 0 });
                Some(unlogged)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "only differences count")]
    fn many_failures_are_a_line_with_their_number() {
        let (failures, start) = (Failures::default(), Instant::now());
        assert_eq!(failures.note(start), Some(0));
        (0..100).for_each(|_| assert_eq!(failures.note(start), None));
        assert_eq!(failures.note(start + INTERVAL), Some(100));
        assert_eq!(failures.note(start + INTERVAL), None);
        assert_eq!(failures.note(start + 2 * INTERVAL), Some(1));
    }
}
