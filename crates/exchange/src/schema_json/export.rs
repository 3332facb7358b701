//! From a model to `schema.json`.

use monotable_item::Type;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::members::{Members, text, texts};
use monotable_model::document::{
    Attribute, AttributeFormat, Entity, Index, IndexKind, IndexProjection, KeyAttribute, Model,
    Table, Tree,
};
use monotable_model::template::{Segment, Template};

use super::access_pattern;
use super::python_template;
use crate::case::snake;
use crate::extension::{child, kept_for, restore};
use crate::foreign::note;
use crate::outcome::Written;

/// Writes a whole schema.
pub(crate) fn export(model: &Model) -> Written<Tree> {
    let mut notes = Vec::new();
    let kept = kept_for(model, "schema-json");
    let mut next_id = 0;
    let tables = model.tables.iter().map(|table| {
        let own = kept.and_then(|kept| child(kept, "tables"));
        let own = own.and_then(|own| child(own, table.physical_name()));
        write_table(model, table, own, &mut next_id, &mut notes)
    });
    let tables: Vec<Tree> = tables.collect();
    let mut members = Members::new();
    members.put("tables", Tree::List(tables));
    let mut content = members.into_tree();
    if let Some(kept) = kept {
        restore(&mut content, kept);
    }
    remarks(model, &mut notes);
    Written { content, notes }
}

fn write_table(
    model: &Model,
    table: &Table,
    kept: Option<&Tree>,
    next_id: &mut u64,
    notes: &mut Vec<Diagnostic>,
) -> Tree {
    let mut config = Members::new();
    config.text("table_name", Some(table.physical_name()));
    config.text("partition_key", Some(&table.partition_key.name));
    config.text("sort_key", table.sort_key.as_ref().map(|key| key.name.as_str()));
    let mut members = Members::new();
    members.put("table_config", config.into_tree());
    let global = table.indexes.iter().filter(|index| index.kind == IndexKind::Global);
    members.list("gsi_list", global.map(index).collect());
    let entities = model.entities_in(table).map(|one| {
        let own = kept.and_then(|kept| child(kept, "entities"));
        let own = own.and_then(|own| child(own, &one.name));
        (one.name.clone(), entity(model, table, one, own, next_id, notes))
    });
    let entities: Vec<(String, Tree)> = entities.collect();
    members.put("entities", Tree::Map(entities));
    for index in table.indexes.iter().filter(|index| index.kind == IndexKind::Local) {
        let place = Place::table(&table.name).member("local_indexes").member(&index.name);
        notes.push(note(&place, "the format has no local indexes; it is left out"));
    }
    members.into_tree()
}

fn index(index: &Index) -> Tree {
    let names = |keys: &[KeyAttribute]| match keys {
        [key] => text(&key.name),
        _ => Tree::List(keys.iter().map(|key| text(&key.name)).collect()),
    };
    let mut members = Members::new();
    members.text("name", Some(&index.name));
    members.put("partition_key", names(&index.partition_key));
    if !index.sort_key.is_empty() {
        members.put("sort_key", names(&index.sort_key));
    }
    match &index.projection {
        IndexProjection::All => {}
        IndexProjection::KeysOnly => members.text("projection", Some("KEYS_ONLY")),
        IndexProjection::Include(included) => {
            members.text("projection", Some("INCLUDE"));
            members.list("included_attributes", texts(included));
        }
    }
    members.into_tree()
}

fn entity(
    model: &Model,
    table: &Table,
    entity: &Entity,
    kept: Option<&Tree>,
    next_id: &mut u64,
    notes: &mut Vec<Diagnostic>,
) -> Tree {
    let place = Place::entity(&entity.name);
    let mut members = Members::new();
    if kept.and_then(|kept| child(kept, "entity_type")).is_none() {
        members.text("entity_type", Some(&snake(entity.type_value()).to_uppercase()));
    }
    if let Some(keys) = &entity.key {
        let place = place.member("key");
        sides(&mut members, [&keys.partition, &keys.sort], &place, notes);
    }
    let global =
        |name: &str| table.index(name).is_some_and(|index| index.kind == IndexKind::Global);
    let mappings = entity.indexes.iter().filter(|keys| global(&keys.index)).filter_map(|keys| {
        let place = place.member("indexes").member(&keys.index);
        let mut templates = keys.keys.partition.iter().chain(&keys.keys.sort);
        if let Some(template) = templates.find(|template| is_all_shard(template)) {
            let message = format!("{template} cannot be said: it has no shards; it is left out");
            notes.push(note(&place, message));
            return None;
        }
        let mut mapping = Members::new();
        mapping.text("name", Some(&keys.index));
        sides(&mut mapping, [&keys.keys.partition, &keys.keys.sort], &place, notes);
        if keys.when.is_some() {
            notes.push(note(&place.member("when"), "the format has no conditions of indexes"));
        }
        Some(mapping.into_tree())
    });
    let mappings: Vec<Tree> = mappings.collect();
    members.list("gsi_mappings", mappings);
    let own = kept.and_then(|kept| child(kept, "fields"));
    let fields = entity
        .attributes
        .iter()
        .map(|attribute| field(attribute, own.and_then(|own| child(own, &attribute.name))));
    members.put("fields", Tree::List(fields.collect()));
    let own = kept.and_then(|kept| child(kept, "access_patterns"));
    let (patterns, unsaid) = access_pattern::write(model, entity, own, next_id);
    members.put("access_patterns", Tree::List(patterns));
    for name in unsaid {
        notes.push(note(&Place::pattern(&name), "the format cannot say it; it is left out"));
    }
    members.into_tree()
}

