//! `/_monotable/clock`: the time that the database goes by, and moving it.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use monotable_database::{Clock, ManualClock};
use serde_json::{Map, Value, json};

use super::Refusal;

/// The last moment that has a four-digit year, which is as far as the clock goes.
const MILLIS_MAX: u64 = 253_402_300_799_999;

/// What the database goes by.
#[derive(Debug, Clone)]
pub enum DatabaseClock {
    /// The time of the machine.
    System,
    /// A clock that stands still until it is moved.
    Manual(Arc<ManualClock>),
}

/// The database's clock as clients see it.
pub(crate) struct AdminClock {
    kind: DatabaseClock,
    system: Arc<dyn Clock>,
}

impl AdminClock {
    pub(crate) fn new(kind: DatabaseClock, system: Arc<dyn Clock>) -> AdminClock {
        AdminClock { kind, system }
    }

    /// The time of the machine, in milliseconds since 1970.
    pub(super) fn now_millis(&self) -> u64 {
        self.system.now_millis()
    }

    /// What the clock shows.
    pub(super) fn report(&self) -> Value {
        let (mode, millis) = match &self.kind {
            DatabaseClock::System => ("system", self.system.now_millis()),
            DatabaseClock::Manual(clock) => ("manual", clock.now_millis()),
        };
        json!({ "mode": mode, "epochMillis": millis, "time": rfc_3339(millis) })
    }

    /// Moves the clock to `{"epochMillis":…}` or `{"time":"…"}`.
    pub(super) fn set(&self, body: &[u8]) -> Result<(), Refusal> {
        let clock = self.manual()?;
        let millis = wanted_millis(&object(body)?)?;
        clock.set(millis).map_err(|error| {
            let (now, wanted) = (rfc_3339(error.now_millis), rfc_3339(error.wanted_millis));
            Refusal::conflict(format!("the clock is at {now} and cannot go back to {wanted}"))
        })
    }

    /// Moves the clock forward by `{"seconds":…}` or `{"duration":"…"}`.
    pub(super) fn advance(&self, body: &[u8]) -> Result<(), Refusal> {
        let clock = self.manual()?;
        let duration = wanted_duration(&object(body)?)?;
        let millis_left = Duration::from_millis(MILLIS_MAX.saturating_sub(clock.now_millis()));
        if duration > millis_left {
            return Err(Refusal::invalid("the clock ends with the year 9999"));
        }
        clock.advance(duration);
        Ok(())
    }

    fn manual(&self) -> Result<&ManualClock, Refusal> {
        match &self.kind {
            DatabaseClock::Manual(clock) => Ok(clock),
            DatabaseClock::System => Err(Refusal::conflict(
                "this server goes by the time of its machine; to move the clock, start it with \
                 monotable serve --clock manual",
            )),
        }
    }
}

fn object(body: &[u8]) -> Result<Map<String, Value>, Refusal> {
    match serde_json::from_slice(body) {
        Ok(Value::Object(members)) if members.len() == 1 => Ok(members),
        Ok(_) | Err(_) => Err(Refusal::invalid("the body must be a JSON object with one member")),
    }
}

fn wanted_millis(members: &Map<String, Value>) -> Result<u64, Refusal> {
    let millis = match (members.get("epochMillis"), members.get("time")) {
        (Some(millis), None) => millis
            .as_u64()
            .ok_or_else(|| Refusal::invalid("epochMillis must be whole milliseconds since 1970"))?,
        (None, Some(Value::String(time))) => parse_time(time).map_err(Refusal::invalid)?,
        (_, _) => {
            return Err(Refusal::invalid(
                r#"say when: {"epochMillis":1767225600000} or {"time":"2026-01-01T00:00:00Z"}"#,
            ));
        }
    };
    if millis > MILLIS_MAX {
        return Err(Refusal::invalid("the clock ends with the year 9999"));
    }
    Ok(millis)
}

