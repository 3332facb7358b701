//! An entity that expires, and leaves its unique value taken.

use monotable_model::diagnostic::{Diagnostic, Place};

use crate::Subject;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "unique-with-ttl",
    Warning,
    Evolution,
    Model,
    "an entity expires, and the item that makes its attribute unique does not",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let expiring = subject.model.entities.iter().filter(|entity| entity.ttl.is_some());
    let mut found = Vec::new();
    for entity in expiring {
        for unique in &entity.unique {
            let marker = subject.model.entity(&unique.by);
            if marker.is_some_and(|marker| marker.ttl.is_some()) {
                continue;
            }
            let message = format!(
                "{} expires and {} does not, so that {} stays taken for ever",
                entity.name, unique.by, unique.attribute
            );
            let place = Place::entity(&entity.name).member("unique");
            let suggestion =
                format!("give {} the same ttl, or delete it from the stream", unique.by);
            found.push(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion));
        }
    }
    found
}
