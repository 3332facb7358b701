//! Operations on one item.

use monotable_item::Item;

use super::{CapacityDetail, ConsumedCapacity, Names, TableName, Values};

/// Reads one item.
#[derive(Debug, Clone, PartialEq)]
pub struct GetItem {
    /// The table.
    pub table: TableName,
    /// The item's key.
    pub key: Item,
    /// Whether to see every write that was acknowledged.
    pub consistent: bool,
    /// The document paths to return; the whole item without it.
    pub projection: Option<String>,
    /// What the projection's `#names` stand for.
    pub names: Names,
    /// How much to report of what the request consumes.
    pub capacity: CapacityDetail,
}

/// What [`GetItem`] found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GetItemOutcome {
    /// The item, if there is one.
    pub item: Option<Item>,
    /// What the request consumed, if asked for.
    pub consumed: Option<ConsumedCapacity>,
}

/// Which state of the item a write returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReturnValues {
    /// None.
    #[default]
    None,
    /// The item as it was before.
    AllOld,
    /// The item as it is now; [`UpdateItem`] only.
    AllNew,
    /// The changed attributes as they were before; [`UpdateItem`] only.
    UpdatedOld,
    /// The changed attributes as they are now; [`UpdateItem`] only.
    UpdatedNew,
}

/// Writes a whole item, replacing any item with the same key.
#[derive(Debug, Clone, PartialEq)]
pub struct PutItem {
    /// The table.
    pub table: TableName,
    /// The item.
    pub item: Item,
    /// What must hold of the item that is there.
    pub condition: Option<String>,
    /// What the condition's `#names` stand for.
    pub names: Names,
    /// What the condition's `:values` stand for.
    pub values: Values,
    /// What to return: [`ReturnValues::None`] or [`ReturnValues::AllOld`].
    pub returns: ReturnValues,
    /// Whether a failed condition carries the item.
    pub item_on_failure: bool,
    /// How much to report of what the request consumes.
    pub capacity: CapacityDetail,
}

/// Changes an item, or creates it if there is none.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateItem {
    /// The table.
    pub table: TableName,
    /// The item's key.
    pub key: Item,
    /// The update expression.
    pub update: String,
    /// What must hold of the item that is there.
    pub condition: Option<String>,
    /// What the expressions' `#names` stand for.
    pub names: Names,
    /// What the expressions' `:values` stand for.
    pub values: Values,
    /// What to return.
    pub returns: ReturnValues,
    /// Whether a failed condition carries the item.
    pub item_on_failure: bool,
    /// How much to report of what the request consumes.
    pub capacity: CapacityDetail,
}

/// Removes an item.
#[derive(Debug, Clone, PartialEq)]
pub struct DeleteItem {
    /// The table.
    pub table: TableName,
    /// The item's key.
    pub key: Item,
    /// What must hold of the item that is there.
    pub condition: Option<String>,
    /// What the condition's `#names` stand for.
    pub names: Names,
    /// What the condition's `:values` stand for.
    pub values: Values,
    /// What to return: [`ReturnValues::None`] or [`ReturnValues::AllOld`].
    pub returns: ReturnValues,
    /// Whether a failed condition carries the item.
    pub item_on_failure: bool,
    /// How much to report of what the request consumes.
    pub capacity: CapacityDetail,
}

/// What [`PutItem`], [`UpdateItem`] and [`DeleteItem`] answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WriteOutcome {
    /// The attributes that were asked for, if there are any.
    pub attributes: Option<Item>,
    /// What the request consumed, if asked for.
    pub consumed: Option<ConsumedCapacity>,
}
