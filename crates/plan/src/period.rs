//! The periods of a range of time, as they stand in keys.

use monotable_item::{Number, Value};
use monotable_model::document::Table;
use monotable_model::template::{
    AttributePart, Bucket, Delimiter, Encoding, EpochUnit, Form, TimeForm, TimeUnit,
};

use super::fill::FillError;

/// How many periods one run asks at most.
const PERIODS_MAX: usize = 1000;

/// A period of the calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Period {
    /// As it stands in keys.
    pub(super) text: String,
    /// Its first second, and the first second after it, as far as they can be counted.
    first_secs: Option<i64>,
    end_secs: Option<i64>,
}

impl Period {
    /// Returns whether the two have a moment in common.
    pub(super) fn meets(&self, other: &Period) -> bool {
        let begins_before_end = |one: &Period, other: &Period| {
            one.first_secs.zip(other.end_secs).is_none_or(|(first, end)| first < end)
        };
        begins_before_end(self, other) && begins_before_end(other, self)
    }
}

/// The periods from one time to another, both included. The part must be a period.
pub(super) fn periods(
    part: &AttributePart,
    from: &Value,
    to: &Value,
) -> Result<Vec<Period>, FillError> {
    let attribute = part.path.to_string();
    let Form::Time(form @ TimeForm::Bucket(bucket, _)) = part.encoding.form() else {
        return Err(FillError::NoPeriod { attribute });
    };
    let text = |value: &Value| {
        let wrong = |_| FillError::WrongType { name: attribute.clone(), expected: "a time" };
        encode(*form, value).map_err(wrong)
    };
    let (mut period, last) = (text(from)?, text(to)?);
    if period > last {
        return Err(FillError::Reversed { attribute });
    }
    let too_many = FillError::TooManyPeriods { max: PERIODS_MAX };
    let mut periods = Vec::new();
    while period <= last {
        if periods.len() == PERIODS_MAX {
            return Err(too_many);
        }
        let next = next(*bucket, &period);
        let first_secs = first_secs(*bucket, &period);
        let end_secs = next.as_ref().and_then(|next| self::first_secs(*bucket, next));
        periods.push(Period { text: part.encoding.turn(period), first_secs, end_secs });
        let Some(next) = next else { break };
        period = next;
    }
    Ok(periods)
}

/// The tables that there are for the periods from one moment to another, each with its own name; to
/// the period after the first if there is no other moment. A table that is not one for each period
/// is itself.
pub fn period_tables(
    table: &Table,
    from: &Value,
    to: Option<&Value>,
) -> Result<Vec<Table>, FillError> {
    let Some(name) = &table.period_name else { return Ok(vec![table.clone()]) };
    let mut texts: Vec<String> = periods(name.part(), from, to.unwrap_or(from))?
        .into_iter()
        .map(|period| period.text)
        .collect();
    if to.is_none() {
        let following = texts.last().and_then(|last| next(name.bucket(), last));
        texts.extend(following);
    }
    Ok(texts.iter().map(|period| table.called(&name.of_period(period))).collect())
}

fn encode(form: TimeForm, value: &Value) -> Result<String, monotable_model::template::PartError> {
    Encoding::ascending(Form::Time(form)).encode(value, Delimiter::default())
}

/// The period after another: the one that holds the first moment of the other plus the length of
/// the longest.
fn next(bucket: Bucket, period: &str) -> Option<String> {
    let form = TimeForm::Bucket(bucket, TimeUnit::Seconds);
    let secs = first_secs(bucket, period)?;
    encode(form, &Value::Number(Number::from(secs + i64::from(bucket.longest_secs())))).ok()
}

/// The first second of a period, counted from 1970.
fn first_secs(bucket: Bucket, period: &str) -> Option<i64> {
    let form = TimeForm::Bucket(bucket, TimeUnit::Seconds);
    let first = Encoding::ascending(Form::Time(form)).decode(period, Delimiter::default())?;
    let Value::String(first) = first else { return None };
    let first = if first.contains('T') { first } else { first + "T00:00:00Z" };
    let secs = encode(TimeForm::Epoch(EpochUnit::Seconds), &Value::String(first)).ok()?;
    secs.parse().ok()
}

#[cfg(test)]
mod tests {
    use monotable_model::template::Template;

    use super::*;

    #[track_caller]
    fn check(part: &str, from: &str, to: &str, expected: &[&str]) {
        let template = Template::parse(part).unwrap();
        let part = template.attributes().next().unwrap();
        let periods = periods(part, &Value::from(from), &Value::from(to)).unwrap();
        let texts: Vec<&str> = periods.iter().map(|period| period.text.as_str()).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_week_meets_the_two_months_that_it_lies_in() {
        let period = |text: &str, at: &str| {
            let template = Template::parse(text).unwrap();
            let at = Value::from(at);
            periods(template.attributes().next().unwrap(), &at, &at).unwrap().remove(0)
        };
        let week = period("{at:week}", "2024-02-29");
        let meets = |month: &str| week.meets(&period("{at:month}", month));
        let months = ["2024-01-31", "2024-02-01", "2024-03-01", "2024-04-01"];
        assert_eq!(months.map(meets), [false, true, true, false]);
    }

    #[test]
    fn periods_follow_each_other_over_the_ends_of_months_and_years() {
        check("{at:year}", "2023-05-01", "2025-01-01", &["2023", "2024", "2025"]);
        check(
            "{at:month}",
            "2023-12-31",
            "2024-03-01",
            &["2023-12", "2024-01", "2024-02", "2024-03"],
        );
        check("{at:week}", "2020-12-28", "2021-01-04", &["2020-W53", "2021-W01"]);
        check("{at:day}", "2024-02-28", "2024-03-01", &["2024-02-28", "2024-02-29", "2024-03-01"]);
        let hours = ["2024-02-28T23", "2024-02-29T00"];
        let quarters = ["2023-Q4", "2024-Q1", "2024-Q2"];
        check("{at:quarter}", "2023-12-31", "2024-04-01", &quarters);
        let minutes = ["2024-02-28T23:59", "2024-02-29T00:00"];
        check("{at:minute}", "2024-02-28T23:59:10Z", "2024-02-29T00:00:50Z", &minutes);
        let windows = ["2024-02-28T23:45", "2024-02-29T00:00", "2024-02-29T00:15"];
        check("{at:minutes(15)}", "2024-02-28T23:59:10Z", "2024-02-29T00:29:00Z", &windows);
        check("{at:hour}", "2024-02-28T23:59:00Z", "2024-02-29T00:00:00Z", &hours);
    }

    #[test]
    fn too_long_a_range_is_refused() {
        let template = Template::parse("{at:hour}").unwrap();
        let part = template.attributes().next().unwrap();
        let ends = ["2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z"].map(Value::from);
        let error = periods(part, &ends[0], &ends[1]).unwrap_err();
        assert_eq!(error, FillError::TooManyPeriods { max: 1000 });
    }
}