fn sides(
    members: &mut Members,
    sides: [&Vec<Template>; 2],
    place: &Place,
    notes: &mut Vec<Diagnostic>,
) {
    for (name, templates) in ["pk_template", "sk_template"].into_iter().zip(sides) {
        let mut written = Vec::new();
        for template in templates {
            match python_template::write(template) {
                Ok(text) => written.push(text),
                Err(why) => {
                    written.push(python_placeholder(template));
                    let message = format!(
                        "{template} cannot be said: {why}; the key has to be built elsewhere"
                    );
                    notes.push(note(place, message));
                }
            }
        }
        match written.as_slice() {
            [] => {}
            [one] => members.text(name, Some(one)),
            [_, ..] => members.list(name, texts(&written)),
        }
    }
}

/// Whether a key has a shard and no field, so that nothing of it can be said but its literals.
fn is_all_shard(template: &Template) -> bool {
    !template.is_singleton() && template.paths().next().is_none()
}

/// A template with the fields alone, which shows what belongs into a key that the format cannot
/// build; of one without fields, the literals.
fn python_placeholder(template: &Template) -> String {
    if is_all_shard(template) {
        let literal = |segment: &Segment| match segment {
            Segment::Literal(text) => text.replace('{', "{{").replace('}', "}}"),
            Segment::Attribute(_) | Segment::Shard(_) => "shard".to_owned(),
        };
        return template.segments().iter().map(literal).collect();
    }
    let names: Vec<String> = template.paths().map(|path| format!("{{{}}}", path.root)).collect();
    names.join("#")
}

fn field(attribute: &Attribute, kept: Option<&Tree>) -> Tree {
    let mut members = Members::new();
    members.text("name", Some(&attribute.name));
    let own = kept.and_then(|kept| child(kept, "type")).cloned();
    members.put("type", own.unwrap_or_else(|| text(word(attribute))));
    members.put("required", Tree::Bool(attribute.required));
    if attribute.kind == Type::List {
        members.text("item_type", Some(attribute.items.as_deref().map_or("string", word)));
    }
    if matches!(attribute.kind, Type::StringSet | Type::BinarySet) {
        members.text("item_type", Some("string"));
    }
    if attribute.kind == Type::NumberSet {
        members.text("item_type", Some("decimal"));
    }
    members.into_tree()
}

fn word(attribute: &Attribute) -> &'static str {
    match attribute.kind {
        Type::String if attribute.format == Some(AttributeFormat::Uuid) => "uuid",
        Type::String | Type::Binary | Type::Null => "string",
        Type::Number => "decimal",
        Type::Bool => "boolean",
        Type::List | Type::StringSet | Type::NumberSet | Type::BinarySet => "array",
        Type::Map => "object",
    }
}

fn remarks(model: &Model, notes: &mut Vec<Diagnostic>) {
    for entity in &model.entities {
        let place = Place::entity(&entity.name);
        if entity.is_embedded() {
            notes.push(note(&place, "the format has no embedded documents; it is left out"));
        }
        for attribute in &entity.attributes {
            let place = place.member("attributes").member(&attribute.name);
            let is_set = matches!(
                attribute.kind,
                Type::StringSet | Type::NumberSet | Type::BinarySet | Type::Binary | Type::Null
            );
            if is_set {
                let code = attribute.kind.code();
                notes.push(note(
                    &place,
                    format!("the format has no type {code}; the nearest is written"),
                ));
            }
        }
    }
    let parts = [("relationships", model.relationships.len()), ("samples", model.samples.len())];
    for (member, count) in parts.iter().filter(|(_, count)| *count > 0) {
        let place = Place::root().member(member);
        notes.push(note(&place, format!("{count} left out: the format has none")));
    }
    for pattern in model.patterns.iter().filter(|pattern| pattern.entities.is_empty()) {
        notes
            .push(note(&Place::pattern(&pattern.name), "the format cannot say it; it is left out"));
    }
}
