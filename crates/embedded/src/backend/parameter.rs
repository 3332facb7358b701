//! Parameters that several operations share, as requests have them.

use std::collections::BTreeMap;

use monotable::backend::{CapacityDetail, Names, ReturnValues, Select, TableName, Values};
use monotable_protocol::WireItem;

pub(super) fn table_name(table: &TableName) -> Option<String> {
    Some(str::to_owned(table))
}

/// What `#names` stand for. A request must not have an empty map of them.
pub(super) fn names(names: Names) -> Option<BTreeMap<String, String>> {
    (!names.is_empty()).then_some(names)
}

/// What `:values` stand for. A request must not have an empty map of them.
pub(super) fn values(values: Values) -> Option<WireItem> {
    (!values.is_empty()).then(|| WireItem::of(values))
}

pub(super) fn capacity(detail: CapacityDetail) -> Option<String> {
    let word = match detail {
        CapacityDetail::None => return None,
        CapacityDetail::Total => "TOTAL",
        CapacityDetail::Indexes => "INDEXES",
    };
    Some(word.to_owned())
}

pub(super) fn return_values(returns: ReturnValues) -> Option<String> {
    let word = match returns {
        ReturnValues::None => return None,
        ReturnValues::AllOld => "ALL_OLD",
        ReturnValues::AllNew => "ALL_NEW",
        ReturnValues::UpdatedOld => "UPDATED_OLD",
        ReturnValues::UpdatedNew => "UPDATED_NEW",
    };
    Some(word.to_owned())
}

/// Whether an error for a failed condition carries the item.
pub(super) fn on_failure(item_on_failure: bool) -> Option<String> {
    item_on_failure.then(|| "ALL_OLD".to_owned())
}

pub(super) fn select(select: Select) -> Option<String> {
    let word = match select {
        Select::Projected => return None,
        Select::All => "ALL_ATTRIBUTES",
        Select::Count => "COUNT",
    };
    Some(word.to_owned())
}

/// A number of items or segments. What is beyond the wire's numbers is refused as the largest is.
pub(super) fn count(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
