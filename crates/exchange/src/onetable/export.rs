//! From a model to OneTable's schema.

use monotable_item::{Type, Value};
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::members::{Members, text, texts};
use monotable_model::document::{
    Attribute, AttributeFormat, Entity, Index, IndexKind, IndexProjection, Model, Table, Tree,
};
use monotable_model::template::Template;

use super::value_template;
use crate::attribute_words::javascript;
use crate::extension::{child, kept_for, restore};
use crate::foreign::note;
use crate::outcome::Written;
use crate::typed_json::untyped;

/// What OneTable calls the attribute that names the model of an item, unless told otherwise.
const TYPE_FIELD: &str = "_type";

/// Writes the schema of a model's first table.
pub(crate) fn export(model: &Model) -> Written<Tree> {
    let mut notes = Vec::new();
    let kept = kept_for(model, "onetable");
    let mut members = Members::new();
    members.text("format", Some("onetable:1.1.0"));
    if kept.is_none() {
        members.text("version", Some("0.0.1"));
    }
    members.text("description", model.description.as_deref());
    let dates = Dates::of(kept);
    if let Some(table) = model.tables.first() {
        members.put("indexes", indexes(table, &mut notes));
        let models = model
            .entities_in(table)
            .map(|entity| (entity.name.clone(), fields(table, entity, dates, &mut notes)));
        members.put("models", Tree::Map(models.collect()));
        params(&mut members, table, kept);
        if kept.is_none() {
            members.list("items", items(model, table));
        }
    }
    let mut content = members.into_tree();
    if let Some(kept) = kept {
        restore(&mut content, kept);
    }
    remarks(model, &mut notes);
    Written { content, notes }
}

/// The samples as plain items, each with the name of its model.
fn items(model: &Model, table: &Table) -> Vec<Tree> {
    let is_here = |entity: &&Entity| entity.tables.first() == Some(&table.name);
    let mut items = Vec::new();
    for sample in model.samples.iter().filter(|sample| sample.table.is_none()) {
        let entity = model.entity(&sample.entity).filter(is_here);
        let item = model.item_of_sample(sample).ok();
        if let Some((entity, mut item)) = entity.zip(item) {
            let field = table.type_attribute.as_deref().unwrap_or(TYPE_FIELD);
            item.entry(field.to_owned()).or_insert_with(|| Value::from(entity.name.as_str()));
            items.push(untyped(&Value::Map(item)));
        }
    }
    items
}

/// How the schema that a model came from stores dates.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dates {
    /// It came from no schema, so times are what their types say.
    Unknown,
    /// As ISO texts.
    Texts,
    /// As numbers.
    Numbers,
}

impl Dates {
    fn of(kept: Option<&Tree>) -> Dates {
        let Some(kept) = kept else { return Dates::Unknown };
        match child(kept, "params").and_then(|params| child(params, "isoDates")) {
            Some(Tree::Bool(true)) => Dates::Texts,
            Some(_) | None => Dates::Numbers,
        }
    }

    fn is_date(self, attribute: &Attribute) -> bool {
        match (self, attribute.format) {
            (Dates::Texts, Some(AttributeFormat::Rfc3339)) => true,
            (Dates::Numbers, Some(AttributeFormat::EpochMillis)) => true,
            (Dates::Texts | Dates::Numbers, Some(AttributeFormat::EpochSeconds)) => true,
            (Dates::Unknown | Dates::Texts | Dates::Numbers, _) => false,
        }
    }
}

fn params(members: &mut Members, table: &Table, kept: Option<&Tree>) {
    if kept.is_some_and(|kept| child(kept, "params").is_some()) {
        return;
    }
    let name = table.type_attribute.as_deref().filter(|name| *name != TYPE_FIELD);
    if kept.is_none() || name.is_some() {
        let mut params = Members::new();
        params.text("typeField", Some(name.unwrap_or(TYPE_FIELD)));
        if kept.is_none() {
            params.put("isoDates", Tree::Bool(true));
        }
        members.put("params", params.into_tree());
    }
}

