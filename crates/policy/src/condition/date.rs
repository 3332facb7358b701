//! Dates of conditions: the forms of ISO 8601 that W3C's note names, or seconds since 1970.

use monotable_calendar::Date;

/// A moment, in nanoseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DateValue(i128);

const NANOS_PER_SECOND: i128 = 1_000_000_000;
const FRACTION_DIGITS_MAX: usize = 9;
/// Digits of seconds since 1970. Four digits are a year.
const EPOCH_DIGITS: std::ops::RangeInclusive<usize> = 5..=15;

impl DateValue {
    /// Reads `2026`, `2026-01`, `2026-01-31`, `2026-01-31T12:00Z`, `2026-01-31T12:00:00.5+01:00` or
    /// seconds since 1970.
    pub(crate) fn parse(text: &str) -> Option<DateValue> {
        if !text.is_ascii() {
            return None;
        }
        let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        if is_digits && EPOCH_DIGITS.contains(&text.len()) {
            let seconds: i128 = text.parse().ok()?;
            return Some(DateValue(seconds * NANOS_PER_SECOND));
        }
        let (date, time) = match text.split_once(['T', 't']) {
            Some((date, time)) => (date, Some(time)),
            None => (text, None),
        };
        let days = i128::from(days_of(date, time.is_some())?);
        let nanos = time.map_or(Some(0), nanos_of)?;
        Some(DateValue(days * 86_400 * NANOS_PER_SECOND + nanos))
    }
}

/// The days since 1970 of a date that is complete, or may end after the year or the month.
fn days_of(date: &str, must_be_complete: bool) -> Option<i64> {
    let mut parts = date.split('-');
    let year = digits(parts.next()?, 4)?;
    let month = parts.next().map(|part| digits(part, 2));
    let day = parts.next().map(|part| digits(part, 2));
    if parts.next().is_some() || must_be_complete && day.is_none() {
        return None;
    }
    let month = month.unwrap_or(Some(1))?;
    let day = day.unwrap_or(Some(1))?;
    let date = Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?);
    date.map(Date::days_since_epoch)
}

/// The nanoseconds of a time of day with its zone, which is needed.
fn nanos_of(time: &str) -> Option<i128> {
    let zone_at = time.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = time.split_at_checked(zone_at)?;
    let (clock, fraction) = match clock.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (clock, None),
    };
    let mut parts = clock.split(':');
    let hours = digits(parts.next()?, 2)?;
    let minutes = digits(parts.next()?, 2)?;
    let seconds = parts.next();
    if parts.next().is_some() || seconds.is_none() && fraction.is_some() {
        return None;
    }
    let seconds = seconds.map_or(Some(0), |part| digits(part, 2))?;
    if hours > 23 || minutes > 59 || seconds > 59 {
        return None;
    }
    let whole = i128::from(hours * 3_600 + minutes * 60 + seconds - zone_seconds(zone)?);
    Some(whole * NANOS_PER_SECOND + fraction.map_or(Some(0), fraction_nanos)?)
}

fn zone_seconds(zone: &str) -> Option<i64> {
    let sign = match zone.split_at_checked(1)? {
        ("Z" | "z", "") => return Some(0),
        ("+", _) => 1,
        ("-", _) => -1,
        _ => return None,
    };
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    (hours <= 23 && minutes <= 59).then_some(sign * (hours * 3_600 + minutes * 60))
}

fn fraction_nanos(fraction: &str) -> Option<i128> {
    if fraction.is_empty() || fraction.len() > FRACTION_DIGITS_MAX {
        return None;
    }
    let value = i128::from(digits(fraction, fraction.len())?);
    let missing = u32::try_from(FRACTION_DIGITS_MAX - fraction.len()).ok()?;
    Some(value * 10_i128.pow(missing))
}

fn digits(text: &str, count: usize) -> Option<i64> {
    let is_number = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instant(text: &str) -> DateValue {
        DateValue::parse(text).unwrap_or_else(|| panic!("{text} is a date"))
    }

    #[test]
    fn all_forms_of_a_date_are_the_same_moment() {
        let moment = DateValue(1_577_836_800 * NANOS_PER_SECOND);
        for text in [
            "2020",
            "2020-01",
            "2020-01-01",
            "2020-01-01T00:00Z",
            "2020-01-01T00:00:00Z",
            "2020-01-01T00:00:00.000Z",
            "2020-01-01T01:30:00+01:30",
            "2019-12-31T23:00:00-01:00",
            "1577836800",
        ] {
            assert_eq!(instant(text), moment, "{text}");
        }
    }

    #[test]
    fn days_are_counted_over_leap_years() {
        for (text, days) in [
            ("1970-01-01", 0),
            ("1969-12-31", -1),
            ("2000-02-29", 11_016),
            ("2000-03-01", 11_017),
            ("2026-11-17", 20_774),
        ] {
            assert_eq!(instant(text).0, days * 86_400 * NANOS_PER_SECOND, "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in [
            "",
            "20",
            "2020-13",
            "2020-02-30",
            "2021-02-29",
            "2020-01-01T",
            "2020-01-01T00:00:00",
            "2020-01T00:00Z",
            "2020-01-01T24:00Z",
            "2020-01-01T00:00:00.Z",
            "2020-01-01T00:00+1:00",
            "tomorrow",
            "2020-01-01T00:00:00Zx",
            "-1",
            "2020-1-1",
            "2020-01-01-01",
        ] {
            assert_eq!(DateValue::parse(text), None, "{text}");
        }
    }
}
