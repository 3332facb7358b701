//! Operations on many items together.

use monotable_item::Item;

use super::{CapacityDetail, ConsumedCapacity, Names, TableName, Values};

/// Reads up to 100 items as of one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactGetItems {
    /// What to read.
    pub gets: Vec<TransactGet>,
    /// How much to report of what the request consumes.
    pub capacity: CapacityDetail,
}

/// One read of a transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactGet {
    /// The table.
    pub table: TableName,
    /// The item's key.
    pub key: Item,
    /// The document paths to return; the whole item without it.
    pub projection: Option<String>,
    /// What the projection's `#names` stand for.
    pub names: Names,
}

/// What [`TransactGetItems`] found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TransactGetItemsOutcome {
    /// The item of each read, in the order of the reads.
    pub items: Vec<Option<Item>>,
    /// What the request consumed on each table, if asked for.
    pub consumed: Vec<ConsumedCapacity>,
}

/// Does up to 100 writes and checks together, or none of them.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactWriteItems {
    /// What to do.
    pub actions: Vec<TransactWrite>,
    /// The token that makes repeating the request safe.
    pub token: Option<String>,
    /// How much to report of what the request consumes.
    pub capacity: CapacityDetail,
}

/// One action of a transaction.
#[derive(Debug, Clone, PartialEq)]
pub enum TransactWrite {
    /// Checks an item and leaves it alone.
    Check {
        /// The table.
        table: TableName,
        /// The item's key.
        key: Item,
        /// What must hold of the item.
        condition: String,
        /// What the condition's `#names` stand for.
        names: Names,
        /// What the condition's `:values` stand for.
        values: Values,
        /// Whether a failed condition carries the item.
        item_on_failure: bool,
    },
    /// Puts an item.
    Put {
        /// The table.
        table: TableName,
        /// The item.
        item: Item,
        /// What must hold of the item that is there.
        condition: Option<String>,
        /// What the condition's `#names` stand for.
        names: Names,
        /// What the condition's `:values` stand for.
        values: Values,
        /// Whether a failed condition carries the item.
        item_on_failure: bool,
    },
    /// Changes an item.
    Update {
        /// The table.
        table: TableName,
        /// The item's key.
        key: Item,
        /// The update expression.
        update: String,
        /// What must hold of the item that is there.
        condition: Option<String>,
        /// What the expressions' `#names` stand for.
        names: Names,
        /// What the expressions' `:values` stand for.
        values: Values,
        /// Whether a failed condition carries the item.
        item_on_failure: bool,
    },
    /// Removes an item.
    Delete {
        /// The table.
        table: TableName,
        /// The item's key.
        key: Item,
        /// What must hold of the item that is there.
        condition: Option<String>,
        /// What the condition's `#names` stand for.
        names: Names,
        /// What the condition's `:values` stand for.
        values: Values,
        /// Whether a failed condition carries the item.
        item_on_failure: bool,
    },
}

impl TransactWrite {
    /// What it is on: the item that it puts, or the key of one.
    pub(crate) fn item_or_key(&self) -> &Item {
        match self {
            TransactWrite::Put { item, .. } => item,
            TransactWrite::Check { key, .. }
            | TransactWrite::Update { key, .. }
            | TransactWrite::Delete { key, .. } => key,
        }
    }
}

/// What [`TransactWriteItems`] answers when everything was done.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TransactWriteItemsOutcome {
    /// What the request consumed on each table, if asked for.
    pub consumed: Vec<ConsumedCapacity>,
}
