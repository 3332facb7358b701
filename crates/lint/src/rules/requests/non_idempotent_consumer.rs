//! A consumer of a stream that counts a record twice if it comes twice.

use monotable_model::diagnostic::{Diagnostic, Place};

use crate::Subject;
use crate::consumer::{Consumer, consumers};
use crate::pattern_write::{PatternWrite, writes_of};
use crate::rule::{Rule, rule};
use crate::update_clause::clauses;

pub(super) const RULE: Rule = rule!(
    "non-idempotent-consumer",
    Warning,
    Requests,
    Model,
    "a consumer of a stream adds to a number, and a record that comes twice is counted twice",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let unsure = |consumer: &Consumer<'_>| consumer.pattern.idempotent_by.is_none();
    let consumers = consumers(subject.model).into_iter().filter(unsure);
    let found = consumers.filter_map(|consumer| {
        let mut steps = consumer.steps.iter();
        steps.find_map(|step| counts(&writes_of(subject.model, step), &consumer.place))
    });
    found.collect()
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
