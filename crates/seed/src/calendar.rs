//! Times of sample data: within the first months of one year, whatever the date is.

use monotable_calendar::Instant;

use super::random::Random;

/// 2026-01-01T00:00:00Z
const FIRST_SECS: u64 = 1_767_225_600;
/// Ninety days.
const SPAN_SECS: u64 = 90 * 24 * 60 * 60;
/// Ten years: what expires is not to be gone before somebody looks.
const EXPIRY_SECS: u64 = 10 * 365 * 24 * 60 * 60;

/// A second in which something happened.
pub(super) fn any_second(random: &mut Random) -> u64 {
    FIRST_SECS + random.below(SPAN_SECS)
}

/// A second in which something expires.
pub(super) fn any_expiry(random: &mut Random) -> u64 {
    any_second(random) + EXPIRY_SECS
}

/// `2026-01-03T12:00:00Z`
pub(super) fn rfc3339(epoch_secs: u64) -> String {
    let second = epoch_secs % (24 * 60 * 60);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{}T{hour:02}:{minute:02}:{second:02}Z", date(epoch_secs))
}

/// `2026-01-03`
pub(super) fn date(epoch_secs: u64) -> String {
    let (year, month, day) = year_month_day(epoch_secs);
    format!("{year:04}-{month:02}-{day:02}")
}

/// `01/03/2026`
pub(super) fn month_first(epoch_secs: u64) -> String {
    let (year, month, day) = year_month_day(epoch_secs);
    format!("{month:02}/{day:02}/{year:04}")
}

fn year_month_day(epoch_secs: u64) -> (u16, u8, u8) {
    let micros = i64::try_from(epoch_secs.saturating_mul(1_000_000)).unwrap_or(i64::MAX);
    let date = Instant::from_micros(micros).map(Instant::date);
    date.map_or((2026, 1, 1), |date| (date.year, date.month, date.day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_written_in_each_form() {
        let second = FIRST_SECS + 2 * 24 * 60 * 60 + 12 * 60 * 60 + 61;
        assert_eq!(rfc3339(second), "2026-01-03T12:01:01Z");
        assert_eq!(date(second), "2026-01-03");
        assert_eq!(month_first(second), "01/03/2026");
    }
}
