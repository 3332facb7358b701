//! A JSON Schema for the items of each entity, draft 2020-12.
//!
//! It describes items as the document clients of the SDKs give them: plain JSON, in which a set is
//! a list and bytes are base64 text. The keys are there too, with patterns that their templates
//! follow.

pub(crate) mod key_pattern;

use monotable_item::Type;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::members::{Members, text, texts};
use monotable_model::document::{Attribute, AttributeFormat, Entity, Keys, Model, Table, Tree};

use super::foreign::note;
use super::outcome::Written;
use super::typed_json::untyped;
use key_pattern::key_pattern;

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Writes one schema with a definition for each entity; an item is one of them.
pub(super) fn export(model: &Model) -> Written<Tree> {
    let mut notes = Vec::new();
    let definitions: Vec<(String, Tree)> = model
        .entities
        .iter()
        .map(|entity| (entity.name.clone(), definition(model, entity, &mut notes)))
        .collect();
    let items = model.entities.iter().filter(|entity| !entity.is_embedded());
    let references = items.map(|entity| reference(&entity.name));
    let mut members = Members::new();
    members.text("$schema", Some(DIALECT));
    members.text("title", Some(model.title.as_deref().unwrap_or(&model.name)));
    members.text("description", model.description.as_deref());
    members.list("anyOf", references.collect());
    members.map("$defs", definitions);
    let parts = [("relationships", model.relationships.len()), ("patterns", model.patterns.len())];
    for (member, count) in parts.iter().filter(|(_, count)| *count > 0) {
        let place = Place::root().member(member);
        notes.push(note(&place, format!("{count} left out: a schema describes items")));
    }
    Written { content: members.into_tree(), notes }
}

/// A reference to the definition of an entity, in which `~` and `/` are escaped.
fn reference(name: &str) -> Tree {
    let escaped = name.replace('~', "~0").replace('/', "~1");
    let mut members = Members::new();
    members.text("$ref", Some(&format!("#/$defs/{escaped}")));
    members.into_tree()
}

fn definition(model: &Model, entity: &Entity, notes: &mut Vec<Diagnostic>) -> Tree {
    let mut properties: Vec<(String, Tree)> = Vec::new();
    let mut required: Vec<String> = Vec::new();
    let table = model.tables_of(entity).next();
    if let (Some(table), Some(keys)) = (table, &entity.key) {
        keys_of_table(table, keys, entity, &mut properties, &mut required);
        for of_index in &entity.indexes {
            let Some(index) = table.index(&of_index.index) else { continue };
            let templates = of_index.keys.partition.iter().chain(&of_index.keys.sort);
            for (key, template) in index.key_attributes().zip(templates) {
                put_key(&mut properties, &key.name, key.kind.value_type(), key_pattern(template));
            }
            if of_index.when.is_some() {
                let place = Place::entity(&entity.name).member("indexes").member(&index.name);
                let message = "a schema does not say when an item is in an index";
                notes.push(note(&place.member("when"), message));
            }
        }
    }
    for attribute in entity.attributes.iter().filter(|attribute| attribute.stored) {
        let name = attribute.item_name();
        // An attribute that is a key as well has the key's pattern and its own rules.
        properties.retain(|(known, _)| known != name);
        properties.push((name.to_owned(), value_schema(attribute)));
        if attribute.required && !required.iter().any(|known| known == name) {
            required.push(name.to_owned());
        }
    }
    let mut members = Members::new();
    members.text("description", entity.description.as_deref());
    members.text("type", Some("object"));
    members.map("properties", properties);
    members.list("required", texts(&required));
    members.into_tree()
}

fn keys_of_table(
    table: &Table,
    keys: &Keys,
    entity: &Entity,
    properties: &mut Vec<(String, Tree)>,
    required: &mut Vec<String>,
) {
    for (key, template) in table.key_attributes().zip(keys.partition.iter().chain(&keys.sort)) {
        put_key(properties, &key.name, key.kind.value_type(), key_pattern(template));
        required.push(key.name.clone());
    }
    if let Some(name) = &table.type_attribute {
        let mut constant = Members::new();
        constant.text("const", Some(entity.type_value()));
        properties.push((name.clone(), constant.into_tree()));
        required.push(name.clone());
    }
}

fn put_key(properties: &mut Vec<(String, Tree)>, name: &str, kind: Type, pattern: Option<String>) {
    if properties.iter().any(|(known, _)| known == name) {
        return;
    }
    let mut members = Members::new();
    members.text("type", Some(type_word(kind)));
    members.text("pattern", pattern.filter(|_| kind == Type::String).as_deref());
    properties.push((name.to_owned(), members.into_tree()));
}

fn type_word(kind: Type) -> &'static str {
    match kind {
        Type::String | Type::Binary => "string",
        Type::Number => "number",
        Type::Bool => "boolean",
        Type::Null => "null",
        Type::List | Type::StringSet | Type::NumberSet | Type::BinarySet => "array",
        Type::Map => "object",
    }
}

fn value_schema(attribute: &Attribute) -> Tree {
    let mut members = Members::new();
    members.text("description", attribute.description.as_deref());
    members.text("type", Some(type_word(attribute.kind)));
    members.list("enum", attribute.values.iter().map(untyped).collect());
    members.text("format", attribute.format.and_then(format_word));
    let number = |number: &monotable_item::Number| Tree::Number(number.to_string());
    members.put_some("minimum", attribute.min.as_ref().map(number));
    members.put_some("maximum", attribute.max.as_ref().map(number));
    match attribute.kind {
        // A character has at least one byte, so this allows no text that is too long in characters.
        Type::String => members.count("maxLength", attribute.max_bytes),
        Type::Binary => members.text("contentEncoding", Some("base64")),
        Type::StringSet => set(&mut members, "string"),
        Type::NumberSet => set(&mut members, "number"),
        Type::BinarySet => set(&mut members, "string"),
        Type::List => {
            members.put_some("items", attribute.items.as_deref().map(value_schema));
        }
        Type::Map => {
            let nested = attribute.members.iter();
            let properties = nested.map(|one| (one.item_name().to_owned(), value_schema(one)));
            members.map("properties", properties.collect());
            let required = attribute.members.iter().filter(|one| one.required);
            let names: Vec<Tree> = required.map(|one| text(one.item_name())).collect();
            members.list("required", names);
        }
        Type::Number | Type::Bool | Type::Null => {}
    }
    members.into_tree()
}

fn set(members: &mut Members, kind: &str) {
    let mut element = Members::new();
    element.text("type", Some(kind));
    members.put("items", element.into_tree());
    members.flag("uniqueItems", true);
    members.count("minItems", Some(1));
}

fn format_word(format: AttributeFormat) -> Option<&'static str> {
    match format {
        AttributeFormat::Uuid | AttributeFormat::UuidV7 => Some("uuid"),
        AttributeFormat::Email => Some("email"),
        AttributeFormat::Rfc3339 => Some("date-time"),
        AttributeFormat::Date => Some("date"),
        AttributeFormat::Ksuid
        | AttributeFormat::Ulid
        | AttributeFormat::EpochSeconds
        | AttributeFormat::EpochMillis => None,
    }
}
