//! The tables and indexes that the requests of a pattern ask.

use std::collections::BTreeSet;

use monotable_model::document::Model;
use monotable_plan::{PlannedAction, PlannedRequest};

/// A table, by its position in the model, or an index of it.
pub(crate) type AskedPart = (usize, Option<String>);

/// Adds those of a request, and of its members if it is a batch or a transaction.
pub(crate) fn add_parts(parts: &mut BTreeSet<AskedPart>, model: &Model, request: &PlannedRequest) {
    request.action.members().iter().for_each(|member| add_parts(parts, model, member));
    let is_group = !request.action.members().is_empty();
    for table in tables_of(request).filter(|_| !is_group) {
        if let Some(position) = model.tables.iter().position(|own| own.name == *table) {
            parts.insert((position, index_of(request)));
        }
    }
}

/// The tables that a request is sent to, by their names in the model.
pub(crate) fn tables_of(request: &PlannedRequest) -> impl Iterator<Item = &String> {
    let named = request.fan_out.iter().filter_map(|fan_out| fan_out.tables());
    named.flatten().chain([&request.target.table])
}

/// The index that is read; single items are those of the table.
fn index_of(request: &PlannedRequest) -> Option<String> {
    match &request.action {
        PlannedAction::Query(_) | PlannedAction::Scan(_) => request.target.index.clone(),
        PlannedAction::Get(_)
        | PlannedAction::Put(_)
        | PlannedAction::Update(_)
        | PlannedAction::Delete(_)
        | PlannedAction::Check(_)
        | PlannedAction::Fetch
        | PlannedAction::BatchGet(_)
        | PlannedAction::BatchWrite(_)
        | PlannedAction::TransactGet(_)
        | PlannedAction::TransactWrite(_) => None,
    }
}
