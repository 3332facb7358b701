//! A fault from its kind and its settings, and back.

use std::time::Duration;

use crate::error::FaultError;
use crate::fault::{Amount, Delay, FailureTime, Fault, FaultKind, Limit};
use crate::selection::{KeyPattern, Selection};

/// The kinds, with the settings that are theirs.
const KINDS: &[(&str, &[&str])] = &[
    ("throttle", &["limit"]),
    ("conflict", &[]),
    ("in-progress", &[]),
    ("unprocessed", &["share", "count"]),
    ("delay", &["time", "min", "max", "mean"]),
    ("error", &["when"]),
    ("drop", &["when"]),
    ("stale", &["age"]),
    ("index-lag", &["age"]),
];

/// The settings of every kind.
const SELECTING: &[&str] =
    &["rate", "table", "index", "operation", "key", "key-prefix", "first", "every"];

const LIMITS: &[(&str, Limit)] = &[
    ("provisioned", Limit::Provisioned),
    ("key-range", Limit::KeyRange),
    ("max-on-demand", Limit::MaxOnDemand),
    ("account", Limit::Account),
];

/// No fault waits or looks back longer.
const DURATION_MAX: Duration = Duration::from_secs(60 * 60);

/// The kinds, in words.
pub(crate) fn kinds() -> String {
    KINDS.iter().map(|(kind, _)| *kind).collect::<Vec<_>>().join(", ")
}

/// The fault of a kind with these settings.
pub(crate) fn fault(kind: &str, given: Vec<(String, String)>) -> Result<Fault, FaultError> {
    let mut settings = Settings::new(kind, given)?;
    let fault = Fault { kind: settings.kind()?, selection: settings.selection()? };
    settings.finish()?;
    Ok(fault)
}

/// Settings that have not been read yet.
struct Settings {
    kind: &'static str,
    own: &'static [&'static str],
    left: Vec<(String, String)>,
}

impl Settings {
    fn new(kind: &str, given: Vec<(String, String)>) -> Result<Settings, FaultError> {
        let known = KINDS.iter().find(|(known, _)| *known == kind);
        let &(kind, own) = known
            .ok_or_else(|| FaultError::UnknownKind { kind: kind.to_owned(), kinds: kinds() })?;
        Ok(Settings { kind, own, left: given })
    }

    fn kind(&mut self) -> Result<FaultKind, FaultError> {
        Ok(match self.kind {
            "throttle" => FaultKind::Throttle(self.limit()?),
            "conflict" => FaultKind::Conflict,
            "in-progress" => FaultKind::InProgress,
            "unprocessed" => FaultKind::Unprocessed(self.amount()?),
            "delay" => FaultKind::Delay(self.delay()?),
            "error" => FaultKind::ServerError(self.moment()?),
            "drop" => FaultKind::Drop(self.moment()?),
            "stale" => FaultKind::Stale(self.age()?),
            _ => FaultKind::IndexLag(self.age()?),
        })
    }

    fn selection(&mut self) -> Result<Selection, FaultError> {
        let key = match (self.take("key")?, self.take("key-prefix")?) {
            (Some(key), None) => Some(KeyPattern::Equals(key)),
            (None, Some(prefix)) => Some(KeyPattern::Prefix(prefix)),
            (None, None) => None,
            (Some(_), Some(prefix)) => {
                return Err(wrong("key-prefix", &prefix, "give key or key-prefix, not both"));
            }
        };
        let operations = self.take("operation")?.unwrap_or_default();
        let operations = operations.split(',').map(str::trim).filter(|name| !name.is_empty());
        Ok(Selection {
            rate: self.share("rate")?.unwrap_or(1.0),
            table: self.take("table")?,
            index: self.take("index")?,
            operations: operations.map(str::to_owned).collect(),
            key,
            first: self.count("first")?,
            every: self.count("every")?,
        })
    }

    fn limit(&mut self) -> Result<Option<Limit>, FaultError> {
        let Some(value) = self.take("limit")? else { return Ok(None) };
        let limit = LIMITS.iter().find(|(name, _)| *name == value).map(|(_, limit)| *limit);
        let expected = "expected provisioned, key-range, max-on-demand or account";
        limit.map(Some).ok_or_else(|| wrong("limit", &value, expected))
    }

    fn amount(&mut self) -> Result<Amount, FaultError> {
        match (self.share("share")?, self.count("count")?) {
            (Some(share), None) => Ok(Amount::Share(share)),
            (None, Some(count)) => Ok(Amount::Count(usize::try_from(count).unwrap_or(usize::MAX))),
            (_, _) => Err(self.missing("either share, such as 0.5, or count, such as 2")),
        }
    }

    fn delay(&mut self) -> Result<Delay, FaultError> {
        let (time, mean) = (self.duration("time")?, self.duration("mean")?);
        match (time, self.duration("min")?, self.duration("max")?, mean) {
            (Some(time), None, None, None) => Ok(Delay::Fixed(time)),
            (None, Some(min), Some(max), None) if min <= max => Ok(Delay::Uniform { min, max }),
            (None, None, None, Some(mean)) => Ok(Delay::Exponential { mean }),
            (_, _, _, _) => Err(self.missing("time=50ms, or min=10ms and max=90ms, or mean=50ms")),
        }
    }

    fn moment(&mut self) -> Result<FailureTime, FaultError> {
        match self.take("when")?.as_deref() {
            None | Some("before") => Ok(FailureTime::Before),
            Some("after") => Ok(FailureTime::After),
            Some(other) => Err(wrong("when", other, "expected before or after")),
        }
    }

