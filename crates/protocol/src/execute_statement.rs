//! `ExecuteStatement`: runs a PartiQL statement.

use monotable_item::Item;

use crate::shapes::ConsumedCapacity;
use crate::value::{ResponseItem, WireValue};

wire_struct! {
    /// The request of `ExecuteStatement`.
    pub struct ExecuteStatementRequest: Decode {
        /// The statement.
        pub statement: String = "Statement",
        /// The values of its parameters.
        pub parameters: Vec<WireValue> = "Parameters",
        /// Whether to see every write that was acknowledged.
        pub consistent_read: bool = "ConsistentRead",
        /// Where the page before ended.
        pub next_token: String = "NextToken",
        /// `INDEXES`, `TOTAL` or `NONE`.
        pub return_consumed_capacity: String = "ReturnConsumedCapacity",
        /// The most items to evaluate.
        pub limit: i32 = "Limit",
        /// `ALL_OLD` to return the item that fails the condition.
        pub return_values_on_condition_check_failure: String =
            "ReturnValuesOnConditionCheckFailure",
    }
}

wire_struct! {
    /// The response of `ExecuteStatement`.
    pub struct ExecuteStatementResponse: Encode {
        /// The items that a read found, or what a write returns.
        pub items: Vec<ResponseItem> = "Items",
        /// What leads to the next page, if there may be one.
        pub next_token: String = "NextToken",
        /// What the request consumed, if asked for.
        pub consumed_capacity: ConsumedCapacity = "ConsumedCapacity",
        /// The key of the last item that was evaluated, if there may be more.
        pub last_evaluated_key: Item = "LastEvaluatedKey",
    }
}
