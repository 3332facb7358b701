//! `Scan`: reads all items of a table or index, or a segment of them.

use std::collections::BTreeMap;

use crate::shapes::{Condition, PageResponse};
use crate::value::WireItem;

wire_struct! {
    /// The request of `Scan`.
    pub struct ScanRequest: Decode {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// The index to read instead of the table.
        pub index_name: String = "IndexName",
        /// The attributes to return, from before expressions.
        pub attributes_to_get: Vec<String> = "AttributesToGet",
        /// The most items to evaluate.
        pub limit: i32 = "Limit",
        /// `ALL_ATTRIBUTES`, `ALL_PROJECTED_ATTRIBUTES`, `SPECIFIC_ATTRIBUTES` or `COUNT`.
        pub select: String = "Select",
        /// A filter from before expressions, by attribute.
        pub scan_filter: BTreeMap<String, Condition> = "ScanFilter",
        /// `AND` or `OR`: how conditions from before expressions join.
        pub conditional_operator: String = "ConditionalOperator",
        /// The key after which the page starts.
        pub exclusive_start_key: WireItem = "ExclusiveStartKey",
        /// `INDEXES`, `TOTAL` or `NONE`.
        pub return_consumed_capacity: String = "ReturnConsumedCapacity",
        /// How many parts a parallel scan has.
        pub total_segments: i32 = "TotalSegments",
        /// Which of the parts to scan, from 0.
        pub segment: i32 = "Segment",
        /// The document paths to return.
        pub projection_expression: String = "ProjectionExpression",
        /// What must hold for an item to be returned.
        pub filter_expression: String = "FilterExpression",
        /// What the expressions' `#names` stand for.
        pub expression_attribute_names: BTreeMap<String, String> = "ExpressionAttributeNames",
        /// What the expressions' `:values` stand for.
        pub expression_attribute_values: WireItem = "ExpressionAttributeValues",
        /// Whether to see every write that was acknowledged.
        pub consistent_read: bool = "ConsistentRead",
    }
}

/// The response of `Scan`.
pub type ScanResponse = PageResponse;
