//! How much a pattern reads before anything is filtered, as far as the model says.

use monotable_model::document::{Index, Model, Operation, Pattern, Table};
use monotable_model::template::Template;
use monotable_plan::cost::count_together;
use monotable_plan::{PlannedAction, PlannedRequest, Target};

use super::Subject;
use super::cardinality::{item_count, spread};

/// What is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RowsRead {
    pub(super) rows: f64,
    pub(super) bytes: f64,
}

/// What a query or scan reads in one run; nothing if the model does not say how much there is.
pub(super) fn rows_read(
    subject: &Subject<'_>,
    pattern: &Pattern,
    request: &PlannedRequest,
) -> Option<RowsRead> {
    let index = request.target.index.as_deref();
    let row_bytes = |name: &str| {
        let mut entities = subject.estimate.entities.iter();
        entities.find(|cost| cost.name == name).map(|cost| cost.size.row_bytes(index) as f64)
    };
    if pattern.operation == Operation::Scan {
        return arm_read(subject, &request.target);
    }
    let PlannedAction::Query(query) = &request.action else { return None };
    let entities = pattern.entities.iter().map(String::as_str).chain(query.collection.leaks());
    let mut read = RowsRead { rows: 0.0, bytes: 0.0 };
    for name in entities {
        let rows = in_collection(subject.model, pattern, name)
            .or_else(|| in_partition(subject, &request.target, name))?;
        read.rows += rows;
        read.bytes += rows * row_bytes(name)?;
    }
    Some(read)
}

/// How many of an entity lie together: one of those that are the many of no relationship, unless
/// nothing is said.
fn in_collection(model: &Model, pattern: &Pattern, name: &str) -> Option<f64> {
    if model.relationships.iter().any(|one| one.counted() == name) {
        return count_together(model, name, pattern);
    }
    model.relationships.iter().any(|one| one.from == name).then_some(1.0)
}

/// How many of an entity have one partition key, if the model says how many there are and over how
/// many keys they are spread.
fn in_partition(subject: &Subject<'_>, target: &Target, name: &str) -> Option<f64> {
    let table = subject.model.table(&target.table)?;
    let index = target.index.as_deref().and_then(|name| table.index(name));
    let entity = subject.model.entity(name)?;
    let spread = spread(subject, table, index, entity).filter(|spread| !spread.is_period)?;
    Some(item_count(subject, table, index, entity)? / spread.keys)
}

/// All that a table or index holds.
pub(super) fn arm_read(subject: &Subject<'_>, target: &Target) -> Option<RowsRead> {
    let index = target.index.as_deref();
    let costs = subject.estimate.entities.iter().filter(|cost| cost.table == target.table);
    let mut read = RowsRead { rows: 0.0, bytes: 0.0 };
    for cost in costs {
        let share = match index {
            None => 1.0,
            Some(index) => cost.size.entry(index).map_or(0.0, |entry| entry.share),
        };
        let rows = cost.size.count.unwrap_or_default() * share;
        read.rows += rows;
        read.bytes += rows * cost.size.row_bytes(index) as f64;
    }
    (read.rows > 0.0).then_some(read)
}

/// Whether an index is made to hold only some items of its table.
pub(super) fn is_sparse(model: &Model, table: &Table, index: &Index) -> bool {
    model.entities_in(table).any(|entity| {
        let Some(keys) = entity.index_key(&index.name) else { return true };
        let templates = keys.keys.partition.iter().chain(&keys.keys.sort);
        let mut paths = templates.flat_map(Template::paths);
        let may_lack = paths
            .any(|path| entity.attribute(&path.root).is_none_or(|attribute| !attribute.required));
        keys.when.is_some() || may_lack
    })
}
