//! Times in keys: moments at a fixed precision, counts since 1970, and the periods they fall in.

use monotable_calendar::{Date, Instant, Reader};
use monotable_item::{Number, Type, Value};

use super::error::{Kind, PartError};
use super::minute_window::MinuteWindow;
use super::number_form::scaled;

const MONTHS_PER_QUARTER: u8 = 3;
const MICROS_PER_MINUTE: i64 = 60_000_000;

/// How a time is written. All of them have a fixed width and sort by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimeForm {
    /// `time(s)`: RFC 3339 in UTC, cut to the unit.
    Timestamp(TimeUnit),
    /// `epoch(s)`, `epoch(ms)`: the count since 1970, in 10 or 13 digits.
    Epoch(EpochUnit),
    /// `day`, `day(ms)`: the period that the time falls in. A number counts the unit.
    Bucket(Bucket, TimeUnit),
}

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimeUnit {
    /// `s`
    Seconds,
    /// `ms`
    Millis,
    /// `us`
    Micros,
}

/// A unit of counts since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EpochUnit {
    /// `s`, in 10 digits: to the year 2286.
    Seconds,
    /// `ms`, in 13 digits: to the same second.
    Millis,
}

/// A period of the calendar, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bucket {
    /// `2026`
    Year,
    /// `2026-Q1`
    Quarter,
    /// `2026-01`
    Month,
    /// `2026-W01`
    Week,
    /// `2026-01-03`
    Day,
    /// `2026-01-03T10`
    Hour,
    /// `2026-01-03T10:15`, the beginning of a window of several minutes
    Minutes(MinuteWindow),
    /// `2026-01-03T10:17`
    Minute,
}

impl TimeUnit {
    /// `s`, `ms` or `us`.
    pub fn code(self) -> &'static str {
        match self {
            TimeUnit::Seconds => "s",
            TimeUnit::Millis => "ms",
            TimeUnit::Micros => "us",
        }
    }

    /// The decimal digits that the unit leaves after the second.
    pub(crate) fn fraction_digits(self) -> u8 {
        match self {
            TimeUnit::Seconds => 0,
            TimeUnit::Millis => 3,
            TimeUnit::Micros => 6,
        }
    }
}

impl EpochUnit {
    /// The digits that are written.
    pub fn digits(self) -> u8 {
        match self {
            EpochUnit::Seconds => 10,
            EpochUnit::Millis => 13,
        }
    }

    /// The same unit, among all units.
    pub fn unit(self) -> TimeUnit {
        match self {
            EpochUnit::Seconds => TimeUnit::Seconds,
            EpochUnit::Millis => TimeUnit::Millis,
        }
    }

    fn micros(self) -> i64 {
        match self {
            EpochUnit::Seconds => 1_000_000,
            EpochUnit::Millis => 1_000,
        }
    }
}

impl Bucket {
    /// The word in templates: `year` to `hour`, `minutes` or `minute`.
    pub fn code(self) -> &'static str {
        match self {
            Bucket::Year => "year",
            Bucket::Quarter => "quarter",
            Bucket::Month => "month",
            Bucket::Week => "week",
            Bucket::Day => "day",
            Bucket::Hour => "hour",
            Bucket::Minutes(_) => "minutes",
            Bucket::Minute => "minute",
        }
    }
}

impl Bucket {
    /// For how many seconds the longest period of this kind lasts.
    pub fn longest_secs(self) -> u32 {
        const MINUTE: u32 = 60;
        const DAY: u32 = 24 * 60 * MINUTE;
        match self {
            Bucket::Year => 366 * DAY,
            Bucket::Quarter => 92 * DAY,
            Bucket::Month => 31 * DAY,
            Bucket::Week => 7 * DAY,
            Bucket::Day => DAY,
            Bucket::Hour => 60 * MINUTE,
            Bucket::Minutes(window) => u32::from(window.minutes()) * MINUTE,
            Bucket::Minute => MINUTE,
        }
    }

