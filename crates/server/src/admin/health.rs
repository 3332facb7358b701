//! `/_monotable/health`: whether the server answers, and which version it is.

use serde_json::{Value, json};

pub(super) fn report() -> Value {
    json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") })
}
