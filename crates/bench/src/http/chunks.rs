//! Bodies in chunks, which some servers send instead of saying the length beforehand.

use anyhow::{Context, Result, ensure};

/// The line before a chunk is a number in hexadecimal digits, perhaps with more that means nothing
/// here.
const SIZE_LINE_BYTES_MAX: usize = 256;

/// One chunk within what has arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chunk {
    /// Where its content begins.
    pub(super) begin: usize,
    /// The length of its content; the last chunk has none.
    pub(super) bytes: usize,
}

impl Chunk {
    /// Where the next chunk begins, or the next answer after the last one: past the end of the
    /// line.
    pub(super) fn end(self) -> usize {
        self.begin + self.bytes + 2
    }
}

/// Reads the size of the chunk at an offset; none if it has not arrived.
pub(super) fn read_chunk(arrived: &[u8], offset: usize) -> Result<Option<Chunk>> {
    let rest = arrived.get(offset..).unwrap_or_default();
    let Some(end) = rest.windows(2).position(|pair| pair == b"\r\n") else {
        ensure!(rest.len() <= SIZE_LINE_BYTES_MAX, "the size of a chunk does not end");
        return Ok(None);
    };
    let line = rest.get(..end).and_then(|line| str::from_utf8(line).ok()).unwrap_or_default();
    let digits = line.split(';').next().unwrap_or_default().trim();
    let bytes = usize::from_str_radix(digits, 16);
    let bytes = bytes.with_context(|| format!("a chunk of {line:?} bytes"))?;
    Ok(Some(Chunk { begin: offset + end + 2, bytes }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_follow_one_another() {
        let arrived = b"..5\r\nhello\r\n0;x=y\r\n\r\n";
        let first = read_chunk(arrived, 2).unwrap().unwrap();
        assert_eq!(first, Chunk { begin: 5, bytes: 5 });
        let last = read_chunk(arrived, first.end()).unwrap().unwrap();
        assert_eq!(last.bytes, 0);
        assert_eq!(last.end(), arrived.len());
    }

    #[test]
    fn a_size_that_is_none_is_an_error() {
        assert_eq!(read_chunk(b"1f", 0).unwrap(), None);
        assert!(read_chunk(b"many\r\n", 0).is_err());
        assert!(read_chunk(&[b'1'; 300], 0).is_err());
    }
}
