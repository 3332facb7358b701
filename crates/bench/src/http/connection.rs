//! One keep-alive connection.

use anyhow::{Context, Result, ensure};
use bytes::BytesMut;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::chunks::read_chunk;
use super::request::frame;
use super::response::{Framing, Head, read_head};
use crate::target::{Guard, Target};

/// Room for answers of a few items without growing.
const BUFFER_BYTES: usize = 64 * 1024;

/// A connection that carries one request at a time.
#[derive(Debug)]
pub struct Connection {
    host: String,
    guard: Guard,
    stream: Stream,
    arrived: BytesMut,
    /// The content of chunks, put together.
    joined: Vec<u8>,
}

/// What the bytes go over.
#[derive(Debug)]
enum Stream {
    Plain(TcpStream),
    Encrypted(Box<TlsStream<TcpStream>>),
}

impl Stream {
    async fn open(target: &Target) -> Result<Stream> {
        let stream = TcpStream::connect(target.address).await;
        let stream = stream.with_context(|| format!("cannot connect to {}", target.address))?;
        stream.set_nodelay(true)?;
        let Some(encryption) = &target.guard.encryption else { return Ok(Stream::Plain(stream)) };
        let connector = TlsConnector::from(encryption.config.clone());
        let stream = connector.connect(encryption.name.clone(), stream).await;
        Ok(Stream::Encrypted(Box::new(stream.context("no encrypted connection comes about")?)))
    }

    async fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        match self {
            Stream::Plain(stream) => stream.write_all(bytes).await,
            Stream::Encrypted(stream) => {
                stream.write_all(bytes).await?;
                stream.flush().await
            }
        }
    }

    async fn read(&mut self, arrived: &mut BytesMut) -> std::io::Result<usize> {
        match self {
            Stream::Plain(stream) => stream.read_buf(arrived).await,
            Stream::Encrypted(stream) => stream.read_buf(arrived).await,
        }
    }
}

/// An answer, which lives in the buffer of its connection.
#[derive(Debug)]
pub struct Answer<'a> {
    /// The HTTP status.
    pub status: u16,
    /// All bytes of the body.
    pub body: &'a [u8],
}

impl Connection {
    /// Connects.
    pub async fn open(target: &Target) -> Result<Connection> {
        let stream = Stream::open(target).await?;
        let (host, guard) = (target.host.clone(), target.guard.clone());
        let arrived = BytesMut::with_capacity(BUFFER_BYTES);
        Ok(Connection { host, guard, stream, arrived, joined: Vec::new() })
    }

    /// Sends a request and reads its answer to the last byte.
    pub async fn exchange(&mut self, request: &[u8]) -> Result<Answer<'_>> {
        let sent = match &self.guard.signer {
            None => self.stream.write(request).await,
            Some(sign) => self.stream.write(&sign(request)).await,
        };
        sent.context("cannot send the request")?;
        self.arrived.clear();
        let head = self.read_head().await?;
        let status = head.status;
        let body = match head.framing {
            Framing::Length(bytes) => self.read_body(head.head_bytes, bytes).await?,
            Framing::Chunked => self.read_chunks(head.head_bytes).await?,
        };
        Ok(Answer { status, body })
    }

    async fn read_body(&mut self, begin: usize, bytes: usize) -> Result<&[u8]> {
        self.read_to(begin + bytes).await?;
        // One request is answered at a time, so anything more would be taken for the next answer.
        ensure!(self.arrived.len() == begin + bytes, "the answer is longer than it says");
        Ok(self.arrived.get(begin..).unwrap_or_default())
    }

    async fn read_chunks(&mut self, begin: usize) -> Result<&[u8]> {
        self.joined.clear();
        let mut offset = begin;
        loop {
            let Some(chunk) = read_chunk(&self.arrived, offset)? else {
                self.read().await?;
                continue;
            };
            self.read_to(chunk.end()).await?;
            let content = self.arrived.get(chunk.begin..chunk.begin + chunk.bytes);
            self.joined.extend_from_slice(content.unwrap_or_default());
            offset = chunk.end();
            if chunk.bytes == 0 {
                ensure!(self.arrived.len() == offset, "the answer is longer than it says");
                return Ok(&self.joined);
            }
        }
    }

    /// Reads until so many bytes of the answer have arrived.
    async fn read_to(&mut self, bytes: usize) -> Result<()> {
        while self.arrived.len() < bytes {
            self.arrived.reserve(bytes - self.arrived.len());
            self.read().await?;
        }
        Ok(())
    }

    /// Calls an operation that is not measured, and gives its answer as a tree.
    pub async fn call(&mut self, operation: &str, body: &Value) -> Result<Value> {
        let request = frame(&self.host, operation, &body.to_string());
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
        let count = self.stream.read(&mut self.arrived).await.context("cannot read")?;
        ensure!(count > 0, "the server closed the connection");
        Ok(())
    }
}

/// What servers say that want to be asked less.
const REFUSALS: [&str; 4] = [
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "RequestLimitExceeded",
    "ServiceUnavailable",
];

impl<'a> Answer<'a> {
    /// Whether the server refuses because it has too much to do, so that the same request may
    /// succeed later.
    pub fn is_refusal(&self) -> bool {
        let names = |name: &&str| self.body.windows(name.len()).any(|part| part == name.as_bytes());
        self.status != 200 && REFUSALS.iter().any(names)
    }

    /// The body of an answer that says that the call succeeded; the text of the error otherwise.
    pub fn success(self) -> Result<&'a [u8]> {
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
        let target = Target::started("test", address, 0);
        let mut connection = Connection::open(&target).await?;
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
    async fn chunks_are_put_together() {
        const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r";
        let pieces: &[&[u8]] = &[HEAD, b"\nhel\r\n2\r\nl", b"o\r\n0\r\n", b"\r\n"];
        assert_eq!(exchange(pieces).await.unwrap(), (200, b"hello".to_vec()));
    }

    #[test]
    fn a_server_that_has_too_much_to_do_is_told_from_one_that_fails() {
        let refusal = b"{\"__type\":\"com.amazonaws.dynamodb.v20120810#ThrottlingException\"}";
        assert!(Answer { status: 400, body: refusal }.is_refusal());
        assert!(
            !Answer { status: 400, body: b"{\"__type\":\"ValidationException\"}" }.is_refusal()
        );
        assert!(!Answer { status: 200, body: refusal }.is_refusal());
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
