//! Writes that belong together, one after the other.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{ActionKind, Model, Operation, Pattern};

use crate::Subject;
use crate::pattern_write::{PatternWrite, writes_of};
use crate::rule::{Rule, rule};
use crate::update_clause::clauses;

pub(super) const RULE: Rule = rule!(
    "multi-write-not-atomic",
    Error,
    Requests,
    Model,
    "writes that an invariant ties together are made one by one",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let patterns = subject.model.patterns.iter();
    patterns.filter_map(|pattern| tied(subject.model, pattern)).collect()
}

fn tied(model: &Model, pattern: &Pattern) -> Option<Diagnostic> {
    let (writes, member) = match pattern.operation {
        Operation::Steps => (step_writes(model, pattern), "steps"),
        Operation::BatchWrite => (writes_of(model, pattern), "actions"),
        Operation::Get
        | Operation::Query
        | Operation::Scan
        | Operation::Put
        | Operation::Update
        | Operation::Delete
        | Operation::BatchGet
        | Operation::TransactGet
        | Operation::TransactWrite
        | Operation::Expire
        | Operation::Consume
        | Operation::Administer => return None,
    };
    let message = marker(&writes).or_else(|| count(model, &writes))?;
    let place = Place::pattern(&pattern.name).member(member);
    let suggestion = "make the writes actions of one transact-write, so that all happen or none";
    Some(Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion))
}

/// The single writes of the steps. A step that is a transaction is atomic already.
fn step_writes<'m>(model: &'m Model, pattern: &'m Pattern) -> Vec<PatternWrite<'m>> {
    let steps = pattern.steps.iter().filter_map(|step| model.pattern(&step.pattern));
    let single = steps.filter(|step| step.operation != Operation::TransactWrite);
    single.flat_map(|step| writes_of(model, step)).collect()
}

/// An entity and the item that makes one of its attributes unique.
fn marker(writes: &[PatternWrite<'_>]) -> Option<String> {
    writes.iter().find_map(|write| {
        let unique = write
            .entity
            .unique
            .iter()
            .find(|unique| writes.iter().any(|other| other.entity.name == unique.by))?;
        Some(format!(
            "{} and {}, which makes {} unique, are not written together",
            write.entity.name, unique.by, unique.attribute
        ))
    })
}

/// A child that is put or deleted, and the count of its parent. A number whose new value comes back
/// is handed out, not counted: the next write needs it.
fn count(model: &Model, writes: &[PatternWrite<'_>]) -> Option<String> {
    let counted = writes.iter().find(|write| {
        let changes = write.change.map_or(Vec::new(), |change| clauses(&change.text));
        write.returns_values.is_none() && changes.iter().any(|clause| clause.is_count())
    })?;
    let child = writes.iter().find(|write| {
        let related = model
            .relationships
            .iter()
            .any(|one| one.from == counted.entity.name && one.to == write.entity.name);
        related && matches!(write.kind, ActionKind::Put | ActionKind::Delete)
    })?;
    Some(format!(
        "{} and the count on {} are not written together, so that they drift apart",
        child.entity.name, counted.entity.name
    ))
}
