//! From the entries of an expiry index to the items: every entry is that of an item with that time.

use bytes::Bytes;
use monotable_storage::{Engine, Result as StorageResult};

use super::checker::Checker;
use super::entries::FoundEntry;
use super::items::ReadItem;
use super::key_parts::{TableKey, place_key};
use super::table_check::TableCheck;
use super::{CheckStage, EntryFlaw, Family, LocationKey};
use crate::keyspace::expiry;
use crate::schema::{TableSchema, TimeToLive};
use crate::ttl::named_secs;

impl<E: Engine> Checker<'_, E> {
    /// Walks over the expiry entries of a table, if it has any, and looks up their items.
    pub(super) async fn check_expiry_entries(
        &mut self,
        table: &TableCheck<'_>,
    ) -> StorageResult<()> {
        let schema = table.schema;
        let Some(time_to_live) = &schema.time_to_live else { return Ok(()) };
        let (mut rest, mut done) = (expiry::range(schema.id, time_to_live.expiry), 0);
        let stage = CheckStage::Expiry { table: schema.name.clone() };
        while let Some(chunk) = self.next_chunk(&mut rest).await? {
            done += chunk.entries.len() as u64;
            self.progress(stage.clone(), done, None);
            let found = chunk.entries.into_iter().map(|(key, value)| {
                let parts = TableKey::split(&schema.key, expiry::table_key(&key));
                let item = parts.map(|parts| parts.storage_key(schema.id));
                FoundEntry { key, value, item }
            });
            let found: Vec<FoundEntry> = found.collect();
            let items = self.items_of(&chunk.snapshot, &found).await?;
            for (entry, item) in found.into_iter().zip(items) {
                let flaw = flaw_of(schema, time_to_live, &entry, item.as_ref());
                let Some(flaw) = flaw else { continue };
                let item_key = entry.item.as_ref().map(|key| place_key(schema, key));
                let key = item_key.unwrap_or_else(|| LocationKey::Bytes(entry.key.clone()));
                self.report_entry(table.place().at(key), Family::ExpiryEntry, flaw, entry).await?;
            }
        }
        self.report.totals.expiry_entries += done;
        Ok(())
    }
}

/// What is wrong with an entry, given the item that it leads to. A time long ago is right too: it
/// was not when the entry was written.
fn flaw_of(
    schema: &TableSchema,
    time_to_live: &TimeToLive,
    entry: &FoundEntry,
    item: Option<&Bytes>,
) -> Option<EntryFlaw> {
    let Some(item_key) = &entry.item else { return Some(EntryFlaw::Unreadable) };
    let Some(item) = item else { return Some(EntryFlaw::WithoutItem) };
    let read = ReadItem::read(schema, item_key, item).ok()?;
    let secs = named_secs(time_to_live, item).ok()?;
    let key = |secs| expiry::encode_key(schema.id, time_to_live.expiry, secs, read.key.parts());
    if secs.map(key).as_ref() != Some(&entry.key) {
        return Some(EntryFlaw::NotOfItem);
    }
    None
}
