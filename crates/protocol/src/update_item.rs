//! `UpdateItem`: changes attributes of an item, or makes the item.

use std::collections::BTreeMap;

use crate::shapes::{
    AttributeValueUpdate, ConsumedCapacity, ExpectedAttributeValue, ItemCollectionMetrics,
};
use crate::value::{ResponseItem, StoredItem, WireItem};

wire_struct! {
    /// The request of `UpdateItem`.
    pub struct UpdateItemRequest: Decode {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// The item's key.
        pub key: StoredItem = "Key",
        /// Updates from before expressions, by attribute.
        pub attribute_updates: BTreeMap<String, AttributeValueUpdate> = "AttributeUpdates",
        /// Conditions from before expressions, by attribute.
        pub expected: BTreeMap<String, ExpectedAttributeValue> = "Expected",
        /// `AND` or `OR`: how conditions from before expressions join.
        pub conditional_operator: String = "ConditionalOperator",
        /// What to return of the item: `NONE`, `ALL_OLD` and so on.
        pub return_values: String = "ReturnValues",
        /// `INDEXES`, `TOTAL` or `NONE`.
        pub return_consumed_capacity: String = "ReturnConsumedCapacity",
        /// `SIZE` or `NONE`.
        pub return_item_collection_metrics: String = "ReturnItemCollectionMetrics",
        /// What to change.
        pub update_expression: String = "UpdateExpression",
        /// What must hold for the write to happen.
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
    /// The response of `UpdateItem`.
    pub struct UpdateItemResponse: Encode {
        /// The attributes that were asked for.
        pub attributes: ResponseItem = "Attributes",
        /// What the request consumed, if asked for.
        pub consumed_capacity: ConsumedCapacity = "ConsumedCapacity",
        /// The size of the item collection, if asked for.
        pub item_collection_metrics: ItemCollectionMetrics = "ItemCollectionMetrics",
    }
}
