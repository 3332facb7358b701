//! Tables, entities and the types of their fields.

use std::fmt::Write as _;

use monotable_item::key_encoding::KeyType;
use monotable_item::{Type, Value};
use monotable_model::document::{
    Attribute, Entity, Index, IndexKind, IndexProjection, KeyAttribute, Table,
};
use monotable_model::template::Template;

use super::expressed::renamed;
use super::identifier::{field_name, literal, type_name};
use super::key::{EntityKey, keys_of, max_len, obstacle};
use super::kind::{Kind, is_option, variant};
use super::text::{comment, one_line, with_fields};

/// Writes the struct of a table.
pub(super) fn write_table(out: &mut String, table: &Table, name: &str, entities: &[&Entity]) {
    let doc = table.description.clone();
    out.push_str(&comment(
        "///",
        "",
        &doc.unwrap_or_else(|| format!("The table `{}`.", table.name)),
    ));
    out.push_str("#[derive(Table)]\n#[table(\n");
    let _ = writeln!(out, "    name = {},", literal(&table.name));
    let _ = writeln!(out, "    pk = {},", column(&table.partition_key));
    if let Some(sort) = &table.sort_key {
        let _ = writeln!(out, "    sk = {},", column(sort));
    }
    if let Some(attribute) = &table.type_attribute {
        let _ = writeln!(out, "    type_attr = {},", literal(attribute));
    }
    if let Some(attribute) = &table.ttl {
        let _ = writeln!(out, "    ttl = {},", literal(attribute));
    }
    out.push_str("    entities(\n");
    for entity in entities {
        let _ = writeln!(out, "        {},", type_name(&entity.name));
    }
    out.push_str("    ),\n)]\n");
    for index in &table.indexes {
        write_index(out, index);
    }
    let _ = writeln!(out, "pub struct {name};\n");
}

fn write_index(out: &mut String, index: &Index) {
    let (word, partition) = match index.kind {
        IndexKind::Local => ("lsi", String::new()),
        IndexKind::Global => ("gsi", format!("    pk = {},\n", columns(&index.partition_key))),
    };
    let _ = writeln!(out, "#[{word}(\n    {},", type_name(&index.name));
    let _ = write!(out, "    name = {},\n{partition}", literal(&index.name));
    if !index.sort_key.is_empty() {
        let _ = writeln!(out, "    sk = {},", columns(&index.sort_key));
    }
    match &index.projection {
        IndexProjection::All => {}
        IndexProjection::KeysOnly => out.push_str("    project(keys),\n"),
        IndexProjection::Include(names) => {
            let names: Vec<String> = names.iter().map(|name| literal(name)).collect();
            let _ = writeln!(out, "    project({}),", names.join(", "));
        }
    }
    out.push_str(")]\n");
}

/// A key attribute, which is a string where it does not say otherwise.
fn column(key: &KeyAttribute) -> String {
    match key.kind {
        KeyType::String => literal(&key.name),
        KeyType::Number | KeyType::Binary => typed_column(key),
    }
}

/// A key attribute and its type.
fn typed_column(key: &KeyAttribute) -> String {
    let kind = match key.kind {
        KeyType::String => "string",
        KeyType::Number => "number",
        KeyType::Binary => "binary",
    };
    format!("{}: {kind}", literal(&key.name))
}

/// One key attribute of an index, or several in brackets. Indexes may share one, and with its type
/// no linter takes the second for a slip.
fn columns(keys: &[KeyAttribute]) -> String {
    match keys {
        [one] => typed_column(one),
        several => {
            let columns: Vec<String> = several.iter().map(typed_column).collect();
            format!("[{}]", columns.join(", "))
        }
    }
}

