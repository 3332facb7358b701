//! Parameters that several operations share, as the SDK has them.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{
    self, AttributeValue, ReturnConsumedCapacity, ReturnValue, ReturnValuesOnConditionCheckFailure,
};

use super::value;
use crate::backend::{CapacityDetail, Names, ReturnValues, Select, Values};

/// What `#names` stand for. A request must not have an empty map of them.
pub(super) fn names(names: Names) -> Option<HashMap<String, String>> {
    (!names.is_empty()).then(|| names.into_iter().collect())
}

/// What `:values` stand for. A request must not have an empty map of them.
pub(super) fn values(values: Values) -> Option<HashMap<String, AttributeValue>> {
    (!values.is_empty()).then(|| value::attributes(values))
}

pub(super) fn capacity(detail: CapacityDetail) -> Option<ReturnConsumedCapacity> {
    match detail {
        CapacityDetail::None => None,
        CapacityDetail::Total => Some(ReturnConsumedCapacity::Total),
        CapacityDetail::Indexes => Some(ReturnConsumedCapacity::Indexes),
    }
}

pub(super) fn return_values(returns: ReturnValues) -> Option<ReturnValue> {
    match returns {
        ReturnValues::None => None,
        ReturnValues::AllOld => Some(ReturnValue::AllOld),
        ReturnValues::AllNew => Some(ReturnValue::AllNew),
        ReturnValues::UpdatedOld => Some(ReturnValue::UpdatedOld),
        ReturnValues::UpdatedNew => Some(ReturnValue::UpdatedNew),
    }
}

/// Whether an error for a failed condition carries the item.
pub(super) fn on_failure(item_on_failure: bool) -> Option<ReturnValuesOnConditionCheckFailure> {
    item_on_failure.then_some(ReturnValuesOnConditionCheckFailure::AllOld)
}

pub(super) fn select(select: Select) -> Option<types::Select> {
    match select {
        Select::Projected => None,
        Select::All => Some(types::Select::AllAttributes),
        Select::Count => Some(types::Select::Count),
    }
}

/// A number of items or segments. What is beyond the SDK's numbers is refused as the largest is.
pub(super) fn count(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
