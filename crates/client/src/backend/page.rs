//! Operations that read a page of items.

use monotable_item::Item;

use super::{CapacityDetail, ConsumedCapacity, Names, TableName, Values};

/// Which attributes of its items a page holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Select {
    /// Those that the table or index holds.
    #[default]
    Projected,
    /// All attributes; a local index fetches what it lacks.
    All,
    /// None: only the number of items.
    Count,
}

/// Reads a page of one partition of a table or index.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The table.
    pub table: TableName,
    /// The index to read instead of the table.
    pub index: Option<String>,
    /// Which keys to read.
    pub key_condition: String,
    /// What must hold of an item to be returned.
    pub filter: Option<String>,
    /// The document paths to return.
    pub projection: Option<String>,
    /// What the expressions' `#names` stand for.
    pub names: Names,
    /// What the expressions' `:values` stand for.
    pub values: Values,
    /// Which attributes the page holds, if there is no projection.
    pub select: Select,
    /// Whether sort keys ascend.
    pub forward: bool,
    /// The most items to evaluate.
    pub limit: Option<u32>,
    /// The key after which the page starts.
    pub start_after: Option<Item>,
    /// Whether to see every write that was acknowledged.
    pub consistent: bool,
    /// How much to report of what the request consumes.
    pub capacity: CapacityDetail,
}

/// One part of a parallel scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// Which part, from 0.
    pub number: u32,
    /// How many parts there are.
    pub of: u32,
}

/// Reads a page of a table or index, over all partitions.
#[derive(Debug, Clone, PartialEq)]
pub struct Scan {
    /// The table.
    pub table: TableName,
    /// The index to read instead of the table.
    pub index: Option<String>,
    /// What must hold of an item to be returned.
    pub filter: Option<String>,
    /// The document paths to return.
    pub projection: Option<String>,
    /// What the expressions' `#names` stand for.
    pub names: Names,
    /// What the expressions' `:values` stand for.
    pub values: Values,
    /// Which attributes the page holds, if there is no projection.
    pub select: Select,
    /// The part of a parallel scan.
    pub segment: Option<Segment>,
    /// The most items to evaluate.
    pub limit: Option<u32>,
    /// The key after which the page starts.
    pub start_after: Option<Item>,
    /// Whether to see every write that was acknowledged.
    pub consistent: bool,
    /// How much to report of what the request consumes.
    pub capacity: CapacityDetail,
}

/// What [`Query`] and [`Scan`] found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PageOutcome {
    /// The items of the page.
    pub items: Vec<Item>,
    /// How many items passed the filter.
    pub count: u64,
    /// How many items were evaluated.
    pub scanned_count: u64,
    /// Where the next page starts, if there may be one.
    pub last_key: Option<Item>,
    /// What the request consumed, if asked for.
    pub consumed: Option<ConsumedCapacity>,
}
