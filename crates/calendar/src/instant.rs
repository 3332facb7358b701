//! Moments in time and days of the proleptic Gregorian calendar, years 0000 to 9999, in UTC.

/// A day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// 0 to 9999.
    pub year: u16,
    /// From 1.
    pub month: u8,
    /// From 1.
    pub day: u8,
}

/// A moment, counted in microseconds since the beginning of 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant {
    micros: i64,
}

/// How many microseconds a second has.
pub const MICROS_PER_SEC: i64 = 1_000_000;
const MICROS_PER_DAY: i64 = 86_400 * MICROS_PER_SEC;
/// Days from the first of March of year 0 to the beginning of 1970.
const DAYS_TO_EPOCH: i64 = 719_468;
const DAYS_PER_400_YEARS: i64 = 146_097;

impl Date {
    /// A day, if the calendar has it.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        let is_day = year <= 9999 && day >= 1 && day <= days_in_month(year, month)?;
        is_day.then_some(Date { year, month, day })
    }

    /// Reads `YYYY-MM-DD`.
    pub fn parse(text: &str) -> Option<Date> {
        let mut reader = Reader { rest: text };
        let date = reader.date('-')?;
        reader.rest.is_empty().then_some(date)
    }

    /// The Monday of an ISO week.
    pub fn of_week(year: u16, week: u8) -> Option<Date> {
        let fourth = Date::new(year, 1, 4)?.days_since_epoch();
        let monday = fourth - weekday(fourth) + 7 * (i64::from(week) - 1);
        Date::from_days(monday).filter(|date| date.iso_week() == Some((year, week)))
    }

    /// The ISO year and week: a week belongs to the year that its Thursday is in.
    pub fn iso_week(self) -> Option<(u16, u8)> {
        let days = self.days_since_epoch();
        let thursday = Date::from_days(days - weekday(days) + 3)?;
        let new_year = Date::new(thursday.year, 1, 1)?.days_since_epoch();
        let week = (thursday.days_since_epoch() - new_year) / 7 + 1;
        Some((thursday.year, u8::try_from(week).ok()?))
    }

    /// Days since the beginning of 1970, negative before. Years are counted from March, so that the
    /// leap day is the last of its year.
    pub fn days_since_epoch(self) -> i64 {
        let (year, month, day) = (i64::from(self.year), i64::from(self.month), i64::from(self.day));
        let march_year = if month > 2 { year } else { year - 1 };
        let march_month = (month + 9) % 12;
        let day_of_year = (153 * march_month + 2) / 5 + day - 1;
        let leap_days =
            march_year.div_euclid(4) - march_year.div_euclid(100) + march_year.div_euclid(400);
        march_year * 365 + leap_days + day_of_year - DAYS_TO_EPOCH
    }

    /// The day so many days after the first of January 1970, if it is in the years 0000 to 9999.
    pub fn from_days(days_since_epoch: i64) -> Option<Date> {
        let days = days_since_epoch + DAYS_TO_EPOCH;
        let era = days.div_euclid(DAYS_PER_400_YEARS);
        let day_of_era = days.rem_euclid(DAYS_PER_400_YEARS);
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * march_month + 2) / 5 + 1;
        let month = (march_month + 2) % 12 + 1;
        let year = era * 400 + year_of_era + i64::from(month <= 2);
        Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?)
    }
}

impl Instant {
    /// A moment, if it is in the years 0000 to 9999.
    pub fn from_micros(micros: i64) -> Option<Instant> {
        Date::from_days(micros.div_euclid(MICROS_PER_DAY)).map(|_| Instant { micros })
    }

    /// The beginning of a day.
    pub fn midnight(date: Date) -> Instant {
        Instant { micros: date.days_since_epoch() * MICROS_PER_DAY }
    }

    /// Reads RFC 3339 with any offset. Digits finer than microseconds are cut off.
    pub fn parse(text: &str) -> Option<Instant> {
        let mut reader = Reader { rest: text };
        let date = reader.date('-')?;
        reader.one_of("Tt")?;
        let hour = reader.number(2).filter(|hour| *hour < 24)?;
        reader.one_of(":")?;
        let minute = reader.number(2).filter(|minute| *minute < 60)?;
        reader.one_of(":")?;
        let second = reader.number(2).filter(|second| *second < 60)?;
        let fraction = reader.fraction_micros()?;
        let offset_secs = reader.offset_secs()?;
        if !reader.rest.is_empty() {
            return None;
        }
        let secs =
            i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second) - offset_secs;
        Instant::from_micros(Instant::midnight(date).micros + secs * MICROS_PER_SEC + fraction)
    }

    /// Microseconds since the beginning of 1970.
    pub fn micros(self) -> i64 {
        self.micros
    }

    /// The day that it is on.
    pub fn date(self) -> Date {
        Date::from_days(self.micros.div_euclid(MICROS_PER_DAY))
            .expect("an instant is in the years that have dates")
    }

    /// The RFC 3339 form in UTC, with microseconds and without the `Z`: shorter forms begin it.
    pub fn write(self) -> String {
        let Date { year, month, day } = self.date();
        let of_day = self.micros.rem_euclid(MICROS_PER_DAY);
        let (secs, micros) = (of_day / MICROS_PER_SEC, of_day % MICROS_PER_SEC);
        let (hour, minute, second) = (secs / 3600, secs / 60 % 60, secs % 60);
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}")
    }
}

