//! Labels of streams: the moment a stream began, as `2026-11-15T23:04:46.123`.

use monotable_calendar::Instant;

/// The last moment of the year 9999, which is the last with a year of four digits.
const LAST_MILLIS: u64 = 253_402_300_799_999;

/// The characters of a moment to the second, and to the millisecond.
const SECOND_CHARACTERS: usize = 19;
const MILLISECOND_CHARACTERS: usize = 23;

/// The label of the stream that began at this moment, in milliseconds since 1970.
pub(crate) fn stream_label(since_millis: u64) -> String {
    written(since_millis, MILLISECOND_CHARACTERS)
}

/// A moment in milliseconds since 1970, to the second: `2026-11-15T23:04:46`.
pub(crate) fn date_and_time(since_millis: u64) -> String {
    written(since_millis, SECOND_CHARACTERS)
}

/// The first characters of a moment.
fn written(since_millis: u64, characters: usize) -> String {
    let millis = i64::try_from(since_millis.min(LAST_MILLIS)).unwrap_or_default();
    let moment = Instant::from_micros(millis * 1000).expect("the calendar has the year 9999");
    let mut text = moment.write();
    text.truncate(characters);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_dates_with_milliseconds() {
        for (millis, label) in [
            (0, "1970-01-01T00:00:00.000"),
            (951_782_400_000, "2000-02-29T00:00:00.000"),
            (1_431_379_293_291, "2015-05-11T21:21:33.291"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999"),
            (1_735_689_600_001, "2025-01-01T00:00:00.001"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000"),
        ] {
            assert_eq!(stream_label(millis), label);
        }
    }
}
