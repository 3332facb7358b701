//! `Query`: reads items of one partition key, in the order of their sort keys.

use std::collections::BTreeMap;

use crate::shapes::{Condition, PageResponse};
use crate::value::WireItem;

wire_struct! {
    /// The request of `Query`.
    pub struct QueryRequest: Decode {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// The index to read instead of the table.
        pub index_name: String = "IndexName",
        /// `ALL_ATTRIBUTES`, `ALL_PROJECTED_ATTRIBUTES`, `SPECIFIC_ATTRIBUTES` or `COUNT`.
        pub select: String = "Select",
        /// The attributes to return, from before expressions.
        pub attributes_to_get: Vec<String> = "AttributesToGet",
        /// The most items to evaluate.
        pub limit: i32 = "Limit",
        /// Whether to see every write that was acknowledged.
        pub consistent_read: bool = "ConsistentRead",
        /// Which keys to read, from before expressions.
        pub key_conditions: BTreeMap<String, Condition> = "KeyConditions",
        /// A filter from before expressions, by attribute.
        pub query_filter: BTreeMap<String, Condition> = "QueryFilter",
        /// `AND` or `OR`: how conditions from before expressions join.
        pub conditional_operator: String = "ConditionalOperator",
        /// Whether sort keys ascend, as they do unless told otherwise.
        pub scan_index_forward: bool = "ScanIndexForward",
        /// The key after which the page starts.
        pub exclusive_start_key: WireItem = "ExclusiveStartKey",
        /// `INDEXES`, `TOTAL` or `NONE`.
        pub return_consumed_capacity: String = "ReturnConsumedCapacity",
        /// The document paths to return.
        pub projection_expression: String = "ProjectionExpression",
        /// What must hold for an item to be returned.
        pub filter_expression: String = "FilterExpression",
        /// Which keys to read.
        pub key_condition_expression: String = "KeyConditionExpression",
        /// What the expressions' `#names` stand for.
        pub expression_attribute_names: BTreeMap<String, String> = "ExpressionAttributeNames",
        /// What the expressions' `:values` stand for.
        pub expression_attribute_values: WireItem = "ExpressionAttributeValues",
    }
}

/// The response of `Query`.
pub type QueryResponse = PageResponse;
