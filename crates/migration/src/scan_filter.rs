//! The filter of the scan that reads the items of a migration: the fewer items come, the less is
//! sent.
//!
//! A filter does not make a scan cheaper, since it is applied to what was read; it spares the way.
//! It may let too much pass, and never too little.

use std::collections::{BTreeMap, BTreeSet};

use monotable_item::Value;
use monotable_model::document::{Entity, Model};
use monotable_model::template::Segment;

use super::entity_migration::EntityMigration;
use super::table_migration::Migration;

/// More entities than this are read without a filter.
const ENTITIES_MAX: usize = 50;

/// A filter expression with what its placeholders stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanFilter {
    /// The expression.
    pub expression: String,
    /// Attributes by their `#placeholders`.
    pub names: BTreeMap<String, String>,
    /// Values by their `:placeholders`.
    pub values: BTreeMap<String, Value>,
}

/// The filter that lets every item pass that a migration may have to change; nothing if all items
/// may be.
pub fn scan_filter(old: &Model, new: &Model, migration: &Migration<'_>) -> Option<ScanFilter> {
    let entities = affected(old, new, migration.entities());
    if entities.is_empty() || entities.len() > ENTITIES_MAX {
        return None;
    }
    match (&migration.old_table.type_attribute, &migration.table.type_attribute) {
        (Some(before), Some(after)) if before == after => Some(by_type(after, &entities)),
        _ => by_key(&migration.table.partition_key.name, &entities),
    }
}

/// The entities whose items change, and what they were.
fn affected<'m>(old: &'m Model, new: &'m Model, migrations: &[EntityMigration]) -> Vec<&'m Entity> {
    let sources = migrations.iter().filter_map(|one| old.entity(&one.source));
    let entities = migrations.iter().filter_map(|one| new.entity(&one.entity));
    sources.chain(entities).collect()
}

/// By the type attribute; an item that lacks it may be of any entity.
fn by_type(attribute: &str, entities: &[&Entity]) -> ScanFilter {
    let types: BTreeSet<&str> = entities.iter().map(|entity| entity.type_value()).collect();
    let values = numbered(types.into_iter());
    let placeholders: Vec<&str> = values.keys().map(String::as_str).collect();
    let list = placeholders.join(", ");
    ScanFilter {
        expression: format!("#type IN ({list}) OR attribute_not_exists(#type)"),
        names: BTreeMap::from([("#type".to_owned(), attribute.to_owned())]),
        values,
    }
}

/// By the text that partition keys begin with, if all of them do.
fn by_key(attribute: &str, entities: &[&Entity]) -> Option<ScanFilter> {
    let mut beginnings = BTreeSet::new();
    for entity in entities {
        let template = entity.key.as_ref()?.partition.first()?;
        let Some(Segment::Literal(text)) = template.segments().first() else { return None };
        beginnings.insert(text.as_str());
    }
    let values = numbered(beginnings.into_iter());
    let conditions: Vec<String> =
        values.keys().map(|placeholder| format!("begins_with(#key, {placeholder})")).collect();
    Some(ScanFilter {
        expression: conditions.join(" OR "),
        names: BTreeMap::from([("#key".to_owned(), attribute.to_owned())]),
        values,
    })
}

fn numbered<'a>(texts: impl Iterator<Item = &'a str>) -> BTreeMap<String, Value> {
    texts.enumerate().map(|(number, text)| (format!(":e{number}"), Value::from(text))).collect()
}
