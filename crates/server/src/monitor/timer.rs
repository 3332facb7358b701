//! What durations are measured with. The clock of the database may stand still, and is too coarse.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// Tells the time that has passed.
#[derive(Clone)]
pub struct Timer(Arc<dyn Fn() -> Instant + Send + Sync>);

impl Timer {
    /// A timer that asks this.
    pub fn new(now: impl Fn() -> Instant + Send + Sync + 'static) -> Timer {
        Timer(Arc::new(now))
    }

    pub(crate) fn now(&self) -> Instant {
        (self.0)()
    }
}

impl Default for Timer {
    #[expect(clippy::disallowed_methods, reason = "this is the timer that is passed in")]
    fn default() -> Timer {
        Timer::new(Instant::now)
    }
}

impl fmt::Debug for Timer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Timer").finish()
    }
}
