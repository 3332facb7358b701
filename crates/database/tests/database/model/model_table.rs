//! A table as a plain map.

use std::cmp::Ordering;

use monotable_database::schema::{IndexSchema, KeySchema, TableSchema};
use monotable_item::{Item, Value};

use super::domain::compare;

/// The items of the table, ordered by nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct ModelTable {
    items: Vec<Item>,
}

impl ModelTable {
    pub(super) fn get(&self, key: &Item) -> Option<&Item> {
        self.items.iter().find(|item| is_at(item, key))
    }

    /// Replaces the item at `key`, or removes it.
    pub(super) fn set(&mut self, key: &Item, item: Option<Item>) {
        self.items.retain(|known| !is_at(known, key));
        self.items.extend(item);
    }

    pub(super) fn items(&self) -> &[Item] {
        &self.items
    }

    /// What the table or one of its indexes holds.
    pub(super) fn entries(&self, schema: &TableSchema, index: Option<&IndexSchema>) -> Vec<Item> {
        let Some(index) = index else { return self.items.clone() };
        let is_in = |item: &&Item| index.key.attributes().all(|key| item.contains_key(&key.name));
        let projected = |item: &Item| {
            let held = item.iter().filter(|(name, _)| index.projects(&schema.key, name));
            held.map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        self.items.iter().filter(is_in).map(projected).collect()
    }
}

fn is_at(item: &Item, key: &Item) -> bool {
    key.iter().all(|(name, value)| item.get(name) == Some(value))
}

/// The values of a key's attributes.
pub(super) fn key_values(key: &KeySchema, item: &Item) -> Vec<Value> {
    key.attributes().map(|attribute| item[&attribute.name].clone()).collect()
}

/// The order of two entries of one partition: by the key that is read, then by the table's key.
pub(super) fn compare_entries(
    table_key: &KeySchema,
    read_key: &KeySchema,
    left: &Item,
    right: &Item,
) -> Ordering {
    let values = |item| [key_values(read_key, item), key_values(table_key, item)].concat();
    let (left, right) = (values(left), values(right));
    let mut pairs = left.iter().zip(&right).map(|(left, right)| compare(left, right));
    pairs.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
