//! Replies: where one ends, and what it says.

use std::ops::Range;

use anyhow::{Context, Result, bail, ensure};
use memchr::memchr;

/// Lines that say a length or a status are short; errors may be a sentence.
const LINE_BYTES_MAX: usize = 4096;

/// What a reply is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It says that something was done, or has a number or a value.
    Success,
    /// It says what went wrong.
    Error,
    /// There is no such value.
    Nothing,
}

/// A reply within what has arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reply {
    /// What it is.
    pub(super) kind: Kind,
    /// Where its text or value lies.
    pub(super) content: Range<usize>,
    /// Where the next reply would begin.
    pub(super) end: usize,
}

/// Reads the reply at the start of what has arrived; none if it has not arrived whole.
pub(super) fn read_reply(arrived: &[u8]) -> Result<Option<Reply>> {
    let Some(line_end) = memchr(b'\n', arrived) else {
        ensure!(arrived.len() <= LINE_BYTES_MAX, "the first line of a reply does not end");
        return Ok(None);
    };
    let line = arrived.get(..line_end).and_then(|line| line.strip_suffix(b"\r"));
    let line = line.context("a line of a reply does not end with CR LF")?;
    let (mark, text) = line.split_first().context("a reply is empty")?;
    let simple = |kind| Reply { kind, content: 1..line.len(), end: line_end + 1 };
    match mark {
        b'+' | b':' => Ok(Some(simple(Kind::Success))),
        b'-' => Ok(Some(simple(Kind::Error))),
        b'$' => read_value(arrived, text, line_end + 1),
        other => bail!("a reply begins with {:?}", char::from(*other)),
    }
}

/// A value: its length on a line, then so many bytes and the end of a line.
fn read_value(arrived: &[u8], length: &[u8], begin: usize) -> Result<Option<Reply>> {
    if length == b"-1" {
        return Ok(Some(Reply { kind: Kind::Nothing, content: begin..begin, end: begin }));
    }
    let length = str::from_utf8(length).ok().and_then(|digits| digits.parse::<usize>().ok());
    let content = begin..begin + length.context("a value has no length")?;
    let end = content.end + 2;
    if arrived.len() < end {
        return Ok(None);
    }
    let rest = arrived.get(content.end..end);
    ensure!(rest == Some(b"\r\n"), "a value does not end where it says");
    Ok(Some(Reply { kind: Kind::Success, content, end }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(Kind, &str, usize)> {
        let reply = read_reply(text.as_bytes()).unwrap()?;
        Some((reply.kind, text.get(reply.content.clone()).unwrap(), reply.end))
    }

    #[test]
    fn every_kind_of_reply_is_read() {
        assert_eq!(read("+OK\r\n"), Some((Kind::Success, "OK", 5)));
        assert_eq!(read(":42\r\n"), Some((Kind::Success, "42", 5)));
        assert_eq!(
            read("-ERR no such command\r\n"),
            Some((Kind::Error, "ERR no such command", 22))
        );
        assert_eq!(read("$5\r\nhello\r\n"), Some((Kind::Success, "hello", 11)));
        assert_eq!(read("$0\r\n\r\n"), Some((Kind::Success, "", 6)));
        assert_eq!(read("$-1\r\n"), Some((Kind::Nothing, "", 5)));
    }

    #[test]
    fn a_reply_is_read_only_when_all_of_it_has_arrived() {
        let text = "$12\r\nhello\r\nworld\r\n";
        for length in 0..text.len() {
            assert_eq!(read(&text[..length]), None, "{length}");
        }
        assert_eq!(read(text), Some((Kind::Success, "hello\r\nworld", 19)));
    }

    #[test]
    fn what_is_no_reply_is_an_error() {
        for text in
            ["HTTP/1.1 200 OK\r\n", "$five\r\nhello\r\n", "$2\r\nhello\r\n", "+OK\n", "\r\n"]
        {
            assert!(read_reply(text.as_bytes()).is_err(), "{text:?}");
        }
        assert!(read_reply(&[b'+'; 5000]).is_err());
    }
}
