//! One keep-alive connection.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use bytes::BytesMut;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::request::frame;
use super::response::{Head, read_head};

/// Room for answers of a few items without growing.
const BUFFER_BYTES: usize = 64 * 1024;

/// A connection that carries one request at a time.
#[derive(Debug)]
pub(crate) struct Connection {
    address: SocketAddr,
    stream: TcpStream,
    arrived: BytesMut,
}

/// An answer, which lives in the buffer of its connection.
#[derive(Debug)]
pub(crate) struct Answer<'a> {
    /// The HTTP status.
    pub(crate) status: u16,
    /// All bytes of the body.
    pub(crate) body: &'a [u8],
}

impl Connection {
    /// Connects.
    pub(crate) async fn open(address: SocketAddr) -> Result<Connection> {
        let stream = TcpStream::connect(address).await;
        let stream = stream.with_context(|| format!("cannot connect to {address}"))?;
        stream.set_nodelay(true)?;
        Ok(Connection { address, stream, arrived: BytesMut::with_capacity(BUFFER_BYTES) })
    }

    /// Sends a request and reads its answer to the last byte.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> Result<Answer<'_>> {
        self.stream.write_all(request).await.context("cannot send the request")?;
        self.arrived.clear();
        let head = self.read_head().await?;
        let answer_bytes = head.head_bytes + head.body_bytes;
        while self.arrived.len() < answer_bytes {
            self.arrived.reserve(answer_bytes - self.arrived.len());
            self.read().await?;
        }
        // One request is answered at a time, so anything more would be taken for the next answer.
        ensure!(self.arrived.len() == answer_bytes, "the answer is longer than it says");
        let body = self.arrived.get(head.head_bytes..).unwrap_or_default();
        Ok(Answer { status: head.status, body })
    }

    /// Calls an operation that is not measured, and gives its answer as a tree.
    pub(crate) async fn call(&mut self, operation: &str, body: &Value) -> Result<Value> {
        let request = frame(self.address, operation, &body.to_string());
        let answer = self.exchange(&request).await?.success();
        let answer = answer.with_context(|| operation.to_owned())?;
        serde_json::from_slice(answer).context("the answer is not JSON")
    }

    async fn read_head(&mut self) -> Result<Head> {
        loop {
            self.read().await?;
            if let Some(head) = read_head(&self.arrived)? {
                return Ok(head);
            }
        }
    }

    async fn read(&mut self) -> Result<()> {
        let count = self.stream.read_buf(&mut self.arrived).await.context("cannot read")?;
        ensure!(count > 0, "the server closed the connection");
        Ok(())
    }
}

impl<'a> Answer<'a> {
    /// The body of an answer that says that the call succeeded; the text of the error otherwise.
    pub(crate) fn success(self) -> Result<&'a [u8]> {
        let Answer { status, body } = self;
        ensure!(status == 200, "HTTP {status}: {}", String::from_utf8_lossy(body));
        Ok(body)
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    /// Sends one request to a server that answers with these pieces, a packet each.
    async fn exchange(pieces: &'static [&'static [u8]]) -> Result<(u16, Vec<u8>)> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.set_nodelay(true).unwrap();
            stream.read_exact(&mut [0; 4]).await.unwrap();
            for piece in pieces {
                stream.write_all(piece).await.unwrap();
                tokio::task::yield_now().await;
            }
        });
        let mut connection = Connection::open(address).await?;
        let answer = connection.exchange(b"call").await?;
        let answer = (answer.status, answer.body.to_vec());
        server.await.unwrap();
        Ok(answer)
    }

    #[tokio::test]
    async fn an_answer_in_pieces_is_put_together() {
        let pieces: &[&[u8]] = &[b"HTTP/1.1 200 O", b"K\r\ncontent-length: 5\r\n\r\nhe", b"llo"];
        assert_eq!(exchange(pieces).await.unwrap(), (200, b"hello".to_vec()));
    }

    #[tokio::test]
    async fn an_answer_that_is_cut_off_is_an_error() {
        let pieces: &[&[u8]] = &[b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhel"];
        let error = exchange(pieces).await.unwrap_err();
        assert_eq!(error.to_string(), "the server closed the connection");
    }

    #[tokio::test]
    async fn bytes_after_an_answer_are_an_error() {
        let pieces: &[&[u8]] = &[b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nhello"];
        assert!(exchange(pieces).await.is_err());
    }

    #[test]
    fn only_status_200_is_success() {
        assert!(Answer { status: 200, body: b"{}" }.success().is_ok());
        let error = Answer { status: 400, body: b"{\"message\":\"no\"}" }.success().unwrap_err();
        assert_eq!(error.to_string(), "HTTP 400: {\"message\":\"no\"}");
    }
}
