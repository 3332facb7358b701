//! Collections in a table with local indexes, which end at 10 GB.

use std::collections::BTreeMap;

use monotable_item::item_size_bytes;
use monotable_item::limits::ITEM_COLLECTION_BYTES_MAX;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, IndexKind, Relationship, Table};

use crate::Subject;
use crate::amount::{amount, bytes};
use crate::rule::{Rule, rule};
use crate::stored_entity::value_text;
use crate::threshold::COLLECTION_GIGABYTES;

pub(super) const RULE: Rule = rule!(
    "lsi-growth",
    Error,
    Collections,
    Model,
    "a collection can pass the 10 GB that a table with a local index allows",
    check
);

const GIGABYTE: f64 = 1024.0 * 1024.0 * 1024.0;

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let has_local =
        |table: &&Table| table.indexes.iter().any(|index| index.kind == IndexKind::Local);
    let tables = subject.model.tables.iter().filter(has_local);
    tables
        .flat_map(|table| declared(subject, table).into_iter().chain(measured(subject, table)))
        .collect()
}

/// What relationships say that one collection can have of an entity.
fn declared(subject: &Subject<'_>, table: &Table) -> Vec<Diagnostic> {
    let entities = subject.model.entities_in(table);
    let found = entities.filter_map(|entity| {
        let relationship = subject.model.relationships.iter().find(|one| is_of(one, entity))?;
        let items = relationship.max.map(|max| max as f64).or(relationship.average)?;
        let size = items * item_and_entries(subject, table, entity);
        let message = format!(
            "{} items of {} under one {} come to {}, and a collection in a table with a local \
             index ends at 10 GB",
            amount(items),
            entity.name,
            relationship.from,
            bytes(size)
        );
        let place = Place::entity(&entity.name);
        let suggestion = "use a global index, whose table's collections have no limit";
        finding(subject, place, message, size).map(|found| found.with_suggestion(suggestion))
    });
    found.collect()
}

fn is_of(relationship: &Relationship, entity: &Entity) -> bool {
    match &relationship.through {
        Some(through) => *through == entity.name,
        None => relationship.to == entity.name,
    }
}

/// An item and its entries in local indexes, all of which count.
fn item_and_entries(subject: &Subject<'_>, table: &Table, entity: &Entity) -> f64 {
    let costs = subject.estimate.entities.iter();
    let Some(cost) =
        costs.into_iter().find(|cost| cost.name == entity.name && cost.table == table.name)
    else {
        return 0.0;
    };
    let local = table.indexes.iter().filter(|index| index.kind == IndexKind::Local);
    let entries: u64 =
        local.filter_map(|index| cost.size.entry(&index.name)).map(|entry| entry.bytes).sum();
    let item = cost.size.item_bytes.max(entity.average_bytes.unwrap_or(0));
    (item + entries) as f64
}

fn measured(subject: &Subject<'_>, table: &Table) -> Vec<Diagnostic> {
    let mut sizes: BTreeMap<String, f64> = BTreeMap::new();
    for stored in subject.items.iter().filter(|stored| stored.table == table.name) {
        if let Some(key) = stored.item.get(&table.partition_key.name) {
            *sizes.entry(value_text(key)).or_default() += item_size_bytes(&stored.item) as f64;
        }
    }
    let found = sizes.into_iter().filter_map(|(key, size)| {
        let message =
            format!("the collection {key} has {} already, and ends at 10 GB", bytes(size));
        finding(subject, Place::table(&table.name), message, size)
    });
    found.collect()
}

fn finding(subject: &Subject<'_>, place: Place, message: String, size: f64) -> Option<Diagnostic> {
    if size > ITEM_COLLECTION_BYTES_MAX as f64 {
        return Some(Diagnostic::error(RULE.code, place, message));
    }
    let near = size > subject.threshold(&COLLECTION_GIGABYTES) * GIGABYTE;
    near.then(|| Diagnostic::warning(RULE.code, place, message))
}
