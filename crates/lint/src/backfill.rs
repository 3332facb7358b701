//! Backfills: patterns that read a table and write each item that they find.

use monotable_model::document::{Entity, Model, Operation, Pattern};

use super::pattern_write::{PatternWrite, writes_of};

/// A pattern that scans and writes what it finds.
#[derive(Debug, Clone)]
pub(super) struct Backfill<'m> {
    /// The pattern with the steps.
    pub(super) pattern: &'m Pattern,
    /// The step that scans.
    pub(super) scan: &'m Pattern,
    /// The writes of the steps that follow, of entities that are scanned.
    pub(super) writes: Vec<PatternWrite<'m>>,
}

/// All backfills of a model.
pub(super) fn backfills(model: &Model) -> Vec<Backfill<'_>> {
    let patterns = model.patterns.iter().filter(|pattern| pattern.operation == Operation::Steps);
    patterns.filter_map(|pattern| backfill(model, pattern)).collect()
}

fn backfill<'m>(model: &'m Model, pattern: &'m Pattern) -> Option<Backfill<'m>> {
    let steps =
        || pattern.steps.iter().filter_map(|step| Some((step, model.pattern(&step.pattern)?)));
    let (_, scan) = steps().find(|(_, part)| part.operation == Operation::Scan)?;
    let repeated = steps().filter(|(step, _)| step.each.is_some());
    let writes: Vec<PatternWrite<'m>> = repeated
        .flat_map(|(_, part)| writes_of(model, part))
        .filter(|write| write.stores() && is_scanned(model, scan, write.entity))
        .collect();
    (!writes.is_empty()).then_some(Backfill { pattern, scan, writes })
}

/// Whether a scan returns an entity, or one that is the same items in another state.
fn is_scanned(model: &Model, scan: &Pattern, entity: &Entity) -> bool {
    let base = |entity: &Entity| entity.variant_of.clone().unwrap_or_else(|| entity.name.clone());
    let mut scanned = scan.entities.iter().filter_map(|name| model.entity(name));
    scanned.any(|other| base(other) == base(entity))
}
