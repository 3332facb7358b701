//! Stored items that should be in an index and are not.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, IndexKeys};

use crate::Subject;
use crate::amount::stored_items;
use crate::rule::{Rule, rule};
use crate::stored_entity::{KnownItem, known_items};

pub(super) const RULE: Rule = rule!(
    "missing-index-key",
    Warning,
    Data,
    Evidence,
    "stored items lack the keys of an index that they belong to",
    check
);

/// Samples say with `$without` what they lack, so only stored items are judged.
fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    if !subject.has_data {
        return Vec::new();
    }
    let items = known_items(subject);
    let entities = subject.model.entities.iter();
    let keys = entities.flat_map(|entity| entity.indexes.iter().map(move |keys| (entity, keys)));
    keys.filter_map(|(entity, keys)| judge(entity, keys, &items)).collect()
}

fn judge(entity: &Entity, keys: &IndexKeys, items: &[KnownItem<'_>]) -> Option<Diagnostic> {
    let own = items.iter().filter(|known| known.entity.name == entity.name);
    let lacking: Vec<&KnownItem<'_>> = own.filter(|known| lacks(known, keys)).collect();
    let first = lacking.first()?;
    let message = format!(
        "without the key in {index}, although with all that it is made of: {} of {}, such as {}",
        stored_items(lacking.len()),
        entity.name,
        first.key(),
        index = keys.index
    );
    let suggestion = "write them again with the key: a query of the index does not find them";
    let place = Place::entity(&entity.name).member("indexes").member(&keys.index);
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}

fn lacks(known: &KnownItem<'_>, keys: &IndexKeys) -> bool {
    let Some(index) = known.table.index(&keys.index) else { return false };
    let is_met = keys.when.as_ref().is_none_or(|when| {
        when.condition(|_| None).is_ok_and(|condition| condition.matches(known.item))
    });
    let attributes = known.attributes();
    let mut templates = keys.keys.partition.iter().chain(&keys.keys.sort);
    let is_in = index.key_attributes().all(|key| known.item.contains_key(&key.name));
    is_met && !is_in && templates.all(|template| template.build(&attributes).is_ok())
}
