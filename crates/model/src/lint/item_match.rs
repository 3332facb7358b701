//! Which entity is a stored item?

use monotable_item::{Item, Value};

use super::evidence::StoredItem;
use super::key_site::is_same_family;
use crate::document::{Entity, Model, Table};
use crate::template::Template;

/// The entity of a stored item: the one that its type attribute names or, if nothing names it, the only one whose
/// templates can have built its key.
pub(super) fn entity_of<'m>(model: &'m Model, stored: &StoredItem) -> Option<&'m Entity> {
    let table = model.table(&stored.table)?;
    let fits = |entity: &&Entity| has_key_of(entity, table, &stored.item);
    let mut fitting: Vec<&Entity> = model.entities_in(table).filter(fits).collect();
    if let Some(name) = type_of(table, &stored.item) {
        let named = |entity: &&Entity| entity.type_value() == name;
        if fitting.iter().any(named) {
            fitting.retain(named);
        }
    }
    if fitting.len() > 1 {
        let complete = |entity: &&Entity| has_required(entity, &stored.item);
        if fitting.iter().any(complete) {
            fitting.retain(complete);
        }
    }
    let (first, others) = fitting.split_first()?;
    others.iter().all(|other| is_same_family(first, other)).then_some(*first)
}

fn type_of<'i>(table: &Table, item: &'i Item) -> Option<&'i str> {
    match item.get(table.type_attribute.as_ref()?)? {
        Value::String(name) => Some(name),
        _ => None,
    }
}

fn has_key_of(entity: &Entity, table: &Table, item: &Item) -> bool {
    let Some(key) = &entity.key else { return false };
    let reads = |(attribute, template): (&String, &Template)| {
        item.get(attribute).is_some_and(|value| template.read(value).is_ok())
    };
    let names = table.key_attributes().map(|attribute| &attribute.name);
    names.zip(key.partition.iter().chain(&key.sort)).all(reads)
}

fn has_required(entity: &Entity, item: &Item) -> bool {
    let required = entity.attributes.iter().filter(|attribute| attribute.required);
    required.into_iter().all(|attribute| item.contains_key(attribute.item_name()))
}
