//! `/_monotable/ready`: whether the server takes reads and writes now.

use hyper::StatusCode;
use serde_json::{Value, json};

use crate::health::Health;

/// Whether to send requests, for whoever spreads them over servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Readiness {
    /// Reads and writes are taken.
    Ready,
    /// They are not, or not all of them, for this reason.
    NotReady {
        /// The reason in a word.
        status: &'static str,
        /// The reason in a sentence.
        reason: String,
    },
}

impl Readiness {
    /// The readiness of a server that stops or not, on a store of this health.
    pub(crate) fn new(is_stopping: bool, health: Health) -> Readiness {
        match health {
            _ if is_stopping => {
                let reason = "the server stops; requests in flight are answered".to_owned();
                Readiness::NotReady { status: "stopping", reason }
            }
            Health::Ok => Readiness::Ready,
            Health::RefusesWrites { reason } => {
                Readiness::NotReady { status: "refuses-writes", reason }
            }
            Health::StoreUnavailable { reason } => {
                Readiness::NotReady { status: "store-unavailable", reason }
            }
            Health::NeedsRestart { reason } => {
                Readiness::NotReady { status: "needs-restart", reason }
            }
        }
    }
}

/// The status and the body that say it.
pub(super) fn report(readiness: &Readiness) -> (StatusCode, Value) {
    match readiness {
        Readiness::Ready => (StatusCode::OK, json!({ "status": "ready" })),
        Readiness::NotReady { status, reason } => {
            (StatusCode::SERVICE_UNAVAILABLE, json!({ "status": status, "reason": reason }))
        }
    }
}