fn indexes(table: &Table, notes: &mut Vec<Diagnostic>) -> Tree {
    let mut members = Members::new();
    let mut primary = Members::new();
    primary.text("hash", Some(&table.partition_key.name));
    primary.text("sort", table.sort_key.as_ref().map(|key| key.name.as_str()));
    members.put("primary", primary.into_tree());
    for index in &table.indexes {
        let (partition, sort) = (index.partition_key.as_slice(), index.sort_key.as_slice());
        let ([partition], [] | [_]) = (partition, sort) else {
            let place = Place::table(&table.name).member("global_indexes").member(&index.name);
            notes.push(note(&place, "OneTable has no keys of several attributes; it is left out"));
            continue;
        };
        let mut one = Members::new();
        match index.kind {
            IndexKind::Global => one.text("hash", Some(&partition.name)),
            IndexKind::Local => one.text("type", Some("local")),
        }
        one.text("sort", sort.first().map(|key| key.name.as_str()));
        match &index.projection {
            IndexProjection::All => {}
            IndexProjection::KeysOnly => one.text("project", Some("keys")),
            IndexProjection::Include(names) => one.list("project", texts(names)),
        }
        members.put(&index.name, one.into_tree());
    }
    members.into_tree()
}

/// The fields of a model: keys first, then attributes.
fn fields(table: &Table, entity: &Entity, dates: Dates, notes: &mut Vec<Diagnostic>) -> Tree {
    let mut members = Members::new();
    let mut written: Vec<&str> = Vec::new();
    for (name, template, place) in keys(table, entity) {
        let is_itself = template.paths().any(|path| is_attribute(entity, &path.root, name));
        if written.contains(&name) || is_itself {
            continue;
        }
        written.push(name);
        members.put(name, key_field(template, entity, &place, notes));
    }
    let needed = needed(entity);
    for attribute in &entity.attributes {
        let is_kept_up =
            [&entity.created, &entity.touched].contains(&&Some(attribute.name.clone()));
        if is_kept_up && dates != Dates::Unknown {
            continue;
        }
        let is_needed = needed.contains(&attribute.name);
        members.put(&attribute.name, field(attribute, is_needed, dates, entity, notes));
    }
    for keys in entity.indexes.iter().filter(|keys| keys.when.is_some()) {
        let place = Place::entity(&entity.name).member("indexes").member(&keys.index);
        let message =
            "OneTable has no condition for an index; items that lack an attribute are not in it";
        notes.push(note(&place, message));
    }
    members.into_tree()
}

/// The attributes of all keys that an entity has, each with its template.
fn keys<'a>(table: &'a Table, entity: &'a Entity) -> Vec<(&'a str, &'a Template, Place)> {
    let place = Place::entity(&entity.name);
    let own = entity.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
    let own = table.key_attributes().zip(own);
    let mut keys: Vec<(&str, &Template, Place)> =
        own.map(|(key, template)| (key.name.as_str(), template, place.member("key"))).collect();
    for of_index in &entity.indexes {
        let Some(index) = table.index(&of_index.index) else { continue };
        if index.partition_key.len() > 1 || index.sort_key.len() > 1 {
            continue;
        }
        let templates = of_index.keys.partition.iter().chain(&of_index.keys.sort);
        let place = place.member("indexes").member(&index.name);
        let of_index = Index::key_attributes(index).zip(templates);
        keys.extend(of_index.map(|(key, template)| (key.name.as_str(), template, place.clone())));
    }
    keys
}

/// Whether the attribute of a template is stored as the key itself.
fn is_attribute(entity: &Entity, name: &str, key: &str) -> bool {
    entity.attribute(name).is_some_and(|attribute| attribute.item_name() == key)
}

