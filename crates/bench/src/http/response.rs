//! Heads of answers: the status, and where the body ends.

use anyhow::{Context, Result, ensure};
use memchr::memchr_iter;

/// Answers with a longer head are refused, so that a server that never ends one is found out.
const HEAD_BYTES_MAX: usize = 16 * 1024;

/// What the head of an answer says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Head {
    /// The status, such as 200.
    pub(super) status: u16,
    /// The length of the head, with the empty line at its end.
    pub(super) head_bytes: usize,
    /// How the end of the body is found.
    pub(super) framing: Framing,
}

/// How the end of a body is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    /// It has so many bytes.
    Length(usize),
    /// It comes in chunks, of which the last is empty.
    Chunked,
}

/// Reads the head at the start of what has arrived; none if it has not arrived whole.
///
/// Every answer comes here, so lines are found by many bytes at a time, and only those are taken
/// apart that say something about the status or the body.
pub(super) fn read_head(arrived: &[u8]) -> Result<Option<Head>> {
    let mut begin = 0;
    let (mut status, mut framing) = (None, None);
    for end in memchr_iter(b'\n', arrived) {
        let line = arrived.get(begin..end).and_then(|line| line.strip_suffix(b"\r"));
        let line = line.context("a line of the answer's head does not end with CR LF")?;
        begin = end + 1;
        match (status, framing) {
            (Some(status), _) if line.is_empty() => {
                ensure_text(arrived.get(..end).unwrap_or_default())?;
                let framing = framing.context("the answer has no content-length")?;
                return Ok(Some(Head { status, head_bytes: begin, framing }));
            }
            (None, _) => status = Some(read_status(line)?),
            (Some(_), None) => framing = read_framing(line)?,
            // The first header that says where the body ends is believed.
            (Some(_), Some(_)) => {}
        }
    }
    ensure!(arrived.len() <= HEAD_BYTES_MAX, "the head of the answer does not end");
    Ok(None)
}

fn ensure_text(head: &[u8]) -> Result<()> {
    let is_text = head.is_ascii() || str::from_utf8(head).is_ok();
    ensure!(is_text, "the head of the answer is no text");
    Ok(())
}

fn read_status(line: &[u8]) -> Result<u16> {
    let digits = line.strip_prefix(b"HTTP/1.1 ").and_then(|rest| rest.get(..3));
    let status = digits.and_then(|digits| str::from_utf8(digits).ok()?.parse().ok());
    status.with_context(|| format!("the answer begins with {}", quoted(line)))
}

/// What a header says about the body; none if it is about something else.
fn read_framing(line: &[u8]) -> Result<Option<Framing>> {
    if let Some(value) = value_of("content-length", line) {
        let bytes = str::from_utf8(value).ok().and_then(|value| value.trim().parse().ok());
        let bytes = bytes.with_context(|| format!("the answer has {}", quoted(line)))?;
        return Ok(Some(Framing::Length(bytes)));
    }
    let Some(value) = value_of("transfer-encoding", line) else { return Ok(None) };
    let is_chunked = value.trim_ascii().eq_ignore_ascii_case(b"chunked");
    ensure!(is_chunked, "the answer has {}", quoted(line));
    Ok(Some(Framing::Chunked))
}

/// The value of a header line, if it has this name.
fn value_of<'a>(name: &str, line: &'a [u8]) -> Option<&'a [u8]> {
    let (found, rest) = line.split_at_checked(name.len())?;
    let value = rest.strip_prefix(b":")?;
    found.eq_ignore_ascii_case(name.as_bytes()).then_some(value)
}

fn quoted(line: &[u8]) -> String {
    format!("{:?}", String::from_utf8_lossy(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_whatever_the_case_of_its_names() {
        for name in ["content-length", "Content-Length", "CONTENT-LENGTH"] {
            let text = format!("HTTP/1.1 200 OK\r\nx-a: b\r\n{name}: 12\r\n\r\nhello");
            let framing = Framing::Length(12);
            let expected = Head { status: 200, head_bytes: text.len() - 5, framing };
            assert_eq!(read_head(text.as_bytes()).unwrap(), Some(expected));
        }
    }

    #[test]
    fn a_head_that_has_not_arrived_whole_is_not_read() {
        let text = "HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n";
        for end in 0..text.len() {
            assert_eq!(read_head(&text.as_bytes()[..end]).unwrap(), None);
        }
    }

    #[test]
    fn what_is_not_an_answer_is_an_error() {
        for text in [
            "HTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n",
            "HTTP/1.1 OK\r\ncontent-length: 1\r\n\r\n",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n",
            "HTTP/1.1 200 OK\ncontent-length: 1\n\n",
            "HTTP/1.1 200 OK\r\ncontent-length: 1\r\nbroken\n\r\n",
            "\r\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n",
            "SSH-2.0\r\n\r\n",
        ] {
            assert!(read_head(text.as_bytes()).is_err(), "{text:?}");
        }
        assert!(read_head(b"HTTP/1.1 200 OK\r\na: \xff\r\ncontent-length: 1\r\n\r\n").is_err());
        assert!(read_head(&[b'a'; HEAD_BYTES_MAX + 1]).is_err());
    }

    #[test]
    fn the_first_header_that_frames_the_body_counts() {
        let framing = |lines: &str| {
            let head = format!("HTTP/1.1 200 OK\r\n{lines}\r\n");
            read_head(head.as_bytes()).unwrap().unwrap().framing
        };
        assert_eq!(framing("Transfer-Encoding: Chunked\r\na: b\r\n"), Framing::Chunked);
        assert_eq!(framing("content-length:7\r\ncontent-length: x\r\n"), Framing::Length(7));
        assert_eq!(framing("content-lengths: 7\r\ncontent-length: 8\r\n"), Framing::Length(8));
    }
}
