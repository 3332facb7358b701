//! A consumer of a stream that counts a record twice if it comes twice.

use crate::diagnostic::{Diagnostic, Place};
use crate::document::{Model, Operation, Pattern};
use crate::lint::Subject;
use crate::lint::pattern_write::{PatternWrite, writes_of};
use crate::lint::rule::{Rule, rule};
use crate::lint::update_clause::clauses;

pub(super) const RULE: Rule = rule!(
    "non-idempotent-consumer",
    Warning,
    Requests,
    "a consumer of a stream adds to a number, and a record that comes twice is counted twice",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let patterns = subject.model.patterns.iter();
    patterns.filter_map(|pattern| in_steps(subject.model, pattern)).collect()
}

/// Steps of which the first follows a stream.
fn in_steps(model: &Model, pattern: &Pattern) -> Option<Diagnostic> {
    let steps: Vec<&Pattern> =
        pattern.steps.iter().filter_map(|step| model.pattern(&step.pattern)).collect();
    let (first, rest) = steps.split_first()?;
    if first.operation != Operation::Consume {
        return None;
    }
    let place = Place::pattern(&pattern.name).member("steps");
    rest.iter().find_map(|step| counts(&writes_of(model, step), &place))
}

/// A sum without any condition in the same request that could tell a record that was there before.
fn counts(writes: &[PatternWrite<'_>], place: &Place) -> Option<Diagnostic> {
    let is_guarded = writes.iter().any(|write| write.condition.is_some());
    let (write, target) = writes.iter().filter(|_| !is_guarded).find_map(|write| {
        let sum = clauses(&write.change?.text).into_iter().find(|clause| clause.is_count())?;
        Some((write, sum.target.to_string()))
    })?;
    let message = format!(
        "records can come more than once, and {target} of {} is added to each time",
        write.entity.name
    );
    let suggestion = "add to it in a transaction that also puts an item named after the record, on \
                      condition that there is none";
    Some(Diagnostic::warning(RULE.code, place.clone(), message).with_suggestion(suggestion))
}
