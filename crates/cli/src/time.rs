//! Durations and times as people write them.

use std::time::{Duration, UNIX_EPOCH};

/// Reads a duration such as `250ms`, `1s`, `4h` or `1h 30m`.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text)
        .map_err(|error| format!("{error}; give a duration such as 250ms, 1s, 4h or 7d"))
}

/// Reads a duration of which something is done again and again, so it cannot be nothing.
pub(crate) fn parse_interval(text: &str) -> Result<Duration, String> {
    match parse_duration(text)? {
        Duration::ZERO => Err("it must be longer than nothing".to_owned()),
        duration => Ok(duration),
    }
}

/// Reads a time such as `2026-01-01T00:00:00Z` or `1767225600`, in milliseconds since 1970.
pub(crate) fn parse_time_millis(text: &str) -> Result<u64, String> {
    if let Ok(secs) = text.parse::<u64>() {
        return secs.checked_mul(1000).ok_or_else(|| "that is too late".to_owned());
    }
    humantime::parse_rfc3339(text)
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .and_then(|since| u64::try_from(since.as_millis()).ok())
        .ok_or_else(|| {
            "give a time in UTC such as 2026-01-01T00:00:00Z, or seconds since 1970".to_owned()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_people_write_them() {
        for (text, millis) in
            [("250ms", 250), ("1s", 1000), ("4h", 14_400_000), ("1h 30m", 5_400_000), ("0s", 0)]
        {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for refused in ["", "soon", "5", "-1s"] {
            assert!(parse_duration(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn an_interval_is_longer_than_nothing() {
        assert!(parse_interval("0s").is_err());
        assert_eq!(parse_interval("1ms"), Ok(Duration::from_millis(1)));
    }

    #[test]
    fn times_are_texts_or_seconds() {
        for text in ["2026-01-01T00:00:00Z", "1767225600", "2026-01-01T00:00:00.000Z"] {
            assert_eq!(parse_time_millis(text), Ok(1_767_225_600_000), "{text}");
        }
        for refused in ["", "yesterday", "-1", "1969-01-01T00:00:00Z", "99999999999999999999"] {
            assert!(parse_time_millis(refused).is_err(), "{refused}");
        }
    }
}
