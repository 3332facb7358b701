//! An entity that is read and that nothing writes.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Operation};

use crate::Subject;
use crate::family::base;
use crate::pattern_write::all_writes;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "entity-never-written",
    Warning,
    Collections,
    Model,
    "an entity is read, and no pattern writes it although others are written",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let model = subject.model;
    let written: Vec<&str> = all_writes(model)
        .into_iter()
        .filter(|write| write.stores())
        .map(|write| base(write.entity))
        .collect();
    // A model that lists no writes of a table is about reading.
    let has_writes = |entity: &Entity| {
        let neighbours = model.entities.iter().filter(|other| {
            other.tables.iter().any(|table| entity.tables.contains(table))
                && base(other) != base(entity)
        });
        let counts: Vec<bool> = neighbours.map(|other| written.contains(&base(other))).collect();
        counts.len() > 1 && counts.iter().all(|is_written| *is_written)
    };
    let read = model.entities.iter().filter(|entity| is_read(subject, entity));
    let missing = read.filter(|entity| !written.contains(&base(entity)) && has_writes(entity));
    missing.map(finding).collect()
}

fn is_read(subject: &Subject<'_>, entity: &Entity) -> bool {
    subject.model.patterns.iter().any(|pattern| {
        let reads = matches!(
            pattern.operation,
            Operation::Get
                | Operation::Query
                | Operation::Scan
                | Operation::BatchGet
                | Operation::TransactGet
        );
        reads && pattern.entities.contains(&entity.name)
    })
}

fn finding(entity: &Entity) -> Diagnostic {
    let message = format!(
        "{} is read, and no pattern writes it, although all others of its table are written",
        entity.name
    );
    let suggestion = format!(
        "add the pattern that puts {}: its condition and what it writes besides belong to the \
         design",
        entity.name
    );
    Diagnostic::warning(RULE.code, Place::entity(&entity.name), message).with_suggestion(suggestion)
}
