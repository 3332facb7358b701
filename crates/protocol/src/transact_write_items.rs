//! `TransactWriteItems`: does several writes, or none of them.

use std::collections::BTreeMap;

use crate::shapes::{ConsumedCapacity, ItemCollectionMetrics};
use crate::value::{StoredItem, WireItem};

wire_struct! {
    /// The request of `TransactWriteItems`.
    pub struct TransactWriteItemsRequest: Decode {
        /// What to do.
        pub transact_items: Vec<TransactWriteItem> = "TransactItems",
        /// `INDEXES`, `TOTAL` or `NONE`.
        pub return_consumed_capacity: String = "ReturnConsumedCapacity",
        /// `SIZE` or `NONE`.
        pub return_item_collection_metrics: String = "ReturnItemCollectionMetrics",
        /// The token that makes repeating the request safe.
        pub client_request_token: String = "ClientRequestToken",
    }
}

wire_struct! {
    /// The response of `TransactWriteItems`.
    pub struct TransactWriteItemsResponse: Encode {
        /// What the request consumed on each table, if asked for.
        pub consumed_capacity: Vec<ConsumedCapacity> = "ConsumedCapacity",
        /// The sizes of item collections by table, if asked for.
        pub item_collection_metrics: BTreeMap<String, Vec<ItemCollectionMetrics>>
            = "ItemCollectionMetrics",
    }
}

wire_struct! {
    /// One action; exactly one member is expected. Each has its own place, because all four
    /// together are large and a list of actions is moved as it grows.
    pub struct TransactWriteItem: Decode + Encode {
        /// Checks an item and leaves it alone.
        pub condition_check: Box<ConditionCheck> = "ConditionCheck",
        /// Puts an item.
        pub put: Box<Put> = "Put",
        /// Deletes an item.
        pub delete: Box<Delete> = "Delete",
        /// Updates an item.
        pub update: Box<Update> = "Update",
    }
}

wire_struct! {
    /// A condition on an item that the transaction does not write.
    pub struct ConditionCheck: Decode + Encode {
        /// The item's key.
        pub key: StoredItem = "Key",
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// What must hold for the transaction to happen.
        pub condition_expression: String = "ConditionExpression",
        /// What the expressions' `#names` stand for.
        pub expression_attribute_names: BTreeMap<String, String> = "ExpressionAttributeNames",
        /// What the expressions' `:values` stand for.
        pub expression_attribute_values: WireItem = "ExpressionAttributeValues",
        /// `ALL_OLD` or `NONE`: what to return of an item that fails the condition.
        pub return_values_on_condition_check_failure: String
            = "ReturnValuesOnConditionCheckFailure",
    }
}

wire_struct! {
    /// An item to put.
    pub struct Put: Decode + Encode {
        /// The item to write.
        pub item: StoredItem = "Item",
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// What must hold for the transaction to happen.
        pub condition_expression: String = "ConditionExpression",
        /// What the expressions' `#names` stand for.
        pub expression_attribute_names: BTreeMap<String, String> = "ExpressionAttributeNames",
        /// What the expressions' `:values` stand for.
        pub expression_attribute_values: WireItem = "ExpressionAttributeValues",
        /// `ALL_OLD` or `NONE`: what to return of an item that fails the condition.
        pub return_values_on_condition_check_failure: String
            = "ReturnValuesOnConditionCheckFailure",
    }
}

wire_struct! {
    /// An item to delete.
    pub struct Delete: Decode + Encode {
        /// The item's key.
        pub key: StoredItem = "Key",
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// What must hold for the transaction to happen.
        pub condition_expression: String = "ConditionExpression",
        /// What the expressions' `#names` stand for.
        pub expression_attribute_names: BTreeMap<String, String> = "ExpressionAttributeNames",
        /// What the expressions' `:values` stand for.
        pub expression_attribute_values: WireItem = "ExpressionAttributeValues",
        /// `ALL_OLD` or `NONE`: what to return of an item that fails the condition.
        pub return_values_on_condition_check_failure: String
            = "ReturnValuesOnConditionCheckFailure",
    }
}

wire_struct! {
    /// An item to update.
    pub struct Update: Decode + Encode {
        /// The item's key.
        pub key: StoredItem = "Key",
        /// What to change.
        pub update_expression: String = "UpdateExpression",
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// What must hold for the transaction to happen.
        pub condition_expression: String = "ConditionExpression",
        /// What the expressions' `#names` stand for.
        pub expression_attribute_names: BTreeMap<String, String> = "ExpressionAttributeNames",
        /// What the expressions' `:values` stand for.
        pub expression_attribute_values: WireItem = "ExpressionAttributeValues",
        /// `ALL_OLD` or `NONE`: what to return of an item that fails the condition.
        pub return_values_on_condition_check_failure: String
            = "ReturnValuesOnConditionCheckFailure",
    }
}
