//! `GetItem`: reads one item.

use std::collections::BTreeMap;

use crate::shapes::ConsumedCapacity;
use crate::value::{ResponseItem, StoredItem};

wire_struct! {
    /// The request of `GetItem`.
    pub struct GetItemRequest: Decode {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// The item's key.
        pub key: StoredItem = "Key",
        /// The attributes to return, from before expressions.
        pub attributes_to_get: Vec<String> = "AttributesToGet",
        /// Whether to see every write that was acknowledged.
        pub consistent_read: bool = "ConsistentRead",
        /// `INDEXES`, `TOTAL` or `NONE`.
        pub return_consumed_capacity: String = "ReturnConsumedCapacity",
        /// The document paths to return.
        pub projection_expression: String = "ProjectionExpression",
        /// What the expressions' `#names` stand for.
        pub expression_attribute_names: BTreeMap<String, String> = "ExpressionAttributeNames",
    }
}

wire_struct! {
    /// The response of `GetItem`.
    pub struct GetItemResponse: Encode {
        /// The item, if there is one.
        pub item: ResponseItem = "Item",
        /// What the request consumed, if asked for.
        pub consumed_capacity: ConsumedCapacity = "ConsumedCapacity",
    }
}
