//! Messages of the protocol: a header with the length, then JSON.

use std::io::{self, BufRead, Write};

use serde_json::Value;

/// The longest message that is read: a document of the greatest size, escaped, fits several times.
const MESSAGE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Reads the next message; nothing at the end of the input.
pub(super) fn read_message(input: &mut impl BufRead) -> io::Result<Option<Value>> {
    let Some(length) = read_header(input)? else { return Ok(None) };
    if length > MESSAGE_BYTES_MAX {
        let message = format!("a message of {length} bytes is over {MESSAGE_BYTES_MAX}");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    let message = serde_json::from_slice(&body)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    Ok(Some(message))
}

/// The length that a header gives; nothing at the end of the input.
fn read_header(input: &mut impl BufRead) -> io::Result<Option<usize>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            let missing = || io::Error::new(io::ErrorKind::InvalidData, "no Content-Length");
            return length.map(Some).ok_or_else(missing);
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("Content-Length")
        {
            length = value.trim().parse().ok();
        }
    }
}

/// Writes a message.
pub(super) fn write_message(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let mut bytes = Vec::new();
        write_message(&mut bytes, &json!({ "text": "é" })).unwrap();
        write_message(&mut bytes, &json!(2)).unwrap();
        let mut input = bytes.as_slice();
        assert_eq!(read_message(&mut input).unwrap(), Some(json!({ "text": "é" })));
        assert_eq!(read_message(&mut input).unwrap(), Some(json!(2)));
        assert_eq!(read_message(&mut input).unwrap(), None);
    }

    #[test]
    fn a_message_without_a_length_or_over_the_limit_is_refused() {
        assert!(read_message(&mut b"Content-Type: x\r\n\r\n{}".as_slice()).is_err());
        assert!(read_message(&mut b"Content-Length: 99999999999\r\n\r\n".as_slice()).is_err());
    }
}
