//! The stored form of a counter: a 64-bit signed integer, little-endian. Absent means 0.

use crate::{Error, ErrorKind, Result};

/// Decodes the value of a counter that [`Batch::add`](crate::Batch::add) keeps.
pub fn counter_value(stored: Option<&[u8]>) -> Result<i64> {
    let Some(stored) = stored else { return Ok(0) };
    let bytes = stored.try_into().map_err(|_| {
        Error::with_source(ErrorKind::Corrupt, format!("counter of {} bytes", stored.len()))
    })?;
    Ok(i64::from_le_bytes(bytes))
}

/// Encodes a counter; only an engine has reason to.
pub fn encode_counter(value: i64) -> [u8; 8] {
    value.to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_reads_back_what_was_written() {
        for value in [0, 1, -1, i64::MAX, i64::MIN] {
            assert_eq!(counter_value(Some(&encode_counter(value))).unwrap(), value);
        }
        assert_eq!(counter_value(None).unwrap(), 0);
    }

    #[test]
    fn a_counter_of_another_length_is_corrupt() {
        let error = counter_value(Some(b"seven b")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
    }
}
