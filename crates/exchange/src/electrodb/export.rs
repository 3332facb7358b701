//! An `Entity` for each entity, and a `Service` for each table, in TypeScript.
//!
//! Keys are written with ElectroDB's templates, whose bytes are ours as far as it has the
//! encodings: text, padded numbers, and upper or lower case. What it cannot build is a comment in
//! the source and a note.

use monotable_item::Type;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{
    Attribute, Entity, Index, IndexKeys, IndexProjection, KeyAttribute, Model, Table, Tree,
};
use monotable_model::template::Template;

use super::composition::Composed;
use super::key::KeyWriter;
use super::restoration::Restoration;
use super::source::{Source, literal, property, value};
use super::{ENTITY_STAMP, VERSION_STAMP, condition};
use crate::case::{camel, pascal};
use crate::foreign::note;
use crate::outcome::Written;

/// Writes one module.
pub(crate) fn export(model: &Model) -> Written<String> {
    let mut notes = Vec::new();
    let mut out = Source::default();
    header(&mut out, model);
    for table in &model.tables {
        let mut members = Vec::new();
        for entity in model.entities_in(table) {
            if entity.tables.first() != Some(&table.name) {
                let place = Place::entity(&entity.name).member("tables");
                notes.push(note(
                    &place,
                    "an entity has one table in ElectroDB; it is that of the first",
                ));
                continue;
            }
            members.extend(write_entity(&mut out, model, table, entity, &mut notes));
        }
        service(&mut out, table, &members);
    }
    remarks(model, &mut notes);
    Written { content: out.into_text(), notes }
}

fn header(out: &mut Source, model: &Model) {
    let title = model.title.as_deref().unwrap_or(&model.name);
    out.comment(&format!("{title}: entities of the model {}.", model.name));
    out.comment(
        "ElectroDB does not escape values: one that holds a delimiter makes another key than the \
         model's.",
    );
    out.line("import { Entity, Service } from \"electrodb\";");
    out.line("");
}

/// An index to be written: its access pattern, what it is in DynamoDB, and its key or why there is
/// none.
struct PlannedIndex<'m> {
    name: String,
    secondary: Option<(&'m Index, &'m IndexKeys)>,
    key: Result<Vec<String>, String>,
}

/// Writes an entity and returns the name of its constant, unless ElectroDB cannot build its key.
fn write_entity(
    out: &mut Source,
    model: &Model,
    table: &Table,
    entity: &Entity,
    notes: &mut Vec<Diagnostic>,
) -> Option<String> {
    let place = Place::entity(&entity.name);
    let name = pascal(&entity.name);
    let restoration = Restoration::of(model, table, entity);
    let mut writer = KeyWriter::new(entity);
    let indexes = planned(table, entity, &restoration, &mut writer);
    let primary = indexes.iter().find(|index| index.secondary.is_none());
    if let Some(Err(why)) = primary.map(|primary| &primary.key) {
        out.comment(&format!("{}: ElectroDB cannot build its key: {why}.", entity.name));
        out.line("");
        notes.push(note(&place.member("key"), format!("left out: {why}")));
        return None;
    }
    if let Some(description) = &entity.description {
        out.comment(description);
    }
    out.open(&format!("export const {name} = new Entity("));
    out.open("{");
    let owner = &restoration.owner;
    out.line(&format!(
        "model: {{ entity: {}, version: {}, service: {} }},",
        literal(&owner.entity),
        literal(&owner.version),
        literal(&owner.service)
    ));
    out.open("attributes: {");
    write_attributes(out, entity, &restoration, &writer, notes);
    out.close("},");
    out.open("indexes: {");
    for index in &indexes {
        write_index(out, index, entity, notes);
    }
    out.close("},");
    out.close("},");
    out.line(&format!("{{ table: {} }},", literal(table.physical_name())));
    out.close(");");
    out.line("");
    Some(name)
}

/// The indexes of an entity: first those that it had in ElectroDB, in their order.
fn planned<'m>(
    table: &'m Table,
    entity: &'m Entity,
    restoration: &Restoration<'m>,
    writer: &mut KeyWriter<'m>,
) -> Vec<PlannedIndex<'m>> {
    let of_entity = entity.indexes.iter();
    let own: Vec<Option<(&Index, &IndexKeys)>> = std::iter::once(None)
        .chain(of_entity.filter_map(|keys| Some(Some((table.index(&keys.index)?, keys)))))
        .collect();
    let name = |one: &Option<(&'m Index, &IndexKeys)>| one.map(|(index, _)| index.name.as_str());
    let place = |one: &Option<(&'m Index, &IndexKeys)>| {
        let restored = &restoration.indexes;
        restored.iter().position(|other| other.index == name(one)).unwrap_or(restored.len())
    };
    let mut sorted = own;
    sorted.sort_by_key(place);
    let plan = |secondary: Option<(&'m Index, &'m IndexKeys)>| {
        let restored = restoration.index(name(&secondary));
        let usual = || secondary.map_or("primary".to_owned(), |(index, _)| camel(&index.name));
        let lines = restored.and_then(|one| one.lines(&meant(table, entity, secondary)?));
        let key = match (lines, secondary) {
            (Some(lines), _) => Ok(lines),
            (None, Some((index, keys))) => writer.secondary(index, keys),
            (None, None) => writer.primary(table),
        };
        PlannedIndex {
            name: restored.map_or_else(usual, |one| one.name.to_owned()),
            secondary,
            key,
        }
    };
    sorted.into_iter().map(plan).collect()
}

