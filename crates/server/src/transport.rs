//! What a connection moves its bytes over: TCP as it is, or TLS on it.
//!
//! What serves connections is compiled once for each of the two, so that a connection without TLS
//! pays nothing for those that have it.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio_rustls::server::TlsStream;

/// The bytes of a connection.
pub(crate) trait Transport: AsyncRead + AsyncWrite + Unpin + Send + Sync + 'static {
    /// The same bytes, while a [`Socket`] tells whether the connection is broken.
    type Watched: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// The TCP connection underneath.
    fn tcp(&self) -> &TcpStream;

    /// Sends as much of these parts as there is room for.
    fn poll_send(
        &mut self,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>>;

    /// Lets somebody else have the bytes, and keeps the means to watch the connection.
    fn into_watched(self) -> (Self::Watched, Socket);
}

/// Ends when the connection is broken, so that nobody is left to hear an answer.
///
/// A client that ends its side of the connection may only have nothing more to send, and waits for
/// its answer. If it has closed the connection, that looks the same until something is written to
/// it, and its calls are finished.
pub(crate) async fn broken(stream: &TcpStream) {
    // An error of asking is one of the connection as well.
    let _ = stream.ready(Interest::ERROR).await;
}

/// A TCP connection that somebody else reads and writes.
#[derive(Debug, Clone)]
pub(crate) struct Socket(Arc<OwnedReadHalf>);

impl Socket {
    /// The TCP connection.
    pub(crate) fn tcp(&self) -> &TcpStream {
        self.0.as_ref().as_ref()
    }
}

impl Transport for TcpStream {
    type Watched = WatchedTcp;

    fn tcp(&self) -> &TcpStream {
        self
    }

    fn poll_send(
        &mut self,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        loop {
            let sent = match parts {
                [whole] => self.try_write(whole),
                parts => self.try_write_vectored(parts),
            };
            match sent {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    ready!(self.poll_write_ready(context))?;
                }
                sent => return Poll::Ready(sent),
            }
        }
    }

    fn into_watched(self) -> (WatchedTcp, Socket) {
        let watched = WatchedTcp::new(self);
        let socket = watched.reader.clone();
        (watched, socket)
    }
}

impl Transport for TlsStream<WatchedTcp> {
    type Watched = TlsStream<WatchedTcp>;

    fn tcp(&self) -> &TcpStream {
        self.get_ref().0.reader.tcp()
    }

    fn poll_send(
        &mut self,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(self).poll_write_vectored(context, parts)
    }

    fn into_watched(self) -> (TlsStream<WatchedTcp>, Socket) {
        let socket = self.get_ref().0.reader.clone();
        (self, socket)
    }
}

/// A TCP connection that can be watched while it is read. While a call is under way hyper does not
/// look at it, as a client may end its side.
#[derive(Debug)]
pub(crate) struct WatchedTcp {
    reader: Socket,
    writer: OwnedWriteHalf,
}

impl WatchedTcp {
    pub(crate) fn new(stream: TcpStream) -> WatchedTcp {
        let (reader, writer) = stream.into_split();
        WatchedTcp { reader: Socket(Arc::new(reader)), writer }
    }
}

impl AsyncRead for WatchedTcp {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let stream = self.reader.tcp();
        loop {
            ready!(stream.poll_read_ready(context))?;
            match stream.try_read_buf(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                result => return Poll::Ready(result.map(drop)),
            }
        }
    }
}

impl AsyncWrite for WatchedTcp {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.writer).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.writer).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.writer.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.writer).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.writer).poll_shutdown(context)
    }
}
