//! Whether the server can do its work, for whoever watches over it.

use std::fmt;
use std::sync::Arc;

/// What the server can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Health {
    /// Everything.
    Ok,
    /// Answer reads, but no writes for now.
    RefusesWrites {
        /// Why, in a few words.
        reason: String,
    },
    /// Hardly anything for now: the store that it shares with others does not answer, or takes no
    /// writes.
    StoreUnavailable {
        /// Why, in a few words.
        reason: String,
    },
    /// Answer reads, but no writes until it is restarted.
    NeedsRestart {
        /// Why, in a few words.
        reason: String,
    },
}

/// Tells the health of what the server stands on. The default is always [`Health::Ok`].
#[derive(Clone)]
pub struct HealthProbe(Arc<dyn Fn() -> Health + Send + Sync>);

impl HealthProbe {
    /// A probe that asks this. It is asked on the task of a connection, so it must not wait.
    pub fn new(health: impl Fn() -> Health + Send + Sync + 'static) -> HealthProbe {
        HealthProbe(Arc::new(health))
    }

    /// The health now.
    pub(crate) fn health(&self) -> Health {
        (self.0)()
    }
}

impl Default for HealthProbe {
    fn default() -> HealthProbe {
        HealthProbe::new(|| Health::Ok)
    }
}

impl fmt::Debug for HealthProbe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HealthProbe").field(&self.health()).finish()
    }
}