    /// Returns whether the period is a day or more, so that a bare date tells it.
    pub fn takes_dates(self) -> bool {
        match self {
            Bucket::Year | Bucket::Quarter | Bucket::Month | Bucket::Week | Bucket::Day => true,
            Bucket::Hour | Bucket::Minutes(_) | Bucket::Minute => false,
        }
    }
}

impl TimeForm {
    /// The unit that a number attribute counts.
    pub fn unit(self) -> TimeUnit {
        match self {
            TimeForm::Timestamp(unit) | TimeForm::Bucket(_, unit) => unit,
            TimeForm::Epoch(unit) => unit.unit(),
        }
    }

    pub(crate) fn encode(self, value: &Value) -> Result<String, PartError> {
        let instant = self.read_value(value)?;
        match self {
            TimeForm::Timestamp(unit) => Ok(write_timestamp(instant, unit)),
            TimeForm::Epoch(unit) => write_epoch(instant, unit),
            TimeForm::Bucket(bucket, _) => write_bucket(instant, bucket),
        }
    }

    /// The earliest time that has this text, as RFC 3339 or, for a whole day or more, as a date.
    pub(crate) fn decode(self, text: &str) -> Option<Value> {
        let value = match self {
            TimeForm::Timestamp(_) => Value::from(text),
            TimeForm::Epoch(_) => Value::Number(text.parse::<Number>().ok()?),
            TimeForm::Bucket(Bucket::Year, _) => Value::String(format!("{text}-01-01")),
            TimeForm::Bucket(Bucket::Quarter, _) => Value::String(first_of_quarter(text)?),
            TimeForm::Bucket(Bucket::Month, _) => Value::String(format!("{text}-01")),
            TimeForm::Bucket(Bucket::Week, _) => Value::String(monday_of(text)?),
            TimeForm::Bucket(Bucket::Day, _) => Value::from(text),
            TimeForm::Bucket(Bucket::Hour, _) => Value::String(format!("{text}:00:00Z")),
            TimeForm::Bucket(Bucket::Minutes(_) | Bucket::Minute, _) => {
                Value::String(format!("{text}:00Z"))
            }
        };
        (self.encode(&value).ok()? == text).then_some(value)
    }

    /// How many characters a key has of it.
    pub(crate) fn width(self) -> usize {
        match self {
            TimeForm::Timestamp(TimeUnit::Seconds) => 20,
            TimeForm::Timestamp(TimeUnit::Millis) => 24,
            TimeForm::Timestamp(TimeUnit::Micros) => 27,
            TimeForm::Epoch(unit) => usize::from(unit.digits()),
            TimeForm::Bucket(Bucket::Year, _) => 4,
            TimeForm::Bucket(Bucket::Quarter | Bucket::Month, _) => 7,
            TimeForm::Bucket(Bucket::Week, _) => 8,
            TimeForm::Bucket(Bucket::Day, _) => 10,
            TimeForm::Bucket(Bucket::Hour, _) => 13,
            TimeForm::Bucket(Bucket::Minutes(_) | Bucket::Minute, _) => 16,
        }
    }

    fn read_value(self, value: &Value) -> Result<Instant, PartError> {
        match value {
            Value::String(text) => {
                self.read_text(text).ok_or_else(|| PartError::malformed(self.expected_text(), text))
            }
            Value::Number(number) => self.read_number(number).ok_or(PartError::TimeOutOfRange),
            _ => Err(PartError::wrong_type(&[Type::String, Type::Number], value)),
        }
    }

    fn read_text(self, text: &str) -> Option<Instant> {
        let date = if self.takes_dates() { Date::parse(text) } else { None };
        date.map(Instant::midnight).or_else(|| Instant::parse(text))
    }

    fn read_number(self, number: &Number) -> Option<Instant> {
        let digits_to_micros = TimeUnit::Micros.fraction_digits() - self.unit().fraction_digits();
        let micros = scaled(number, digits_to_micros)?;
        Instant::from_micros(micros.try_into().ok()?)
    }

