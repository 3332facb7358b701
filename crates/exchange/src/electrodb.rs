//! ElectroDB: an `Entity` for each entity, and a `Service` for each table, in TypeScript.
//!
//! Keys are written with ElectroDB's templates, whose bytes are ours as far as it has the
//! encodings: text, padded numbers, and upper or lower case for a whole key. What it cannot build
//! is a comment in the source and a note.

mod key;
mod source;

use monotable_item::Type;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{
    Attribute, Entity, Index, IndexKeys, IndexProjection, Model, Table,
};
use monotable_model::template::Template;

use super::case::{camel, pascal};
use super::foreign::note;
use super::outcome::Written;
use key::{Key, key, paddings, sides};
use source::{Source, literal, property};

/// Writes one module.
pub(super) fn export(model: &Model) -> Written<String> {
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
    let paddings = paddings(entity);
    let primary = match primary_index(table, entity, &paddings) {
        Ok(primary) => primary,
        Err(why) => {
            out.comment(&format!("{}: ElectroDB cannot build its key: {why}.", entity.name));
            out.line("");
            notes.push(note(&place.member("key"), format!("left out: {why}")));
            return None;
        }
    };
    if let Some(description) = &entity.description {
        out.comment(description);
    }
    out.open(&format!("export const {name} = new Entity("));
    out.open("{");
    out.line(&format!(
        "model: {{ entity: {}, version: \"{}\", service: {} }},",
        literal(&entity.name),
        entity.version.unwrap_or(1),
        literal(&model.name)
    ));
    out.open("attributes: {");
    for attribute in &entity.attributes {
        write_attribute(out, attribute, &paddings, &place, notes);
    }
    out.close("},");
    out.open("indexes: {");
    write_index(out, "primary", None, &primary, entity);
    for keys in &entity.indexes {
        let Some(index) = table.index(&keys.index) else { continue };
        let place = place.member("indexes").member(&keys.index);
        match secondary_index(index, keys, entity, &paddings) {
            Ok(written) => {
                write_index(out, &camel(&index.name), Some((index, keys)), &written, entity)
            }
            Err(why) => {
                out.comment(&format!("{}: ElectroDB cannot build its key: {why}.", index.name));
                notes.push(note(&place, format!("left out: {why}")));
            }
        }
        if keys.when.as_ref().is_some_and(|when| key::condition(when, entity).is_none()) {
            notes.push(note(&place.member("when"), "a comment says which condition is missing"));
        }
    }
    out.close("},");
    out.close("},");
    out.line(&format!("{{ table: {} }},", literal(table.physical_name())));
    out.close(");");
    out.line("");
    Some(name)
}

fn primary_index(
    table: &Table,
    entity: &Entity,
    paddings: &[(String, u8)],
) -> Result<Vec<Key>, String> {
    let keys = entity.key.as_ref().ok_or("it has none")?;
    let templates = keys.partition.iter().chain(&keys.sort);
    let built = table.key_attributes().zip(templates);
    let built = built.map(|(attribute, template)| key(&attribute.name, template, entity, paddings));
    sides(built.collect::<Result<Vec<Key>, String>>()?)
}

fn secondary_index(
    index: &Index,
    keys: &IndexKeys,
    entity: &Entity,
    paddings: &[(String, u8)],
) -> Result<Vec<Key>, String> {
    if index.partition_key.len() > 1 || index.sort_key.len() > 1 {
        return Err("a key of several attributes has a type of its own there".to_owned());
    }
    let templates: Vec<&Template> = keys.keys.partition.iter().chain(&keys.keys.sort).collect();
    let built = index.key_attributes().zip(templates);
    let built = built.map(|(attribute, template)| key(&attribute.name, template, entity, paddings));
    sides(built.collect::<Result<Vec<Key>, String>>()?)
}

fn write_index(
    out: &mut Source,
    name: &str,
    secondary: Option<(&Index, &IndexKeys)>,
    keys: &[Key],
    entity: &Entity,
) {
    out.open(&format!("{}: {{", property(name)));
    if let Some((index, of_index)) = secondary {
        out.line(&format!("index: {},", literal(&index.name)));
        match &index.projection {
            IndexProjection::All => {}
            IndexProjection::KeysOnly => out.line("projection: \"keys_only\","),
            IndexProjection::Include(names) => {
                let known = names.iter().filter(|name| is_attribute(entity, name));
                let names: Vec<String> = known.map(|name| literal(name)).collect();
                out.line(&format!("projection: [{}],", names.join(", ")));
            }
        }
        if let Some(when) = &of_index.when {
            match key::condition(when, entity) {
                Some(condition) => out.line(&format!("condition: (item) => {condition},")),
                None => out.comment(&format!("only where {}", when.text)),
            }
        }
    }
    for (side, key) in ["pk", "sk"].into_iter().zip(keys) {
        out.line(&format!("{side}: {},", key.text()));
    }
    out.close("},");
}

fn is_attribute(entity: &Entity, name: &str) -> bool {
    entity.attributes.iter().any(|attribute| attribute.item_name() == name)
}

fn write_attribute(
    out: &mut Source,
    attribute: &Attribute,
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
                format!("{}: {{ type: {} }}", property(&member.name), attribute_type(member))
            });
            format!("\"map\", properties: {{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        (Type::Map | Type::Binary | Type::BinarySet | Type::Null, _) => "\"any\"".to_owned(),
    }
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
        if table.type_attribute.is_some() {
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
