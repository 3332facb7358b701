//! From the entries of an index to the items: every entry is that of an item.
//!
//! Whether an item has its entry, and with the right content, is checked from the items.

use bytes::Bytes;
use monotable_item::stored::ItemView;
use monotable_storage::{Engine, Key, Result as StorageResult};

use super::checker::Checker;
use super::entries::{FoundEntry, family_of};
use super::items::ReadItem;
use super::key_parts::{EntryItem, TableKey, item_of_entry, place_key};
use super::table_check::{Holding, TableCheck};
use super::{CheckStage, EntryFlaw, LocationKey};
use crate::any_index::AnyIndex;
use crate::key::ItemKey;
use crate::schema::TableSchema;

impl<E: Engine> Checker<'_, E> {
    /// Walks over the entries of an index and looks up their items.
    pub(super) async fn check_index_entries(
        &mut self,
        table: &TableCheck<'_>,
        index: AnyIndex<'_>,
    ) -> StorageResult<()> {
        let schema = table.schema;
        let (mut rest, mut done) = (index.range(schema.id), 0);
        let names = (schema.name.clone(), index.name().to_owned());
        let stage = CheckStage::Index { table: names.0, index: names.1 };
        let total = self.counted_items(schema, Some(index.id())).await?;
        while let Some(chunk) = self.next_chunk(&mut rest).await? {
            done += chunk.entries.len() as u64;
            self.progress(stage.clone(), done, Some(total));
            let found = chunk.entries.into_iter().map(|(key, value)| {
                let item = item_key(schema, index, &key, &value);
                FoundEntry { key, value, item }
            });
            let found: Vec<FoundEntry> = found.collect();
            let items = self.items_of(&chunk.snapshot, &found).await?;
            for (entry, item) in found.into_iter().zip(items) {
                let Some(flaw) = flaw_of(table, index, &entry, item.as_ref()) else { continue };
                let item_key = entry.item.as_ref().map(|key| place_key(schema, key));
                let key = item_key.unwrap_or_else(|| LocationKey::Bytes(entry.key.clone()));
                let place = table.place().index(index.name()).at(key);
                self.report_entry(place, family_of(index), flaw, entry).await?;
            }
        }
        self.report.totals.index_entries += done;
        Ok(())
    }
}

/// Where the item of an entry lies, by the entry's key or else by its attributes.
fn item_key(schema: &TableSchema, index: AnyIndex<'_>, key: &Key, value: &Bytes) -> Option<Key> {
    match item_of_entry(schema, index, key)? {
        EntryItem::Plain(parts) => {
            Some(TableKey::split(&schema.key, parts)?.storage_key(schema.id))
        }
        EntryItem::Hashed => {
            let key = ItemKey::of(schema, &ItemView::new(index.attributes(value)?).ok()?).ok()?;
            Some(key.storage_key().clone())
        }
    }
}

/// What is wrong with an entry, given the item that it leads to.
fn flaw_of(
    table: &TableCheck<'_>,
    index: AnyIndex<'_>,
    entry: &FoundEntry,
    item: Option<&Bytes>,
) -> Option<EntryFlaw> {
    let Some(item_key) = &entry.item else { return Some(EntryFlaw::Unreadable) };
    let Some(item) = item else { return Some(EntryFlaw::WithoutItem) };
    // An item that cannot be read is reported as such, and its entries may be right.
    let read = ReadItem::read(table.schema, item_key, item).ok()?;
    let expected = index.entry(table.schema, read.key.parts(), item).ok()?;
    if expected.is_none_or(|expected| expected.key != entry.key) {
        return Some(EntryFlaw::NotOfItem);
    }
    match table.holding(index, &read.key) {
        Holding::NotYet => Some(EntryFlaw::Early),
        Holding::Yes | Holding::Unknown => None,
    }
}
