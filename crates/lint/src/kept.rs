//! What a model has in common with the one before it.

use monotable_model::document::{Entity, Table};

use super::Subject;
use super::backfill::backfills;

/// The tables that were there before, and as they were.
pub(super) fn kept_tables<'a>(subject: &Subject<'a>) -> Vec<(&'a Table, &'a Table)> {
    let Some(before) = subject.before else { return Vec::new() };
    let tables = subject.model.tables.iter();
    tables.filter_map(|table| Some((before.table(&table.name)?, table))).collect()
}

/// The entities whose items were there before, and as they were.
pub(super) fn kept_entities<'a>(subject: &Subject<'a>) -> Vec<(&'a Entity, &'a Entity)> {
    let Some(before) = subject.before else { return Vec::new() };
    let has_items = |entity: &&Entity| !entity.is_embedded() && entity.count != Some(0);
    let entities = subject.model.entities.iter();
    let kept = entities
        .filter_map(|entity| Some((before.entity(&entity.name).filter(has_items)?, entity)));
    kept.collect()
}

/// Whether the model says that the items of an entity are brought up to date: its version was
/// raised, or a backfill writes them.
pub(super) fn is_migrated(subject: &Subject<'_>, before: &Entity, after: &Entity) -> bool {
    let is_written = |name: &str| name == after.name || after.variant_of.as_deref() == Some(name);
    let backfills = backfills(subject.model);
    let mut writes = backfills.iter().flat_map(|backfill| &backfill.writes);
    after.version > before.version || writes.any(|write| is_written(&write.entity.name))
}
