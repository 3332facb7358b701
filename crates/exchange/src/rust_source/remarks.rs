//! What the client has no place for.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Attribute, Entity, Model, Table, TableClass};

use super::declaration::loses_values;
use super::expressed::{entities_of, is_written};
use super::key::{keys_of, max_len, obstacle, table_of};
use crate::foreign::note;

/// Notes everything besides patterns that the code does not say.
pub(super) fn remarks(model: &Model, notes: &mut Vec<Diagnostic>) {
    for table in &model.tables {
        of_table(model, table, notes);
    }
    for entity in &model.entities {
        of_entity(model, entity, notes);
    }
    let parts = [
        ("relationships", model.relationships.len(), "what belongs to what is for the planner"),
        ("samples", model.samples.len(), "samples are data, not code"),
    ];
    for (member, count, why) in parts.iter().filter(|(_, count, _)| *count > 0) {
        notes.push(note(&Place::root().member(member), format!("{count} left out: {why}")));
    }
    let sized = model.entities.iter().any(|it| it.count.or(it.average_bytes).is_some());
    let bounded = model.entities.iter().flat_map(|it| &it.attributes).any(says_size);
    if sized || bounded {
        let message = "sizes, counts, formats and ranges of values are left out: the client does \
                       not use them";
        notes.push(note(&Place::root().member("entities"), message));
    }
}

fn says_size(attribute: &Attribute) -> bool {
    attribute.format.is_some()
        || attribute.charset.is_some()
        || attribute.min.is_some()
        || attribute.max.is_some()
        || attribute.digits.or(attribute.average_bytes).or(attribute.distinct).is_some()
}

fn of_table(model: &Model, table: &Table, notes: &mut Vec<Diagnostic>) {
    let place = Place::table(&table.name);
    if !is_written(model, table) {
        let message = "no struct of its own: open the first table of its entities by this name";
        notes.push(note(&place, message));
    }
    let settings = [
        ("stream", table.stream.is_some()),
        ("billing", table.billing != monotable_model::document::Billing::OnDemand),
        ("class", table.class != TableClass::Standard),
        ("replicas", !table.replicas.is_empty()),
        ("backup", table.backup.is_some()),
        ("deletion_protection", table.deletion_protection),
    ];
    for (member, _) in settings.iter().filter(|(_, is_said)| *is_said) {
        notes.push(note(&place.member(member), "left out: the table's own settings are not code"));
    }
}

fn of_entity(model: &Model, entity: &Entity, notes: &mut Vec<Diagnostic>) {
    let place = Place::entity(&entity.name);
    if entity.is_embedded() {
        let message = "left out: the attribute that it is embedded in holds any values";
        notes.push(note(&place, message));
        return;
    }
    let Some(table) = table_of(model, entity) else { return };
    if !entities_of(model, table).iter().any(|it| it.name == entity.name) {
        let why = entity.key.as_ref().and_then(obstacle).unwrap_or_default();
        notes.push(note(&place.member("key"), format!("the entity is left out: {why}")));
        return;
    }
    for key in keys_of(table, entity) {
        if let (Some(index), Some(why)) = (key.index, obstacle(key.keys)) {
            let place = place.member("indexes").member(index);
            notes.push(note(&place, format!("the key in the index is left out: {why}")));
        }
    }
    let by_hand = "the caller writes it: the client's own stamps are `Timestamp`s";
    let parts = [
        ("created", entity.created.is_some(), by_hand),
        ("touched", entity.touched.is_some(), by_hand),
        ("unique", !entity.unique.is_empty(), "left to the patterns that write both items"),
        ("copies", entity.copies.is_some(), "left out: the caller chooses the copy"),
        ("copy_of", entity.copy_of.is_some(), "left out: nothing keeps the copy in step"),
        ("variant_of", entity.variant_of.is_some(), "a struct of its own"),
    ];
    for (member, _, why) in parts.iter().filter(|(_, is_said, _)| *is_said) {
        notes.push(note(&place.member(member), *why));
    }
    for attribute in &entity.attributes {
        let place = place.member("attributes").member(&attribute.name);
        of_attribute(&place, entity, attribute, notes);
        if attribute.max_bytes != max_len(table, entity, attribute) {
            let message =
                "left out: with all that its bytes can become in a key, one would be too long";
            notes.push(note(&place.member("max_bytes"), message));
        }
    }
}

fn of_attribute(
    place: &Place,
    entity: &Entity,
    attribute: &Attribute,
    notes: &mut Vec<Diagnostic>,
) {
    let parts = [
        ("default", attribute.default.is_some(), "left out: a reader of an item must apply it"),
        ("copy_of", attribute.copy_of.is_some(), "left out: nothing keeps the copy in step"),
        ("values", loses_values(entity, attribute), "left out: not texts with names of their own"),
    ];
    for (member, _, why) in parts.iter().filter(|(_, is_said, _)| *is_said) {
        notes.push(note(&place.member(member), *why));
    }
}
