//! Names inside entities.

use monotable_item::Path;

use super::Findings;
use crate::diagnostic::{Diagnostic, Place};
use crate::document::{Attribute, Entity, IndexKind, KeyAttribute, PeriodName, Table};
use crate::template::{Segment, Template};

pub(super) fn check(findings: &mut Findings<'_>) {
    for entity in &findings.model.entities {
        let place = Place::entity(&entity.name);
        tables(findings, entity, &place);
        keys(findings, entity, &place);
        attribute_names(findings, entity, &place);
        entity_names(findings, entity, &place);
        for attribute in &entity.attributes {
            copy_of(findings, attribute, &place.member("attributes").member(&attribute.name));
        }
    }
}

fn tables(findings: &mut Findings<'_>, entity: &Entity, place: &Place) {
    let model = findings.model;
    let member = if entity.tables.len() == 1 { "table" } else { "tables" };
    for name in &entity.tables {
        if model.table(name).is_none() {
            let names = model.tables.iter().map(|table| table.name.as_str());
            let message = format!("there is no table {name}");
            findings.unknown("unknown-table", &place.member(member), message, name, names);
        }
    }
    match (entity.is_embedded(), entity.key.is_some()) {
        (false, false) if model.tables_of(entity).next().is_some() => {
            let message = format!("{} has no key", entity.name);
            let suggestion = "add key, or embedded_in if it is a part of other items";
            findings.report(
                Diagnostic::error("missing-member", place.clone(), message)
                    .with_suggestion(suggestion),
            );
        }
        (true, true) => {
            let message = format!("{} is embedded, and so has no key", entity.name);
            findings.report(Diagnostic::error("bad-value", place.member("key"), message));
        }
        (false, _) | (true, false) => {}
    }
}

/// The key in every table, and in every index of them.
fn keys(findings: &mut Findings<'_>, entity: &Entity, place: &Place) {
    let model = findings.model;
    for table in model.tables_of(entity) {
        if let Some(key) = &entity.key {
            let place = place.member("key");
            let partition = std::slice::from_ref(&table.partition_key);
            side(findings, entity, (partition, &key.partition), &place.member("partition"));
            let sort = table.sort_key.as_slice();
            side(findings, entity, (sort, &key.sort), &place.member("sort"));
        }
        if let Some(name) = &table.period_name {
            period(findings, entity, table, name);
        }
        expiry(findings, entity, table, &place.member("ttl"));
        indexes(findings, entity, table, &place.member("indexes"));
    }
}

/// The attribute by which items expire: an item expires by that of its table and by no other.
fn expiry(findings: &mut Findings<'_>, entity: &Entity, table: &Table, place: &Place) {
    let attribute = entity.ttl.as_ref().and_then(|name| entity.attribute(name));
    let Some(stored) = attribute.map(Attribute::item_name) else { return };
    let of_table = match &table.ttl {
        Some(name) if name == stored => return,
        Some(name) => format!("table {} expires items by {name}", table.name),
        None => format!("table {} expires no items", table.name),
    };
    let message = format!("items expire by {stored} here, and {of_table}");
    let suggestion = format!("write ttl = \"{stored}\" at the table, or leave it out here");
    findings
        .report(Diagnostic::error("bad-value", place.clone(), message).with_suggestion(suggestion));
}

/// The attribute that says which of the tables for periods an item is in.
fn period(findings: &mut Findings<'_>, entity: &Entity, table: &Table, name: &PeriodName) {
    let place = Place::table(&table.name).member("name");
    if entity.tables.len() > 1 {
        let message = format!(
            "{} is in several tables, and {} is one for each {}: an entity has one such table \
             alone",
            entity.name,
            table.name,
            name.bucket().code()
        );
        let place = Place::entity(&entity.name).member("tables");
        findings.report(Diagnostic::error("bad-value", place, message));
    }
    parts(findings, entity, name.template(), &place);
}

fn indexes(findings: &mut Findings<'_>, entity: &Entity, table: &Table, place: &Place) {
    for keys in &entity.indexes {
        let place = place.member(&keys.index);
        let Some(index) = table.index(&keys.index) else {
            let names = table.indexes.iter().map(|index| index.name.as_str());
            let message = format!("table {} has no index {}", table.name, keys.index);
            findings.unknown("unknown-index", &place, message, &keys.index, names);
            continue;
        };
        if index.kind == IndexKind::Global {
            let partition = (index.partition_key.as_slice(), &keys.keys.partition);
            side(findings, entity, (partition.0, partition.1), &place.member("partition"));
        }
        side(findings, entity, (&index.sort_key, &keys.keys.sort), &place.member("sort"));
    }
}

