//! Which entity a stored item is.

use monotable_item::{Item, Value};

use super::{StoredItem, Subject};
use crate::document::{Entity, KeyAttribute, Model, Table};
use crate::template::Template;

/// A stored item with what the model knows of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownItem<'s> {
    /// The table.
    pub(super) table: &'s Table,
    /// The entity.
    pub(super) entity: &'s Entity,
    /// Its attributes.
    pub(super) item: &'s Item,
}

impl KnownItem<'_> {
    /// The attributes by their names in the model, which templates use.
    pub(super) fn attributes(&self) -> Item {
        let model_name = |stored: &str| {
            let found = self.entity.attributes.iter().find(|one| one.item_name() == stored);
            found.map_or(stored, |attribute| attribute.name.as_str()).to_owned()
        };
        self.item.iter().map(|(name, value)| (model_name(name), value.clone())).collect()
    }

    /// How many of its keys, in the table and in indexes, are what its attributes make.
    fn keys_made(&self) -> usize {
        let attributes = self.attributes();
        let own = self.entity.key.iter().flat_map(|keys| {
            self.table.key_attributes().zip(keys.partition.iter().chain(&keys.sort))
        });
        let indexes = self.entity.indexes.iter();
        let of_indexes = indexes.filter_map(|keys| Some((self.table.index(&keys.index)?, keys)));
        let of_indexes = of_indexes.flat_map(|(index, keys)| {
            index.key_attributes().zip(keys.keys.partition.iter().chain(&keys.keys.sort))
        });
        let is_made = |(key, template): &(&KeyAttribute, &Template)| {
            let stored = self.item.get(&key.name);
            stored.is_some() && template.build(&attributes).ok().as_ref() == stored
        };
        own.chain(of_indexes).filter(is_made).count()
    }

    fn attributes_present(&self) -> usize {
        let names = self.entity.attributes.iter().map(|attribute| attribute.item_name());
        names.filter(|name| self.item.contains_key(*name)).count()
    }

    /// The item's key in its table, for people.
    pub(super) fn key(&self) -> String {
        key_text(self.table, self.item)
    }
}

/// The items whose entity is known.
pub(super) fn known_items<'s>(subject: &'s Subject<'_>) -> Vec<KnownItem<'s>> {
    let known = subject.typed_items().filter_map(|(entity, stored)| {
        let table = subject.model.table(&stored.table)?;
        Some(KnownItem { table, entity, item: &stored.item })
    });
    known.collect()
}

/// The entity of an item. The type attribute and the form of its key decide; of several, the one that explains most:
/// whose values it has, whose keys its attributes make, and of whose attributes it has most.
pub(super) fn entity_of<'m>(
    model: &'m Model,
    table: &'m Table,
    stored: &StoredItem,
) -> Option<&'m Entity> {
    let mut best: Option<(&Entity, (bool, usize, usize))> = None;
    for entity in model.entities_in(table).filter(|entity| fits(table, entity, &stored.item)) {
        let known = KnownItem { table, entity, item: &stored.item };
        let rank = (agrees(entity, &stored.item), known.keys_made(), known.attributes_present());
        if best.is_none_or(|(_, before)| rank > before) {
            best = Some((entity, rank));
        }
    }
    best.map(|(entity, _)| entity)
}

/// Whether an item can be of an entity by its type attribute and its key.
fn fits(table: &Table, entity: &Entity, item: &Item) -> bool {
    let kind = table.type_attribute.as_ref().and_then(|name| item.get(name));
    let is_type = kind.is_none_or(|kind| *kind == Value::from(entity.type_value()));
    let Some(keys) = entity.key.as_ref().filter(|_| is_type) else { return false };
    let templates = keys.partition.iter().chain(&keys.sort);
    let mut pairs = table.key_attributes().zip(templates);
    pairs.all(|(key, template)| item.get(&key.name).is_some_and(|value| template.matches(value)))
}

/// Whether what the model says of the attributes' values holds.
fn agrees(entity: &Entity, item: &Item) -> bool {
    entity.attributes.iter().all(|attribute| match item.get(attribute.item_name()) {
        Some(value) => attribute.values.is_empty() || attribute.values.contains(value),
        None => !attribute.required,
    })
}

/// The key of an item in its table, for people.
pub(super) fn key_text(table: &Table, item: &Item) -> String {
    let parts = table.key_attributes().filter_map(|key| item.get(&key.name)).map(value_text);
    parts.collect::<Vec<_>>().join(" / ")
}

/// A value of a key, for people.
pub(super) fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Binary(bytes) => format!("{} bytes", bytes.len()),
        Value::Bool(_)
        | Value::Null
        | Value::List(_)
        | Value::Map(_)
        | Value::StringSet(_)
        | Value::NumberSet(_)
        | Value::BinarySet(_) => format!("a value of type {}", value.kind().code()),
    }
}
