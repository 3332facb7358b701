//! What calls on several items report, by table.

use std::collections::BTreeMap;
use std::sync::Arc;

use monotable_database::capacity::Consumed;
use monotable_database::schema::TableSchema;
use monotable_database::{ItemKey, TransactWrite};
use monotable_item::Item;
use monotable_protocol::shapes::{ConsumedCapacity, ItemCollectionMetrics};
use monotable_storage::Engine;

use super::capacity::{self, Split};
use super::item_collection;
use crate::context::Api;
use crate::error::ApiError;
use crate::validate::enums::{ReturnConsumed, ReturnMetrics};

/// An item that a call on several items touched.
pub(crate) struct TouchedItem<'r> {
    schema: Arc<TableSchema>,
    key: &'r ItemKey,
    /// Attributes with the key among them.
    attributes: &'r Item,
}

impl<'r> TouchedItem<'r> {
    /// The item of a write.
    pub(crate) fn new(member: &'r TransactWrite, attributes: &'r Item) -> TouchedItem<'r> {
        TouchedItem { schema: member.table.schema(), key: &member.write.key, attributes }
    }
}

/// What the call consumed on each table, if it was asked for.
pub(crate) fn consumed_by_table<'c>(
    items: &[TouchedItem<'_>],
    consumed: impl Iterator<Item = &'c Consumed>,
    wanted: ReturnConsumed,
) -> Option<Vec<ConsumedCapacity>> {
    let schemas = items.iter().map(|item| item.schema.clone());
    sum_by_table(schemas.zip(consumed.cloned()), wanted, Split::None)
}

/// Adds up by table what was consumed item by item.
pub(crate) fn sum_by_table(
    consumed: impl Iterator<Item = (Arc<TableSchema>, Consumed)>,
    wanted: ReturnConsumed,
    split: Split,
) -> Option<Vec<ConsumedCapacity>> {
    if wanted == ReturnConsumed::None {
        return None;
    }
    let mut sums: BTreeMap<String, (Arc<TableSchema>, Consumed)> = BTreeMap::new();
    for (schema, consumed) in consumed {
        let sum = sums.entry(schema.name.clone()).or_insert((schema, Consumed::default()));
        sum.1.absorb(&consumed);
    }
    let render =
        |(schema, sum): &(Arc<TableSchema>, Consumed)| capacity::render(schema, sum, wanted, split);
    Some(sums.values().filter_map(render).collect())
}

/// The sizes of the item collections that were touched, each once, if they were asked for.
pub(crate) async fn metrics_by_table<E: Engine>(
    api: &Api<E>,
    items: &[TouchedItem<'_>],
    wanted: ReturnMetrics,
) -> Result<Option<BTreeMap<String, Vec<ItemCollectionMetrics>>>, ApiError> {
    let mut metrics: BTreeMap<String, Vec<ItemCollectionMetrics>> = BTreeMap::new();
    for item in items {
        let rendered =
            item_collection::render(&api.database, &item.schema, item.key, item.attributes, wanted);
        let Some(rendered) = rendered.await? else { continue };
        let known = metrics.entry(item.schema.name.clone()).or_default();
        if !known.iter().any(|other| other.item_collection_key == rendered.item_collection_key) {
            known.push(rendered);
        }
    }
    Ok((!metrics.is_empty()).then_some(metrics))
}
