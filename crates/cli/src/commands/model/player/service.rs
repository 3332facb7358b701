//! Who answers requests.

use std::time::Duration;

use monotable_remote::{Endpoint, Error};
use serde_json::Value;

/// Whatever answers requests of the public API.
pub(crate) trait Service {
    /// Makes a call until it is answered. Only what a later call cannot change is an error.
    async fn call(&self, operation: &str, body: &Value) -> Result<Value, Error>;

    /// Waits before what was left undone is sent again.
    async fn pause(&self, duration: Duration);
}

impl Service for Endpoint {
    async fn call(&self, operation: &str, body: &Value) -> Result<Value, Error> {
        self.call_patiently(operation, body).await
    }

    async fn pause(&self, duration: Duration) {
        self.clock().sleep(duration).await;
    }
}
