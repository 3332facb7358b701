//! What calls on several items report, by table.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use monotable_database::TransactWrite;
use monotable_database::capacity::Consumed;
use monotable_database::schema::TableSchema;
use monotable_item::stored::CorruptItem;
use monotable_protocol::shapes::{ConsumedCapacity, ItemCollectionMetrics};

use super::capacity::{self, Split};
use super::item_collection;
use crate::observation;
use crate::validate::enums::{ReturnConsumed, ReturnMetrics};
use crate::validate::table_name::TableName;

/// An item that a call on several items touched.
pub(crate) struct TouchedItem<'r> {
    table_name: TableName<'r>,
    schema: Arc<TableSchema>,
    /// Attributes with the key among them.
    attributes: &'r Bytes,
    /// The bytes of its item collection, if it has one of limited size.
    collection_bytes: Option<u64>,
}

impl<'r> TouchedItem<'r> {
    /// The item of a write.
    pub(crate) fn new(
        table_name: TableName<'r>,
        member: &TransactWrite,
        attributes: &'r Bytes,
        collection_bytes: Option<u64>,
    ) -> TouchedItem<'r> {
        let schema = member.table.schema().clone();
        TouchedItem { table_name, schema, attributes, collection_bytes }
    }

    /// Its table, as the request calls it and as it is.
    pub(crate) fn table(&self) -> (TableName<'r>, Arc<TableSchema>) {
        (self.table_name, self.schema.clone())
    }
}

/// Adds up by table what was consumed item by item, if it was asked for.
pub(crate) fn sum_by_table<'r>(
    consumed: impl Iterator<Item = ((TableName<'r>, Arc<TableSchema>), Consumed)>,
    wanted: ReturnConsumed,
    split: Split,
) -> Option<Vec<ConsumedCapacity>> {
    if wanted == ReturnConsumed::None {
        consumed.for_each(|((_, schema), part)| observation::note_consumed(&schema, &part));
        return None;
    }
    let mut sums: BTreeMap<&str, (TableName<'r>, Arc<TableSchema>, Consumed)> = BTreeMap::new();
    for ((name, schema), consumed) in consumed {
        let sum = sums.entry(name.name()).or_insert((name, schema, Consumed::default()));
        sum.2.absorb(&consumed);
    }
    let sums = sums.into_values();
    let rendered =
        sums.filter_map(|(name, schema, sum)| capacity::render(name, &schema, &sum, wanted, split));
    Some(rendered.collect())
}

/// The sizes of the item collections that were touched, each once, if they were asked for.
pub(crate) fn metrics_by_table(
    items: &[TouchedItem<'_>],
    wanted: ReturnMetrics,
) -> Result<Option<BTreeMap<String, Vec<ItemCollectionMetrics>>>, CorruptItem> {
    let mut metrics: BTreeMap<String, Vec<ItemCollectionMetrics>> = BTreeMap::new();
    for item in items {
        let TouchedItem { schema, attributes, collection_bytes, .. } = item;
        let rendered = item_collection::render(schema, attributes, *collection_bytes, wanted)?;
        let Some(rendered) = rendered else { continue };
        let known = metrics.entry(item.table_name.as_sent().to_owned()).or_default();
        if !known.iter().any(|other| other.item_collection_key == rendered.item_collection_key) {
            known.push(rendered);
        }
    }
    Ok((!metrics.is_empty()).then_some(metrics))
}