    fn expected_text(self) -> Kind {
        if self.takes_dates() { Kind::DateOrTimestamp } else { Kind::Timestamp }
    }

    /// Periods of a day and more need no time of day.
    fn takes_dates(self) -> bool {
        match self {
            TimeForm::Timestamp(_) | TimeForm::Epoch(_) => false,
            TimeForm::Bucket(bucket, _) => bucket.takes_dates(),
        }
    }
}

fn write_timestamp(instant: Instant, unit: TimeUnit) -> String {
    let (text, kept) = match unit {
        TimeUnit::Seconds => (instant.write(), 19),
        TimeUnit::Millis => (instant.write(), 23),
        TimeUnit::Micros => (instant.write(), 26),
    };
    text.chars().take(kept).chain(['Z']).collect()
}

fn write_epoch(instant: Instant, unit: EpochUnit) -> Result<String, PartError> {
    let count = instant.micros().div_euclid(unit.micros());
    let text = format!("{count:0>width$}", width = usize::from(unit.digits()));
    let fits = count >= 0 && text.len() == usize::from(unit.digits());
    if fits { Ok(text) } else { Err(PartError::TimeOutOfRange) }
}

fn write_bucket(instant: Instant, bucket: Bucket) -> Result<String, PartError> {
    let kept = match bucket {
        Bucket::Week => {
            let (year, week) = instant.date().iso_week().ok_or(PartError::TimeOutOfRange)?;
            return Ok(format!("{year:04}-W{week:02}"));
        }
        Bucket::Quarter => {
            let Date { year, month, .. } = instant.date();
            return Ok(format!("{year:04}-Q{}", (month - 1) / MONTHS_PER_QUARTER + 1));
        }
        Bucket::Minutes(window) => return Ok(write_window(instant, window)),
        Bucket::Year => 4,
        Bucket::Month => 7,
        Bucket::Day => 10,
        Bucket::Hour => 13,
        Bucket::Minute => 16,
    };
    Ok(instant.write().chars().take(kept).collect())
}

/// The first minute of the window that a moment falls in.
fn write_window(instant: Instant, window: MinuteWindow) -> String {
    let micros = i64::from(window.minutes()) * MICROS_PER_MINUTE;
    let since = instant.micros().rem_euclid(micros);
    let first = Instant::from_micros(instant.micros() - since).unwrap_or(instant);
    first.write().chars().take(16).collect()
}

fn first_of_quarter(text: &str) -> Option<String> {
    let (year, quarter) = text.split_once("-Q")?;
    let quarter: u8 = quarter.parse().ok().filter(|quarter| (1..=4).contains(quarter))?;
    Some(format!("{year}-{:02}-01", (quarter - 1) * MONTHS_PER_QUARTER + 1))
}

