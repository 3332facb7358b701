//! All of HTTP/1 and HTTP/2, by hyper: for every request that is not [plain](crate::plain).

use std::error::Error;
use std::pin::pin;

use bytes::Bytes;
use hyper::body::Incoming;
use hyper::header::{CONNECTION, HeaderValue};
use hyper::service::service_fn;
use hyper::{Request, Response, Version};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;

use crate::connection::{Connection, is_stopping};
use crate::exchange::Line;
use crate::handler::{self, Handler};
use crate::interruption::Interruption;
use crate::limits::{
    CONNECTION_WINDOW_BYTES, Limits, MISTAKES_MAX, PING_INTERVAL, PING_TIMEOUT, RESETS_MAX,
    STREAM_WINDOW_BYTES, STREAMS_MAX,
};
use crate::memory::Hold;
use crate::replay::Replay;
use crate::response::AnswerBody;
use crate::transport::{Transport, broken};

/// A call is not answered, so that its connection is closed, or its stream if it has others.
#[derive(Debug, thiserror::Error)]
#[error("a call is not answered")]
struct Unanswered;

/// Serves the rest of a connection of which some bytes were read already.
pub(crate) async fn serve<H: Handler, S: Transport>(
    connection: Connection<H>,
    stream: S,
    arrived: Bytes,
    hold: Option<Hold>,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let stop = connection.stop();
    let Connection { exchange, guard, origin, clock, limits, activity, mut interruptions, .. } =
        connection;
    activity.begin();
    let answer = service_fn(|request: Request<Incoming>| {
        let (exchange, activity, stop) = (exchange.clone(), activity.clone(), stop.clone());
        let (guard, origin) = (guard.clone(), origin.clone());
        async move {
            let version = request.version();
            let mut response = {
                let line = Line { origin: &origin, activity: &activity };
                exchange.answer(request, &guard, line).await
            };
            if handler::is_none(response.status()) {
                return Err(Unanswered);
            }
            if is_stopping(&stop) {
                say_last(&mut response, version);
            }
            Ok(response)
        }
    });
    let builder = builder(&limits);
    let (watched, socket) = stream.into_watched();
    let replay = Replay::new(arrived, hold, watched, activity.clone(), clock);
    let served = builder.serve_connection(TokioIo::new(replay), answer);
    let mut served = pin!(served);
    let interruption = tokio::select! {
        // What has arrived comes first: a server that stops before it has looked at it would not
        // answer it.
        biased;
        result = served.as_mut() => return result,
        interruption = interruptions.next() => interruption,
        () = broken(socket.tcp()) => return Ok(()),
    };
    match interruption {
        Interruption::Stopping => {
            served.as_mut().graceful_shutdown();
            served.await
        }
        Interruption::Stalled => Ok(()),
    }
}

/// Tells the client that this answer is the last. The connection would tell it too, but only when
/// it hears of the stop before the answer is ready, and both can happen while the answer is being
/// made.
fn say_last(response: &mut Response<AnswerBody>, version: Version) {
    // Later versions have no such header.
    if version <= Version::HTTP_11 {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
}

fn builder(limits: &Limits) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    // The watch over stalled connections covers slow headers, so that no timer runs per request.
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(None)
        .half_close(true)
        .max_buf_size(limits.header_bytes_max);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS_MAX)
        .max_pending_accept_reset_streams(RESETS_MAX)
        .max_local_error_reset_streams(MISTAKES_MAX)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .keep_alive_interval(PING_INTERVAL)
        .keep_alive_timeout(PING_TIMEOUT)
        .max_header_list_size(u32::try_from(limits.header_bytes_max).unwrap_or(u32::MAX));
    builder
}
