//! Two things that are stored under one name.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Attribute, Entity, Table};
use monotable_model::template::Segment;

use crate::Subject;
use crate::key_site::{KeySite, key_sites};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "attribute-name-collision",
    Error,
    Keys,
    Model,
    "two attributes of an item are stored under one name",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let model = subject.model;
    let with_keys = key_sites(model).into_iter().filter_map(|site| with_key(&site));
    let among_themselves = model.entities.iter().filter_map(twice);
    let with_types = model
        .entities
        .iter()
        .filter_map(|entity| model.tables_of(entity).find_map(|table| with_type(entity, table)));
    with_keys.chain(among_themselves).chain(with_types).collect()
}

fn place(entity: &Entity, attribute: &Attribute) -> Place {
    Place::entity(&entity.name).member("attributes").member(&attribute.name)
}

/// An attribute that is called as a key, where the key is made of something else.
fn with_key(site: &KeySite<'_>) -> Option<Diagnostic> {
    let key = &site.attribute.name;
    let attribute = site.entity.attributes.iter().find(|one| one.item_name() == key)?;
    let is_itself = match site.template.segments() {
        [Segment::Attribute(part)] => part.path.root == attribute.name,
        _ => false,
    };
    if is_itself {
        return None;
    }
    let message =
        format!("{key} is the attribute {} and {} as well", attribute.name, site.describe());
    let suggestion = format!("store the attribute under another name: name = \"{key}Value\"");
    let found = Diagnostic::error(RULE.code, place(site.entity, attribute), message);
    Some(found.with_note_at(site.place.clone(), "the key").with_suggestion(suggestion))
}

fn twice(entity: &Entity) -> Option<Diagnostic> {
    let attributes = entity.attributes.iter().enumerate();
    let (one, other) = attributes.into_iter().find_map(|(number, other)| {
        let mut earlier = entity.attributes.iter().take(number);
        Some((earlier.find(|one| one.item_name() == other.item_name())?, other))
    })?;
    let message = format!("{} and {} are both stored as {}", one.name, other.name, one.item_name());
    let found = Diagnostic::error(RULE.code, place(entity, other), message);
    Some(found.with_suggestion("give one of them another name"))
}

/// An attribute that is called as the table's type attribute and has other values.
fn with_type(entity: &Entity, table: &Table) -> Option<Diagnostic> {
    let name = table.type_attribute.as_ref()?;
    let attribute = entity.attributes.iter().find(|one| one.item_name() == name)?;
    let is_type = |value: &monotable_item::Value| *value == entity.type_value().into();
    if !attribute.values.is_empty() && attribute.values.iter().all(is_type) {
        return None;
    }
    let message = format!(
        "{name} is an attribute of {} and the type attribute of {}",
        entity.name, table.name
    );
    let suggestion = format!("store the attribute under another name: name = \"{name}Value\"");
    let found = Diagnostic::error(RULE.code, place(entity, attribute), message);
    Some(found.with_suggestion(suggestion))
}
