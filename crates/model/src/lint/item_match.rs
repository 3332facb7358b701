//! Which entity is a stored item?

use monotable_item::{Item, Value};

use super::evidence::StoredItem;
use super::key_site::is_same_family;
use super::stored_entity::KnownItem;
use crate::document::{Entity, Model, Table};
use crate::template::Template;

/// The entity of a stored item: the one that its type attribute names or, if nothing names it, the one whose templates
/// can have built its key. Of several the one that explains most: whose values it has, whose keys its attributes make,
/// and of whose attributes it has most; none if that leaves entities that are not the same in different states.
pub(super) fn entity_of<'m>(model: &'m Model, stored: &StoredItem) -> Option<&'m Entity> {
    let table = model.table(&stored.table)?;
    let mut fitting = fitting(model, table, &stored.item);
    if let Some(name) = type_of(table, &stored.item) {
        let named = |entity: &&Entity| entity.type_value() == name;
        if fitting.iter().any(named) {
            fitting.retain(named);
        }
    }
    let rank = |entity: &Entity| {
        let known = KnownItem { table, entity, item: &stored.item };
        (agrees(entity, &stored.item), known.keys_made(), known.attributes_present())
    };
    let best = fitting.iter().map(|entity| rank(entity)).max()?;
    fitting.retain(|entity| rank(entity) == best);
    let (first, others) = fitting.split_first()?;
    others.iter().all(|other| is_same_family(first, other)).then_some(*first)
}

/// Whether an entity of the table can have an item's key and, if it names one, its type.
pub(super) fn is_known(model: &Model, table: &Table, item: &Item) -> bool {
    let name = type_of(table, item);
    let mut fitting = fitting(model, table, item).into_iter();
    fitting.any(|entity| name.is_none_or(|name| entity.type_value() == name))
}

fn fitting<'m>(model: &'m Model, table: &'m Table, item: &Item) -> Vec<&'m Entity> {
    model.entities_in(table).filter(|entity| has_key_of(entity, table, item)).collect()
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

/// Whether what the model says of the attributes' values holds.
fn agrees(entity: &Entity, item: &Item) -> bool {
    entity.attributes.iter().all(|attribute| match item.get(attribute.item_name()) {
        Some(value) => attribute.values.is_empty() || attribute.values.contains(value),
        None => !attribute.required,
    })
}
