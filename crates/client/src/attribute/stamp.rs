//! Times: what stamps and expiry are made of.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use monotable_calendar::Instant;
use monotable_item::{Type, Value};

use super::{Attribute, NumberBounds, ValueError};

/// A moment to the microsecond, stored as RFC 3339 text in UTC, which sorts by time.
///
/// ```
/// use monotable::Timestamp;
///
/// let noon: Timestamp = "2026-01-03T12:00:00Z".parse().unwrap();
/// assert_eq!(noon.to_string(), "2026-01-03T12:00:00.000000Z");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(Instant);

impl Hash for Timestamp {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.micros().hash(state);
    }
}

/// A moment to the second, stored as the number of seconds since 1970, which is how DynamoDB
/// expires items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixSeconds(pub u64);

/// A type that the client can fill with the time of a write.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold the time of a write",
    note = "use `Timestamp` or `UnixSeconds` for `created` and `touched` fields"
)]
pub trait Stamp: Attribute {
    /// The value for a moment.
    fn stamp(now: SystemTime) -> Self;
}

impl Timestamp {
    /// Returns the moment this many microseconds after the beginning of 1970, if its year has four
    /// digits.
    pub fn from_micros(micros: i64) -> Option<Timestamp> {
        Instant::from_micros(micros).map(Timestamp)
    }

    /// Returns the microseconds since the beginning of 1970.
    pub fn micros(self) -> i64 {
        self.0.micros()
    }
}

impl FromStr for Timestamp {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Timestamp, ValueError> {
        let instant = Instant::parse(text);
        instant.map(Timestamp).ok_or_else(|| ValueError::unexpected("an RFC 3339 time", text))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}Z", self.0.write())
    }
}

impl Attribute for Timestamp {
    const KIND: Type = Type::String;

    fn to_value(&self) -> Option<Value> {
        Some(Value::String(self.to_string()))
    }

    fn from_value(value: Value) -> Result<Timestamp, ValueError> {
        String::from_value(value)?.parse()
    }
}

impl Attribute for UnixSeconds {
    const KIND: Type = Type::Number;
    const BOUNDS: NumberBounds = u64::BOUNDS;

    fn to_value(&self) -> Option<Value> {
        self.0.to_value()
    }

    fn from_value(value: Value) -> Result<UnixSeconds, ValueError> {
        u64::from_value(value).map(UnixSeconds)
    }
}

impl Stamp for Timestamp {
    fn stamp(now: SystemTime) -> Timestamp {
        let micros = i64::try_from(since_1970(now).as_micros()).unwrap_or(i64::MAX);
        let last = Timestamp::from_micros(micros);
        last.unwrap_or_else(|| Timestamp(Instant::from_micros(0).expect("1970 is a year")))
    }
}

impl Stamp for UnixSeconds {
    fn stamp(now: SystemTime) -> UnixSeconds {
        UnixSeconds(since_1970(now).as_secs())
    }
}

/// A time before 1970 is taken as its beginning.
fn since_1970(now: SystemTime) -> Duration {
    now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_is_text_that_sorts_by_time() {
        let (early, late): (Timestamp, Timestamp) =
            ("2026-01-03T12:00:00Z".parse().unwrap(), "2026-01-03T12:00:00.5Z".parse().unwrap());
        assert!(early < late);
        let texts = (early.to_string(), late.to_string());
        assert!(texts.0 < texts.1);
        assert_eq!(Timestamp::from_value(early.to_value().unwrap()), Ok(early));
    }

    #[test]
    fn a_stamp_is_the_time_of_the_clock() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_441_600);
        assert_eq!(Timestamp::stamp(now).to_string(), "2026-01-03T12:00:00.000000Z");
        assert_eq!(UnixSeconds::stamp(now), UnixSeconds(1_767_441_600));
    }
}
