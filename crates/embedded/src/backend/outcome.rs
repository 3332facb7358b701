//! What responses hold, as values.

use monotable::backend::{BackendError, ConsumedCapacity};
use monotable_item::Item;
use monotable_protocol::ResponseItem;
use monotable_protocol::shapes::{self, Capacity};

use super::error::corrupt;

/// An item of a response, if there is one.
pub(super) fn item(item: Option<ResponseItem>) -> Result<Option<Item>, BackendError> {
    item.map(ResponseItem::into_item).transpose().map_err(corrupt)
}

/// The items of a response.
pub(super) fn items(items: Option<Vec<ResponseItem>>) -> Result<Vec<Item>, BackendError> {
    let items = items.unwrap_or_default().into_iter().map(ResponseItem::into_item);
    items.collect::<Result<_, _>>().map_err(corrupt)
}

/// What a request consumed on one table.
pub(super) fn consumed(consumed: shapes::ConsumedCapacity) -> ConsumedCapacity {
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
    by_table: Option<Vec<shapes::ConsumedCapacity>>,
) -> Vec<ConsumedCapacity> {
    by_table.into_iter().flatten().map(consumed).collect()
}

fn units(capacity: &Capacity) -> f64 {
    capacity.capacity_units.unwrap_or_default()
}
