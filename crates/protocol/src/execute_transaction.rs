//! `ExecuteTransaction`: runs PartiQL statements, all or none.

use crate::shapes::ConsumedCapacity;
use crate::transact_get_items::ItemResponse;
use crate::value::WireValue;

wire_struct! {
    /// The request of `ExecuteTransaction`.
    pub struct ExecuteTransactionRequest: Decode {
        /// The statements.
        pub transact_statements: Vec<ParameterizedStatement> = "TransactStatements",
        /// What makes a request that is sent again happen once.
        pub client_request_token: String = "ClientRequestToken",
        /// `INDEXES`, `TOTAL` or `NONE`.
        pub return_consumed_capacity: String = "ReturnConsumedCapacity",
    }
}

wire_struct! {
    /// A statement of the transaction.
    pub struct ParameterizedStatement: Decode {
        /// The statement.
        pub statement: String = "Statement",
        /// The values of its parameters.
        pub parameters: Vec<WireValue> = "Parameters",
        /// `ALL_OLD` to return the item that fails the condition.
        pub return_values_on_condition_check_failure: String =
            "ReturnValuesOnConditionCheckFailure",
    }
}

wire_struct! {
    /// The response of `ExecuteTransaction`.
    pub struct ExecuteTransactionResponse: Encode {
        /// One entry for each read, in their order; nothing for writes.
        pub responses: Vec<ItemResponse> = "Responses",
        /// What the request consumed on each table, if asked for.
        pub consumed_capacity: Vec<ConsumedCapacity> = "ConsumedCapacity",
    }
}
