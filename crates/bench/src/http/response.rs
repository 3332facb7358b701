//! Heads of answers: the status, and where the body ends.

use anyhow::{Context, Result, bail, ensure};

/// Answers with a longer head are refused, so that a server that never ends one is found out.
const HEAD_BYTES_MAX: usize = 16 * 1024;
const HEAD_END: &[u8] = b"\r\n\r\n";

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
pub(super) fn read_head(arrived: &[u8]) -> Result<Option<Head>> {
    let Some(end) = arrived.windows(HEAD_END.len()).position(|window| window == HEAD_END) else {
        ensure!(arrived.len() <= HEAD_BYTES_MAX, "the head of the answer does not end");
        return Ok(None);
    };
    let head = arrived.get(..end).and_then(|head| str::from_utf8(head).ok());
    let mut lines = head.context("the head of the answer is no text")?.split("\r\n");
    let status = read_status(lines.next().unwrap_or_default())?;
    let framing = read_framing(lines)?;
    Ok(Some(Head { status, head_bytes: end + HEAD_END.len(), framing }))
}

fn read_status(line: &str) -> Result<u16> {
    let status = line.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok());
    status.with_context(|| format!("the answer begins with {line:?}"))
}

fn read_framing<'a>(lines: impl Iterator<Item = &'a str>) -> Result<Framing> {
    for line in lines {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        if name.eq_ignore_ascii_case("content-length") {
            let bytes = value.trim().parse();
            return Ok(Framing::Length(bytes.with_context(|| format!("the answer has {line:?}"))?));
        }
        if name.eq_ignore_ascii_case("transfer-encoding") {
            ensure!(value.trim().eq_ignore_ascii_case("chunked"), "the answer has {line:?}");
            return Ok(Framing::Chunked);
        }
    }
    bail!("the answer has no content-length")
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
            "SSH-2.0\r\n\r\n",
        ] {
            assert!(read_head(text.as_bytes()).is_err(), "{text:?}");
        }
        assert!(read_head(&[b'a'; HEAD_BYTES_MAX + 1]).is_err());
    }
}
