//! What the API refuses, as clients of a backend see it.

use monotable::backend::{BackendError, CancellationReason, ErrorKind};
use monotable_api::ApiError;
use monotable_item::stored::CorruptItem;
use monotable_protocol::error_response;

/// The code of a transaction's action that is not to blame for its cancellation.
const NOT_TO_BLAME: &str = "None";

/// An answer that is an error.
pub(super) fn refused(mut error: ApiError) -> BackendError {
    if error.is_unanswered() {
        return BackendError::unanswered("a fault closed the connection");
    }
    let mut refusal =
        BackendError::of_service(error.code().name(), error.message().unwrap_or_default());
    match &mut refusal.kind {
        ErrorKind::ConditionFailed { item } => {
            // An item that cannot be read is left out: the condition failed all the same.
            let existing = error.take_item().and_then(|item| item.into_item().ok());
            *item = existing.map(Box::new);
        }
        ErrorKind::TransactionCancelled { reasons } => {
            *reasons = error.take_cancellation_reasons().into_iter().map(reason).collect();
        }
        ErrorKind::Conflict
        | ErrorKind::Throttled
        | ErrorKind::Validation
        | ErrorKind::NotFound
        | ErrorKind::InUse
        | ErrorKind::Unavailable
        | ErrorKind::Other => {}
    }
    refusal
}

/// An answer that holds an item which cannot be read.
pub(super) fn corrupt(corrupt: CorruptItem) -> BackendError {
    refused(ApiError::internal(&corrupt))
}

fn reason(reason: error_response::CancellationReason) -> CancellationReason {
    CancellationReason {
        code: reason.code.filter(|code| code != NOT_TO_BLAME),
        message: reason.message,
        item: reason.item.and_then(|item| item.into_item().ok()),
    }
}
