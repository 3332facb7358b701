//! Labels of streams: the moment a stream began, as `2026-11-15T23:04:46.123`.

const MILLIS_PER_DAY: u64 = 24 * 60 * 60 * 1000;

/// The label of the stream that began at this moment, in milliseconds since 1970.
pub(crate) fn stream_label(since_millis: u64) -> String {
    format!("{}.{:03}", date_and_time(since_millis), since_millis % 1000)
}

/// A moment in milliseconds since 1970, to the second: `2026-11-15T23:04:46`.
pub(crate) fn date_and_time(since_millis: u64) -> String {
    let (year, month, day) = civil_date(since_millis / MILLIS_PER_DAY);
    let seconds = since_millis % MILLIS_PER_DAY / 1000;
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
}

/// Year, month and day of the Gregorian calendar, from days since 1970.
///
/// Years are counted from March, so that the leap day is the last of its year: then the first day of each
/// month follows from its number alone (months have 30.6 days, five at a time 153).
fn civil_date(days_since_1970: u64) -> (u64, u64, u64) {
    const DAYS_FROM_MARCH_OF_YEAR_0: u64 = 719_468;
    const DAYS_PER_400_YEARS: u64 = 146_097;
    let days = days_since_1970 + DAYS_FROM_MARCH_OF_YEAR_0;
    let (era, day_of_era) = (days / DAYS_PER_400_YEARS, days % DAYS_PER_400_YEARS);
    let leap_days = day_of_era / 1_460 - day_of_era / 36_524 + day_of_era / 146_096;
    let year_of_era = (day_of_era - leap_days) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
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
