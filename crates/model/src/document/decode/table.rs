//! Tables and indexes.

use monotable_item::key_encoding::KeyType;

use super::context::{At, Context};
use super::object::{Object, named};
use super::scalar::{boolean, choice, count, text, texts};
use super::template::template;
use crate::document::node::Content;
use crate::document::words::{BACKUPS, CLASSES, KEY_TYPES, STREAM_VIEWS};
use crate::document::{
    Billing, Index, IndexKind, IndexProjection, KeyAttribute, PeriodName, Table, TableClass,
};

/// All tables of a document.
pub(super) fn tables(cx: &mut Context<'_>, at: &At<'_>) -> Vec<Table> {
    named(cx, at, "tables by name")
        .into_iter()
        .filter_map(|(name, at)| table(cx, name, &at))
        .collect()
}

fn table(cx: &mut Context<'_>, name: &str, at: &At<'_>) -> Option<Table> {
    let mut object = Object::open(cx, at, "a table")?;
    let name_given = object.optional(cx, "name", table_name);
    let description = object.optional(cx, "description", text);
    // A table whose key cannot be read stays, so that what refers to it is not reported as well.
    let partition_key = object.required(cx, "partition_key", key_attribute);
    let partition_key = partition_key
        .unwrap_or_else(|| KeyAttribute { name: "PK".to_owned(), kind: KeyType::String });
    let sort_key = object.optional(cx, "sort_key", key_attribute);
    let type_attribute = object.optional(cx, "type_attribute", text);
    let local = object.take("local_indexes");
    let global = object.take("global_indexes");
    let mut indexes = Vec::new();
    if let Some(at) = local {
        indexes.extend(local_indexes(cx, &at, &partition_key));
    }
    if let Some(at) = global {
        indexes.extend(global_indexes(cx, &at));
    }
    let (stored_name, period_name) = match name_given {
        Some(TableName::Fixed(name)) => (Some(name), None),
        Some(TableName::OfPeriod(name)) => (None, Some(*name)),
        None => (None, None),
    };
    let table = Table {
        name: name.to_owned(),
        stored_name,
        period_name,
        description,
        partition_key,
        sort_key,
        type_attribute,
        ttl: object.optional(cx, "ttl", text),
        stream: object.optional(cx, "stream", |cx, at| choice(cx, at, STREAM_VIEWS)),
        billing: object.optional(cx, "billing", billing).unwrap_or(Billing::OnDemand),
        class: object
            .optional(cx, "class", |cx, at| choice(cx, at, CLASSES))
            .unwrap_or(TableClass::Standard),
        replicas: object.optional(cx, "replicas", texts).unwrap_or_default(),
        backup: object.optional(cx, "backup", |cx, at| choice(cx, at, BACKUPS)),
        deletion_protection: object
            .optional(cx, "deletion_protection", boolean)
            .unwrap_or_default(),
        indexes,
    };
    object.finish(cx);
    Some(table)
}

/// What the service calls a table.
enum TableName {
    Fixed(String),
    OfPeriod(Box<PeriodName>),
}

/// `"shop"`, or `"events_{created_at:month}"` for a table for each month.
fn table_name(cx: &mut Context<'_>, at: &At<'_>) -> Option<TableName> {
    let written = text(cx, at)?;
    if !written.contains('{') {
        return Some(TableName::Fixed(written));
    }
    let template = template(cx, at, "not the name of a table for each period")?;
    match PeriodName::new(template) {
        Ok(name) => Some(TableName::OfPeriod(Box::new(name))),
        Err(error) => {
            cx.error(at, "bad-template", error.to_string());
            None
        }
    }
}

fn local_indexes(cx: &mut Context<'_>, at: &At<'_>, partition: &KeyAttribute) -> Vec<Index> {
    let mut indexes = Vec::new();
    for (name, at) in named(cx, at, "indexes by name") {
        let Some(mut object) = Object::open(cx, &at, "a local index") else { continue };
        let sort_key = object.required(cx, "sort_key", key_attribute);
        indexes.push(Index {
            name: name.to_owned(),
            description: object.optional(cx, "description", text),
            kind: IndexKind::Local,
            partition_key: vec![partition.clone()],
            sort_key: sort_key.into_iter().collect(),
            projection: object
                .optional(cx, "projection", projection)
                .unwrap_or(IndexProjection::All),
            billing: None,
        });
        object.finish(cx);
    }
    indexes
}

fn global_indexes(cx: &mut Context<'_>, at: &At<'_>) -> Vec<Index> {
    let mut indexes = Vec::new();
    for (name, at) in named(cx, at, "indexes by name") {
        let Some(mut object) = Object::open(cx, &at, "an index") else { continue };
        indexes.push(Index {
            name: name.to_owned(),
            description: object.optional(cx, "description", text),
            kind: IndexKind::Global,
            partition_key: object.required(cx, "partition_key", key_attributes).unwrap_or_default(),
            sort_key: object.optional(cx, "sort_key", key_attributes).unwrap_or_default(),
            projection: object
                .optional(cx, "projection", projection)
                .unwrap_or(IndexProjection::All),
            billing: object.optional(cx, "billing", billing),
        });
        object.finish(cx);
    }
    indexes
}

/// `"PK"`, or `{ name = "Id", type = "N" }`.
fn key_attribute(cx: &mut Context<'_>, at: &At<'_>) -> Option<KeyAttribute> {
    if let Content::String(_) = at.node.content {
        return Some(KeyAttribute { name: text(cx, at)?, kind: KeyType::String });
    }
    let mut object = Object::open(cx, at, "a name, or a table of name and type")?;
    let name = object.required(cx, "name", text);
    let kind = object.required(cx, "type", |cx, at| choice(cx, at, KEY_TYPES));
    object.finish(cx);
    Some(KeyAttribute { name: name?, kind: kind? })
}

/// One key attribute, or a list of them.
fn key_attributes(cx: &mut Context<'_>, at: &At<'_>) -> Option<Vec<KeyAttribute>> {
    match at.elements() {
        None => key_attribute(cx, at).map(|key| vec![key]),
        Some(elements) if elements.is_empty() => {
            cx.error(at, "bad-value", "a key has at least one attribute");
            None
        }
        Some(elements) => {
            Some(elements.iter().filter_map(|element| key_attribute(cx, element)).collect())
        }
    }
}

fn projection(cx: &mut Context<'_>, at: &At<'_>) -> Option<IndexProjection> {
    match &at.node.content {
        Content::String(word) if word == "all" => Some(IndexProjection::All),
        Content::String(word) if word == "keys-only" => Some(IndexProjection::KeysOnly),
        Content::List(_) => texts(cx, at).map(IndexProjection::Include),
        Content::String(_)
        | Content::Null
        | Content::Bool(_)
        | Content::Number(_)
        | Content::Map(_) => {
            cx.error(at, "bad-value", "expected \"all\", \"keys-only\" or a list of attributes");
            None
        }
    }
}

fn billing(cx: &mut Context<'_>, at: &At<'_>) -> Option<Billing> {
    if let Content::String(_) = at.node.content {
        return choice(cx, at, &[("on-demand", Billing::OnDemand)]);
    }
    let mut object =
        Object::open(cx, at, "\"on-demand\", or a table of read_units and write_units")?;
    let read_units = object.required(cx, "read_units", count);
    let write_units = object.required(cx, "write_units", count);
    object.finish(cx);
    Some(Billing::Provisioned { read_units: read_units?, write_units: write_units? })
}
