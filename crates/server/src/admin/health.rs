//! `/_monotable/health`: whether the server is alive, and which version it is.
//!
//! Whoever watches over a server restarts it when it is not. A full disk is no reason to: a restart
//! makes no room, and reads would be lost as well. Nor is a database that is away: it comes back no
//! sooner. `/_monotable/ready` is for that.

use hyper::StatusCode;
use serde_json::{Value, json};

use crate::health::Health;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The status and the body that say it. Whoever watches a server looks at the status alone.
pub(super) fn report(health: &Health) -> (StatusCode, Value) {
    match health {
        Health::Ok => (StatusCode::OK, json!({ "status": "ok", "version": VERSION })),
        Health::RefusesWrites { reason } => {
            let body = json!({ "status": "refuses-writes", "reason": reason, "version": VERSION });
            (StatusCode::OK, body)
        }
        Health::StoreUnavailable { reason } => {
            let body =
                json!({ "status": "store-unavailable", "reason": reason, "version": VERSION });
            (StatusCode::OK, body)
        }
        Health::NeedsRestart { reason } => {
            let body = json!({ "status": "needs-restart", "reason": reason, "version": VERSION });
            (StatusCode::SERVICE_UNAVAILABLE, body)
        }
    }
}
