//! The one read-modify-write path: PutItem, UpdateItem, DeleteItem, the members of batches and those of
//! transactions all go through it.
//!
//! A [`Write`] names one item and says what to do with it. Inside one storage transaction the item is read,
//! the condition is checked, the new item is made, and the item, its index entries and the counters are
//! written together.

use std::sync::Arc;

use bytes::Bytes;
use monotable_expr::{Condition, Update};
use monotable_item::limits::{ITEM_BYTES_MAX, ITEM_COLLECTION_BYTES_MAX, NESTING_MAX};
use monotable_item::stored::{self, CorruptItem, ItemView};
use monotable_item::{Item, item_nesting, item_size_bytes};
use monotable_storage::{Batch, Decision, Engine, Snapshot, counter_value};

use crate::Database;
use crate::capacity::{Consumed, write_units};
use crate::error::WriteError;
use crate::index::{self, ItemChange};
use crate::key::{ItemKey, check_changed_index_keys};
use crate::keyspace::{collection, partition_hash, stream_record};
use crate::projection::decode_roots;
use crate::schema::TableSchema;
use crate::stream::{Cause, ChangeImages, encode_change};
use crate::swept_mark::PutExpiries;
use crate::table::Table;
use crate::ttl::write_expiry;

/// One write of one item.
#[derive(Debug, Clone)]
pub struct Write {
    /// Which item.
    pub key: ItemKey,
    /// What to do with it.
    pub action: Action,
    /// What must hold of the item as it is.
    pub condition: Option<Condition>,
}

/// What a write does with its item.
#[derive(Debug, Clone)]
pub enum Action {
    /// Replaces it by this one, given in its stored form.
    Put(Bytes),
    /// Changes it; if it is absent, it starts as its key attributes.
    Update {
        /// The key attributes, as a stored item.
        key: Bytes,
        /// The changes; without any, an absent item is made all the same.
        update: Option<Update>,
    },
    /// Removes it.
    Delete,
    /// Nothing but checking the condition.
    Check,
}

/// What a write did. Items are in their stored form.
#[derive(Debug, Clone)]
pub struct WriteOutcome {
    /// The item before.
    pub old: Option<Bytes>,
    /// The item after.
    pub new: Option<Bytes>,
    /// What it cost.
    pub consumed: Consumed,
}

/// What the writes of a transaction to one table share.
pub(crate) struct WriteContext<'a> {
    pub(crate) schema: &'a TableSchema,
    /// The time of the write, in milliseconds since 1970.
    pub(crate) now_millis: u64,
    /// Who caused it.
    pub(crate) cause: Cause,
    /// The expiry entries that it puts. They are told to the table when the context is dropped, so it must outlive the
    /// storage transaction.
    pub(crate) put_expiries: PutExpiries<'a>,
}

impl<'a> WriteContext<'a> {
    pub(crate) fn new(
        table: &'a Table,
        schema: &'a TableSchema,
        now_millis: u64,
        cause: Cause,
    ) -> WriteContext<'a> {
        WriteContext { schema, now_millis, cause, put_expiries: PutExpiries::new(table.swept()) }
    }
}

impl<E: Engine> Database<E> {
    /// Does one write.
    pub async fn write(&self, table: &Table, write: &Write) -> Result<WriteOutcome, WriteError> {
        let _in_use = table.use_for_writing().await.ok_or(WriteError::TableNotFound)?;
        let schema = table.schema();
        self.check_collection(&schema, write).await?;
        let keys = [write.key.storage_key().clone()];
        let now_millis = self.clock.now_millis();
        let context = WriteContext::new(table, &schema, now_millis, Cause::Client);
        let decide = |reads: &monotable_storage::Reads| {
            let mut batch = Batch::new();
            match write.run(&context, reads.get(0), &mut batch) {
                Ok(outcome) if batch.is_empty() => Decision::Keep(Ok(outcome)),
                Ok(outcome) => Decision::Commit(batch, Ok(outcome)),
                Err(error) => Decision::Keep(Err(error)),
            }
        };
        self.engine.transact(&keys, decide).await?
    }

    /// Refuses writes that may grow an item collection which is full. The size is read before the
    /// transaction, so concurrent writes may pass the limit by what they write together.
    pub(crate) async fn check_collection(
        &self,
        schema: &Arc<TableSchema>,
        write: &Write,
    ) -> Result<(), WriteError> {
        if !schema.has_local_index() || !write.may_grow() {
            return Ok(());
        }
        let size_bytes = self.collection_bytes(schema, &write.key).await?;
        if size_bytes > ITEM_COLLECTION_BYTES_MAX {
            return Err(WriteError::CollectionTooLarge);
        }
        Ok(())
    }

    /// The bytes of the item collection that an item belongs to.
    pub async fn collection_bytes(
        &self,
        schema: &TableSchema,
        key: &ItemKey,
    ) -> monotable_storage::Result<u64> {
        let counter = collection::encode_key(schema.id, key.partition());
        let snapshot = self.engine.snapshot().await?;
        let value = snapshot.get(&counter).await?;
        Ok(u64::try_from(counter_value(value.as_deref())?).unwrap_or(0))
    }
}

impl Write {
    /// The changes that the write makes, if it is an update with any.
    pub fn update(&self) -> Option<&Update> {
        match &self.action {
            Action::Update { update, .. } => update.as_ref(),
            Action::Put(_) | Action::Delete | Action::Check => None,
        }
    }

    fn may_grow(&self) -> bool {
        match self.action {
            Action::Put(_) | Action::Update { .. } => true,
            Action::Delete | Action::Check => false,
        }
    }

