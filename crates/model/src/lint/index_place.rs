//! Where an index stands in a model.

use crate::diagnostic::Place;
use crate::document::{Index, IndexScope, Table};

/// The place of an index: `tables.Shop.global_indexes.GSI1`.
pub(super) fn index_place(table: &Table, index: &Index) -> Place {
    let member = match index.scope {
        IndexScope::Local => "local_indexes",
        IndexScope::Global => "global_indexes",
    };
    Place::table(&table.name).member(member).member(&index.name)
}
