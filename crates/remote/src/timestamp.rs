//! Times as signatures write them: `20150830T123600Z`.

const DAY_SECS: u64 = 24 * 60 * 60;
/// The days of 400 years, after which the calendar repeats.
const ERA_DAYS: u64 = 146_097;
/// The days from 0000-03-01 to 1970-01-01.
const EPOCH_DAYS: u64 = 719_468;

/// A second in the calendar of UTC.
pub(crate) fn timestamp(epoch_millis: u64) -> String {
    let epoch_secs = epoch_millis / 1000;
    let (year, month, day) = date(epoch_secs / DAY_SECS);
    let second = epoch_secs % DAY_SECS;
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z")
}

/// The date of a day since 1970. Years are counted from March, so that a leap day comes last.
fn date(epoch_days: u64) -> (u64, u64, u64) {
    let days = epoch_days + EPOCH_DAYS;
    let (era, day_of_era) = (days / ERA_DAYS, days % ERA_DAYS);
    let leap_days = day_of_era / 1460 - day_of_era / 36_524 + day_of_era / 146_096;
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
    fn seconds_become_dates_of_the_calendar() {
        for (epoch_secs, expected) in [
            (0, "19700101T000000Z"),
            (951_782_400, "20000229T000000Z"),
            (1_440_938_160, "20150830T123600Z"),
            (1_735_689_599, "20241231T235959Z"),
            (4_107_542_400, "21000301T000000Z"),
        ] {
            assert_eq!(timestamp(epoch_secs * 1000 + 999), expected);
        }
    }
}