fn monday_of(week: &str) -> Option<String> {
    let (year, week) = week.split_once("-W")?;
    let Date { year, month, day } = Date::of_week(year.parse().ok()?, week.parse().ok()?)?;
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

/// `ymd`: turns `MM/DD/YYYY` into `YYYY/MM/DD`.
pub(crate) fn encode_year_first(value: &Value) -> Result<String, PartError> {
    let Value::String(text) = value else {
        return Err(PartError::wrong_type(&[Type::String], value));
    };
    let date =
        read_month_first(text).ok_or_else(|| PartError::malformed(Kind::MonthFirst, text))?;
    Ok(format!("{:04}/{:02}/{:02}", date.year, date.month, date.day))
}

/// Reads what [`encode_year_first`] wrote.
pub(crate) fn decode_year_first(text: &str) -> Option<Value> {
    let (year, month_and_day) = text.split_once('/')?;
    let value = Value::String(format!("{month_and_day}/{year}"));
    (encode_year_first(&value).ok()? == text).then_some(value)
}

fn read_month_first(text: &str) -> Option<Date> {
    let mut reader = Reader { rest: text };
    let month = reader.number(2)?;
    reader.one_of("/")?;
    let day = reader.number(2)?;
    reader.one_of("/")?;
    let year = reader.number(4)?;
    let date = Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?);
    date.filter(|_| reader.rest.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FIVE: Option<MinuteWindow> = MinuteWindow::new(5);

    const FORMS: [TimeForm; 13] = [
        TimeForm::Timestamp(TimeUnit::Seconds),
        TimeForm::Timestamp(TimeUnit::Millis),
        TimeForm::Timestamp(TimeUnit::Micros),
        TimeForm::Epoch(EpochUnit::Seconds),
        TimeForm::Epoch(EpochUnit::Millis),
        TimeForm::Bucket(Bucket::Year, TimeUnit::Seconds),
        TimeForm::Bucket(Bucket::Month, TimeUnit::Seconds),
        TimeForm::Bucket(Bucket::Week, TimeUnit::Seconds),
        TimeForm::Bucket(Bucket::Day, TimeUnit::Seconds),
        TimeForm::Bucket(Bucket::Hour, TimeUnit::Seconds),
        TimeForm::Bucket(Bucket::Quarter, TimeUnit::Seconds),
        TimeForm::Bucket(Bucket::Minutes(FIVE.unwrap()), TimeUnit::Seconds),
        TimeForm::Bucket(Bucket::Minute, TimeUnit::Seconds),
    ];

    #[test]
    fn one_moment_in_every_form() {
        let moment = Value::from("2026-01-03T11:17:06.0123456+01:00");
        let written: Vec<String> = FORMS.iter().map(|form| form.encode(&moment).unwrap()).collect();
        assert_eq!(
            written,
            [
                "2026-01-03T10:17:06Z",
                "2026-01-03T10:17:06.012Z",
                "2026-01-03T10:17:06.012345Z",
                "1767435426",
                "1767435426012",
                "2026",
                "2026-01",
                "2026-W01",
                "2026-01-03",
                "2026-01-03T10",
                "2026-Q1",
                "2026-01-03T10:15",
                "2026-01-03T10:17",
            ]
        );
        for (form, text) in FORMS.iter().zip(&written) {
            assert_eq!(text.len(), form.width());
        }
    }

    #[test]
    fn a_number_counts_the_unit_of_the_form() {
        let day_ms = TimeForm::Bucket(Bucket::Day, TimeUnit::Millis);
        assert_eq!(day_ms.encode(&Value::from(1_767_435_306_012)).unwrap(), "2026-01-03");
        let seconds = TimeForm::Timestamp(TimeUnit::Seconds);
        assert_eq!(seconds.encode(&Value::from(1_583_507_655)).unwrap(), "2020-03-06T15:14:15Z");
    }

    #[test]
    fn display_dates_are_turned_year_first() {
        assert_eq!(encode_year_first(&Value::from("03/15/2022")).unwrap(), "2022/03/15");
        assert_eq!(decode_year_first("2022/03/15"), Some(Value::from("03/15/2022")));
        assert!(encode_year_first(&Value::from("15/03/2022")).is_err());
        assert_eq!(decode_year_first("2022/15/03"), None);
    }

    proptest! {
        #[test]
        fn keys_sort_as_times_and_come_back(a in 0..9_999_999_999_i64, b in 0..9_999_999_999_i64) {
            for form in FORMS {
                let value = |secs: i64| {
                    Value::String(Instant::from_micros(secs * 1_000_000).unwrap().write() + "Z")
                };
                let (x, y) = (form.encode(&value(a)).unwrap(), form.encode(&value(b)).unwrap());
                prop_assert!(x == y || x.cmp(&y) == a.cmp(&b));
                prop_assert_eq!(form.encode(&form.decode(&x).unwrap()).unwrap(), x);
            }
        }
    }
}
