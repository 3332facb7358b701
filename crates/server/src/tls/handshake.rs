//! The beginning of a connection that is to be encrypted.

use std::io;

use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::Tls;
use crate::refusal::answer_and_close;
use crate::transport::WatchedTcp;

/// What a client hears that does not encrypt.
const ANSWER_TO_PLAIN: &[u8] = b"HTTP/1.1 400 Bad Request\r\n\
    content-type: text/plain\r\n\
    content-length: 62\r\n\
    connection: close\r\n\r\n\
    This server speaks TLS only: its address begins with https://\n";

/// What became of a handshake.
pub(crate) enum Handshake {
    Done(Box<TlsStream<WatchedTcp>>),
    /// The client speaks HTTP without TLS, and has been told.
    Plain,
}

/// Agrees with a client on how to encrypt.
pub(crate) async fn shake_hands(tls: &Tls, mut stream: TcpStream) -> io::Result<Handshake> {
    let mut first = [0];
    stream.peek(&mut first).await?;
    // Requests begin with the name of a method, and TLS with a byte that is no letter.
    if first.iter().all(u8::is_ascii_uppercase) {
        answer_and_close(&mut stream, ANSWER_TO_PLAIN).await?;
        return Ok(Handshake::Plain);
    }
    let acceptor = TlsAcceptor::from(tls.config());
    let stream = acceptor.accept(WatchedTcp::new(stream)).await?;
    Ok(Handshake::Done(Box::new(stream)))
}
