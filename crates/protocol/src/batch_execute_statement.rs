//! `BatchExecuteStatement`: runs PartiQL statements, each for itself.

use crate::shapes::ConsumedCapacity;
use crate::value::{ResponseItem, WireValue};

wire_struct! {
    /// The request of `BatchExecuteStatement`.
    pub struct BatchExecuteStatementRequest: Decode {
        /// The statements.
        pub statements: Vec<BatchStatementRequest> = "Statements",
        /// `INDEXES`, `TOTAL` or `NONE`.
        pub return_consumed_capacity: String = "ReturnConsumedCapacity",
    }
}

wire_struct! {
    /// A statement of the batch.
    pub struct BatchStatementRequest: Decode {
        /// The statement.
        pub statement: String = "Statement",
        /// The values of its parameters.
        pub parameters: Vec<WireValue> = "Parameters",
        /// Whether to see every write that was acknowledged.
        pub consistent_read: bool = "ConsistentRead",
        /// `ALL_OLD` or `NONE`; a batch returns the item in no case.
        pub return_values_on_condition_check_failure: String =
            "ReturnValuesOnConditionCheckFailure",
    }
}

wire_struct! {
    /// The response of `BatchExecuteStatement`.
    pub struct BatchExecuteStatementResponse: Encode {
        /// One entry for each statement, in their order.
        pub responses: Vec<BatchStatementResponse> = "Responses",
        /// What the request consumed on each table, if asked for.
        pub consumed_capacity: Vec<ConsumedCapacity> = "ConsumedCapacity",
    }
}

wire_struct! {
    /// The answer to one statement.
    pub struct BatchStatementResponse: Encode {
        /// Why it failed, if it did.
        pub error: BatchStatementError = "Error",
        /// Its table, if it ran.
        pub table_name: String = "TableName",
        /// The item that it found or returns.
        pub item: ResponseItem = "Item",
    }
}

wire_struct! {
    /// Why a statement failed.
    pub struct BatchStatementError: Encode {
        /// `ValidationError`, `ConditionalCheckFailed` and so on.
        pub code: String = "Code",
        /// The text.
        pub message: String = "Message",
    }
}
