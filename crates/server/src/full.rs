//! All of HTTP/1 and HTTP/2, by hyper: for every request that is not [plain](crate::plain).

use std::error::Error;
use std::io::Cursor;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use hyper::body::Incoming;
use hyper::header::{CONNECTION, HeaderValue};
use hyper::service::service_fn;
use hyper::{Request, Response, Version};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{self, AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

use crate::connection::{Connection, broken, is_stopping};
use crate::handler::{self, Handler};
use crate::interruption::Interruption;
use crate::limits::{HEADER_BYTES_MAX, STREAMS_MAX};
use crate::response::AnswerBody;

/// A call is not answered, so that its connection is closed, or its stream if it has others.
#[derive(Debug, thiserror::Error)]
#[error("a call is not answered")]
struct Unanswered;

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
            if handler::is_none(response.status()) {
                return Err(Unanswered);
            }
            if is_stopping(&stop) {
                say_last(&mut response, version);
            }
            Ok(response)
        }
    });
    let builder = builder();
    let (reader, writer) = stream.into_split();
    let reader = Arc::new(reader);
    let replayed = replay(arrived, SharedReader(reader.clone()), writer);
    let served = builder.serve_connection(TokioIo::new(replayed), answer);
    let mut served = pin!(served);
    let interruption = tokio::select! {
        // What has arrived comes first: a server that stops before it has looked at it would not answer it.
        biased;
        result = served.as_mut() => return result,
        interruption = interruptions.next() => interruption,
        () = broken(reader.as_ref().as_ref()) => return Ok(()),
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
fn replay(
    arrived: Bytes,
    reader: SharedReader,
    writer: OwnedWriteHalf,
) -> impl AsyncRead + AsyncWrite + Unpin + 'static {
    io::join(Cursor::new(arrived).chain(reader), writer)
}

/// The reading half of a connection, which can be watched while it is read. While a call is under
/// way hyper does not look at it, as a client may end its side.
struct SharedReader(Arc<OwnedReadHalf>);

impl AsyncRead for SharedReader {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let stream: &TcpStream = self.0.as_ref().as_ref();
        loop {
            ready!(stream.poll_read_ready(context))?;
            match stream.try_read_buf(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                result => return Poll::Ready(result.map(drop)),
            }
        }
    }
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
        .half_close(true)
        .max_buf_size(HEADER_BYTES_MAX);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS_MAX)
        .max_header_list_size(HEADER_BYTES_MAX as u32);
    builder
}
