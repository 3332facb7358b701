//! Collections: an enum for each set of entities that a query finds together.

use std::fmt::Write as _;

use monotable_model::document::{Entity, Table};
use monotable_model::template::{Segment, Template};

use super::identifier::{field_name, literal, type_name};
use super::key::{EntityKey, keys_of};
use super::kind::Kind;
use crate::renaming::rename;

/// An enum of entities.
pub(super) struct CollectionEnum {
    pub(super) name: String,
    index: Option<String>,
    table_name: String,
    members: Vec<String>,
    pub(super) source: String,
}

/// The collections of the code.
#[derive(Default)]
pub(super) struct Collections(Vec<CollectionEnum>);

/// The key by which a collection is read, and whose it is.
pub(super) struct CollectionKey<'m> {
    pub(super) entity: &'m Entity,
    pub(super) key: EntityKey<'m>,
}

impl Collections {
    /// The enum of these entities, which is made if there is none.
    pub(super) fn take(
        &mut self,
        table: &Table,
        table_name: &str,
        by: &CollectionKey<'_>,
        entities: &[&Entity],
    ) -> Option<String> {
        let index = by.key.index.map(str::to_owned);
        let members: Vec<String> = specific_first(entities);
        let same = self
            .0
            .iter()
            .find(|it| it.index == index && it.table_name == table_name && it.members == members);
        if let Some(known) = same {
            return Some(known.name.clone());
        }
        let joined = entities.iter().map(|it| type_name(&it.name)).collect::<Vec<_>>().join("Or");
        let is_taken = self.0.iter().any(|it| it.name == joined);
        let name = match &index {
            Some(index) if is_taken => format!("{joined}In{}", type_name(index)),
            Some(_) | None if is_taken => format!("{joined}In{table_name}"),
            Some(_) | None => joined,
        };
        let source = write(&name, table, table_name, by, entities, &members)?;
        let table_name = table_name.to_owned();
        self.0.push(CollectionEnum { name: name.clone(), index, table_name, members, source });
        Some(name)
    }

    /// The source of all enums.
    pub(super) fn sources(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|it| it.source.as_str())
    }
}

/// Entities that require more are asked first, whether an item is theirs.
fn specific_first(entities: &[&Entity]) -> Vec<String> {
    let mut sorted: Vec<&Entity> = entities.to_vec();
    let required = |entity: &Entity| entity.attributes.iter().filter(|it| it.required).count();
    sorted.sort_by_key(|entity| std::cmp::Reverse(required(entity)));
    sorted.iter().map(|entity| type_name(&entity.name)).collect()
}

fn write(
    name: &str,
    table: &Table,
    table_name: &str,
    by: &CollectionKey<'_>,
    entities: &[&Entity],
    members: &[String],
) -> Option<String> {
    let [partition] = by.key.keys.partition.as_slice() else { return None };
    let template = rename(partition, &|name| field_name(name))?;
    let mut arguments = vec![table_name.to_owned()];
    if let Some(index) = by.key.index {
        let parts = by.key.partition().into_iter().filter_map(|part| {
            let attribute = by.entity.attribute(&part)?;
            let kind = Kind::of(by.entity, attribute).owned();
            Some(format!("{}: {kind}", field_name(&part)))
        });
        arguments.push(format!("index = {}", type_name(index)));
        arguments.push(format!("parts({})", parts.collect::<Vec<_>>().join(", ")));
    }
    arguments.push(format!("pk = {}", literal(&template.to_string())));
    if overlaps(table, by.key.index, entities) {
        arguments.push("mixed".to_owned());
    }
    let mut out = String::new();
    let _ = writeln!(out, "/// What {} holds together: {}.", place(by), members.join(", "));
    out.push_str("#[derive(Collection, Debug, Clone, PartialEq)]\n");
    let line = format!("#[collection({})]", arguments.join(", "));
    if line.len() <= 100 {
        let _ = writeln!(out, "{line}");
    } else {
        let _ = writeln!(out, "#[collection(\n    {}\n)]", arguments.join(",\n    "));
    }
    let _ = writeln!(out, "pub enum {name} {{");
    for member in members {
        let _ = writeln!(out, "    /// The entity [`{member}`].\n    {member}({member}),");
    }
    out.push_str("}\n\n");
    Some(out)
}

fn place(by: &CollectionKey<'_>) -> String {
    by.key.index.map_or_else(|| "a partition".to_owned(), |it| format!("a partition of `{it}`"))
}

/// Whether the sort keys of two of them begin alike.
fn overlaps(table: &Table, index: Option<&str>, entities: &[&Entity]) -> bool {
    let prefixes: Vec<String> = entities
        .iter()
        .map(|entity| {
            let keys = keys_of(table, entity);
            let key = keys.iter().find(|key| key.index == index);
            key.and_then(|key| key.keys.sort.first()).map(prefix).unwrap_or_default()
        })
        .collect();
    let pairs = prefixes
        .iter()
        .enumerate()
        .flat_map(|(at, one)| prefixes.iter().skip(at + 1).map(move |other| (one, other)));
    let mut alike = pairs.map(|(one, other)| one.starts_with(other) || other.starts_with(one));
    alike.any(|is_alike| is_alike)
}

fn prefix(template: &Template) -> String {
    match template.segments().first() {
        Some(Segment::Literal(text)) => text.clone(),
        Some(Segment::Attribute(_) | Segment::Shard(_)) | None => String::new(),
    }
}
