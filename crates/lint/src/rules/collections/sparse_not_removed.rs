//! An item that stays in a sparse index although it no longer belongs there.

use monotable_item::Item;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::Source;
use monotable_model::document::{Expression, IndexKeys};
use monotable_plan::Change;

use crate::Subject;
use crate::amount::stored_items;
use crate::pattern_write::{PatternWrite, all_writes};
use crate::rule::{Rule, rule};
use crate::stored_entity::{KnownItem, known_items};

pub(super) const RULE: Rule = rule!(
    "sparse-not-removed",
    Error,
    Collections,
    Evidence,
    "an item leaves the condition of a sparse index and keeps its keys there",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let writes = all_writes(subject.model);
    let of_writes = writes.iter().flat_map(|write| kept_by(subject, write));
    let mut found: Vec<Diagnostic> = of_writes.collect();
    let items = known_items(subject);
    for entity in &subject.model.entities {
        for keys in entity.indexes.iter().filter(|keys| keys.when.is_some()) {
            let own = items.iter().filter(|known| known.entity.name == entity.name);
            let stale: Vec<&KnownItem<'_>> = own.filter(|known| is_stale(known, keys)).collect();
            found.extend(stale.first().map(|first| of_items(keys, first, stale.len())));
        }
    }
    found
}

/// Updates that set the keys of an index themselves and make its condition false.
fn kept_by(subject: &Subject<'_>, write: &PatternWrite<'_>) -> Vec<Diagnostic> {
    let Some(change) = write.change.map(Change::of) else { return Vec::new() };
    let indexes = write.entity.indexes.iter().filter(|keys| {
        let index =
            subject.model.tables_of(write.entity).find_map(|table| table.index(&keys.index));
        let sets_key = index.is_some_and(|index| {
            index
                .key_attributes()
                .any(|key| change.assigned.iter().any(|(name, _)| *name == key.name))
        });
        sets_key && keys.when.as_ref().is_some_and(|when| is_made_false(write, &change, when))
    });
    let found = indexes.map(|keys| {
        let when = keys.when.as_ref().map_or("", |when| when.text.as_str());
        let message = format!(
            "the update sets keys of {} although its items no longer meet {when}",
            keys.index
        );
        let suggestion = "leave the keys out: they follow from the attributes";
        Diagnostic::error(RULE.code, write.place.member("change"), message)
            .with_suggestion(suggestion)
    });
    found.collect()
}

/// Whether the literals that an update sets make the condition false.
fn is_made_false(write: &PatternWrite<'_>, change: &Change, when: &Expression) -> bool {
    let mut item = Item::new();
    for name in &when.attributes {
        let stored = write.entity.attribute(name).map_or(name.as_str(), |one| one.item_name());
        match change.assigned.iter().find(|(target, _)| target == stored) {
            Some((_, Source::Literal(value))) => {
                item.insert(stored.to_owned(), value.clone());
            }
            Some((_, Source::Parameter(_))) | None => return false,
        }
    }
    when.condition(|_| None).is_ok_and(|condition| !condition.matches(&item))
}

/// Whether an item has the keys of an index whose condition it does not meet.
pub(crate) fn is_stale(known: &KnownItem<'_>, keys: &IndexKeys) -> bool {
    let Some(index) = known.table.index(&keys.index) else { return false };
    let own = |name: &str| known.entity.attributes.iter().any(|one| one.item_name() == name);
    let is_table_key = |name: &str| known.table.key_attributes().any(|key| key.name == name);
    // A key that is an attribute of its own, or the table's, stays with the item in any case.
    let derived = index.key_attributes().any(|key| !own(&key.name) && !is_table_key(&key.name));
    let is_in = index.key_attributes().all(|key| known.item.contains_key(&key.name));
    let is_met = keys.when.as_ref().is_none_or(|when| {
        when.condition(|_| None).is_ok_and(|condition| condition.matches(known.item))
    });
    derived && is_in && !is_met
}

fn of_items(keys: &IndexKeys, first: &KnownItem<'_>, count: usize) -> Diagnostic {
    let when = keys.when.as_ref().map_or("", |when| when.text.as_str());
    let message = format!(
        "in {}, and not with {when}: {} of {}, such as {}",
        keys.index,
        stored_items(count),
        first.entity.name,
        first.key()
    );
    let place = Place::entity(&first.entity.name).member("indexes").member(&keys.index);
    let suggestion = format!("REMOVE the keys of {} wherever the state changes", keys.index);
    Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion)
}
