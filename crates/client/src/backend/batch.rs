//! Operations on many items, independent of each other.

use std::collections::BTreeMap;

use monotable_item::Item;

use super::{CapacityDetail, ConsumedCapacity, Names, TableName};

/// Reads up to 100 items.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchGetItem {
    /// What to read, by table.
    pub tables: BTreeMap<TableName, KeysToGet>,
    /// How much to report of what the request consumes.
    pub capacity: CapacityDetail,
}

/// What to read of one table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KeysToGet {
    /// The keys of the items.
    pub keys: Vec<Item>,
    /// Whether to see every write that was acknowledged.
    pub consistent: bool,
    /// The document paths to return; whole items without it.
    pub projection: Option<String>,
    /// What the projection's `#names` stand for.
    pub names: Names,
}

/// What [`BatchGetItem`] found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BatchGetItemOutcome {
    /// The items, by table, in no order.
    pub items: BTreeMap<TableName, Vec<Item>>,
    /// What was not read and should be asked for again.
    pub unprocessed: BTreeMap<TableName, KeysToGet>,
    /// What the request consumed on each table, if asked for.
    pub consumed: Vec<ConsumedCapacity>,
}

/// Writes up to 25 items, independently of each other.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchWriteItem {
    /// What to write, by table.
    pub tables: BTreeMap<TableName, Vec<WriteOne>>,
    /// How much to report of what the request consumes.
    pub capacity: CapacityDetail,
}

/// One write of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteOne {
    /// Puts this item.
    Put(Item),
    /// Removes the item with this key.
    Delete(Item),
}

/// What [`BatchWriteItem`] did not do.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BatchWriteItemOutcome {
    /// What was not written and should be sent again.
    pub unprocessed: BTreeMap<TableName, Vec<WriteOne>>,
    /// What the request consumed on each table, if asked for.
    pub consumed: Vec<ConsumedCapacity>,
}
