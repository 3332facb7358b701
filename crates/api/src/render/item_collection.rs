//! The size of item collections as responses show it.

use monotable_database::schema::TableSchema;
use monotable_database::{Database, ItemKey};
use monotable_protocol::shapes::ItemCollectionMetrics;
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::validate::enums::ReturnMetrics;
use crate::validate::write_target::WriteTarget;

const GIGABYTE: u64 = 1 << 30;

/// The size of the collection of an item, if it was asked for and the table has
/// collections of limited size. The estimate is the two whole gigabytes around the size.
pub(crate) async fn render<E: Engine>(
    database: &Database<E>,
    schema: &TableSchema,
    key: &ItemKey,
    target: WriteTarget<'_>,
    wanted: ReturnMetrics,
) -> Result<Option<ItemCollectionMetrics>, ApiError> {
    if wanted == ReturnMetrics::None || !schema.has_local_index() {
        return Ok(None);
    }
    let lower = (database.collection_bytes(schema, key).await? / GIGABYTE) as f64;
    Ok(Some(ItemCollectionMetrics {
        item_collection_key: Some(target.partition(schema)?),
        size_estimate_range_gb: Some(vec![lower, lower + 1.0]),
    }))
}
