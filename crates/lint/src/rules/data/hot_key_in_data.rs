//! A partition key that many stored items have.

use std::collections::BTreeMap;

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::Table;

use crate::Subject;
use crate::amount::amount;
use crate::key_site::route_place;
use crate::rule::{Rule, rule};
use crate::stored_entity::value_text;
use crate::threshold::{DATA_ITEMS, HOT_KEY_SHARE};

pub(super) const RULE: Rule = rule!(
    "hot-key-in-data",
    Warning,
    Data,
    Evidence,
    "one partition key has a large part of the stored items",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    subject.model.tables.iter().flat_map(|table| of_table(subject, table)).collect()
}

fn of_table(subject: &Subject<'_>, table: &Table) -> Vec<Diagnostic> {
    let own = std::iter::once((None, table.partition_key.name.as_str()));
    let indexes = table.indexes.iter().filter_map(|index| match index.partition_key.as_slice() {
        [key] if key.name != table.partition_key.name => Some((Some(index), key.name.as_str())),
        _ => None,
    });
    let found = own.chain(indexes).filter_map(|(index, attribute)| {
        let (key, count, all) = fullest(subject, table, attribute)?;
        let share = count as f64 / all as f64;
        if (all as f64) < subject.threshold(&DATA_ITEMS)
            || share <= subject.threshold(&HOT_KEY_SHARE)
        {
            return None;
        }
        let place = route_place(table, index);
        let message = format!(
            "{} % of the stored items ({count} of {all}) have {attribute} = {key}",
            amount((share * 100.0).round())
        );
        let suggestion =
            "spread them with a shard, or begin the key with an attribute that has more values";
        Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
    });
    found.collect()
}

/// The key that most items have, how many, and how many items there are.
fn fullest(
    subject: &Subject<'_>,
    table: &Table,
    attribute: &str,
) -> Option<(String, usize, usize)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let own = subject.items.iter().filter(|stored| stored.table == table.name);
    for key in own.filter_map(|stored| stored.item.get(attribute)) {
        *counts.entry(value_text(key)).or_default() += 1;
    }
    let all = counts.values().sum();
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(key, count)| (key, count, all))
}
