//! The clock of a database, and moving it.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use monotable_database::{self as database, Clock as _, ManualClock};

use crate::embedded::Embedded;
use crate::error::{ClockError, StoreError};
use crate::system::{SystemClock, millis_since_1970, time_of};

/// The first wait before something is sent again. Nothing is far away.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
/// The longest of all.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// The source of a database's time.
#[derive(Debug, Clone)]
pub(crate) enum TimeSource {
    System,
    Manual(Arc<ManualClock>),
}

impl TimeSource {
    /// A clock that stands still until it is moved.
    pub(crate) fn manual(time: SystemTime) -> TimeSource {
        TimeSource::Manual(Arc::new(ManualClock::new(millis_since_1970(time))))
    }

    pub(crate) fn clock(&self) -> Arc<dyn database::Clock> {
        match self {
            TimeSource::System => Arc::new(SystemClock),
            TimeSource::Manual(clock) => clock.clone(),
        }
    }

    pub(crate) fn now(&self) -> SystemTime {
        time_of(match self {
            TimeSource::System => SystemClock.now_millis(),
            TimeSource::Manual(clock) => clock.now_millis(),
        })
    }

    /// Waits before something is sent for the `attempt`th time again: twice as long each time. A
    /// clock that only a caller moves is not waited for.
    pub(crate) fn pause(&self, attempt: u32) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        match self {
            TimeSource::System => {
                let doublings = attempt.saturating_sub(1).min(16);
                SystemClock.sleep((FIRST_PAUSE * 2_u32.pow(doublings)).min(LONGEST_PAUSE))
            }
            TimeSource::Manual(_) => Box::pin(std::future::ready(())),
        }
    }
}

/// The clock of a database: see [`Embedded::clock`].
#[derive(Debug, Clone, Copy)]
pub struct Clock<'a> {
    embedded: &'a Embedded,
}

impl<'a> Clock<'a> {
    pub(crate) fn of(embedded: &'a Embedded) -> Clock<'a> {
        Clock { embedded }
    }

    /// Returns the database's time.
    pub fn now(&self) -> SystemTime {
        self.embedded.time_source().now()
    }

    /// Moves the clock forward. When this returns, what became due is done: expired items and
    /// stream records that are too old are gone.
    pub async fn advance(&self, duration: Duration) -> Result<(), ClockError> {
        self.manual()?.advance(duration);
        self.catch_up().await
    }

    /// Moves the clock to a time, which may not be before its own. When this returns, what became
    /// due is done.
    pub async fn set(&self, time: SystemTime) -> Result<(), ClockError> {
        let moved = self.manual()?.set(millis_since_1970(time));
        moved.map_err(|refused| ClockError::MovedBack {
            now: time_of(refused.now_millis),
            wanted: time_of(refused.wanted_millis),
        })?;
        self.catch_up().await
    }

    fn manual(&self) -> Result<&'a ManualClock, ClockError> {
        match self.embedded.time_source() {
            TimeSource::System => Err(ClockError::NotManual),
            TimeSource::Manual(clock) => Ok(clock),
        }
    }

    async fn catch_up(&self) -> Result<(), ClockError> {
        Ok(self.embedded.api().catch_up().await.map_err(StoreError::from)?)
    }
}
