//! What is known besides the model.

use monotable_item::Item;
use monotable_model::document::{Model, Tree};

/// What the linter is given besides the model.
#[derive(Debug, Default)]
pub struct Evidence<'a> {
    /// Items of a table or an export; the samples stand in if there are none.
    pub items: Option<Vec<StoredItem>>,
    /// Recorded requests, in the order in which they were made.
    pub requests: &'a [RecordedRequest],
    /// What the recording is called: the path of its file.
    pub recording: Option<String>,
    /// The model as it was before.
    pub before: Option<&'a Model>,
}

/// An item of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredItem {
    /// The table, by its name in the model.
    pub table: String,
    /// Its attributes.
    pub item: Item,
}

/// A request that an application made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedRequest {
    /// Its place in the recording, from 1: the line of a file.
    pub line: usize,
    /// The operation, such as `Query`.
    pub operation: String,
    /// The request as it was sent.
    pub body: Tree,
    /// The answer, if it was recorded.
    pub response: Option<Tree>,
    /// Which connection it came by, if that was recorded.
    pub connection: Option<String>,
    /// When it was made, as the recording says it, if it does.
    pub at: Option<String>,
}

/// The items that the samples make. A sample that makes none is reported by its own rule.
pub(super) fn sample_items(model: &Model) -> Vec<StoredItem> {
    let stored = |sample: &monotable_model::document::Sample| {
        let entity = model.entity(&sample.entity)?;
        let table = sample.table.as_ref().or(entity.tables.first())?.clone();
        Some(StoredItem { table, item: model.item_of_sample(sample).ok()? })
    };
    model.samples.iter().filter_map(stored).collect()
}
