//! Operations on tables.

use monotable_item::Type;

use super::TableName;

/// Makes a table.
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
    /// How the table is paid for.
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
    /// Whether it has partitions of its own.
    pub scope: IndexScope,
    /// The index's key.
    pub key: KeySchema,
    /// What it holds of the items.
    pub projection: Projection,
}

/// Whether an index has partitions of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexScope {
    /// It has.
    Global,
    /// It shares the table's.
    Local,
}

/// What an index holds of the items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Projection {
    /// Everything.
    All,
    /// The keys of table and index.
    KeysOnly,
    /// The keys and these attributes.
    Include(Vec<String>),
}

/// How a table is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Billing {
    /// By request.
    OnDemand,
    /// By units per second, for the table and for each global index.
    Provisioned {
        /// Read units per second.
        read_units: u64,
        /// Write units per second.
        write_units: u64,
    },
}

/// What a stream record holds of the item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamView {
    /// The key.
    KeysOnly,
    /// The item after the write.
    NewImage,
    /// The item before the write.
    OldImage,
    /// Both.
    NewAndOldImages,
}

/// Describes a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeTable {
    /// The table.
    pub table: TableName,
}

/// Removes a table.
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
