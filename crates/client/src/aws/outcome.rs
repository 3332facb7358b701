//! What outputs of the SDK hold, as values.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{self, AttributeValue};
use monotable_item::Item;

use super::value;
use crate::backend::{BackendError, ConsumedCapacity};

/// An item of an output, if there is one.
pub(super) fn item(
    item: Option<HashMap<String, AttributeValue>>,
) -> Result<Option<Item>, BackendError> {
    Ok(item.map(value::item).transpose()?)
}

/// The items of an output.
pub(super) fn items(
    items: Option<Vec<HashMap<String, AttributeValue>>>,
) -> Result<Vec<Item>, BackendError> {
    let items = items.unwrap_or_default().into_iter();
    Ok(items.map(value::item).collect::<Result<_, _>>()?)
}

/// What a request consumed on one table.
pub(super) fn consumed(consumed: types::ConsumedCapacity) -> ConsumedCapacity {
    let local = consumed.local_secondary_indexes.into_iter().flatten();
    let indexes = local.chain(consumed.global_secondary_indexes.into_iter().flatten());
    ConsumedCapacity {
        table: consumed.table_name.unwrap_or_default(),
        units: consumed.capacity_units.unwrap_or_default(),
        read_units: consumed.read_capacity_units,
        write_units: consumed.write_capacity_units,
        table_units: consumed.table.as_ref().map(units),
        index_units: indexes.map(|(name, capacity)| (name, units(&capacity))).collect(),
    }
}

/// What a request consumed on several tables.
pub(super) fn consumed_by_table(
    by_table: Option<Vec<types::ConsumedCapacity>>,
) -> Vec<ConsumedCapacity> {
    by_table.into_iter().flatten().map(consumed).collect()
}

fn units(capacity: &types::Capacity) -> f64 {
    capacity.capacity_units.unwrap_or_default()
}
