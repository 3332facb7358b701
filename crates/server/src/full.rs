//! All of HTTP/1 and HTTP/2, by hyper: for every request that is not [plain](crate::plain).

use std::convert::Infallible;
use std::error::Error;
use std::io::Cursor;
use std::pin::pin;

use bytes::Bytes;
use hyper::body::Incoming;
use hyper::header::{CONNECTION, HeaderValue};
use hyper::service::service_fn;
use hyper::{Request, Response, Version};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{self, AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::net::TcpStream;

use crate::connection::{Connection, is_stopping};
use crate::handler::Handler;
use crate::interruption::Interruption;
use crate::limits::{HEADER_BYTES_MAX, STREAMS_MAX};
use crate::response::AnswerBody;

/// Serves the rest of a connection of which some bytes were read already.
pub(crate) async fn serve<H: Handler>(
    connection: Connection<H>,
    stream: TcpStream,
    arrived: Bytes,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let stop = connection.stop();
    let Connection { exchange, guard, tape, activity, mut interruptions, .. } = connection;
    let answer = service_fn(|request: Request<Incoming>| {
        let (exchange, activity, stop) = (exchange.clone(), activity.clone(), stop.clone());
        let (guard, tape) = (guard.clone(), tape.clone());
        async move {
            let version = request.version();
            let mut response = exchange.answer(request, &guard, &activity, tape.as_ref()).await;
            if is_stopping(&stop) {
                say_last(&mut response, version);
            }
            Ok::<_, Infallible>(response)
        }
    });
    let builder = builder();
    let served = builder.serve_connection(TokioIo::new(replay(arrived, stream)), answer);
    let mut served = pin!(served);
    let interruption = tokio::select! {
        // What has arrived comes first: a server that stops before it has looked at it would not answer it.
        biased;
        result = served.as_mut() => return result,
        interruption = interruptions.next() => interruption,
    };
    match interruption {
        Interruption::Stopping => {
            served.as_mut().graceful_shutdown();
            served.await
        }
        Interruption::Stalled => Ok(()),
    }
}

/// The connection as if nothing of it had been read.
fn replay(arrived: Bytes, stream: TcpStream) -> impl AsyncRead + AsyncWrite + Unpin + 'static {
    let (reader, writer) = stream.into_split();
    io::join(Cursor::new(arrived).chain(reader), writer)
}

/// Tells the client that this answer is the last. The connection would tell it too, but only when it hears of
/// the stop before the answer is ready, and both can happen while the answer is being made.
fn say_last(response: &mut Response<AnswerBody>, version: Version) {
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
