//! One connection: HTTP/1.1 or HTTP/2 on it, from its first byte to its close.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::header::{CONNECTION, HeaderValue};
use hyper::service::service_fn;
use hyper::{Response, Version};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use monotable_database::Clock;
use tokio::net::TcpStream;
use tokio::sync::watch;

use crate::activity::Activity;
use crate::exchange::Exchange;
use crate::handler::Handler;
use crate::limits::{HEADER_BYTES_MAX, STREAMS_MAX};
use crate::recorder::Tape;

/// Serves one connection until the client closes it, stalls, or the server stops. When it stops,
/// requests in flight are still answered.
pub(crate) async fn serve<H: Handler>(
    stream: TcpStream,
    exchange: Arc<Exchange<H>>,
    tape: Option<Tape>,
    clock: Arc<dyn Clock>,
    stall_timeout: Duration,
    mut stop: watch::Receiver<bool>,
) {
    let activity = Arc::new(Activity::default());
    let told = stop.clone();
    let answer = service_fn(|request| {
        let (exchange, activity, told) = (exchange.clone(), activity.clone(), told.clone());
        let tape = tape.clone();
        async move {
            let version = request.version();
            let mut response = exchange.answer(request, &activity, tape.as_ref()).await;
            if is_stopping(&told) {
                say_last(&mut response, version);
            }
            Ok::<_, Infallible>(response)
        }
    });
    let builder = builder();
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), answer));
    let result = tokio::select! {
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
    // An error means that the server is gone altogether.
    drop(stop.wait_for(|stop| *stop).await);
}

/// Whether the server stops. The flag changes once, from its first value, which nobody has marked as seen.
fn is_stopping(stop: &watch::Receiver<bool>) -> bool {
    stop.has_changed().unwrap_or(true)
}

/// Tells the client that this answer is the last. The connection would tell it too, but only when it hears of
/// the stop before the answer is ready, and both can happen while the answer is being made.
fn say_last<B>(response: &mut Response<B>, version: Version) {
    // Later versions have no such header.
    if version <= Version::HTTP_11 {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
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
