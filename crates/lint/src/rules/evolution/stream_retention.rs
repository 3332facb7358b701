//! A consumer that may come too late.

use monotable_model::diagnostic::{Diagnostic, Place};

use crate::Subject;
use crate::amount::amount;
use crate::rule::{Rule, rule};
use crate::threshold::STREAM_LAG_HOURS;

pub(super) const RULE: Rule = rule!(
    "stream-retention",
    Warning,
    Evolution,
    Model,
    "a consumer may be later than a stream keeps its records",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let kept = subject.threshold(&STREAM_LAG_HOURS);
    let late =
        subject.model.patterns.iter().filter_map(|pattern| Some((pattern, pattern.lag_hours?)));
    let found = late.filter(|(_, lag)| *lag > kept).map(|(pattern, lag)| {
        let message = format!(
            "the consumer may be {} hours late, and records are gone after {}",
            amount(lag),
            amount(kept)
        );
        let suggestion = "copy the records into a log that keeps them longer at once, and work \
                          from there; raise an alarm long before";
        let place = Place::pattern(&pattern.name).member("lag_hours");
        Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion)
    });
    found.collect()
}
