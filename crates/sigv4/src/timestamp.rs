//! Times as signatures write them: `20150830T123600Z`.

use std::fmt;
use std::time::UNIX_EPOCH;

use monotable_calendar::Date;

const DAY_SECS: u64 = 24 * 60 * 60;
/// The first second that has no year of four digits.
const END_SECS: u64 = 253_402_300_800;

/// A second in the calendar of UTC, from 1970 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    epoch_secs: u64,
}

impl Timestamp {
    /// The second that is so many seconds after 1970 began, or the last one there is.
    pub fn from_epoch_secs(epoch_secs: u64) -> Timestamp {
        Timestamp { epoch_secs: epoch_secs.min(END_SECS - 1) }
    }

    /// The second in which a millisecond lies.
    pub fn from_epoch_millis(epoch_millis: u64) -> Timestamp {
        Timestamp::from_epoch_secs(epoch_millis / 1000)
    }

    /// Seconds since 1970.
    pub fn epoch_secs(self) -> u64 {
        self.epoch_secs
    }

    /// So much earlier.
    pub fn minus_secs(self, secs: u64) -> Timestamp {
        Timestamp { epoch_secs: self.epoch_secs.saturating_sub(secs) }
    }

    /// So much later.
    pub fn plus_secs(self, secs: u64) -> Timestamp {
        Timestamp::from_epoch_secs(self.epoch_secs.saturating_add(secs))
    }

    /// Reads ISO 8601's basic format, such as `20150830T123600Z`.
    pub fn parse(text: &str) -> Option<Timestamp> {
        let [y1, y2, y3, y4, m1, m2, d1, d2, b'T', h1, h2, n1, n2, s1, s2, b'Z'] = text.as_bytes()
        else {
            return None;
        };
        let (year, month) = (number([y1, y2, y3, y4])?, number([m1, m2])?);
        let day = number([d1, d2])?;
        let (hour, minute, second) = (number([h1, h2])?, number([n1, n2])?, number([s1, s2])?);
        if year < 1970 || hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let date = Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?)?;
        let days = u64::try_from(date.days_since_epoch()).ok()?;
        Some(Timestamp { epoch_secs: days * DAY_SECS + hour * 3600 + minute * 60 + second })
    }

    /// Reads what the `Date` header of HTTP says, in any of its forms.
    pub fn parse_http(text: &str) -> Option<Timestamp> {
        let time = httpdate::parse_http_date(text).ok()?;
        let since_epoch = time.duration_since(UNIX_EPOCH).ok()?;
        Some(Timestamp::from_epoch_secs(since_epoch.as_secs()))
    }

    /// The characters of the text form.
    pub(crate) fn characters(self) -> [u8; 16] {
        let (year, month, day) = date(self.epoch_secs / DAY_SECS);
        let second = self.epoch_secs % DAY_SECS;
        let [c, y] = [year / 100, year % 100].map(two_digits);
        let [m, d] = [month, day].map(two_digits);
        let [h, n, s] = [second / 3600, second / 60 % 60, second % 60].map(two_digits);
        let (ten, one) = (|pair: [u8; 2]| pair[0], |pair: [u8; 2]| pair[1]);
        [
            ten(c),
            one(c),
            ten(y),
            one(y),
            ten(m),
            one(m),
            ten(d),
            one(d),
            b'T',
            ten(h),
            one(h),
            ten(n),
            one(n),
            ten(s),
            one(s),
            b'Z',
        ]
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let characters = self.characters();
        f.write_str(str::from_utf8(&characters).map_err(|_| fmt::Error)?)
    }
}

fn two_digits(value: u64) -> [u8; 2] {
    let digit = |value: u64| b'0' + u8::try_from(value % 10).unwrap_or_default();
    [digit(value / 10), digit(value)]
}

fn number<const N: usize>(digits: [&u8; N]) -> Option<u64> {
    digits.into_iter().try_fold(0, |value, digit| {
        digit.is_ascii_digit().then(|| value * 10 + u64::from(digit - b'0'))
    })
}

/// The date of a day since 1970.
fn date(epoch_days: u64) -> (u64, u64, u64) {
    let date = i64::try_from(epoch_days).ok().and_then(Date::from_days);
    let Date { year, month, day } = date.expect("a timestamp ends before the year 10000");
    (u64::from(year), u64::from(month), u64::from(day))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn seconds_become_dates_of_the_calendar() {
        for (epoch_secs, expected) in [
            (0, "19700101T000000Z"),
            (951_782_400, "20000229T000000Z"),
            (1_440_938_160, "20150830T123600Z"),
            (1_735_689_599, "20241231T235959Z"),
            (4_107_542_400, "21000301T000000Z"),
            (u64::MAX, "99991231T235959Z"),
        ] {
            assert_eq!(Timestamp::from_epoch_secs(epoch_secs).to_string(), expected);
        }
        let millis = Timestamp::from_epoch_millis(1_440_938_160_999);
        assert_eq!(millis.to_string(), "20150830T123600Z");
    }

    #[test]
    fn what_is_not_in_the_calendar_is_refused() {
        for text in [
            "",
            "2015-08-30T12:36:00Z",
            "20150830T123600",
            "20150830T1236000",
            "20151330T123600Z",
            "20150230T123600Z",
            "20150229T123600Z",
            "20150830T243600Z",
            "20150830T126000Z",
            "20150830T123660Z",
            "20150800T123600Z",
            "19691231T235959Z",
            "2015083\u{661}T12360Z",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
        assert!(Timestamp::parse("20160229T123600Z").is_some());
    }

    #[test]
    fn dates_of_http_are_read() {
        let expected = Timestamp::parse("20150830T123600Z");
        assert_eq!(Timestamp::parse_http("Sun, 30 Aug 2015 12:36:00 GMT"), expected);
        assert_eq!(Timestamp::parse_http("20150830T123600Z"), None);
    }

    proptest! {
        #[test]
        fn texts_lead_back_to_the_second(epoch_secs in 0..END_SECS) {
            let timestamp = Timestamp::from_epoch_secs(epoch_secs);
            prop_assert_eq!(Timestamp::parse(&timestamp.to_string()), Some(timestamp));
        }
    }
}
