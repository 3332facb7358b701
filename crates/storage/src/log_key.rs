//! The key of a log entry: the log's key, then the position as a big-endian `u64`, so that the
//! entries of a log lie together in the order of their positions.

use crate::{Error, ErrorKind};
use crate::{Key, Result};

/// How many bytes of a log entry's key are its position.
pub const POSITION_BYTES: usize = size_of::<u64>();

/// The key of the entry of `log` at `position`.
pub fn log_entry_key(log: &[u8], position: u64) -> Key {
    let mut key = Vec::with_capacity(log.len() + POSITION_BYTES);
    key.extend_from_slice(log);
    key.extend_from_slice(&position.to_be_bytes());
    key
}

/// The position in the key of a log entry.
pub fn log_entry_position(key: &[u8]) -> Result<u64> {
    let (_, position) = key.split_last_chunk().ok_or_else(|| {
        Error::with_source(ErrorKind::Corrupt, format!("log entry key of {} bytes", key.len()))
    })?;
    Ok(u64::from_be_bytes(*position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_sort_by_position_and_give_it_back() {
        let positions = [1, 255, 256, u64::from(u32::MAX) + 1, u64::MAX];
        let keys = positions.map(|position| log_entry_key(b"log", position));
        assert!(keys.is_sorted());
        for (key, position) in keys.iter().zip(positions) {
            assert!(key.starts_with(b"log"));
            assert_eq!(log_entry_position(key).unwrap(), position);
        }
    }

    #[test]
    fn a_key_too_short_for_a_position_is_corrupt() {
        assert_eq!(log_entry_position(b"short").unwrap_err().kind(), ErrorKind::Corrupt);
    }
}
