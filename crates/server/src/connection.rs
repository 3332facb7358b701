//! One connection: HTTP/1.1 or HTTP/2 on it, from its first byte to its close.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use monotable_database::Clock;
use tokio::net::TcpStream;
use tokio::sync::watch;

use crate::activity::Activity;
use crate::exchange::Exchange;
use crate::handler::Handler;
use crate::limits::{HEADER_BYTES_MAX, STREAMS_MAX};

/// Serves one connection until the client closes it, stalls, or the server stops. When it stops,
/// requests in flight are still answered.
pub(crate) async fn serve<H: Handler>(
    stream: TcpStream,
    exchange: Arc<Exchange<H>>,
    clock: Arc<dyn Clock>,
    stall_timeout: Duration,
    mut stop: watch::Receiver<bool>,
) {
    let activity = Arc::new(Activity::default());
    let answer = service_fn(|request| {
        let (exchange, activity) = (exchange.clone(), activity.clone());
        async move { Ok::<_, Infallible>(exchange.answer(request, &activity).await) }
    });
    let builder = builder();
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), answer));
    let result = tokio::select! {
        biased;
        // First, so that an answer that is ready when the server stops already says that it is the last.
        () = stopping(&mut stop) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
        result = connection.as_mut() => result,
        () = activity.stalled(clock.as_ref(), stall_timeout) => {
            tracing::debug!("closed a connection that stalled");
            return;
        }
    };
    if let Err(error) = result {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// Ends when the server stops.
async fn stopping(stop: &mut watch::Receiver<bool>) {
    let flag = stop.clone();
    let mut told = pin!(stop.wait_for(|stop| *stop));
    // The flag is raised before everybody is told of it. Looking at it on every poll keeps a connection that
    // wakes in between, for an answer that has become ready, from taking that answer for one of many.
    poll_fn(|context| {
        // The guard of the flag must be gone before the watch is polled, which takes it again.
        let is_raised = *flag.borrow();
        // An error means that the server is gone altogether.
        if is_raised { Poll::Ready(()) } else { told.as_mut().poll(context).map(drop) }
    })
    .await;
}

fn builder() -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    // The watch over stalled connections covers slow headers, so that no timer runs per request.
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(None)
        .max_buf_size(HEADER_BYTES_MAX);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS_MAX)
        .max_header_list_size(HEADER_BYTES_MAX as u32);
    builder
}
