//! `TransactItems` of the transactions.

use std::collections::BTreeSet;

use monotable_database::ItemKey;
use monotable_item::limits::TRANSACT_ACTIONS_MAX;
use monotable_item::stored::ItemView;
use monotable_protocol::ResponseItem;

use super::constraint::{length_at_least, length_at_most, missing, new};
use super::enums::refuse;
use super::keys::KeyRefusal;
use crate::error::ApiError;
use crate::wording::write::{no_reason, validation_reason};

/// The actions, of which there must be one to a hundred.
pub(crate) fn required<T>(items: &Option<Vec<T>>) -> Result<&[T], ApiError> {
    let items = items.as_ref().ok_or_else(|| refuse(missing("transactItems")))?;
    match items.len() {
        0 => Err(refuse(new("TransactItems", &length_at_least(1)))),
        count if count > TRANSACT_ACTIONS_MAX => {
            Err(refuse(new("TransactItems", &length_at_most(TRANSACT_ACTIONS_MAX))))
        }
        _ => Ok(items),
    }
}

/// The error for more than 4 MB of items.
pub(crate) fn too_large() -> ApiError {
    ApiError::validation("Transaction request cannot include more than 4 MB of data")
}

/// All keys or writes. Empty keys and two actions on one item refuse the request; what else is
/// wrong cancels the transaction.
pub(crate) fn all_or_cancel<T>(
    results: impl Iterator<Item = Result<T, KeyRefusal>>,
    key: impl Fn(&T) -> &ItemKey,
) -> Result<Vec<T>, ApiError> {
    let mut reasons = Vec::new();
    let mut values = Vec::new();
    for result in results {
        match result {
            Ok(value) => {
                values.push(value);
                reasons.push(no_reason());
            }
            Err(KeyRefusal::Cancels(error)) => reasons.push(validation_reason(&error)),
            Err(KeyRefusal::Refuses(error)) => return Err(error),
        }
    }
    check_duplicates(values.iter().map(key))?;
    if values.len() == reasons.len() {
        Ok(values)
    } else {
        Err(ApiError::transaction_canceled(reasons))
    }
}

/// Refuses two actions on one item.
pub(crate) fn check_duplicates<'k>(
    keys: impl Iterator<Item = &'k ItemKey>,
) -> Result<(), ApiError> {
    let mut seen = BTreeSet::new();
    for key in keys {
        if !seen.insert(key) {
            return Err(ApiError::validation(
                "Transaction request cannot include multiple operations on one item",
            ));
        }
    }
    Ok(())
}

/// Whether nothing is left of an item.
pub(crate) fn is_empty(item: &ResponseItem) -> bool {
    match item {
        ResponseItem::Values(item) => item.is_empty(),
        ResponseItem::Stored(item) => {
            ItemView::new(item).is_ok_and(|view| view.attributes().count_left() == 0)
        }
    }
}
