//! Consumers of streams: what they follow, and what they do with each record.
//!
//! A model says it in one of two ways: a pattern that consumes has steps of its own, or a pattern
//! of steps begins with one that consumes.

use monotable_model::diagnostic::Place;
use monotable_model::document::{Model, Operation, Pattern, Table};

/// What follows a stream.
#[derive(Debug, Clone)]
pub(super) struct Consumer<'m> {
    /// The pattern that consumes.
    pub(super) pattern: &'m Pattern,
    /// Where its steps stand.
    pub(super) place: Place,
    /// What it does with each record.
    pub(super) steps: Vec<&'m Pattern>,
}

/// All consumers of a model that do something with what they read.
pub(super) fn consumers(model: &Model) -> Vec<Consumer<'_>> {
    model.patterns.iter().filter_map(|pattern| consumer(model, pattern)).collect()
}

fn consumer<'m>(model: &'m Model, pattern: &'m Pattern) -> Option<Consumer<'m>> {
    let mut steps: Vec<&Pattern> =
        pattern.steps.iter().filter_map(|step| model.pattern(&step.pattern)).collect();
    let place = Place::pattern(&pattern.name).member("steps");
    if pattern.operation == Operation::Consume {
        return (!steps.is_empty()).then_some(Consumer { pattern, place, steps });
    }
    let is_led = steps.first().is_some_and(|first| first.operation == Operation::Consume);
    is_led.then(|| Consumer { pattern: steps.remove(0), place, steps })
}

/// The tables whose streams a pattern follows.
pub(super) fn source_tables<'m>(model: &'m Model, pattern: &'m Pattern) -> Vec<&'m Table> {
    if let Some(table) = pattern.table.as_deref().and_then(|name| model.table(name)) {
        return vec![table];
    }
    let entities = pattern.entities.iter().filter_map(|name| model.entity(name));
    let mut tables: Vec<&Table> = entities.flat_map(|entity| model.tables_of(entity)).collect();
    tables.dedup_by(|first, second| first.name == second.name);
    tables
}