    /// Decides the write on the item as it is, and adds what is to be stored to the batch.
    pub(crate) fn run(
        &self,
        context: &WriteContext<'_>,
        old: Option<&Bytes>,
        batch: &mut Batch,
    ) -> Result<WriteOutcome, WriteError> {
        self.check_condition(old)?;
        let new = self.result(context.schema, old)?;
        let consumed = self.store(context, old, new.as_ref(), batch)?;
        Ok(WriteOutcome { old: old.cloned(), new, consumed })
    }

    fn check_condition(&self, old: Option<&Bytes>) -> Result<(), WriteError> {
        let Some(condition) = &self.condition else { return Ok(()) };
        let seen = match old {
            Some(old) => decode_roots(old, &condition.roots())?,
            None => Item::new(),
        };
        if condition.matches(&seen) {
            return Ok(());
        }
        Err(WriteError::ConditionFailed { existing: old.cloned() })
    }

    /// The item after the write.
    fn result(
        &self,
        schema: &TableSchema,
        old: Option<&Bytes>,
    ) -> Result<Option<Bytes>, WriteError> {
        match &self.action {
            Action::Put(item) => Ok(Some(item.clone())),
            Action::Delete => Ok(None),
            Action::Check => Ok(old.cloned()),
            Action::Update { key, update } => updated(schema, key, update.as_ref(), old),
        }
    }

    /// Writes the change to the batch, and counts what it costs. A write that changes nothing stores
    /// nothing, but is charged for the item.
    fn store(
        &self,
        context: &WriteContext<'_>,
        old: Option<&Bytes>,
        new: Option<&Bytes>,
        batch: &mut Batch,
    ) -> Result<Consumed, CorruptItem> {
        let schema = context.schema;
        let (old_size, new_size) = (stored_size(old)?, stored_size(new)?);
        let mut consumed =
            Consumed { table: write_units(old_size.max(new_size)), indexes: Vec::new() };
        if old == new {
            return Ok(consumed);
        }
        match new {
            Some(new) => batch.put(self.key.storage_key().clone(), new.clone()),
            None => batch.delete(self.key.storage_key().clone()),
        }
        let growth = new_size as i64 - old_size as i64;
        let items = i64::from(new.is_some()) - i64::from(old.is_some());
        index::count(batch, schema, None, items, growth);
        let change = ItemChange { schema, table_key: self.key.parts(), old, new };
        let local_growth = change.write_entries(batch, &mut consumed)?;
        if schema.has_local_index() && growth + local_growth != 0 {
            batch.add(
                collection::encode_key(schema.id, self.key.partition()),
                growth + local_growth,
            );
        }
        write_expiry(context, &self.key, old, new, batch)?;
        self.append_record(context, old, new, batch)?;
        Ok(consumed)
    }

    /// Adds the record of the change to the table's stream, if it has one.
    fn append_record(
        &self,
        context: &WriteContext<'_>,
        old: Option<&Bytes>,
        new: Option<&Bytes>,
        batch: &mut Batch,
    ) -> Result<(), CorruptItem> {
        let Some(stream) = &context.schema.stream else { return Ok(()) };
        let Some(shard) = stream.shard_of(partition_hash(self.key.partition())) else {
            return Ok(());
        };
        let images = ChangeImages { old, new };
        let record =
            encode_change(context.schema, stream.view, &images, context.cause, context.now_millis)?;
        if let Some(record) = record {
            batch.append(stream_record::log(context.schema.id, stream.id, shard), record);
        }
        Ok(())
    }
}

/// The item after an update. One that only removes does not bring an absent item into being.
fn updated(
    schema: &TableSchema,
    key: &Bytes,
    update: Option<&Update>,
    old: Option<&Bytes>,
) -> Result<Option<Bytes>, WriteError> {
    match (update, old) {
        (None, Some(old)) => Ok(Some(old.clone())),
        (Some(update), Some(old)) => changed(schema, update, old).map(Some),
        (None, None) => made(schema, &stored::decode(key)?).map(Some),
        (Some(update), None) => {
            let item = update.apply_to_absent(&stored::decode(key)?)?;
            if update.creates_item() { made(schema, &item).map(Some) } else { Ok(None) }
        }
    }
}

/// An item that was there, changed by an update. Only the attributes that the update reads or changes are decoded.
fn changed(schema: &TableSchema, update: &Update, old: &Bytes) -> Result<Bytes, WriteError> {
    let before = decode_roots(old, &update.roots())?;
    let after = update.apply(&before)?;
    check_changed_index_keys(schema, &before, &after)?;
    let new = stored::splice(ItemView::new(old)?, &before, &after)?;
    check_limits(ItemView::new(&new)?.size_bytes(), &after)?;
    Ok(new.into())
}

/// An item that was not there.
fn made(schema: &TableSchema, item: &Item) -> Result<Bytes, WriteError> {
    check_changed_index_keys(schema, &Item::new(), item)?;
    check_limits(item_size_bytes(item), item)?;
    Ok(stored::encode(item).into())
}

/// Refuses an item of this size, or that changed so, if it is larger or deeper than items may be.
fn check_limits(size_bytes: usize, changed: &Item) -> Result<(), WriteError> {
    if size_bytes > ITEM_BYTES_MAX {
        return Err(WriteError::ItemTooLarge { size_bytes });
    }
    if item_nesting(changed) > NESTING_MAX {
        return Err(WriteError::ItemTooDeep);
    }
    Ok(())
}

fn stored_size(item: Option<&Bytes>) -> Result<usize, CorruptItem> {
    item.map_or(Ok(0), |item| Ok(ItemView::new(item)?.size_bytes()))
}
