//! The size of item collections as responses show it.

use bytes::Bytes;
use monotable_database::schema::TableSchema;
use monotable_item::Item;
use monotable_item::stored::{self, CorruptItem};
use monotable_protocol::shapes::ItemCollectionMetrics;

use crate::validate::enums::ReturnMetrics;

const GIGABYTE: u64 = 1 << 30;

/// The size of the collection of an item with these attributes, if it was asked for and the table
/// has collections of limited size. The estimate is the two whole gigabytes around the size.
pub(crate) fn render(
    schema: &TableSchema,
    attributes: &Bytes,
    collection_bytes: Option<u64>,
    wanted: ReturnMetrics,
) -> Result<Option<ItemCollectionMetrics>, CorruptItem> {
    let Some(bytes) = collection_bytes.filter(|_| wanted != ReturnMetrics::None) else {
        return Ok(None);
    };
    let lower = (bytes / GIGABYTE) as f64;
    Ok(Some(ItemCollectionMetrics {
        item_collection_key: Some(partition(schema, attributes)?),
        size_estimate_range_gb: Some(vec![lower, lower + 1.0]),
    }))
}

/// The attributes that decide an item's partition.
fn partition(schema: &TableSchema, attributes: &Bytes) -> Result<Item, CorruptItem> {
    let parts = &schema.key.partition;
    stored::decode_attributes(attributes, |name| {
        parts.iter().any(|part| part.name.as_bytes() == name)
    })
}