fn wanted_duration(members: &Map<String, Value>) -> Result<Duration, Refusal> {
    match (members.get("seconds"), members.get("duration")) {
        (Some(seconds), None) => seconds
            .as_f64()
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
            .ok_or_else(|| Refusal::invalid("seconds must be a number that is not negative")),
        (None, Some(Value::String(text))) => humantime::parse_duration(text)
            .map_err(|error| Refusal::invalid(format!("{text:?} is not a duration: {error}"))),
        (_, _) => Err(Refusal::invalid(r#"say how far: {"seconds":60} or {"duration":"7d"}"#)),
    }
}

fn parse_time(text: &str) -> Result<u64, String> {
    let since_1970 = humantime::parse_rfc3339(text)
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .and_then(|since| u64::try_from(since.as_millis()).ok());
    since_1970.ok_or_else(|| {
        format!("{text:?} is not a time in UTC after 1970 such as 2026-01-01T00:00:00Z")
    })
}

/// A time as people write it.
pub(super) fn rfc_3339(millis: u64) -> String {
    let time: SystemTime = UNIX_EPOCH + Duration::from_millis(millis.min(MILLIS_MAX));
    humantime::format_rfc3339_millis(time).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: u64 = 1_767_225_600_000;

    fn manual() -> AdminClock {
        let clock = Arc::new(ManualClock::new(START));
        AdminClock::new(DatabaseClock::Manual(clock.clone()), clock)
    }

    #[test]
    fn the_clock_is_set_by_milliseconds_or_by_a_text() {
        let clock = manual();
        clock.set(br#"{"epochMillis":1767225600001}"#).unwrap();
        assert_eq!(clock.report()["time"], "2026-01-01T00:00:00.001Z");
        clock.set(br#"{"time":"2026-02-03T04:05:06Z"}"#).unwrap();
        let expected = json!({"mode": "manual", "epochMillis": 1_770_091_506_000u64,
            "time": "2026-02-03T04:05:06.000Z"});
        assert_eq!(clock.report(), expected);
    }

    #[test]
    fn the_clock_is_advanced_by_seconds_or_by_a_duration() {
        for (body, millis) in [
            (r#"{"seconds":60}"#, 60_000),
            (r#"{"seconds":0.25}"#, 250),
            (r#"{"seconds":0}"#, 0),
            (r#"{"duration":"7d"}"#, 7 * 86_400_000),
            (r#"{"duration":"1h 30m"}"#, 90 * 60_000),
        ] {
            let clock = manual();
            clock.advance(body.as_bytes()).unwrap();
            assert_eq!(clock.report()["epochMillis"], START + millis, "{body}");
        }
    }

    #[test]
    fn moves_that_make_no_sense_leave_the_clock_where_it_is() {
        let clock = manual();
        for body in [
            "",
            "[]",
            "{}",
            r#"{"time":1}"#,
            r#"{"time":"tomorrow"}"#,
            r#"{"epochMillis":-1}"#,
            r#"{"epochMillis":999999999999999}"#,
            r#"{"time":"1969-01-01T00:00:00Z"}"#,
        ] {
            let refusal = clock.set(body.as_bytes()).unwrap_err();
            assert_eq!(refusal.status.as_u16(), 400, "{body}: {refusal:?}");
        }
        for body in [
            "",
            "{}",
            r#"{"seconds":-1}"#,
            r#"{"seconds":"1"}"#,
            r#"{"duration":"soon"}"#,
            r#"{"seconds":1e300}"#,
            r#"{"seconds":999999999999}"#,
            r#"{"seconds":1,"duration":"1s"}"#,
        ] {
            let refusal = clock.advance(body.as_bytes()).unwrap_err();
            assert_eq!(refusal.status.as_u16(), 400, "{body}: {refusal:?}");
        }
        assert_eq!(clock.report()["epochMillis"], START);
    }

    #[test]
    fn the_clock_cannot_go_back() {
        let refusal = manual().set(br#"{"time":"2025-01-01T00:00:00Z"}"#).unwrap_err();
        assert_eq!(refusal.status.as_u16(), 409);
        let reason = "the clock is at 2026-01-01T00:00:00.000Z and cannot go back to \
                      2025-01-01T00:00:00.000Z";
        assert_eq!(refusal.reason, reason);
    }

    #[test]
    fn the_time_of_the_machine_is_read_but_not_moved() {
        let clock = AdminClock::new(DatabaseClock::System, Arc::new(ManualClock::new(START)));
        assert_eq!(clock.report()["mode"], "system");
        for refusal in [clock.set(b"{}"), clock.advance(b"{}")] {
            let refusal = refusal.unwrap_err();
            assert_eq!(refusal.status.as_u16(), 409);
            assert!(refusal.reason.contains("--clock manual"));
        }
    }
}