    fn age(&mut self) -> Result<Duration, FaultError> {
        self.duration("age")?.ok_or_else(|| self.missing("age, such as age=2s"))
    }

    fn missing(&self, settings: &'static str) -> FaultError {
        FaultError::Missing { kind: self.kind.to_owned(), settings }
    }

    fn share(&mut self, name: &str) -> Result<Option<f64>, FaultError> {
        let Some(value) = self.take(name)? else { return Ok(None) };
        let share = value.parse().ok().filter(|share| (0.0..=1.0).contains(share));
        share.map(Some).ok_or_else(|| wrong(name, &value, "expected a number from 0 to 1"))
    }

    fn count(&mut self, name: &str) -> Result<Option<u64>, FaultError> {
        let Some(value) = self.take(name)? else { return Ok(None) };
        let count = value.parse().ok().filter(|count| *count > 0);
        count.map(Some).ok_or_else(|| wrong(name, &value, "expected a whole number from 1"))
    }

    fn duration(&mut self, name: &str) -> Result<Option<Duration>, FaultError> {
        let Some(value) = self.take(name)? else { return Ok(None) };
        let duration = humantime::parse_duration(&value).ok();
        let duration = duration.filter(|duration| *duration <= DURATION_MAX);
        let expected = "expected a duration up to an hour, such as 50ms or 2s";
        duration.map(Some).ok_or_else(|| wrong(name, &value, expected))
    }

    /// The value of a setting, which must not be there twice.
    fn take(&mut self, name: &str) -> Result<Option<String>, FaultError> {
        let Some(position) = self.left.iter().position(|(given, _)| given == name) else {
            return Ok(None);
        };
        let (name, value) = self.left.remove(position);
        if self.left.iter().any(|(given, _)| *given == name) {
            return Err(FaultError::Repeated { name });
        }
        Ok(Some(value))
    }

    /// Refuses what nobody has read.
    fn finish(self) -> Result<(), FaultError> {
        let Some((name, _)) = self.left.into_iter().next() else { return Ok(()) };
        let names = [self.own, SELECTING].concat().join(", ");
        Err(FaultError::UnknownSetting { kind: self.kind.to_owned(), name, names })
    }
}

fn wrong(name: &str, value: &str, expected: &'static str) -> FaultError {
    FaultError::WrongValue { name: name.to_owned(), value: value.to_owned(), expected }
}

/// The kind of a fault and its settings, without those that are as usual.
pub(crate) fn settings(fault: &Fault) -> (&'static str, Vec<(&'static str, String)>) {
    let (kind, mut settings) = of_kind(&fault.kind);
    settings.extend(of_selection(&fault.selection));
    (kind, settings)
}

fn of_kind(kind: &FaultKind) -> (&'static str, Vec<(&'static str, String)>) {
    let when = |moment: &FailureTime| match moment {
        FailureTime::Before => Vec::new(),
        FailureTime::After => vec![("when", "after".to_owned())],
    };
    match kind {
        FaultKind::Throttle(limit) => {
            let name = |limit: &Limit| LIMITS.iter().find(|(_, known)| known == limit);
            let limit = limit.as_ref().and_then(name);
            ("throttle", limit.map(|(name, _)| ("limit", (*name).to_owned())).into_iter().collect())
        }
        FaultKind::Conflict => ("conflict", Vec::new()),
        FaultKind::InProgress => ("in-progress", Vec::new()),
        FaultKind::Unprocessed(Amount::Share(share)) => {
            ("unprocessed", vec![("share", share.to_string())])
        }
        FaultKind::Unprocessed(Amount::Count(count)) => {
            ("unprocessed", vec![("count", count.to_string())])
        }
        FaultKind::Delay(delay) => ("delay", of_delay(delay)),
        FaultKind::ServerError(moment) => ("error", when(moment)),
        FaultKind::Drop(moment) => ("drop", when(moment)),
        FaultKind::Stale(age) => ("stale", vec![("age", duration_text(*age))]),
        FaultKind::IndexLag(age) => ("index-lag", vec![("age", duration_text(*age))]),
    }
}

fn of_delay(delay: &Delay) -> Vec<(&'static str, String)> {
    match *delay {
        Delay::Fixed(time) => vec![("time", duration_text(time))],
        Delay::Uniform { min, max } => {
            vec![("min", duration_text(min)), ("max", duration_text(max))]
        }
        Delay::Exponential { mean } => vec![("mean", duration_text(mean))],
    }
}

fn of_selection(selection: &Selection) -> Vec<(&'static str, String)> {
    let (key, prefix) = match &selection.key {
        Some(KeyPattern::Equals(key)) => (Some(key.clone()), None),
        Some(KeyPattern::Prefix(prefix)) => (None, Some(prefix.clone())),
        None => (None, None),
    };
    let operations = selection.operations.join(",");
    let settings = [
        ("rate", (selection.rate < 1.0).then(|| selection.rate.to_string())),
        ("table", selection.table.clone()),
        ("index", selection.index.clone()),
        ("operation", Some(operations).filter(|names| !names.is_empty())),
        ("key", key),
        ("key-prefix", prefix),
        ("first", selection.first.map(|count| count.to_string())),
        ("every", selection.every.map(|count| count.to_string())),
    ];
    settings.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// A duration in one word.
fn duration_text(duration: Duration) -> String {
    humantime::format_duration(duration).to_string().replace(' ', "")
}
