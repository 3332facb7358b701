//! A collection that has become large.

use std::collections::BTreeMap;

use monotable_item::item_size_bytes;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::Table;

use crate::Subject;
use crate::amount::bytes;
use crate::rule::{Rule, rule};
use crate::stored_entity::value_text;
use crate::threshold::COLLECTION_ITEMS;

pub(super) const RULE: Rule = rule!(
    "large-collection-in-data",
    Warning,
    Data,
    Evidence,
    "a partition key has very many stored items",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    subject.model.tables.iter().flat_map(|table| of_table(subject, table)).collect()
}

fn of_table(subject: &Subject<'_>, table: &Table) -> Vec<Diagnostic> {
    let mut collections: BTreeMap<String, (usize, f64)> = BTreeMap::new();
    for stored in subject.items.iter().filter(|stored| stored.table == table.name) {
        if let Some(key) = stored.item.get(&table.partition_key.name) {
            let collection = collections.entry(value_text(key)).or_default();
            collection.0 += 1;
            collection.1 += item_size_bytes(&stored.item) as f64;
        }
    }
    let most = subject.threshold(&COLLECTION_ITEMS);
    let large = collections.into_iter().filter(|(_, (count, _))| *count as f64 > most);
    let found = large.map(|(key, (count, size))| {
        let message = format!("the collection {key} has {count} items, {} in all", bytes(size));
        let suggestion =
            "put a period or a shard into the partition key, so that no collection grows for ever";
        Diagnostic::warning(RULE.code, Place::table(&table.name), message)
            .with_suggestion(suggestion)
    });
    found.collect()
}