/// Returns whether a year has 366 days.
pub fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400)
}

fn days_in_month(year: u16, month: u8) -> Option<u8> {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(if is_leap(year) { 29 } else { 28 }),
        _ => None,
    }
}

/// Days since Monday. The epoch was a Thursday.
fn weekday(days_since_epoch: i64) -> i64 {
    (days_since_epoch + 3).rem_euclid(7)
}

/// Reads fixed-width fields from the left.
#[derive(Debug)]
pub struct Reader<'a> {
    /// What is not read yet.
    pub rest: &'a str,
}

impl Reader<'_> {
    fn date(&mut self, separator: char) -> Option<Date> {
        let year = self.number(4)?;
        self.rest = self.rest.strip_prefix(separator)?;
        let month = self.number(2)?;
        self.rest = self.rest.strip_prefix(separator)?;
        let day = self.number(2)?;
        Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?)
    }

    /// Reads a number of exactly so many digits.
    pub fn number(&mut self, width: usize) -> Option<u32> {
        let (digits, rest) = self.rest.split_at_checked(width)?;
        self.rest = rest;
        digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
    }

    /// Reads one of these characters.
    pub fn one_of(&mut self, characters: &str) -> Option<char> {
        let found = self.rest.chars().next().filter(|c| characters.contains(*c))?;
        self.rest = self.rest.strip_prefix(found)?;
        Some(found)
    }

    fn fraction_micros(&mut self) -> Option<i64> {
        let Some(after_point) = self.rest.strip_prefix('.') else { return Some(0) };
        let end = after_point.find(|c: char| !c.is_ascii_digit()).unwrap_or(after_point.len());
        let (digits, rest) = after_point.split_at(end);
        self.rest = rest;
        let kept: String = digits.chars().chain("000000".chars()).take(6).collect();
        (!digits.is_empty()).then(|| kept.parse().ok())?
    }

    fn offset_secs(&mut self) -> Option<i64> {
        let sign = match self.one_of("Zz+-")? {
            '+' => 1,
            '-' => -1,
            _ => return Some(0),
        };
        let hours = self.number(2).filter(|hours| *hours < 24)?;
        self.one_of(":")?;
        let minutes = self.number(2).filter(|minutes| *minutes < 60)?;
        Some(sign * (i64::from(hours) * 3600 + i64::from(minutes) * 60))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_four_hundred_years_counts_one_more() {
        let mut days = Date::new(1800, 1, 1).unwrap().days_since_epoch();
        for year in 1800..=2200 {
            for month in 1..=12 {
                for day in 1..=days_in_month(year, month).unwrap() {
                    let date = Date::new(year, month, day).unwrap();
                    assert_eq!(date.days_since_epoch(), days);
                    assert_eq!(Date::from_days(days), Some(date));
                    days += 1;
                }
            }
        }
        let last = Date::new(9999, 12, 31).unwrap().days_since_epoch();
        assert_eq!(Date::from_days(last + 1), None);
        assert_eq!(Date::new(0, 1, 1).unwrap().days_since_epoch(), -719_528);
        assert_eq!(Date::from_days(-719_529), None);
        assert_eq!(Date::new(1970, 1, 1).unwrap().days_since_epoch(), 0);
    }

    #[test]
    fn iso_weeks_are_those_of_the_calendar() {
        for (date, week) in [
            ("2026-01-03", (2026, 1)),
            ("2021-01-03", (2020, 53)),
            ("2024-12-30", (2025, 1)),
            ("2026-12-31", (2026, 53)),
            ("1970-01-01", (1970, 1)),
        ] {
            assert_eq!(Date::parse(date).unwrap().iso_week(), Some(week), "{date}");
        }
        assert_eq!(Date::of_week(2026, 1), Date::parse("2025-12-29"));
        assert_eq!(Date::of_week(2025, 53), None);
        assert_eq!(Date::parse("0000-01-01").unwrap().iso_week(), None);
    }

    #[test]
    fn offsets_and_fractions_are_read() {
        for (text, written) in [
            ("2020-03-06T15:14:15Z", Some("2020-03-06T15:14:15.000000")),
            ("2020-03-06T15:14:15.1234567+01:00", Some("2020-03-06T14:14:15.123456")),
            ("2020-02-29t23:30:00-00:45", Some("2020-03-01T00:15:00.000000")),
            ("2020-03-06T15:14:15", None),
            ("2020-03-06 15:14:15Z", None),
            ("2021-02-29T00:00:00Z", None),
            ("2020-15-06T00:00:00Z", None),
            ("2020-03-06T24:00:00Z", None),
            ("2020-03-06T00:00:00.Z", None),
            ("0000-01-01T00:00:00+01:00", None),
            ("2020-03-06T00:00:00Zx", None),
        ] {
            assert_eq!(Instant::parse(text).map(Instant::write).as_deref(), written, "{text}");
        }
        assert_eq!(
            Instant::parse("2020-03-06T15:14:15Z").unwrap().micros() / MICROS_PER_SEC,
            1_583_507_655
        );
    }
}
