//! Rows: what kind of item they are, and what they say about the model's attributes.

use monotable_item::{Item, Value};

use crate::document::{Entity, Model, Table};

/// The entity of an item of a table, if the model has it.
///
/// The type attribute decides where there is one. Else the keys do; of several entities that can have them, the
/// one that knows most of the item's attributes.
pub fn entity_of<'m>(model: &'m Model, table: &'m Table, item: &Item) -> Option<&'m Entity> {
    let entities = model.entities_in(table).filter(|entity| has_key(entity, table, item));
    let known = |entity: &Entity| {
        let names = entity.attributes.iter().map(|attribute| attribute.item_name());
        names.filter(|name| item.contains_key(*name)).count()
    };
    let mut best: Option<(&Entity, (bool, usize))> = None;
    for entity in entities {
        let fit = (is_of_type(entity, table, item), known(entity));
        if best.is_none_or(|(_, other)| fit > other) {
            best = Some((entity, fit));
        }
    }
    best.map(|(entity, _)| entity)
}

fn is_of_type(entity: &Entity, table: &Table, item: &Item) -> bool {
    let value = table.type_attribute.as_ref().and_then(|name| item.get(name));
    matches!(value, Some(Value::String(text)) if text == entity.type_value())
}

/// Whether the templates of an entity can have built the key of an item.
fn has_key(entity: &Entity, table: &Table, item: &Item) -> bool {
    let Some(keys) = &entity.key else { return false };
    let templates = keys.partition.iter().chain(&keys.sort);
    table.key_attributes().zip(templates).all(|(attribute, template)| {
        item.get(&attribute.name).is_some_and(|value| template.matches(value))
    })
}

/// The attributes of an item by their names in the model, and all others as they are.
pub fn model_attributes(entity: Option<&Entity>, item: &Item) -> Item {
    let name_of = |stored: &str| {
        let attributes = entity.map_or(&[] as &[_], |entity| &entity.attributes);
        let attribute = attributes.iter().find(|attribute| attribute.item_name() == stored);
        attribute.map_or(stored, |attribute| &attribute.name).to_owned()
    };
    item.iter().map(|(name, value)| (name_of(name), value.clone())).collect()
}