/// The templates that the model has for an index.
fn meant(
    table: &Table,
    entity: &Entity,
    secondary: Option<(&Index, &IndexKeys)>,
) -> Option<Composed> {
    let by_field = |keys: Vec<&KeyAttribute>, templates: &[Template]| {
        let pairs = keys.into_iter().zip(templates);
        pairs.map(|(key, template)| (key.name.clone(), template.clone())).collect()
    };
    Some(match secondary {
        None => {
            let keys = entity.key.as_ref()?;
            Composed {
                partition: by_field(vec![&table.partition_key], &keys.partition),
                sort: by_field(table.sort_key.iter().collect(), &keys.sort),
            }
        }
        Some((index, keys)) => Composed {
            partition: by_field(index.partition_key.iter().collect(), &keys.keys.partition),
            sort: by_field(index.sort_key.iter().collect(), &keys.keys.sort),
        },
    })
}

fn write_index(
    out: &mut Source,
    planned: &PlannedIndex<'_>,
    entity: &Entity,
    notes: &mut Vec<Diagnostic>,
) {
    let place = Place::entity(&entity.name).member("indexes");
    let lines = match (&planned.key, planned.secondary) {
        (Ok(lines), _) => lines,
        (Err(why), Some((index, _))) => {
            out.comment(&format!("{}: ElectroDB cannot build its key: {why}.", index.name));
            notes.push(note(&place.member(&index.name), format!("left out: {why}")));
            return;
        }
        (Err(_), None) => return,
    };
    out.open(&format!("{}: {{", property(&planned.name)));
    if let Some((index, keys)) = planned.secondary {
        out.line(&format!("index: {},", literal(&index.name)));
        write_projection(out, index, entity);
        match keys.when.as_ref().map(|when| (when, condition::write(when, entity))) {
            Some((_, Some(condition))) => out.line(&format!("condition: (item) => {condition},")),
            Some((when, None)) => {
                out.comment(&format!("only where {}", when.text));
                let place = place.member(&index.name).member("when");
                notes.push(note(&place, "a comment says which condition is missing"));
            }
            None => {}
        }
    }
    lines.iter().for_each(|line| out.line(line));
    out.close("},");
}

fn write_projection(out: &mut Source, index: &Index, entity: &Entity) {
    match &index.projection {
        IndexProjection::All => {}
        IndexProjection::KeysOnly => out.line("projection: \"keys_only\","),
        IndexProjection::Include(names) => {
            let names: Vec<String> =
                names.iter().filter_map(|name| projected(entity, name)).collect();
            out.line(&format!("projection: [{}],", names.join(", ")));
        }
    }
}

/// The name of an attribute by what items call it; the stamps of ElectroDB are there as well.
fn projected(entity: &Entity, name: &str) -> Option<String> {
    if name == ENTITY_STAMP || name == VERSION_STAMP {
        return Some(literal(name));
    }
    let attribute = entity.attributes.iter().find(|attribute| attribute.item_name() == name);
    attribute.map(|attribute| literal(&attribute.name))
}

fn write_attributes(
    out: &mut Source,
    entity: &Entity,
    restoration: &Restoration<'_>,
    writer: &KeyWriter<'_>,
    notes: &mut Vec<Diagnostic>,
) {
    let place = Place::entity(&entity.name);
    for attribute in &entity.attributes {
        let options = restoration.options(&attribute.name);
        write_attribute(out, attribute, options, &writer.paddings, &place, notes);
    }
    for (name, declaration) in restoration.other_attributes(entity) {
        out.line(&format!("{}: {declaration},", property(name)));
    }
    if !writer.derived.is_empty() {
        out.comment(
            "For keys: callers that read by one pass these, of the table's key also writers.",
        );
        let names: Vec<&str> = writer.derived.iter().map(|derived| derived.name.as_str()).collect();
        let message =
            format!("keys need hidden attributes, which callers pass: {}", names.join(", "));
        notes.push(note(&place, message));
    }
    for derived in &writer.derived {
        let source = entity.attribute(&derived.source);
        let kind = source.filter(|_| derived.step.is_none()).map(attribute_type);
        out.line(&derived.declaration(kind.as_deref().unwrap_or("\"string\"")));
    }
}

