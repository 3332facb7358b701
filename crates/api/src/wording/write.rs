//! Texts for writes that did not happen.

use bytes::Bytes;
use monotable_database::{KeyError, Objection, WriteError};
use monotable_protocol::ResponseItem;
use monotable_protocol::error_response::CancellationReason;

use super::value::NESTING;
use super::{expression, key};
use crate::error::{ApiError, Code};
use crate::validate::enums::ReturnOnFailure;

/// The text for an item that a put would make too large.
pub(crate) const PUT_TOO_LARGE: &str = "Item size has exceeded the maximum allowed size";
/// The text for an item that an update would make too large.
pub(crate) const UPDATE_TOO_LARGE: &str =
    "Item size to update has exceeded the maximum allowed size";

/// Words why a write did not happen.
pub(crate) fn word(error: WriteError, on_failure: ReturnOnFailure) -> ApiError {
    match error {
        WriteError::SchemaChanged => ApiError::out_of_date(),
        WriteError::ConditionFailed { existing } => {
            ApiError::conditional_check_failed(returned(existing, on_failure))
        }
        WriteError::ItemTooLarge { .. } => ApiError::validation(UPDATE_TOO_LARGE),
        WriteError::ItemTooDeep => ApiError::validation(NESTING),
        WriteError::Update(error) => expression::update(&error),
        WriteError::IndexKey(error) => key::of_update(&error),
        WriteError::CollectionTooLarge => ApiError::item_collection_too_large(),
        WriteError::Refused(objection) => refused(&objection),
        WriteError::Storage(error) => error.into(),
        other => ApiError::internal(&other),
    }
}

/// Words why one write of a transaction is to blame for its cancellation, or gives the error that
/// answers the whole transaction.
pub(crate) fn reason(
    error: WriteError,
    on_failure: ReturnOnFailure,
) -> Result<CancellationReason, ApiError> {
    if let WriteError::ConditionFailed { existing } = error {
        return Ok(CancellationReason {
            code: Some("ConditionalCheckFailed".to_owned()),
            message: Some("The conditional request failed".to_owned()),
            item: returned(existing, on_failure).map(ResponseItem::Stored),
        });
    }
    // DynamoDB knows no models, and so no reason for it: the whole transaction is refused.
    if let WriteError::Refused(objection) = &error {
        return Err(refused(objection));
    }
    let is_empty_key = matches!(&error, WriteError::IndexKey(error) if is_empty(error));
    let error = word(error, on_failure);
    match error.code() {
        Code::Validation if !is_empty_key => Ok(validation_reason(&error)),
        Code::ItemCollectionSizeLimitExceeded => {
            Ok(named_reason("ItemCollectionSizeLimitExceeded", &error))
        }
        _ => Err(error),
    }
}

/// The answer to a write that would make an item which does not fit the model of its table.
fn refused(objection: &Objection) -> ApiError {
    ApiError::validation(format!("The item does not fit the model of its table: {objection}"))
}

/// The reason of a write that is not valid.
pub(crate) fn validation_reason(error: &ApiError) -> CancellationReason {
    named_reason("ValidationError", error)
}

/// The reason of a write that is not to blame.
pub(crate) fn no_reason() -> CancellationReason {
    CancellationReason { code: Some("None".to_owned()), ..CancellationReason::default() }
}

/// The reason of a write that is to blame by this code.
pub(crate) fn named_reason(code: &str, error: &ApiError) -> CancellationReason {
    CancellationReason {
        code: Some(code.to_owned()),
        message: error.message().map(str::to_owned),
        item: None,
    }
}

fn is_empty(error: &KeyError) -> bool {
    matches!(error.problem, monotable_database::KeyProblem::Empty(_))
}

fn returned(existing: Option<Bytes>, on_failure: ReturnOnFailure) -> Option<Bytes> {
    match on_failure {
        ReturnOnFailure::AllOld => existing,
        ReturnOnFailure::None => None,
    }
}
