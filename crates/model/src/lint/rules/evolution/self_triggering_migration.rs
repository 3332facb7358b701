//! A consumer that wakes itself.

use super::stream_view_too_small::source_tables;
use crate::diagnostic::{Diagnostic, Place};
use crate::document::{Model, Operation, Pattern};
use crate::lint::Subject;
use crate::lint::declared_write::{DeclaredWrite, writes_of};
use crate::lint::family::base;
use crate::lint::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "self-triggering-migration",
    Error,
    Evolution,
    "a consumer of a stream writes what it is woken by, without an end",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let consumers =
        subject.model.patterns.iter().filter(|pattern| pattern.operation == Operation::Consume);
    consumers
        .filter(|pattern| pattern.filter.is_none())
        .flat_map(|pattern| judge(subject.model, pattern))
        .collect()
}

fn judge(model: &Model, consumer: &Pattern) -> Vec<Diagnostic> {
    let steps = consumer.steps.iter().filter_map(|step| model.pattern(&step.pattern));
    let writes = steps.flat_map(|step| writes_of(model, step));
    let loops =
        writes.filter(|write| write.condition.is_none() && comes_back(model, consumer, write));
    let found = loops.map(|write| {
        let message = format!(
            "\"{}\" writes {}, which wakes the consumer again, and nothing ends it",
            write.pattern.name, write.entity.name
        );
        let suggestion = "skip what is done already: a filter on the consumer, or a condition on the write, such as Version < :version";
        Diagnostic::error(RULE.code, Place::pattern(&consumer.name), message).with_suggestion(suggestion)
    });
    found.collect()
}

/// Whether what is written comes back through the same stream, to a consumer of that entity.
fn comes_back(model: &Model, consumer: &Pattern, write: &DeclaredWrite<'_>) -> bool {
    let tables = source_tables(model, consumer);
    let is_source = tables.iter().any(|table| write.entity.tables.contains(&table.name));
    let mut about = consumer.entities.iter().filter_map(|name| model.entity(name));
    is_source
        && (consumer.entities.is_empty() || about.any(|entity| base(entity) == base(write.entity)))
}
