//! A consumer that wakes itself.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Model, Pattern};

use crate::Subject;
use crate::consumer::{Consumer, consumers, source_tables};
use crate::family::base;
use crate::pattern_write::{PatternWrite, writes_of};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "self-triggering-migration",
    Error,
    Evolution,
    Model,
    "a consumer of a stream writes what it is woken by, without an end",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let all = consumers(subject.model).into_iter();
    let unfiltered = all.filter(|consumer| consumer.pattern.filter.is_none());
    unfiltered.flat_map(|consumer| judge(subject.model, &consumer)).collect()
}

fn judge(model: &Model, consumer: &Consumer<'_>) -> Vec<Diagnostic> {
    let writes = consumer.steps.iter().flat_map(|step| writes_of(model, step));
    let loops = writes
        .filter(|write| write.condition.is_none() && comes_back(model, consumer.pattern, write));
    let found = loops.map(|write| {
        let message = format!(
            "\"{}\" writes {}, which wakes the consumer again, and nothing ends it",
            write.pattern.name, write.entity.name
        );
        let suggestion = "skip what is done already: a filter on the consumer, or a condition on \
                          the write, such as Version < :version";
        Diagnostic::error(RULE.code, consumer.place.clone(), message).with_suggestion(suggestion)
    });
    found.collect()
}

/// Whether what is written comes back through the same stream, to a consumer of that entity.
fn comes_back(model: &Model, consumer: &Pattern, write: &PatternWrite<'_>) -> bool {
    let tables = source_tables(model, consumer);
    let is_source = tables.iter().any(|table| write.entity.tables.contains(&table.name));
    let mut about = consumer.entities.iter().filter_map(|name| model.entity(name));
    is_source
        && (consumer.entities.is_empty() || about.any(|entity| base(entity) == base(write.entity)))
}
