//! Why a backend did not do what was asked.

use monotable_item::Item;

/// A refused or failed request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct BackendError {
    /// What the caller can do about it.
    pub kind: ErrorKind,
    /// The service's code, such as `ResourceNotFoundException`.
    pub code: String,
    /// The service's message.
    pub message: String,
}

/// What a caller can do about a failed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorKind {
    /// The condition of a write did not hold.
    ConditionFailed {
        /// The item as it is, if the request asked for it and there is one.
        item: Option<Box<Item>>,
    },
    /// A transaction was given up.
    TransactionCancelled {
        /// One reason per action, in the order of the actions.
        reasons: Vec<CancellationReason>,
    },
    /// A transaction is writing the same item; the request may be sent again.
    Conflict,
    /// Too much was asked in too little time; the request may be sent again later.
    Throttled,
    /// The request is wrong.
    Validation,
    /// The table or index does not exist.
    NotFound,
    /// The table exists already, or is being changed.
    InUse,
    /// The service could not be reached or could not answer; whether a write happened is unknown.
    Unavailable,
    /// Anything else.
    Other,
}

/// Why one action kept a transaction from happening.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CancellationReason {
    /// Such as `ConditionalCheckFailed`; `None` for an action that would have succeeded.
    pub code: Option<String>,
    /// The service's message, if there is one.
    pub message: Option<String>,
    /// The item as it is, if the action asked for it and there is one.
    pub item: Option<Item>,
}

impl CancellationReason {
    /// Returns whether the action's own condition did not hold.
    pub fn is_failed_condition(&self) -> bool {
        self.code.as_deref() == Some("ConditionalCheckFailed")
    }
}
