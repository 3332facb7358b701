//! What goes wrong for many callers is logged when it begins, when its cause changes, and when it
//! is over: not once for each of them.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use monotable_storage::{Error, ErrorKind};
use tokio::time::Instant;

/// Trouble is over when nothing has gone wrong for so long. Some calls may go well all the time.
const OVER_AFTER: Duration = Duration::from_secs(1);

/// What goes wrong at the moment.
pub(crate) struct Trouble {
    /// What it means, for the log.
    what: &'static str,
    ongoing: Mutex<Option<Ongoing>>,
}

#[derive(Debug)]
struct Ongoing {
    cause: String,
    /// How often something went wrong since it began.
    times: u64,
    last: Instant,
}

impl Trouble {
    pub(crate) fn new(what: &'static str) -> Trouble {
        Trouble { what, ongoing: Mutex::default() }
    }

    /// Notes an error. Only those that operators can do something about are logged.
    pub(crate) fn note(&self, error: &Error) {
        if error.kind() != ErrorKind::Unavailable {
            return;
        }
        let cause = std::error::Error::source(error).map_or_else(|| error.to_string(), describe);
        if self.begins(&cause, Instant::now()) {
            tracing::warn!(%cause, "{}", self.what);
        }
    }

    /// Notes that something went well.
    pub(crate) fn note_success(&self) {
        if let Some(times) = self.ends(Instant::now()) {
            tracing::warn!(times, "no longer: {}", self.what);
        }
    }

    /// Returns whether this is the first time that something goes wrong for this cause.
    fn begins(&self, cause: &str, now: Instant) -> bool {
        let mut ongoing = self.ongoing();
        match &mut *ongoing {
            Some(known) if known.cause == cause => {
                known.times += 1;
                known.last = now;
                false
            }
            other => {
                let times = 1 + other.as_ref().map_or(0, |known| known.times);
                *other = Some(Ongoing { cause: cause.to_owned(), times, last: now });
                true
            }
        }
    }

    /// Returns how often something went wrong, if that is over.
    fn ends(&self, now: Instant) -> Option<u64> {
        let is_over = |known: &mut Ongoing| now.saturating_duration_since(known.last) >= OVER_AFTER;
        self.ongoing().take_if(is_over).map(|known| known.times)
    }

    fn ongoing(&self) -> MutexGuard<'_, Option<Ongoing>> {
        self.ongoing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An error with its own source, in which the driver has what the database said.
fn describe(error: &(dyn std::error::Error + 'static)) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_is_told_once_for_each_cause_until_it_is_over() {
        let (trouble, start) = (Trouble::new("writes are refused"), Instant::now());
        assert!(trouble.begins("the disk is full", start));
        assert!(!trouble.begins("the disk is full", start));
        // Another call goes well meanwhile.
        assert_eq!(trouble.ends(start), None);
        assert!(!trouble.begins("the disk is full", start));
        assert!(trouble.begins("the database is gone", start));
        assert_eq!(trouble.ends(start + OVER_AFTER), Some(4));
        assert_eq!(trouble.ends(start + OVER_AFTER), None);
        assert!(trouble.begins("the database is gone", start + OVER_AFTER));
    }

    #[test]
    fn what_the_database_says_is_told() {
        let source = std::io::Error::other(std::fmt::Error);
        let expected = std::fmt::Error.to_string();
        assert!(describe(&source).contains(&expected));
    }
}