/// Writes the struct of an entity, and the types of its fields.
pub(super) fn write_entity(out: &mut String, table: &Table, table_name: &str, entity: &Entity) {
    let name = type_name(&entity.name);
    let doc =
        entity.description.clone().unwrap_or_else(|| format!("The entity `{}`.", entity.name));
    out.push_str(&comment("///", "", &doc));
    let tag = table.type_attribute.is_some() && entity.type_value() != name;
    let tag = if tag { format!(", tag = {}", literal(entity.type_value())) } else { String::new() };
    let version = entity.version.map(|it| format!(", version = {it}")).unwrap_or_default();
    out.push_str("#[derive(Entity, Debug, Clone, PartialEq)]\n");
    let _ = writeln!(out, "#[entity(table = {table_name}{tag}{version})]");
    for key in keys_of(table, entity).iter().filter(|key| obstacle(key.keys).is_none()) {
        write_key(out, table, entity, key);
    }
    let _ = writeln!(out, "pub struct {name} {{");
    for attribute in &entity.attributes {
        write_field(out, table, entity, attribute);
    }
    out.push_str("}\n\n");
    for attribute in &entity.attributes {
        write_types(out, &name, attribute);
    }
}

fn write_key(out: &mut String, table: &Table, entity: &Entity, key: &EntityKey<'_>) {
    let Some(keys) = renamed(key.keys) else { return };
    let index = key.index.and_then(|name| table.index(name));
    let is_local = index.is_some_and(|index| index.kind == IndexKind::Local);
    let begin = match index {
        None => "key(".to_owned(),
        Some(index) if is_local => format!("local({} ", type_name(&index.name)),
        Some(index) => format!("index({} ", type_name(&index.name)),
    };
    let mut parts: Vec<String> = Vec::new();
    if !is_local {
        parts.push(format!("pk = {}", templates(&keys.partition)));
    }
    if !keys.sort.is_empty() {
        parts.push(format!("sk = {}", templates(&keys.sort)));
    }
    let when = key.index.and_then(|index| entity.index_key(index)?.when.as_ref());
    parts.extend(when.map(|when| format!("when = {}", literal(&with_fields(&when.text, entity)))));
    let view = index.and_then(|index| view(table, entity, index));
    parts.extend(view.map(|fields| format!("view({})", fields.join(", "))));
    let line = format!("#[{begin}{}: {})]", key.name, parts.join(", "));
    if line.len() <= 100 {
        let _ = writeln!(out, "{line}");
        return;
    }
    let _ = writeln!(out, "#[{begin}{}:", key.name);
    for part in parts {
        let _ = writeln!(out, "    {part},");
    }
    out.push_str(")]\n");
}

/// The fields that an index holds besides the parts of the table's key, if it does not hold all.
pub(super) fn view(table: &Table, entity: &Entity, index: &Index) -> Option<Vec<String>> {
    let included: &[String] = match &index.projection {
        IndexProjection::All => return None,
        IndexProjection::KeysOnly => &[],
        IndexProjection::Include(names) => names,
    };
    let is_key = |name: &str| table.key_attributes().any(|key| key.name == name);
    let is_held = |name: &str| {
        included.iter().any(|held| held == name)
            || index.key_attributes().any(|key| key.name == name)
    };
    let attributes = entity.attributes.iter().filter(|attribute| {
        let name = attribute.item_name();
        is_held(name) && !is_key(name)
    });
    Some(attributes.map(|attribute| field_name(&attribute.name)).collect())
}

fn templates(templates: &[Template]) -> String {
    match templates {
        [one] => wrapped_literal(&one.to_string()),
        several => {
            let texts: Vec<String> =
                several.iter().map(|it| wrapped_literal(&it.to_string())).collect();
            format!("[{}]", texts.join(", "))
        }
    }
}

/// A literal over several lines where it is too wide for one.
fn wrapped_literal(text: &str) -> String {
    const WIDTH: usize = 85;
    let mut lines: Vec<String> = vec![String::new()];
    for (at, part) in text.split_inclusive('}').enumerate() {
        let is_full = lines.last().is_some_and(|line| line.len() + part.len() > WIDTH);
        if at > 0 && is_full && !part.starts_with(char::is_whitespace) {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(part);
        }
    }
    let inner: Vec<String> =
        lines.iter().map(|line| literal(line).trim_matches('"').to_owned()).collect();
    format!("\"{}\"", inner.join("\\\n          "))
}

