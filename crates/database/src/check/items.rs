//! Items: they can be read, lie where their key attributes say, and have the entries that follow
//! from them.

use bytes::Bytes;
use monotable_item::limits::ITEM_BYTES_MAX;
use monotable_item::stored::{self, ItemView};
use monotable_item::{Item, item_size_bytes};
use monotable_storage::{Engine, Key, Result as StorageResult};

use super::checker::Checker;
use super::entries::{ExpectedEntry, family_of};
use super::key_parts::place_key;
use super::table_check::{Holding, TableCheck};
use super::{CheckStage, Family, FaultLocation, LocationKey, Problem};
use crate::key::ItemKey;
use crate::keyspace::{expiry, item};
use crate::schema::TableSchema;
use crate::ttl::expires_at_secs;

/// An item that can be read and lies where it should.
pub(super) struct ReadItem {
    item: Item,
    pub(super) key: ItemKey,
}

impl ReadItem {
    /// Reads the item that lies at a key of its table.
    pub(super) fn read(
        schema: &TableSchema,
        storage_key: &[u8],
        value: &Bytes,
    ) -> Result<ReadItem, Problem> {
        let item = stored::decode(value).map_err(Problem::ItemUnreadable)?;
        let key = ItemKey::of(schema, &item).map_err(Problem::ItemKey)?;
        if key.storage_key() != storage_key {
            return Err(Problem::ItemMisplaced { own: key_attributes(schema, &item) });
        }
        check_form(&item, value)?;
        Ok(ReadItem { item, key })
    }

    fn place(&self, schema: &TableSchema) -> FaultLocation {
        let key = LocationKey::Attributes(key_attributes(schema, &self.item));
        FaultLocation::table(&schema.name).at(key)
    }

    fn size_bytes(&self) -> usize {
        item_size_bytes(&self.item)
    }
}

/// Checks that an item is written in the one way that items are.
fn check_form(item: &Item, value: &Bytes) -> Result<(), Problem> {
    let view = ItemView::new(value).map_err(Problem::ItemUnreadable)?;
    let (stored_bytes, actual_bytes) = (view.size_bytes() as u64, item_size_bytes(item) as u64);
    if stored_bytes != actual_bytes {
        return Err(Problem::ItemSize { stored_bytes, actual_bytes });
    }
    view.metadata().map_err(Problem::ItemUnreadable)?;
    let attributes = stored::without_metadata(value).map_err(Problem::ItemUnreadable)?;
    if stored::encode(item) == *attributes { Ok(()) } else { Err(Problem::ItemForm) }
}

fn key_attributes(schema: &TableSchema, item: &Item) -> Vec<(String, monotable_item::Value)> {
    let attributes = schema.key.attributes();
    attributes.filter_map(|part| item.get_key_value(&part.name)).map(owned).collect()
}

fn owned<K: Clone, V: Clone>((key, value): (&K, &V)) -> (K, V) {
    (key.clone(), value.clone())
}

impl<E: Engine> Checker<'_, E> {
    /// Walks over the items of a table, adds them up, and looks up their entries.
    pub(super) async fn check_items(&mut self, table: &mut TableCheck<'_>) -> StorageResult<()> {
        let (mut rest, mut done) = (item::range(table.schema.id), 0);
        let stage = CheckStage::Items { table: table.schema.name.clone() };
        let total = self.counted_items(table.schema, None).await?;
        while let Some(chunk) = self.next_chunk(&mut rest).await? {
            done += chunk.entries.len() as u64;
            self.progress(stage.clone(), done, Some(total));
            let mut expected = Vec::new();
            for (key, value) in &chunk.entries {
                match ReadItem::read(table.schema, key, value) {
                    Ok(read) => self.check_item(table, &read, value, &mut expected).await?,
                    Err(problem) => self.report_item(table, key, problem).await?,
                }
            }
            self.check_expected(&chunk.snapshot, expected).await?;
        }
        self.report.totals.items += done;
        self.finish_collection(table).await
    }

    /// Takes down an item that cannot be relied on.
    async fn report_item(
        &mut self,
        table: &mut TableCheck<'_>,
        key: &Key,
        problem: Problem,
    ) -> StorageResult<()> {
        table.is_certain = false;
        self.fault(table.place().at(place_key(table.schema, key)), problem);
        self.enter_unreadable_collection(table, key).await
    }

    /// Checks the limits of an item, adds it up, and says which entries it should have.
    async fn check_item(
        &mut self,
        table: &mut TableCheck<'_>,
        read: &ReadItem,
        value: &Bytes,
        expected: &mut Vec<ExpectedEntry>,
    ) -> StorageResult<()> {
        let (schema, size_bytes) = (table.schema, read.size_bytes());
        self.check_limits(schema, read);
        table.sums.add(size_bytes);
        let mut collection_bytes = size_bytes;
        for index in schema.every_maintained_index() {
            if table.holding(index, &read.key) != Holding::Yes {
                continue;
            }
            // An item that can be read as a whole can be read for its entry.
            let entry = index.entry(schema, read.key.parts(), value);
            let Ok(Some(entry)) = entry else { continue };
            table.index_sums.entry(index.id()).or_default().add(entry.size_bytes);
            if index.is_local() {
                collection_bytes += entry.size_bytes;
            }
            let place = read.place(schema).index(index.name());
            let family = family_of(index);
            expected.push(ExpectedEntry { place, family, key: entry.key, value: entry.value });
        }
        expected.extend(expected_expiry(table, read, value, self.options.now_secs));
        self.enter_collection(table, &read.key, collection_bytes).await
    }

    fn check_limits(&mut self, schema: &TableSchema, read: &ReadItem) {
        let size_bytes = read.size_bytes();
        if size_bytes > ITEM_BYTES_MAX {
            let size_bytes = size_bytes as u64;
            self.fault(read.place(schema), Problem::ItemTooLarge { size_bytes });
        }
    }
}

/// The entry that an item should have in the expiry index. One that is being filled may lack it.
fn expected_expiry(
    table: &TableCheck<'_>,
    read: &ReadItem,
    value: &Bytes,
    now_secs: u64,
) -> Option<ExpectedEntry> {
    let time_to_live = table.schema.time_to_live.as_ref().filter(|ttl| ttl.is_active)?;
    let secs = expires_at_secs(time_to_live, value, now_secs).ok()??;
    Some(ExpectedEntry {
        place: read.place(table.schema),
        family: Family::ExpiryEntry,
        key: expiry::encode_key(table.schema.id, time_to_live.expiry, secs, read.key.parts()),
        value: expiry::encode_value(read.key.partition().len()).into(),
    })
}
