//! An entity that is written and that nothing reads.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{ActionKind, Entity, Model, Operation};

use crate::Subject;
use crate::family::base;
use crate::pattern_write::all_writes;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "entity-never-read",
    Warning,
    Collections,
    Model,
    "an entity is written, and nothing reads it or depends on its being there",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let model = subject.model;
    let reads = |operation| {
        matches!(
            operation,
            Operation::Get
                | Operation::Query
                | Operation::Scan
                | Operation::BatchGet
                | Operation::TransactGet
                | Operation::Consume
        )
    };
    if !model.patterns.iter().any(|pattern| reads(pattern.operation)) {
        return Vec::new();
    }
    let entities = model.entities.iter().filter(|entity| !entity.is_embedded());
    let idle = entities.filter(|entity| is_only_stored(model, entity) && !is_read(model, entity));
    idle.map(finding).collect()
}

/// Whether every write of it is a put or delete without a condition and without an answer: a
/// condition, an update and an answer each depend on what is there.
fn is_only_stored(model: &Model, entity: &Entity) -> bool {
    let writes: Vec<_> =
        all_writes(model).into_iter().filter(|write| base(write.entity) == base(entity)).collect();
    !writes.is_empty()
        && writes.iter().all(|write| {
            write.kind != ActionKind::Update
                && write.condition.is_none()
                && write.pattern.returns_values.is_none()
        })
}

/// Whether a pattern reads it, or its stream is followed.
fn is_read(model: &Model, entity: &Entity) -> bool {
    let has_consumer =
        |table: &String| model.table(table).is_some_and(|table| table.stream.is_some());
    let is_about = |name: &str| model.entity(name).is_some_and(|other| base(other) == base(entity));
    entity.tables.iter().any(has_consumer)
        || model.patterns.iter().any(|pattern| {
            let reads = matches!(
                pattern.operation,
                Operation::Get
                    | Operation::Query
                    | Operation::Scan
                    | Operation::BatchGet
                    | Operation::TransactGet
                    | Operation::Consume
            );
            let of_actions = pattern
                .actions
                .iter()
                .filter(|action| matches!(action.kind, ActionKind::Get | ActionKind::Check));
            reads && pattern.entities.iter().any(|name| is_about(name))
                || of_actions.into_iter().any(|action| is_about(&action.entity))
        })
}

fn finding(entity: &Entity) -> Diagnostic {
    let message =
        format!("{} is written, and no pattern reads it, checks it or follows it", entity.name);
    let suggestion =
        format!("add the pattern that {} is written for, or leave it out", entity.name);
    Diagnostic::warning(RULE.code, Place::entity(&entity.name), message).with_suggestion(suggestion)
}
