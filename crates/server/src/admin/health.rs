//! `/_monotable/health`: whether the server can do its work, and which version it is.

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
            (StatusCode::SERVICE_UNAVAILABLE, body)
        }
    }
}
