//! A stored key that is not what the attributes of its item make.

use std::collections::BTreeMap;

use monotable_item::Value;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{IndexKeys, KeyAttribute};
use monotable_model::template::Template;

use crate::Subject;
use crate::amount::stored_items;
use crate::rule::{Rule, rule};
use crate::stored_entity::{KnownItem, known_items, value_text};

pub(super) const RULE: Rule = rule!(
    "drifted-index-key",
    Error,
    Data,
    Evidence,
    "a stored key differs from what the attributes of its item make",
    check
);

/// A key that is not what it should be.
struct Drift<'s> {
    known: KnownItem<'s>,
    place: Place,
    attribute: String,
    stored: String,
    built: String,
}

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut drifts: BTreeMap<Place, (Drift<'_>, usize)> = BTreeMap::new();
    for drift in known_items(subject).into_iter().flat_map(drifts_of) {
        let entry = drifts.entry(drift.place.clone()).or_insert((drift, 0));
        entry.1 += 1;
    }
    drifts.into_values().map(|(drift, count)| finding(&drift, count)).collect()
}

fn drifts_of(known: KnownItem<'_>) -> Vec<Drift<'_>> {
    let attributes = known.attributes();
    let place = Place::entity(&known.entity.name);
    let own =
        known.entity.key.iter().flat_map(|keys| {
            known.table.key_attributes().zip(keys.partition.iter().chain(&keys.sort))
        });
    let own = own.map(|(key, template)| (key, template, place.member("key")));
    let met = known.entity.indexes.iter().filter(|keys| is_met(&known, keys));
    let of_indexes = met.filter_map(|keys| Some((known.table.index(&keys.index)?, keys)));
    let of_indexes = of_indexes.flat_map(|(index, keys)| {
        let place = place.member("indexes").member(&keys.index);
        let templates = keys.keys.partition.iter().chain(&keys.keys.sort);
        index
            .key_attributes()
            .zip(templates)
            .map(move |(key, template)| (key, template, place.clone()))
    });
    let drifts = own.chain(of_indexes).filter_map(|(key, template, place)| {
        let (stored, built) = differing(&known, key, template, &attributes)?;
        let attribute = key.name.clone();
        Some(Drift {
            known,
            place,
            attribute,
            stored: value_text(&stored),
            built: value_text(&built),
        })
    });
    drifts.collect()
}

/// What is stored and what the template builds, where both are there and differ.
fn differing(
    known: &KnownItem<'_>,
    key: &KeyAttribute,
    template: &Template,
    attributes: &monotable_item::Item,
) -> Option<(Value, Value)> {
    let stored = known.item.get(&key.name)?;
    let built = template.build(attributes).ok()?;
    (*stored != built).then(|| (stored.clone(), built))
}

/// An item that does not meet the condition of an index is the business of `sparse-not-removed`.
fn is_met(known: &KnownItem<'_>, keys: &IndexKeys) -> bool {
    keys.when.as_ref().is_none_or(|when| {
        when.condition(|_| None).is_ok_and(|condition| condition.matches(known.item))
    })
}

fn finding(drift: &Drift<'_>, count: usize) -> Diagnostic {
    let items = stored_items(count);
    let message = format!(
        "{items} of {} with a {} that its attributes do not make: {} has {}, and they make {}",
        drift.known.entity.name,
        drift.attribute,
        drift.known.key(),
        drift.stored,
        drift.built
    );
    let suggestion = "write the keys with every change of the attributes that they are made of, \
                      and write these items again";
    Diagnostic::error(RULE.code, drift.place.clone(), message).with_suggestion(suggestion)
}
