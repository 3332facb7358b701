//! From a group of items to an entity.

use monotable_item::{Item, Value, item_size_bytes};
use monotable_model::diagnostic::{self, Diagnostic};
use monotable_model::document::{Attribute, Entity, IndexKeys, Keys, Table};
use monotable_model::template::Template;

use super::Inference;
use super::attribute::{attributes, unstored};
use super::grouping::{Group, KeyPart};
use super::key_text::is_named_after_role;
use super::sparseness;
use crate::foreign::note;

/// Adds the entity of a group.
pub(super) fn add(
    inference: &mut Inference,
    table: &Table,
    items: &[Item],
    group: &Group,
    name: &str,
) {
    let members: Vec<&Item> =
        group.members.iter().filter_map(|member| items.get(*member)).collect();
    let place = diagnostic::Place::entity(name);
    let mut entity = Entity::named(name);
    entity.tables = vec![table.name.clone()];
    entity.stored_type = group.type_value.clone().filter(|value| value != name);
    let left_out: Vec<String> =
        group.built.iter().cloned().chain(inference.type_attribute.clone()).collect();
    let (found, mixed) = attributes(&members, &left_out, &group.inventions.names());
    entity.attributes = with_inventions(group, found);
    for name in mixed {
        let place = place.member("attributes").member(&name);
        inference.notes.push(note(&place, "the items have values of several types"));
    }
    entity.key = keys(group, None, 1);
    add_indexes(&mut entity, table, items, group, &mut inference.notes);
    entity.ttl = table.ttl.clone().filter(|ttl| entity.attribute(ttl).is_some());
    let bytes: usize = members.iter().map(|item| item_size_bytes(item)).sum();
    entity.average_bytes = bytes.div_ceil(members.len().max(1)).try_into().ok();
    entity.singleton = is_singleton(&entity);
    remark(&entity, group, &place, &mut inference.notes);
    inference.entities.push(entity);
}

/// The attributes of items, and those that stand in keys alone.
fn with_inventions(group: &Group, mut attributes: Vec<Attribute>) -> Vec<Attribute> {
    for name in group.inventions.names() {
        let items: Vec<Item> =
            group.members.iter().map(|member| group.inventions.of(*member)).collect();
        let values: Vec<&Value> = items.iter().filter_map(|item| item.get(name)).collect();
        attributes.push(unstored(name, &values));
    }
    attributes
}

fn keys(group: &Group, index: Option<usize>, partitions: usize) -> Option<Keys> {
    let templates: Vec<Template> = group
        .templates
        .iter()
        .filter(|(place, _)| place.index == index)
        .map(|(_, template)| template.clone())
        .collect();
    let (partition, sort) = templates.split_at_checked(partitions)?;
    Some(Keys { partition: partition.to_vec(), sort: sort.to_vec() })
}

fn add_indexes(
    entity: &mut Entity,
    table: &Table,
    items: &[Item],
    group: &Group,
    notes: &mut Vec<Diagnostic>,
) {
    for (number, index) in table.indexes.iter().enumerate() {
        let parts = index.key_attributes().count();
        let found = (0..parts).filter(|part| {
            group.templates.contains_key(&KeyPart { index: Some(number), part: *part })
        });
        if found.count() < parts {
            continue;
        }
        let Some(keys) = keys(group, Some(number), index.partition_key.len()) else { continue };
        let when = sparseness::condition(entity, table, index, items, group);
        if let Some(when) = &when {
            let place =
                diagnostic::Place::entity(&entity.name).member("indexes").member(&index.name);
            notes.push(note(
                &place,
                format!("only items with {when} are in it, as far as can be seen"),
            ));
        }
        entity.indexes.push(IndexKeys { index: index.name.clone(), keys, when });
    }
}

fn is_singleton(entity: &Entity) -> bool {
    let templates = entity.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
    entity.key.is_some() && templates.into_iter().all(Template::is_singleton)
}

/// Says what is weak about a guess.
fn remark(entity: &Entity, group: &Group, place: &diagnostic::Place, notes: &mut Vec<Diagnostic>) {
    if let [_] = group.members.as_slice()
        && !entity.singleton
    {
        notes.push(note(place, "one item alone shows what it is; look at its key"));
    }
    let templates = entity.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
    let opaque = templates.flat_map(Template::paths).filter(|path| is_named_after_role(&path.root));
    for path in opaque {
        let message = format!(
            "no structure was seen in {}, so it is taken as it is; more items would show more",
            path.root
        );
        notes.push(note(&place.member("key"), message));
    }
    for attribute in entity.attributes.iter().filter(|attribute| !attribute.stored) {
        let place = place.member("attributes").member(&attribute.name);
        notes.push(note(&place, "no attribute holds this part of the key, so its name is made up"));
    }
    for attribute in entity.attributes.iter().filter(|attribute| !attribute.values.is_empty()) {
        let place = place.member("attributes").member(&attribute.name);
        notes.push(note(&place, "these are the values that were seen; there may be others"));
    }
}

/// Says how many items of each entity there are, if the sample has the proportions of the table.
pub(super) fn estimate_counts(inference: &mut Inference, item_count: Option<u64>) {
    let sampled = inference.assignment.len();
    let Some(total) = item_count.filter(|total| *total > 0 && sampled > 0) else { return };
    for entity in &mut inference.entities {
        let own = inference.assignment.iter().filter(|name| **name == entity.name).count();
        if !entity.singleton {
            let share = own as f64 / sampled as f64;
            entity.count = Some(((total as f64 * share).round() as u64).max(own as u64));
        }
    }
}
