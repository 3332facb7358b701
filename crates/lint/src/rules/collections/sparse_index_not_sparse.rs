//! A sparse index that holds nearly everything.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, IndexKeys};

use crate::Subject;
use crate::amount::amount;
use crate::rule::{Rule, rule};
use crate::stored_entity::{KnownItem, known_items};
use crate::threshold::{DATA_ITEMS, SPARSE_SHARE};

pub(super) const RULE: Rule = rule!(
    "sparse-index-not-sparse",
    Warning,
    Collections,
    Evidence,
    "an index with a condition holds nearly all items",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let items = known_items(subject);
    let entities = subject.model.entities.iter();
    let sparse = entities.flat_map(|entity| entity.indexes.iter().map(move |keys| (entity, keys)));
    let sparse = sparse.filter(|(_, keys)| keys.when.is_some());
    sparse.filter_map(|(entity, keys)| judge(subject, entity, keys, &items)).collect()
}

fn judge(
    subject: &Subject<'_>,
    entity: &Entity,
    keys: &IndexKeys,
    items: &[KnownItem<'_>],
) -> Option<Diagnostic> {
    let own: Vec<&KnownItem<'_>> =
        items.iter().filter(|known| known.entity.name == entity.name).collect();
    let is_in = |known: &&&KnownItem<'_>| {
        let index = known.table.index(&keys.index);
        index.is_some_and(|index| {
            index.key_attributes().all(|key| known.item.contains_key(&key.name))
        })
    };
    let inside = own.iter().filter(is_in).count();
    let share = inside as f64 / own.len().max(1) as f64;
    if (own.len() as f64) < subject.threshold(&DATA_ITEMS)
        || share <= subject.threshold(&SPARSE_SHARE)
    {
        return None;
    }
    let message = format!(
        "{inside} of {} stored items of {} are in {} ({} %), which is meant to hold few",
        own.len(),
        entity.name,
        keys.index,
        amount((share * 100.0).round())
    );
    let place = Place::entity(&entity.name).member("indexes").member(&keys.index).member("when");
    let suggestion =
        "let the condition be about what is rare, and remove the keys when the state changes";
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}