fn write_field(out: &mut String, table: &Table, entity: &Entity, attribute: &Attribute) {
    let field = field_name(&attribute.name);
    let doc = attribute.description.clone();
    let doc = doc.unwrap_or_else(|| format!("The attribute `{}`.", attribute.item_name()));
    out.push_str(&comment("///", "    ", &one_line(&doc)));
    let mut settings: Vec<String> = Vec::new();
    if attribute.item_name() != field {
        settings.push(format!("name = {}", literal(attribute.item_name())));
    }
    let is = |named: &Option<String>| named.as_ref() == Some(&attribute.name);
    let words = [
        ("key_only", !attribute.stored),
        ("create_only", attribute.mutable == Some(false)),
        ("lock", is(&entity.lock)),
        ("ttl", is(&entity.ttl)),
    ];
    settings.extend(words.iter().filter(|(_, holds)| *holds).map(|(word, _)| (*word).to_owned()));
    let max_len = max_len(table, entity, attribute);
    settings.extend(max_len.map(|bytes| format!("max_len = {bytes}")));
    if !settings.is_empty() {
        let _ = writeln!(out, "    #[attr({})]", settings.join(", "));
    }
    let _ =
        writeln!(out, "    pub {field}: {},", field_type(&Kind::of(entity, attribute), attribute));
}

fn field_type(kind: &Kind, attribute: &Attribute) -> String {
    let owned = kind.owned();
    if is_option(attribute) { format!("Option<{owned}>") } else { owned }
}

/// Writes the enums and structs that an attribute needs.
fn write_types(out: &mut String, owner: &str, attribute: &Attribute) {
    if let Some(items) = attribute.items.as_deref() {
        let mut element = items.clone();
        element.name = format!("{}Element", attribute.name);
        return write_types(out, owner, &element);
    }
    match Kind::of_owned(owner, attribute) {
        Kind::Enumeration(name, texts) => {
            let _ = writeln!(out, "/// The values of `{}`.", attribute.item_name());
            out.push_str("#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]\n");
            let _ = writeln!(out, "pub enum {name} {{");
            for text in texts {
                let _ = writeln!(out, "    /// `{text}`");
                if variant(&text) != text {
                    let _ = writeln!(out, "    #[key_part({})]", literal(&text));
                }
                let _ = writeln!(out, "    {},", variant(&text));
            }
            out.push_str("}\n\n");
        }
        Kind::Other(name) if attribute.kind == Type::Map && !attribute.members.is_empty() => {
            let _ = writeln!(out, "/// The members of `{}`.", attribute.item_name());
            let _ = writeln!(out, "#[derive(Attribute, Debug, Clone, PartialEq)]");
            let _ = writeln!(out, "pub struct {name} {{");
            for member in &attribute.members {
                let field = field_name(&member.name);
                let _ = writeln!(out, "    /// The member `{}`.", member.item_name());
                if member.item_name() != field {
                    let _ = writeln!(out, "    #[attr(name = {})]", literal(member.item_name()));
                }
                let kind = field_type(&Kind::of_owned(&name, member), member);
                let _ = writeln!(out, "    pub {field}: {kind},");
            }
            out.push_str("}\n\n");
            attribute.members.iter().for_each(|member| write_types(out, &name, member));
        }
        Kind::Text | Kind::Number | Kind::Lock | Kind::Flag | Kind::Other(_) => {}
    }
}

/// Whether the values of an attribute are not texts with names of their own.
pub(super) fn loses_values(entity: &Entity, attribute: &Attribute) -> bool {
    let has_texts = attribute.values.iter().all(|value| matches!(value, Value::String(_)));
    let is_enum = matches!(Kind::of(entity, attribute), Kind::Enumeration(..));
    let is_kept = attribute.values.is_empty() || has_texts && is_enum;
    !is_kept
}