fn key_field(
    template: &Template,
    entity: &Entity,
    place: &Place,
    notes: &mut Vec<Diagnostic>,
) -> Tree {
    let mut members = Members::new();
    members.text("type", Some("string"));
    match value_template::write(template, entity) {
        Ok(value) => members.put("value", text(&value)),
        Err(why) => {
            members.put("required", Tree::Bool(true));
            let message =
                format!("OneTable cannot build {template}: {why}; the application has to");
            notes.push(note(place, message));
        }
    }
    if value_template::escapes(template) && template.segments().len() > 1 {
        let message = format!("OneTable does not escape {} inside values", template.delimiter());
        if notes.iter().all(|known| known.message != message) {
            notes.push(note(place, message));
        }
    }
    members.into_tree()
}

fn needed(entity: &Entity) -> Vec<String> {
    let templates = entity.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
    templates.flat_map(|template| template.paths().map(|path| path.root.clone())).collect()
}

fn field(
    attribute: &Attribute,
    is_needed: bool,
    dates: Dates,
    entity: &Entity,
    notes: &mut Vec<Diagnostic>,
) -> Tree {
    let mut members = Members::new();
    let kind = if dates.is_date(attribute) { "date" } else { javascript(attribute) };
    members.text("type", Some(kind));
    members.flag("required", attribute.required && !is_needed);
    members.text("map", attribute.stored_name.as_deref());
    members.list("enum", attribute.values.iter().map(untyped).collect());
    if entity.ttl.as_ref() == Some(&attribute.name) && dates == Dates::Unknown {
        members.flag("ttl", true);
    }
    let nested = |member: &Attribute, notes: &mut Vec<Diagnostic>| {
        field(member, false, dates, entity, notes)
    };
    let schema = attribute.members.iter().map(|one| (one.name.clone(), nested(one, notes)));
    let schema: Vec<(String, Tree)> = schema.collect();
    members.map("schema", schema);
    members.put_some("items", attribute.items.as_deref().map(|items| nested(items, notes)));
    if matches!(attribute.kind, Type::Null | Type::BinarySet) || !attribute.stored {
        let place = Place::entity(&entity.name).member("attributes").member(&attribute.name);
        let code = attribute.kind.code();
        let message = if attribute.stored {
            format!("OneTable has no type {code}; it is written as {kind}")
        } else {
            "OneTable stores every field, this one as well".to_owned()
        };
        notes.push(note(&place, message));
    }
    members.into_tree()
}

fn remarks(model: &Model, notes: &mut Vec<Diagnostic>) {
    for table in model.tables.iter().skip(1) {
        let message = "a schema has one table; this one and its entities are left out";
        notes.push(note(&Place::table(&table.name), message));
    }
    if let Some(table) = model.tables.first() {
        let unsaid = [
            ("stream", table.stream.is_some()),
            ("billing", table.billing != monotable_model::document::Billing::OnDemand),
            ("replicas", !table.replicas.is_empty()),
            ("backup", table.backup.is_some()),
        ];
        for (member, _) in unsaid.iter().filter(|(_, is_there)| *is_there) {
            let place = Place::table(&table.name).member(member);
            notes.push(note(&place, "a schema has no place for it"));
        }
        let has_keys_of_other_types = table
            .key_attributes()
            .any(|key| key.kind != monotable_item::key_encoding::KeyType::String);
        if has_keys_of_other_types {
            let place = Place::table(&table.name).member("partition_key");
            notes.push(note(&place, "a schema does not say that a key is no text; the field does"));
        }
    }
    for entity in model.entities.iter().filter(|entity| entity.is_embedded()) {
        let message = "a schema has no embedded entities; it is left out";
        notes.push(note(&Place::entity(&entity.name), message));
    }
    let parts = [("relationships", model.relationships.len()), ("patterns", model.patterns.len())];
    for (member, count) in parts.iter().filter(|(_, count)| *count > 0) {
        let place = Place::root().member(member);
        notes.push(note(&place, format!("{count} left out")));
    }
}
