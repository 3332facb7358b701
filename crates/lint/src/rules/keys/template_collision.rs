//! Two entities that can have the same key.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::Entity;
use monotable_model::template::EntityKeys;

use crate::Subject;
use crate::key_site::{Resident, is_same_family, residents};
use crate::rule::{Rule, rule};
use crate::wording::key_text;

pub(super) const RULE: Rule = rule!(
    "template-collision",
    Error,
    Keys,
    Model,
    "items of two entities can have the same key, and replace each other",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for table in &subject.model.tables {
        for finding in collisions(&residents(subject.model, table, None)) {
            if !found.contains(&finding) {
                found.push(finding);
            }
        }
    }
    found
}

fn collisions(residents: &[Resident<'_>]) -> Vec<Diagnostic> {
    let keyed: Vec<(&Entity, EntityKeys)> = residents
        .iter()
        .filter_map(|resident| Some((resident.entity, resident.entity_keys()?)))
        .collect();
    let pairs = keyed
        .iter()
        .enumerate()
        .flat_map(|(place, other)| keyed.iter().take(place).map(move |one| (one, other)));
    let strangers = pairs.filter(|((one, _), (other, _))| !is_same_family(one, other));
    strangers.filter_map(|(one, other)| collision(one, other)).collect()
}

fn collision(
    (one, one_keys): &(&Entity, EntityKeys),
    (other, other_keys): &(&Entity, EntityKeys),
) -> Option<Diagnostic> {
    let verdict = one_keys.same_item(other_keys);
    let key = key_text(verdict.example()?);
    let (first, second) = (&one.name, &other.name);
    let message = format!("{second} and {first} can have the same key, such as {key}");
    let place = Place::entity(second).member("key");
    let prefix = second.to_uppercase();
    Some(
        Diagnostic::error(RULE.code, place, message)
            .with_note_at(Place::entity(first).member("key"), format!("the key of {first}"))
            .with_suggestion(format!("give {second} a prefix of its own, such as {prefix}#")),
    )
}
