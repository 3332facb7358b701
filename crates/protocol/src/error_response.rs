//! The body of an answer that is an error.

use crate::value::ResponseItem;

wire_struct! {
    /// An error. DynamoDB spells the name of the text differently from error to error.
    pub struct ErrorResponse: Encode {
        /// The error's full name, such as
        /// `com.amazonaws.dynamodb.v20120810#ResourceNotFoundException`.
        pub error_type: String = "__type",
        /// The text, for most errors.
        pub message: String = "message",
        /// The text, for errors of serialization, authentication and transactions.
        pub message_capitalized: String = "Message",
        /// The item that failed a condition.
        pub item: ResponseItem = "Item",
        /// Why a transaction was cancelled: an entry for each action, in their order.
        pub cancellation_reasons: Vec<CancellationReason> = "CancellationReasons",
        /// Why a request was throttled.
        pub throttling_reasons: Vec<ThrottlingReason> = "ThrottlingReasons",
        /// The same, of a `ThrottlingException`.
        pub throttling_reasons_lower: Vec<ThrottlingReason> = "throttlingReasons",
    }
}

wire_struct! {
    /// What one action had to do with the cancellation of its transaction.
    pub struct CancellationReason: Encode {
        /// The item that failed the action's condition.
        pub item: ResponseItem = "Item",
        /// `None`, `ConditionalCheckFailed` and so on.
        pub code: String = "Code",
        /// The text, if the action was to blame.
        pub message: String = "Message",
    }
}

wire_struct! {
    /// What limit was met, and of what.
    pub struct ThrottlingReason: Encode {
        /// The limit, such as `TableReadProvisionedThroughputExceeded`.
        pub reason: String = "reason",
        /// The Amazon resource name of the table or index.
        pub resource: String = "resource",
    }
}
