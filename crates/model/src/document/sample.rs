//! Sample data: items to show and to test with.

use monotable_item::Item;

/// One item of sample data.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Its entity.
    pub entity: String,
    /// Its table, where the entity is in several.
    pub table: Option<String>,
    /// Indexes whose keys it lacks on purpose, such as those that a backfill is to add.
    pub without: Vec<String>,
    /// The shard that its writer has chosen; of templates that leave it to the writer, the first if
    /// nothing is said.
    pub shard: Option<u32>,
    /// The attributes, by their names in the model. Keys are built from the templates.
    pub attributes: Item,
}
