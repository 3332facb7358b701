//! Where engines that have one map for everything keep logs and counters: above all keys.
//!
//! | first byte | what follows | value |
//! |---|---|---|
//! | below `F0` | the rest of a key | its value |
//! | `F0` | length of the log's name as a big-endian `u16`, the name, position as a big-endian `u64` | the entry's value |
//! | `F1` | counter | 64-bit signed integer, little-endian |

use std::ops::{Bound, RangeInclusive};

use crate::{Error, ErrorKind, Key, KeyRange, RESERVED, Result};

const LOGS: u8 = RESERVED;
const COUNTERS: u8 = RESERVED + 1;
const POSITION_BYTES: usize = size_of::<u64>();

/// Where keys end.
const KEYS_END: &[u8] = &[RESERVED];

/// Where a range of keys ends: not beyond the last key.
pub fn end_of_keys(range: &KeyRange) -> Bound<&[u8]> {
    match range.end() {
        Bound::Unbounded => Bound::Excluded(KEYS_END),
        end => end,
    }
}

/// Where the entry of `log` at `position` lies.
pub fn log_entry_key(log: &[u8], position: u64) -> Key {
    let length = u16::try_from(log.len()).expect("the name of a log is no longer than a key");
    let mut key = Vec::with_capacity(1 + size_of::<u16>() + log.len() + POSITION_BYTES);
    key.push(LOGS);
    // Without it, the entries of a log could lie among those of another whose name it begins with.
    key.extend_from_slice(&length.to_be_bytes());
    key.extend_from_slice(log);
    key.extend_from_slice(&position.to_be_bytes());
    key
}

/// Where the entries of `log` at these positions lie.
pub fn log_range(log: &[u8], positions: &RangeInclusive<u64>) -> KeyRange {
    KeyRange::new(
        Bound::Included(log_entry_key(log, *positions.start())),
        Bound::Included(log_entry_key(log, *positions.end())),
    )
}

/// Where the entries of all logs lie that come after all entries of `log`.
pub fn logs_after(log: Option<&[u8]>) -> KeyRange {
    let start = match log {
        Some(log) => Bound::Excluded(log_entry_key(log, u64::MAX)),
        None => Bound::Included(vec![LOGS]),
    };
    KeyRange::new(start, Bound::Excluded(vec![COUNTERS]))
}

/// The log of the entry that lies at `key`.
pub fn log_of_entry(key: &[u8]) -> Result<&[u8]> {
    let name = key.split_last_chunk::<POSITION_BYTES>().map(|(log, _)| log);
    name.and_then(|log| log.get(1 + size_of::<u16>()..)).ok_or_else(|| {
        Error::with_source(ErrorKind::Corrupt, format!("log entry key of {} bytes", key.len()))
    })
}

/// The position of the log entry that lies at `key`.
pub fn log_entry_position(key: &[u8]) -> Result<u64> {
    let (_, position) = key.split_last_chunk().ok_or_else(|| {
        Error::with_source(ErrorKind::Corrupt, format!("log entry key of {} bytes", key.len()))
    })?;
    Ok(u64::from_be_bytes(*position))
}

/// Where a counter lies.
pub fn counter_key(mut counter: Key) -> Key {
    counter.insert(0, COUNTERS);
    counter
}

/// Where the counters lie whose names begin with `prefix` and come after `after`.
pub fn counter_range(prefix: &[u8], after: Option<&[u8]>) -> KeyRange {
    let all = KeyRange::prefix(&counter_key(prefix.to_vec()));
    let start = after.map(|after| Bound::Excluded(counter_key(after.to_vec())));
    let start = start.unwrap_or_else(|| all.start().map(<[u8]>::to_vec));
    KeyRange::new(start, all.end().map(<[u8]>::to_vec))
}

/// The name of the counter that lies at `key`.
pub fn counter_name(key: &[u8]) -> &[u8] {
    key.get(1..).unwrap_or_default()
}

/// Decodes the value of a counter, which is 0 if it is absent.
pub fn counter_value(stored: Option<&[u8]>) -> Result<i64> {
    let Some(stored) = stored else { return Ok(0) };
    let bytes = stored.try_into().map_err(|_| {
        Error::with_source(ErrorKind::Corrupt, format!("counter of {} bytes", stored.len()))
    })?;
    Ok(i64::from_le_bytes(bytes))
}

/// Encodes the value of a counter.
pub fn encode_counter(value: i64) -> [u8; 8] {
    value.to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_sort_by_position_and_give_it_back() {
        let positions = [0, 1, 255, 256, u64::from(u32::MAX) + 1, u64::MAX];
        let keys = positions.map(|position| log_entry_key(b"log", position));
        assert!(keys.is_sorted());
        for (key, position) in keys.iter().zip(positions) {
            assert!(log_range(b"log", &(0..=u64::MAX)).contains(key));
            assert_eq!(log_entry_position(key).unwrap(), position);
            assert_eq!(log_of_entry(key).unwrap(), b"log");
            assert!(logs_after(None).contains(key) && logs_after(Some(b"lo")).contains(key));
            assert!(!logs_after(Some(b"log")).contains(key));
        }
        assert_eq!(log_entry_position(b"short").unwrap_err().kind(), ErrorKind::Corrupt);
    }

    #[test]
    fn the_spaces_do_not_meet() {
        let last_key = vec![RESERVED - 1; 100];
        let all = KeyRange::all();
        let keys = KeyRange::new(Bound::Unbounded, end_of_keys(&all).map(<[u8]>::to_vec));
        assert!(keys.contains(&last_key));
        assert!(!keys.contains(&log_entry_key(b"", 0)));
        assert!(log_entry_key(&[0xFF; 9], u64::MAX) < counter_key(Vec::new()));
    }

    #[test]
    fn a_counter_reads_back_what_was_written() {
        for value in [0, 1, -1, i64::MAX, i64::MIN] {
            assert_eq!(counter_value(Some(&encode_counter(value))).unwrap(), value);
        }
        assert_eq!(counter_value(None).unwrap(), 0);
        assert_eq!(counter_value(Some(b"seven b")).unwrap_err().kind(), ErrorKind::Corrupt);
    }
}
