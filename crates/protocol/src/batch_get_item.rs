//! `BatchGetItem`: reads items of one or more tables by their keys.

use std::collections::BTreeMap;

use crate::shapes::ConsumedCapacity;
use crate::value::{ResponseItem, StoredItem};

wire_struct! {
    /// The request of `BatchGetItem`.
    pub struct BatchGetItemRequest: Decode {
        /// What to read, by table.
        pub request_items: BTreeMap<String, KeysAndAttributes> = "RequestItems",
        /// `INDEXES`, `TOTAL` or `NONE`.
        pub return_consumed_capacity: String = "ReturnConsumedCapacity",
    }
}

wire_struct! {
    /// The response of `BatchGetItem`.
    pub struct BatchGetItemResponse: Encode {
        /// The items that were found, by table.
        pub responses: BTreeMap<String, Vec<ResponseItem>> = "Responses",
        /// What was not read and should be asked for again, by table.
        pub unprocessed_keys: BTreeMap<String, KeysAndAttributes> = "UnprocessedKeys",
        /// What the request consumed on each table, if asked for.
        pub consumed_capacity: Vec<ConsumedCapacity> = "ConsumedCapacity",
    }
}

wire_struct! {
    /// What to read of one table.
    pub struct KeysAndAttributes: Decode + Encode {
        /// The keys of the items.
        pub keys: Vec<StoredItem> = "Keys",
        /// The attributes to return, from before expressions.
        pub attributes_to_get: Vec<String> = "AttributesToGet",
        /// Whether to see every write that was acknowledged.
        pub consistent_read: bool = "ConsistentRead",
        /// The document paths to return.
        pub projection_expression: String = "ProjectionExpression",
        /// What the expressions' `#names` stand for.
        pub expression_attribute_names: BTreeMap<String, String> = "ExpressionAttributeNames",
    }
}
