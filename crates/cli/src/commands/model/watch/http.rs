//! As much of HTTP as a page on the loopback address needs: one GET a connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// The longest head of a request that is read.
const HEAD_BYTES_MAX: u64 = 16 * 1024;
/// How long a browser may take to send it.
const HEAD_PATIENCE: Duration = Duration::from_secs(10);

/// What a browser asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) path: String,
    /// The version that it has, of which it wants to know when it is no longer the last.
    pub(super) since: Option<String>,
}

/// What it gets.
pub(super) enum Answer {
    /// A page.
    Page(String),
    /// The version of the file.
    Version(String),
    /// Nothing of that name.
    Missing,
}

/// Reads a request, and answers it if it is one of a browser on this machine.
pub(super) fn serve(
    mut stream: TcpStream,
    address: &str,
    answer: impl Fn(&Asked) -> Answer,
) -> io::Result<()> {
    stream.set_read_timeout(Some(HEAD_PATIENCE))?;
    let head = read_head(&stream)?;
    let (status, kind, body) = match asked(&head, address) {
        None => ("403 Forbidden", "text/plain", "this page is for this machine alone".to_owned()),
        Some(asked) => match answer(&asked) {
            Answer::Page(page) => ("200 OK", "text/html; charset=utf-8", page),
            Answer::Version(version) => ("200 OK", "text/plain", version),
            Answer::Missing => ("404 Not Found", "text/plain", "there is no such page".to_owned()),
        },
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
         Cache-Control: no-store\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )?;
    stream.flush()
}

fn read_head(stream: &TcpStream) -> io::Result<Vec<String>> {
    let mut reader = BufReader::new(stream.take(HEAD_BYTES_MAX));
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim_end().is_empty() {
            return Ok(lines);
        }
        lines.push(line.trim_end().to_owned());
    }
}

/// What is asked for. A host of another name is a page of somebody else, which got here by a name
/// that leads to this machine.
fn asked(head: &[String], address: &str) -> Option<Asked> {
    let (first, headers) = head.split_first()?;
    let mut words = first.split(' ');
    let (method, target) = (words.next()?, words.next()?);
    let host = headers.iter().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("host").then(|| value.trim())
    })?;
    let port = address.rsplit(':').next()?;
    let is_own = host == address || host == format!("localhost:{port}");
    if method != "GET" || !is_own {
        return None;
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let since = query.split('&').find_map(|pair| pair.strip_prefix("since="));
    Some(Asked { path: path.to_owned(), since: since.map(str::to_owned) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|line| (*line).to_owned()).collect()
    }

    #[test]
    fn only_requests_to_this_machine_by_its_own_name_are_answered() {
        let of = |lines: &[&str]| asked(&head(lines), "127.0.0.1:8100");
        let since = Some("1a".to_owned());
        assert_eq!(
            of(&["GET /changes?since=1a HTTP/1.1", "Host: 127.0.0.1:8100"]),
            Some(Asked { path: "/changes".to_owned(), since })
        );
        assert!(of(&["GET / HTTP/1.1", "host: localhost:8100"]).is_some());
        assert_eq!(of(&["GET / HTTP/1.1", "Host: evil.example:8100"]), None);
        assert_eq!(of(&["POST / HTTP/1.1", "Host: 127.0.0.1:8100"]), None);
        assert_eq!(of(&["GET / HTTP/1.1"]), None);
        assert_eq!(of(&[]), None);
    }
}
