//! One connection.

use anyhow::{Context, Result, ensure};
use bytes::BytesMut;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::reply::{Kind, Reply, read_reply};
use crate::http::Answer;
use crate::target::Target;

/// Room for the replies without growing.
const BUFFER_BYTES: usize = 64 * 1024;

/// A connection that carries one request at a time.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    arrived: BytesMut,
}

impl Connection {
    /// Connects.
    pub async fn open(target: &Target) -> Result<Connection> {
        let stream = TcpStream::connect(target.address).await;
        let stream = stream.with_context(|| format!("cannot connect to {}", target.address))?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream, arrived: BytesMut::with_capacity(BUFFER_BYTES) })
    }

    /// Sends a request and reads its reply to the last byte. Its kind becomes the status that HTTP
    /// would have.
    pub async fn exchange(&mut self, request: &[u8]) -> Result<Answer<'_>> {
        self.stream.write_all(request).await.context("cannot send the request")?;
        self.arrived.clear();
        let reply = self.read_reply().await?;
        // One request is answered at a time, so anything more would be taken for the next reply.
        ensure!(self.arrived.len() == reply.end, "the reply is longer than it says");
        let status = match reply.kind {
            Kind::Success => 200,
            Kind::Error => 400,
            Kind::Nothing => 404,
        };
        Ok(Answer { status, body: self.arrived.get(reply.content).unwrap_or_default() })
    }

    async fn read_reply(&mut self) -> Result<Reply> {
        loop {
            let count = self.stream.read_buf(&mut self.arrived).await.context("cannot read")?;
            ensure!(count > 0, "the server closed the connection");
            if let Some(reply) = read_reply(&self.arrived)? {
                return Ok(reply);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn a_value_in_pieces_is_put_together() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let target = Target::started("test", listener.local_addr().unwrap(), 0);
        let server = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.set_nodelay(true).unwrap();
            stream.read_exact(&mut [0; 4]).await.unwrap();
            for piece in ["$", "5\r", "\nhel", "lo\r", "\n"] {
                stream.write_all(piece.as_bytes()).await.unwrap();
                tokio::task::yield_now().await;
            }
        });
        let mut connection = Connection::open(&target).await.unwrap();
        let answer = connection.exchange(b"PING").await.unwrap();
        assert_eq!((answer.status, answer.body), (200, b"hello".as_slice()));
        server.await.unwrap();
    }
}
