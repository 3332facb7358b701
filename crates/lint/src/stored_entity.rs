//! Which entity a stored item is.

use monotable_item::{Item, Value};
use monotable_model::document::{Entity, Table};
use monotable_model::recognition::model_attributes;

use super::Subject;

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
        model_attributes(Some(self.entity), self.item)
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
