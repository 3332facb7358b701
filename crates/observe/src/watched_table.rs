//! A table of a model, ready to be watched.

use monotable_model::document::{Model, Table};

use crate::call::PageCall;
use crate::entity_forms::EntityForms;
use crate::item_check::ItemCheck;
use crate::page_shape::PageShape;
use crate::shape::Choice;
use crate::watched_keys::WatchedKeys;

/// See the module.
#[derive(Debug)]
pub(crate) struct WatchedTable {
    /// What the service calls it.
    pub(crate) name: String,
    /// The position of the table in its model.
    pub(crate) position: usize,
    /// The number of the table among the tables and indexes of the model. Those of its indexes
    /// follow.
    pub(crate) first_part: usize,
    pub(crate) forms: EntityForms,
    pub(crate) check: ItemCheck,
    pub(crate) pages: Vec<PageShape>,
    /// Of the table itself.
    pub(crate) keys: WatchedKeys,
    /// Of its indexes, by their names.
    pub(crate) index_keys: Vec<(String, WatchedKeys)>,
}

impl WatchedTable {
    pub(crate) fn new(model: &Model, position: usize, table: &Table) -> WatchedTable {
        let indexes = table.indexes.iter();
        let before = model.tables.iter().take(position);
        WatchedTable {
            name: table.physical_name().to_owned(),
            position,
            first_part: before.map(|table| 1 + table.indexes.len()).sum(),
            forms: EntityForms::new(model, table),
            check: ItemCheck::new(model, table),
            pages: Vec::new(),
            keys: WatchedKeys::default(),
            index_keys: indexes.map(|index| (index.name.clone(), WatchedKeys::default())).collect(),
        }
    }

    /// The pattern of a query or scan.
    pub(crate) fn choose(&self, call: &PageCall<'_>) -> Choice {
        let rated = self.pages.iter();
        Choice::best(rated.filter_map(|shape| Some((shape.pattern, shape.likeness(call)?))))
    }

    /// The number of the table or of one of its indexes.
    pub(crate) fn part_of(&self, index: Option<&str>) -> usize {
        let of_index = |name| self.index_keys.iter().position(|(known, _)| known == name);
        self.first_part + index.and_then(of_index).map_or(0, |position| 1 + position)
    }

    /// The keys of the table, or of one of its indexes.
    pub(crate) fn keys_of(&self, index: Option<&str>) -> Option<&WatchedKeys> {
        let Some(name) = index else { return Some(&self.keys) };
        self.index_keys.iter().find(|(known, _)| known == name).map(|(_, keys)| keys)
    }
}
