//! Uniqueness that a key does not give.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Unique};

use crate::Subject;
use crate::key_site::Resident;
use crate::rule::{Rule, rule};
use crate::wording::joined;

pub(super) const RULE: Rule = rule!(
    "unique-in-sort-key",
    Error,
    Keys,
    Model,
    "the key that is to make a value unique holds other values as well",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for entity in &subject.model.entities {
        for (index, unique) in entity.unique.iter().enumerate() {
            let holder = subject.model.entity(&unique.by);
            let others = holder.map(|holder| others(holder, unique)).unwrap_or_default();
            if !others.is_empty() {
                found.push(finding(entity, index, unique, &others));
            }
        }
    }
    found
}

/// The attributes, other than the unique one, that the key of its holder is made of.
fn others<'m>(holder: &'m Entity, unique: &Unique) -> Vec<&'m str> {
    let Some(keys) = &holder.key else { return Vec::new() };
    let attributes = Resident { entity: holder, keys }.attributes();
    if !attributes.contains(&unique.attribute.as_str()) {
        return Vec::new();
    }
    attributes.into_iter().filter(|name| *name != unique.attribute).collect()
}

fn finding(entity: &Entity, index: usize, unique: &Unique, others: &[&str]) -> Diagnostic {
    let Unique { attribute, by } = unique;
    let others = joined(others);
    let message = format!(
        "the key of {by} holds {others} beside {attribute}, so two items with the same {attribute} \
         do not collide"
    );
    let suggestion = format!(
        "make {attribute} unique by an item whose key is {attribute} alone, written in the same \
         transaction"
    );
    let place = Place::entity(&entity.name).member("unique").index(index);
    Diagnostic::error(RULE.code, place, message)
        .with_note_at(Place::entity(by).member("key"), format!("the key of {by}"))
        .with_suggestion(suggestion)
}
