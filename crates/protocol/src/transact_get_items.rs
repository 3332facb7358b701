//! `TransactGetItems`: reads items as they are at one moment.

use std::collections::BTreeMap;

use crate::shapes::ConsumedCapacity;
use crate::value::{ResponseItem, StoredItem};

wire_struct! {
    /// The request of `TransactGetItems`.
    pub struct TransactGetItemsRequest: Decode {
        /// What to read.
        pub transact_items: Vec<TransactGetItem> = "TransactItems",
        /// `INDEXES`, `TOTAL` or `NONE`.
        pub return_consumed_capacity: String = "ReturnConsumedCapacity",
    }
}

wire_struct! {
    /// The response of `TransactGetItems`.
    pub struct TransactGetItemsResponse: Encode {
        /// What the request consumed on each table, if asked for.
        pub consumed_capacity: Vec<ConsumedCapacity> = "ConsumedCapacity",
        /// One entry for each item asked for, in that order.
        pub responses: Vec<ItemResponse> = "Responses",
    }
}

wire_struct! {
    /// One read.
    pub struct TransactGetItem: Decode {
        /// The item to read.
        pub get: Get = "Get",
    }
}

wire_struct! {
    /// An item to read.
    pub struct Get: Decode {
        /// The item's key.
        pub key: StoredItem = "Key",
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// The document paths to return.
        pub projection_expression: String = "ProjectionExpression",
        /// What the expressions' `#names` stand for.
        pub expression_attribute_names: BTreeMap<String, String> = "ExpressionAttributeNames",
    }
}

wire_struct! {
    /// The answer to one read.
    pub struct ItemResponse: Encode {
        /// The item, if there is one.
        pub item: ResponseItem = "Item",
    }
}
