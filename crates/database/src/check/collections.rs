//! Item collections: the items with one partition key, and their entries in local indexes.
//!
//! The items of a collection lie together, so the walk over the items meets them one after the
//! other.

use monotable_storage::{Engine, Result as StorageResult};

use super::CounterKind;
use super::checker::Checker;
use super::key_parts::{TableKey, place_key};
use super::table_check::TableCheck;
use crate::key::ItemKey;
use crate::keyspace::{collection, item};
use crate::schema::TableSchema;

/// The collection that a walk over the items is in.
#[derive(Debug)]
pub(super) struct Collection {
    /// The encoded partition key.
    partition: Vec<u8>,
    /// The bytes of its items and entries so far.
    bytes: i64,
    /// Whether all of its items could be read.
    is_certain: bool,
    /// The key of one of its items.
    item_key: Vec<u8>,
}

impl<E: Engine> Checker<'_, E> {
    /// Adds an item to its collection.
    pub(super) async fn enter_collection(
        &mut self,
        table: &mut TableCheck<'_>,
        key: &ItemKey,
        bytes: usize,
    ) -> StorageResult<()> {
        if table.schema.has_local_index() {
            self.turn_to_collection(table, key.partition(), key.storage_key()).await?;
            table.collection.iter_mut().for_each(|current| current.bytes += bytes as i64);
        }
        Ok(())
    }

    /// Notes that an item of a collection cannot be read, so that it is unknown how large the
    /// collection is.
    pub(super) async fn enter_unreadable_collection(
        &mut self,
        table: &mut TableCheck<'_>,
        key: &[u8],
    ) -> StorageResult<()> {
        let parts = TableKey::split(&table.schema.key, item::key_parts(key));
        if let Some(parts) = parts.filter(|_| table.schema.has_local_index()) {
            self.turn_to_collection(table, parts.partition, key).await?;
            table.collection.iter_mut().for_each(|current| current.is_certain = false);
        }
        Ok(())
    }

    /// Begins another collection, unless the walk is in this one.
    async fn turn_to_collection(
        &mut self,
        table: &mut TableCheck<'_>,
        partition: &[u8],
        item_key: &[u8],
    ) -> StorageResult<()> {
        if table.collection.as_ref().is_some_and(|current| current.partition == partition) {
            return Ok(());
        }
        self.finish_collection(table).await?;
        let (partition, item_key) = (partition.to_vec(), item_key.to_vec());
        let collection = Collection { partition, bytes: 0, is_certain: true, item_key };
        table.collection = Some(collection);
        Ok(())
    }

    /// Compares the counter of the collection that ends here.
    pub(super) async fn finish_collection(
        &mut self,
        table: &mut TableCheck<'_>,
    ) -> StorageResult<()> {
        let Some(ended) = table.collection.take().filter(|ended| ended.is_certain) else {
            return Ok(());
        };
        let counter = collection::counter(table.schema.id, &ended.partition);
        let place = table.place().at(partition_key(table.schema, &ended.item_key));
        self.check_counter(place, CounterKind::CollectionBytes, counter, ended.bytes).await
    }
}

/// The partition key of an item for people.
fn partition_key(schema: &TableSchema, item_key: &[u8]) -> super::LocationKey {
    match place_key(schema, item_key) {
        super::LocationKey::Attributes(mut attributes) => {
            attributes.truncate(schema.key.partition.len());
            super::LocationKey::Attributes(attributes)
        }
        bytes @ super::LocationKey::Bytes(_) => bytes,
    }
}
