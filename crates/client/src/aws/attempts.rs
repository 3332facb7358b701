//! Counting how often the SDK sends a request.

use std::sync::atomic::{AtomicU32, Ordering};

use aws_sdk_dynamodb::config::interceptors::BeforeTransmitInterceptorContextRef;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use tracing::Span;

/// The field of an operation's span.
const RETRIES: &str = "monotable.retries";

/// Records in the span of an operation how often the SDK sent its request again.
#[derive(Debug)]
pub(super) struct Attempts {
    /// The span in which the request is made: the SDK has spans of its own inside of it.
    span: Span,
    sent: AtomicU32,
}

impl Attempts {
    /// Attempts of a request that is about to be sent, if somebody looks at the span of its
    /// operation. Nobody does in most programs, where the span around it is one of their own.
    pub(super) fn observed() -> Option<Attempts> {
        let span = Span::current();
        span.has_field(RETRIES).then(|| Attempts { span, sent: AtomicU32::new(0) })
    }
}

/// Sends a request of the SDK. Attempts are counted only where somebody wants to know: with an
/// interceptor of its own, the SDK configures itself anew for the call.
macro_rules! send {
    ($request:expr) => {{
        let request = $request;
        match $crate::aws::attempts::Attempts::observed() {
            Some(attempts) => request.customize().interceptor(attempts).send().await,
            None => request.send().await,
        }
    }};
}

pub(super) use send;

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
            self.span.record(RETRIES, earlier);
        }
        Ok(())
    }
}