/// One side of a key: as many templates as attributes, each of the attribute's type.
fn side(
    findings: &mut Findings<'_>,
    entity: &Entity,
    (attributes, templates): (&[KeyAttribute], &Vec<Template>),
    place: &Place,
) {
    if attributes.len() != templates.len() {
        let (wanted, found) = (attributes.len(), templates.len());
        let message = format!("the key has {wanted} attributes here, and {found} templates");
        findings.report(Diagnostic::error("bad-value", place.clone(), message));
        return;
    }
    for (key, template) in attributes.iter().zip(templates) {
        let (is, wanted) = (template.key_type(), key.kind.value_type());
        if is != wanted {
            let message =
                format!("the template gives {}, and {} is {}", is.code(), key.name, wanted.code());
            let mut diagnostic = Diagnostic::error("wrong-type", place.clone(), message);
            diagnostic.suggestion = whole_key_hint(template, wanted);
            findings.report(diagnostic);
        }
        parts(findings, entity, template, place);
    }
}

/// How a key that is no text is written.
fn whole_key_hint(template: &Template, wanted: monotable_item::Type) -> Option<String> {
    let path = template.paths().next()?;
    match wanted {
        monotable_item::Type::Number => Some(format!("write {{{path}:number}}")),
        monotable_item::Type::Binary => Some(format!("write {{{path}:binary}}")),
        _ => None,
    }
}

/// The attributes of a template: they exist, and can be written as it says.
fn parts(findings: &mut Findings<'_>, entity: &Entity, template: &Template, place: &Place) {
    let written = template.to_string();
    for segment in template.segments() {
        for path in segment.paths() {
            let part = part_of(&written, path);
            let Some(attribute) = entity.attribute(&path.root) else {
                let names = entity.attributes.iter().map(|attribute| attribute.name.as_str());
                let message = format!("{} has no attribute {}", entity.name, path.root);
                let mut diagnostic = Diagnostic::error("unknown-attribute", place.clone(), message)
                    .with_nearest(&path.root, names);
                diagnostic.part = part;
                findings.report(diagnostic);
                continue;
            };
            encoding(findings, attribute, segment, path, place);
        }
    }
}

fn encoding(
    findings: &mut Findings<'_>,
    attribute: &Attribute,
    segment: &Segment,
    path: &Path,
    place: &Place,
) {
    let Some(part) = segment.attribute().filter(|_| path.is_attribute()) else { return };
    let types = part.encoding.value_types();
    if types.contains(&attribute.kind) {
        return;
    }
    let codes: Vec<&str> = types.iter().map(|kind| kind.code()).collect();
    let message = format!(
        "this form of {path} is for {}, and {path} is {}",
        codes.join(" or "),
        attribute.kind.code()
    );
    let mut diagnostic = Diagnostic::error("wrong-type", place.clone(), message);
    if attribute.kind == monotable_item::Type::Number {
        diagnostic.suggestion = Some(format!(
            "write {{{path}:06}} with as many digits as it can have, or {{{path}:plain}}"
        ));
    }
    findings.report(diagnostic);
}

/// Where a path stands in a template.
fn part_of(template: &str, path: &Path) -> Option<std::ops::Range<usize>> {
    let name = path.to_string();
    let start =
        template.find(&format!("{{{name}")).map(|start| start + 1).or(template.find(&name))?;
    Some(start..start + name.len())
}

/// Members that name attributes of the entity itself.
fn attribute_names(findings: &mut Findings<'_>, entity: &Entity, place: &Place) {
    let members = [
        ("lock", &entity.lock),
        ("ttl", &entity.ttl),
        ("created", &entity.created),
        ("touched", &entity.touched),
    ];
    for (member, name) in members {
        if let Some(name) = name {
            findings.attribute(entity, name, &place.member(member));
        }
    }
    if let Some(copies) = &entity.copies {
        findings.attribute(entity, &copies.attribute, &place.member("copies").member("attribute"));
    }
    for (index, unique) in entity.unique.iter().enumerate() {
        let place = place.member("unique").index(index);
        findings.attribute(entity, &unique.attribute, &place.member("attribute"));
        findings.entity(&unique.by, &place.member("by"));
    }
}

/// Members that name other entities.
fn entity_names(findings: &mut Findings<'_>, entity: &Entity, place: &Place) {
    if let Some(name) = &entity.variant_of {
        let place = place.member("variant_of");
        let base = findings.entity(name, &place);
        if name == &entity.name || base.is_some_and(|base| base.variant_of.is_some()) {
            let message = "a variant is of an entity that is no variant itself";
            findings.report(Diagnostic::error("bad-value", place, message));
        }
    }
    if let Some(name) = &entity.copy_of {
        findings.entity(name, &place.member("copy_of"));
    }
    for embedded in &entity.embedded_in {
        let place = place.member("embedded_in");
        if let Some(outer) = findings.entity(&embedded.entity, &place) {
            findings.attribute(outer, &embedded.attribute, &place);
        }
    }
}

fn copy_of(findings: &mut Findings<'_>, attribute: &Attribute, place: &Place) {
    let Some(of) = &attribute.copy_of else { return };
    let place = place.member("copy_of");
    if let Some(entity) = findings.entity(&of.entity, &place) {
        findings.attribute(entity, &of.attribute, &place);
    }
}