fn write_attribute(
    out: &mut Source,
    attribute: &Attribute,
    kept: &[(String, Tree)],
    paddings: &[(String, u8)],
    place: &Place,
    notes: &mut Vec<Diagnostic>,
) {
    let mut options = vec![format!("type: {}", attribute_type(attribute))];
    if attribute.required {
        options.push("required: true".to_owned());
    }
    if let Some(stored) = &attribute.stored_name {
        options.push(format!("field: {}", literal(stored)));
    }
    if attribute.mutable == Some(false) {
        options.push("readOnly: true".to_owned());
    }
    let padding = paddings.iter().find(|(name, _)| *name == attribute.name);
    if let Some((_, width)) = padding {
        options.push(format!("padding: {{ length: {width}, char: \"0\" }}"));
    }
    let others = kept.iter().filter(|(name, _)| name != "padding" || padding.is_none());
    options.extend(others.map(|(name, own)| format!("{name}: {}", value(own))));
    out.line(&format!("{}: {{ {} }},", property(&attribute.name), options.join(", ")));
    let place = place.member("attributes").member(&attribute.name);
    if matches!(attribute.kind, Type::Binary | Type::BinarySet | Type::Null) {
        let code = attribute.kind.code();
        notes.push(note(&place, format!("ElectroDB has no type {code}; it is written as any")));
    }
    if !attribute.stored {
        notes.push(note(&place, "ElectroDB stores every attribute, this one as well"));
    }
}

fn attribute_type(attribute: &Attribute) -> String {
    let texts: Option<Vec<String>> = attribute
        .values
        .iter()
        .map(|value| match value {
            monotable_item::Value::String(text) => Some(literal(text)),
            _ => None,
        })
        .collect();
    match (attribute.kind, texts) {
        (Type::String, Some(values)) if !values.is_empty() => {
            format!("[{}] as const", values.join(", "))
        }
        (Type::String, _) => "\"string\"".to_owned(),
        (Type::Number, _) => "\"number\"".to_owned(),
        (Type::Bool, _) => "\"boolean\"".to_owned(),
        (Type::StringSet, _) => "\"set\", items: \"string\"".to_owned(),
        (Type::NumberSet, _) => "\"set\", items: \"number\"".to_owned(),
        (Type::List, _) => match attribute.items.as_deref() {
            Some(items) => format!("\"list\", items: {{ type: {} }}", attribute_type(items)),
            None => "\"any\"".to_owned(),
        },
        (Type::Map, _) if !attribute.members.is_empty() => {
            let members = attribute.members.iter().map(|member| {
                let options = member_options(member);
                format!(
                    "{}: {{ type: {}{options} }}",
                    property(&member.name),
                    attribute_type(member)
                )
            });
            format!("\"map\", properties: {{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        (Type::Map | Type::Binary | Type::BinarySet | Type::Null, _) => "\"any\"".to_owned(),
    }
}

/// What is said of a member of a map besides its type.
fn member_options(member: &Attribute) -> String {
    let required = if member.required { ", required: true" } else { "" };
    let stored = member.stored_name.as_deref().map(|name| format!(", field: {}", literal(name)));
    let read_only = if member.mutable == Some(false) { ", readOnly: true" } else { "" };
    format!("{required}{}{read_only}", stored.unwrap_or_default())
}

fn service(out: &mut Source, table: &Table, members: &[String]) {
    if members.is_empty() {
        return;
    }
    let name = format!("{}Service", pascal(&table.name));
    out.line(&format!("export const {name} = new Service({{ {} }});", members.join(", ")));
    out.line("");
}

fn remarks(model: &Model, notes: &mut Vec<Diagnostic>) {
    for entity in model.entities.iter().filter(|entity| entity.is_embedded()) {
        let message = "an embedded entity is written as the attribute that it lies in";
        notes.push(note(&Place::entity(&entity.name), message));
    }
    for table in &model.tables {
        let place = Place::table(&table.name);
        notes.push(note(
            &place,
            "ElectroDB creates no tables; export to cloudformation or terraform as well",
        ));
        if table.type_attribute.as_ref().is_some_and(|name| name != ENTITY_STAMP) {
            let message = "ElectroDB stamps items with __edb_e__ and __edb_v__ instead";
            notes.push(note(&place.member("type_attribute"), message));
        }
    }
    let parts = [
        ("relationships", model.relationships.len()),
        ("patterns", model.patterns.len()),
        ("samples", model.samples.len()),
    ];
    for (member, count) in parts.iter().filter(|(_, count)| *count > 0) {
        let place = Place::root().member(member);
        notes.push(note(&place, format!("{count} left out")));
    }
}
