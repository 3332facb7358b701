//! An entity that no access pattern is about.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::Entity;

use crate::Subject;
use crate::family::base;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "no-access-patterns",
    Warning,
    Collections,
    Model,
    "an entity, or the whole model, has no access pattern",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let model = subject.model;
    if model.patterns.is_empty() {
        let message = "the model has no access patterns, which are what keys are made for";
        let suggestion =
            "list what the application asks: [patterns.\"…\"] with operation, entity and by";
        return vec![
            Diagnostic::warning(RULE.code, Place::root(), message).with_suggestion(suggestion),
        ];
    }
    let items = model.entities.iter().filter(|entity| !entity.is_embedded());
    let idle = items.filter(|entity| !is_used(subject, entity));
    idle.map(finding).collect()
}

/// Whether a pattern names the entity, one that it is a variant of, or a variant of it.
fn is_used(subject: &Subject<'_>, entity: &Entity) -> bool {
    let names = subject.model.patterns.iter().flat_map(|pattern| pattern.all_entities());
    let mut entities = names.filter_map(|name| subject.model.entity(name));
    entities.any(|other| base(other) == base(entity))
}

fn finding(entity: &Entity) -> Diagnostic {
    let message = format!("no access pattern reads or writes {}", entity.name);
    let suggestion = format!("add the patterns that {} is for, or leave it out", entity.name);
    Diagnostic::warning(RULE.code, Place::entity(&entity.name), message).with_suggestion(suggestion)
}
