//! Operations on tables.

use monotable_item::Type;
use monotable_model::document::{Billing, IndexKind, IndexProjection, StreamView};

use super::TableName;

/// Creates a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateTable {
    /// The table.
    pub table: TableName,
    /// The types of the attributes that stand in keys: strings, numbers or binaries.
    pub attributes: Vec<(String, Type)>,
    /// The table's key.
    pub key: KeySchema,
    /// The secondary indexes.
    pub indexes: Vec<IndexDescription>,
    /// How the table is billed.
    pub billing: Billing,
    /// What the stream holds, if there is one.
    pub stream: Option<StreamView>,
}

/// The attributes of a key, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeySchema {
    /// One attribute; up to four in a global index.
    pub partition: Vec<String>,
    /// None or one attribute; up to four in a global index.
    pub sort: Vec<String>,
}

/// A secondary index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexDescription {
    /// The index's name.
    pub name: String,
    /// Local or global.
    pub kind: IndexKind,
    /// The index's key.
    pub key: KeySchema,
    /// Which attributes of the items it holds.
    pub projection: IndexProjection,
}

/// Describes a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeTable {
    /// The table.
    pub table: TableName,
}

/// Deletes a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeleteTable {
    /// The table.
    pub table: TableName,
}

/// Names the attribute by which items expire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateTimeToLive {
    /// The table.
    pub table: TableName,
    /// The attribute that holds seconds since 1970.
    pub attribute: String,
    /// Whether items expire.
    pub enabled: bool,
}

/// What a table can be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableStatus {
    /// Nothing yet.
    Creating,
    /// Everything.
    Active,
    /// Items; a setting is being changed.
    Updating,
    /// Nothing any more.
    Deleting,
    /// Nothing: any status that is not named here.
    Unusable,
}

/// A table as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDescription {
    /// The table.
    pub table: String,
    /// What it can be used for.
    pub status: TableStatus,
    /// The types of the attributes that stand in keys.
    pub attributes: Vec<(String, Type)>,
    /// The table's key.
    pub key: KeySchema,
    /// The secondary indexes.
    pub indexes: Vec<IndexDescription>,
    /// How many items it held when it was last counted.
    pub item_count: u64,
}
