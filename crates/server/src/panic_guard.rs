//! A panic in a call is that call's failure, not the connection's.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;

/// A call panicked.
#[derive(Debug, thiserror::Error)]
#[error("panicked: {message}")]
pub(crate) struct Panicked {
    message: String,
}

/// Runs `work` to its end or to its panic. After a panic it is dropped and never polled again, so
/// that nobody sees what it left half done.
pub(crate) async fn catch_panic<T>(work: impl Future<Output = T>) -> Result<T, Panicked> {
    let mut work = pin!(work);
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context))) {
        Ok(progress) => progress.map(Ok),
        Err(payload) => std::task::Poll::Ready(Err(Panicked::new(payload.as_ref()))),
    })
    .await
}

impl Panicked {
    fn new(payload: &(dyn Any + Send)) -> Panicked {
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Panicked { message: text.unwrap_or("without a message").to_owned() }
    }
}
