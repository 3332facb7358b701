//! What a client hears when there are too many connections.

use std::io;

use monotable_database::Clock;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::limits::REFUSAL_TIMEOUT;

/// SDKs take this status as a reason to try again after a while.
const ANSWER: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\n\
    retry-after: 1\r\n\
    content-length: 0\r\n\
    connection: close\r\n\r\n";

/// Answers a connection without reading a request from it, and closes it.
pub(crate) async fn refuse(mut stream: TcpStream, clock: &dyn Clock) {
    tokio::select! {
        // The client may be gone; then there is nobody to tell.
        _ = answer_and_close(&mut stream, ANSWER) => {}
        () = clock.sleep(REFUSAL_TIMEOUT) => {}
    }
}

/// Sends these bytes, and waits for the client to close the connection.
pub(crate) async fn answer_and_close(stream: &mut TcpStream, answer: &[u8]) -> io::Result<()> {
    stream.write_all(answer).await?;
    stream.shutdown().await?;
    // Closing a socket with unread bytes resets it, and the answer may be lost on the way. So wait
    // for the client to close its side.
    let mut unread = [0; 1024];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}
