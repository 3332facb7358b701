//! Several queries in one round trip.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use tokio_postgres::Error;

/// A query to the database.
pub(crate) type Step<'a> = Pin<Box<dyn Future<Output = Result<u64, Error>> + Send + 'a>>;

/// What became of the steps of a pipeline.
#[derive(Debug)]
pub(crate) struct Failed {
    /// The first step that failed.
    pub(crate) step: usize,
    /// Why.
    pub(crate) error: Error,
}

/// Sends all steps in their order and waits for all answers.
///
/// A query is sent when its future is first polled, so the futures are polled in order.
pub(crate) async fn in_order(steps: Vec<Step<'_>>) -> Result<(), Failed> {
    let mut steps: Vec<Option<Step<'_>>> = steps.into_iter().map(Some).collect();
    let mut failed: Option<Failed> = None;
    poll_fn(|context| {
        let mut is_waiting = false;
        for (step, slot) in steps.iter_mut().enumerate() {
            let Some(future) = slot else { continue };
            match future.as_mut().poll(context) {
                Poll::Pending => is_waiting = true,
                Poll::Ready(answer) => {
                    *slot = None;
                    if let Err(error) = answer
                        && failed.as_ref().is_none_or(|failed| step < failed.step)
                    {
                        failed = Some(Failed { step, error });
                    }
                }
            }
        }
        if is_waiting { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
    failed.map_or(Ok(()), Err)
}
