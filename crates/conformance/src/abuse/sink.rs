//! Somebody who is attacked and does nothing about it, to see what an attack costs by itself.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

use anyhow::Result;

use super::PATIENCE;

/// What a server reads of a head before it refuses it.
const HEAD_BYTES: usize = 64 * 1024;

const ANSWER: &[u8] = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// The least that a server does about a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Least {
    /// It keeps the connection, and the system keeps what comes.
    Hold,
    /// It reads as much as a head may have, answers and closes.
    Answer,
    /// It reads the whole request, answers and closes.
    ReadAll,
}

/// Listens for as long as this process lives.
pub(super) fn start(least: Least) -> Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        let mut held = Vec::new();
        for stream in listener.incoming().map_while(Result::ok) {
            match least {
                Least::Hold => held.push(stream),
                Least::Answer => answer_after(stream, HEAD_BYTES),
                Least::ReadAll => answer_after(stream, usize::MAX),
            }
        }
    });
    Ok(address)
}

/// Reads so many bytes, or all that is announced, and answers. Whatever goes wrong, the attack goes
/// on.
fn answer_after(mut stream: TcpStream, bytes_max: usize) {
    let _ = stream.set_read_timeout(Some(PATIENCE));
    let mut buffer = vec![0; HEAD_BYTES];
    let (mut read_bytes, mut wanted_bytes) = (0, None);
    while read_bytes < wanted_bytes.unwrap_or(usize::MAX).min(bytes_max) {
        let Ok(count @ 1..) = stream.read(&mut buffer) else { return };
        if wanted_bytes.is_none() {
            wanted_bytes = buffer.get(..count).map(announced);
        }
        read_bytes += count;
    }
    let _ = stream.write_all(ANSWER);
}

/// How long a request is whose beginning this is: its head, and what `Content-Length` says.
fn announced(beginning: &[u8]) -> usize {
    let text = String::from_utf8_lossy(beginning);
    let Some((head, _)) = text.split_once("\r\n\r\n") else { return usize::MAX };
    let length = head.split_once("Content-Length: ").map(|(_, rest)| rest);
    let digits = length.and_then(|rest| rest.split("\r\n").next());
    head.len() + 4 + digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}
