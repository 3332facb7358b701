//! Counting how often the SDK sends a request.

use std::sync::atomic::{AtomicU32, Ordering};

use aws_sdk_dynamodb::config::interceptors::BeforeTransmitInterceptorContextRef;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use tracing::Span;

/// Records in the span of an operation how often the SDK sent its request again.
#[derive(Debug)]
pub(super) struct Attempts {
    /// The span in which the request is made: the SDK has spans of its own inside of it.
    span: Span,
    sent: AtomicU32,
}

impl Attempts {
    /// Attempts of a request that is about to be sent.
    pub(super) fn new() -> Attempts {
        Attempts { span: Span::current(), sent: AtomicU32::new(0) }
    }
}

impl Intercept for Attempts {
    fn name(&self) -> &'static str {
        "Attempts"
    }

    fn read_before_attempt(
        &self,
        _context: &BeforeTransmitInterceptorContextRef<'_>,
        _components: &RuntimeComponents,
        _settings: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let earlier = self.sent.fetch_add(1, Ordering::Relaxed);
        if earlier > 0 {
            self.span.record("monotable.retries", earlier);
        }
        Ok(())
    }
}
