//! What the SDK reports, as clients of a backend see it.

use std::collections::HashMap;

use aws_sdk_dynamodb::config::http::HttpResponse;
use aws_sdk_dynamodb::error::{BuildError, DisplayErrorContext, ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::transact_get_items::TransactGetItemsError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::error::{
    ConditionalCheckFailedException, TransactionCanceledException,
};
use aws_sdk_dynamodb::types::{self, AttributeValue};
use monotable_item::Item;

use super::value;
use crate::backend::{BackendError, CancellationReason, ErrorKind};

/// The code of a request that the SDK did not send.
const NOT_SENT: &str = "NotSent";
/// The code of an answer that the SDK or we cannot read.
const UNREADABLE: &str = "UnreadableAnswer";
/// The code of a transaction's action that is not to blame for its cancellation.
const NOT_TO_BLAME: &str = "None";

type Failed<E> = SdkError<E, HttpResponse>;

/// The error of an operation that has none of its own.
pub(super) fn refused<E>(error: Failed<E>) -> BackendError
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
{
    let text = |error: &Failed<E>| DisplayErrorContext(error).to_string();
    match error {
        SdkError::ServiceError(refused) => {
            let refused = refused.into_err();
            let code = refused.code().unwrap_or("UnknownError");
            BackendError::of_service(code, refused.message().unwrap_or_default())
        }
        unsent @ SdkError::ConstructionFailure(_) => {
            BackendError::of_service(NOT_SENT, &text(&unsent))
        }
        unanswered => BackendError::unanswered(&text(&unanswered)),
    }
}

/// The error of a write of one item, with the item if its condition failed.
pub(super) fn refused_write<E>(error: Failed<E>) -> BackendError
where
    E: FailedCondition + ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
{
    let existing = error.as_service_error().and_then(FailedCondition::failed_condition);
    let existing = existing.and_then(|failed| readable(failed.item.as_ref()));
    let mut refusal = refused(error);
    if let ErrorKind::ConditionFailed { item } = &mut refusal.kind {
        *item = existing.map(Box::new);
    }
    refusal
}

/// The error of a transaction, with a reason for each action if it was cancelled.
pub(super) fn refused_transaction<E>(error: Failed<E>) -> BackendError
where
    E: Cancelled + ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
{
    let cancelled = error.as_service_error().and_then(Cancelled::cancelled);
    let given = cancelled.map(|it| it.cancellation_reasons().iter().map(reason).collect());
    let mut refusal = refused(error);
    if let ErrorKind::TransactionCancelled { reasons } = &mut refusal.kind {
        *reasons = given.unwrap_or_default();
    }
    refusal
}

fn reason(reason: &types::CancellationReason) -> CancellationReason {
    CancellationReason {
        code: reason.code.clone().filter(|code| code != NOT_TO_BLAME),
        message: reason.message.clone(),
        item: readable(reason.item.as_ref()),
    }
}

/// An item that comes with an error. One that cannot be read is left out: the error stands without
/// it.
fn readable(item: Option<&HashMap<String, AttributeValue>>) -> Option<Item> {
    item.and_then(|item| value::item(item.clone()).ok())
}

impl From<value::UnknownValue> for BackendError {
    fn from(unknown: value::UnknownValue) -> BackendError {
        BackendError::of_service(UNREADABLE, &unknown.to_string())
    }
}

/// A part of a request lacks a member that the SDK wants. All of them are set here.
impl From<BuildError> for BackendError {
    fn from(error: BuildError) -> BackendError {
        BackendError::of_service(NOT_SENT, &error.to_string())
    }
}

/// An error that may say that a condition failed.
pub(super) trait FailedCondition {
    fn failed_condition(&self) -> Option<&ConditionalCheckFailedException>;
}

/// An error that may say that a transaction was cancelled.
pub(super) trait Cancelled {
    fn cancelled(&self) -> Option<&TransactionCanceledException>;
}

macro_rules! failed_condition {
    ($($error:ident),*) => {$(
        impl FailedCondition for $error {
            fn failed_condition(&self) -> Option<&ConditionalCheckFailedException> {
                match self {
                    $error::ConditionalCheckFailedException(failed) => Some(failed),
                    _ => None,
                }
            }
        }
    )*};
}

macro_rules! cancelled {
    ($($error:ident),*) => {$(
        impl Cancelled for $error {
            fn cancelled(&self) -> Option<&TransactionCanceledException> {
                match self {
                    $error::TransactionCanceledException(cancelled) => Some(cancelled),
                    _ => None,
                }
            }
        }
    )*};
}

failed_condition!(PutItemError, UpdateItemError, DeleteItemError);
cancelled!(TransactGetItemsError, TransactWriteItemsError);
