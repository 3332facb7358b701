//! The one read-modify-write path: PutItem, UpdateItem, DeleteItem, the members of batches and
//! those of transactions all go through it.
//!
//! A [`Write`] names one item and says what to do with it. Inside one storage transaction the item
//! is read, the condition is checked, the new item is made, and the item, its index entries and the
//! counters are written together.

use bytes::Bytes;
use monotable_expr::{Condition, Update};
use monotable_item::Item;
use monotable_item::limits::{ITEM_BYTES_MAX, ITEM_COLLECTION_BYTES_MAX, NESTING_MAX};
use monotable_item::stored::{CorruptItem, Edits, ItemView};
use monotable_storage::{Batch, Decision, Engine, Reads, Snapshot, Wants};
use thiserror::Error;

use crate::Database;
use crate::capacity::{Consumed, HalfUnits, write_units};
use crate::database::commit_some;
use crate::error::{KeyError, WriteError};
use crate::fence;
use crate::index::{self, ItemChange};
use crate::item_guard::{self, ItemGuard, Judgement, Objection};
use crate::key::{ItemKey, check_index_keys};
use crate::key_changes::{check_changed_index_keys, check_new_index_keys};
use crate::keyspace::{collection, partition_hash, stream_record};
use crate::off_worker;
use crate::projection::decode_roots;
use crate::schema::{IndexId, TableSchema};
use crate::stream::{Cause, ChangeImages, encode_change};
use crate::swept_mark::PutExpiries;
use crate::table::Table;
use crate::ttl::write_expiry;
use crate::vector::{Sketches, check_changed_vectors, check_vectors, vector_excess_bytes};

/// One write of one item. It cannot be wrong: its key is that of the item, or of the key
/// attributes, that it was made from.
#[derive(Debug, Clone)]
pub struct Write {
    pub(crate) key: ItemKey,
    action: Action,
    /// What must hold of the item as it is. Few writes have one, and all are moved.
    condition: Option<Box<Condition>>,
    /// Whether the guard has judged the item of a put already, and has nothing against it.
    is_approved: bool,
}

/// What a write does with its item.
#[derive(Debug, Clone)]
enum Action {
    /// Replaces it by this one, given in its stored form.
    Put(Bytes),
    /// Changes it; if it is absent, it starts as its key attributes.
    Update { key: Bytes, update: Option<Update> },
    /// Removes it.
    Delete,
    /// Nothing but checking the condition.
    Check,
}

/// What a write does with its item, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteKind {
    /// Replaces it.
    Put,
    /// Changes it.
    Update,
    /// Removes it.
    Delete,
    /// Only checks a condition.
    Check,
}

/// Why a write cannot be made from what was given.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteRefusal {
    /// A key attribute is wrong.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The bytes are no stored item.
    #[error(transparent)]
    Corrupt(#[from] CorruptItem),
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
    /// The bytes of the item collection then, on a table that has collections of limited size.
    pub collection_bytes: Option<u64>,
    /// By how many bytes the item collection grew.
    pub(crate) collection_growth: i64,
    /// What the guard has against the item, though it was written.
    pub(crate) objection: Option<Objection>,
}

/// An item so small can be looked at by every part of an expression: those are a few hundred.
const SMALL_ITEM_BYTES: usize = 4 * 1024;

impl WriteOutcome {
    /// Whether a write of this kind that did this has stored an item or removed one. An item that
    /// is stored as it was counts, and so it does in what the write costs.
    pub fn has_written(&self, kind: WriteKind) -> bool {
        match kind {
            WriteKind::Put | WriteKind::Update => self.new.is_some(),
            WriteKind::Delete => self.old.is_some(),
            WriteKind::Check => false,
        }
    }

    /// The bytes of the item before and after.
    fn item_bytes(&self) -> usize {
        self.old.iter().chain(&self.new).map(Bytes::len).sum()
    }
}

/// What the writes of a transaction to one table share.
pub(crate) struct WriteContext<'a> {
    pub(crate) schema: &'a TableSchema,
    /// The time of the write, in milliseconds since 1970.
    pub(crate) now_millis: u64,
    /// Who caused it.
    pub(crate) cause: Cause,
    /// What is sketched of the table's vectors.
    pub(crate) sketches: &'a Sketches,
    /// The expiry entries that it puts. They are reported to the table when the context is dropped,
    /// so it must outlive the storage transaction.
    pub(crate) put_expiries: PutExpiries<'a>,
    /// Who looks at the items that it makes.
    pub(crate) guard: Option<&'a dyn ItemGuard>,
}

impl<'a> WriteContext<'a> {
    pub(crate) fn new(table: &'a Table, now_millis: u64, cause: Cause) -> WriteContext<'a> {
        let put_expiries = PutExpiries::new(table.swept());
        let (schema, sketches) = (table.schema(), table.sketches());
        WriteContext { schema, now_millis, cause, sketches, put_expiries, guard: None }
    }

    /// The same, with a guard for the items that it makes.
    pub(crate) fn guarded(mut self, guard: Option<&'a dyn ItemGuard>) -> WriteContext<'a> {
        self.guard = guard;
        self
    }
}

impl<E: Engine> Database<E> {
    /// Does one write that was checked against this version of its table.
    pub async fn write(&self, table: &Table, write: &Write) -> Result<WriteOutcome, WriteError> {
        let collection_bytes = if table.schema().has_local_index() {
            self.check_collection(table.schema(), write).await?
        } else {
            None
        };
        let keys = std::slice::from_ref(write.key.storage_key());
        let fence = fence::keys(table, &write.key);
        let context = WriteContext::new(table, self.clock.now_millis(), Cause::Client);
        // Nobody has to be asked about an item that was approved.
        let guard = if write.is_approved { None } else { self.guard.guard() };
        let context = context.guarded(guard.as_deref());
        let decide = |reads: &Reads| {
            let unfilled = match fence::check(table, &write.key, reads, 0) {
                Ok(unfilled) => unfilled,
                Err(error) => return Decision::Keep(Err(error.into())),
            };
            let mut batch = Batch::new();
            let old = reads.get(0);
            let run = || write.run(&context, &unfilled, old, &mut batch);
            match off_worker::run(write.work_bytes(old), run) {
                Ok(outcome) => commit_some(batch, Ok(outcome)),
                Err(error) => Decision::Keep(Err(error)),
            }
        };
        let wants = Wants::locked(keys).and_shared(&fence);
        let mut written = self.transact(wants, decide).await?;
        item_guard::tell(guard.as_deref(), table.schema(), written.as_ref());
        match &mut written {
            Ok(outcome) => {
                off_worker::move_if_large(outcome.item_bytes()).await;
                let grow = |bytes: u64| bytes.saturating_add_signed(outcome.collection_growth);
                outcome.collection_bytes = collection_bytes.map(grow);
            }
            Err(WriteError::SchemaChanged) => {
                Box::pin(self.reload_table(table)).await?;
            }
            Err(_) => {}
        }
        written
    }

    /// Refuses writes that may grow an item collection which is full; returns the size of the
    /// collection, if the table has any. It is read before the transaction, so concurrent writes
    /// may pass the limit by what they write together.
    pub(crate) async fn check_collection(
        &self,
        schema: &TableSchema,
        write: &Write,
    ) -> Result<Option<u64>, WriteError> {
        if !schema.has_local_index() {
            return Ok(None);
        }
        let size_bytes = Box::pin(self.collection_bytes(schema, &write.key)).await?;
        if write.may_grow() && size_bytes > ITEM_COLLECTION_BYTES_MAX {
            return Err(WriteError::CollectionTooLarge);
        }
        Ok(Some(size_bytes))
    }

    /// The bytes of the item collection that an item belongs to.
    pub async fn collection_bytes(
        &self,
        schema: &TableSchema,
        key: &ItemKey,
    ) -> monotable_storage::Result<u64> {
        let counter = collection::counter(schema.id, key.partition());
        let size_bytes = self.engine.snapshot().await?.counter(&counter).await?;
        Ok(u64::try_from(size_bytes).unwrap_or(0))
    }
}

impl Write {
    /// Replaces an item, or makes it, by this one in its stored form. Its key attributes and those
    /// of the table's indexes must be right.
    pub fn put(schema: &TableSchema, item: Bytes) -> Result<Write, WriteRefusal> {
        let view = ItemView::new(&item)?;
        let key = ItemKey::of(schema, &view)?;
        check_index_keys(schema, &view)?;
        if !schema.vector_indexes.is_empty() {
            check_vectors(schema, &view)?;
        }
        Ok(Write { key, action: Action::Put(item), condition: None, is_approved: false })
    }

    /// Changes the item with these key attributes, given as a stored item; if it is absent, it
    /// starts as them. Without any changes, an absent item is made all the same.
    pub fn update(
        schema: &TableSchema,
        key_attributes: Bytes,
        update: Option<Update>,
    ) -> Result<Write, WriteRefusal> {
        let key = ItemKey::of(schema, &ItemView::new(&key_attributes)?)?;
        let action = Action::Update { key: key_attributes, update };
        Ok(Write { key, action, condition: None, is_approved: false })
    }

    /// Removes an item.
    pub fn delete(key: ItemKey) -> Write {
        Write { key, action: Action::Delete, condition: None, is_approved: false }
    }

    /// Does nothing but look whether a condition holds.
    pub fn check(key: ItemKey) -> Write {
        Write { key, action: Action::Check, condition: None, is_approved: false }
    }

    /// Lets it happen only if this holds of the item as it is.
    pub fn set_condition(&mut self, condition: Option<Condition>) {
        self.condition = condition.map(Box::new);
    }

    /// The same, if this holds of the item as it is.
    #[must_use]
    pub fn on_condition(mut self, condition: Option<Condition>) -> Write {
        self.set_condition(condition);
        self
    }

    /// Says that the guard has judged the item of a put already, and has nothing against it.
    pub fn approve(&mut self) {
        self.is_approved = true;
    }

    /// Which item it is about.
    pub fn key(&self) -> &ItemKey {
        &self.key
    }

    /// What it does.
    pub fn kind(&self) -> WriteKind {
        match &self.action {
            Action::Put(_) => WriteKind::Put,
            Action::Update { .. } => WriteKind::Update,
            Action::Delete => WriteKind::Delete,
            Action::Check => WriteKind::Check,
        }
    }

    /// What must hold of the item as it is.
    pub fn condition(&self) -> Option<&Condition> {
        self.condition.as_deref()
    }

    /// The changes that the write makes, if it is an update with any.
    pub fn changes(&self) -> Option<&Update> {
        match &self.action {
            Action::Update { update, .. } => update.as_ref(),
            Action::Put(_) | Action::Delete | Action::Check => None,
        }
    }

    /// About how many bytes are looked at to decide the write. Each part of a condition or an
    /// update may look at the whole item.
    pub(crate) fn work_bytes(&self, old: Option<&Bytes>) -> usize {
        let old_bytes = old.map_or(0, Bytes::len);
        let new_bytes = match &self.action {
            Action::Put(item) => item.len(),
            Action::Update { .. } | Action::Delete | Action::Check => 0,
        };
        if old_bytes <= SMALL_ITEM_BYTES {
            return old_bytes + new_bytes;
        }
        let condition = self.condition.as_ref().map_or(0, |condition| condition.paths().len());
        let update = self.changes().map_or(0, |update| update.paths().len());
        old_bytes * (1 + condition + update) + new_bytes
    }

    fn may_grow(&self) -> bool {
        match self.action {
            Action::Put(_) | Action::Update { .. } => true,
            Action::Delete | Action::Check => false,
        }
    }

    /// Decides the write on the item as it is, and adds what is to be stored to the batch.
    /// `unfilled` are the indexes that do not hold the item yet.
    pub(crate) fn run(
        &self,
        context: &WriteContext<'_>,
        unfilled: &[IndexId],
        old: Option<&Bytes>,
        batch: &mut Batch,
    ) -> Result<WriteOutcome, WriteError> {
        self.check_condition(old)?;
        let new = self.result(context.schema, old)?;
        let objection = self.ask_guard(context, new.as_ref())?;
        let images = ChangeImages { old, new: new.as_ref() };
        let (consumed, collection_growth) = self.store(context, unfilled, &images, batch)?;
        let old = old.cloned();
        let collection_bytes = None;
        Ok(WriteOutcome { old, new, consumed, collection_bytes, collection_growth, objection })
    }

    /// Asks the guard about the item that the write makes, if it makes one. Returns what speaks
    /// against it, unless that refuses the write.
    fn ask_guard(
        &self,
        context: &WriteContext<'_>,
        new: Option<&Bytes>,
    ) -> Result<Option<Objection>, WriteError> {
        let (Some(guard), Some(new)) = (context.guard, new) else { return Ok(None) };
        let is_asked = match self.action {
            Action::Put(_) => !self.is_approved,
            Action::Update { .. } => true,
            Action::Delete | Action::Check => false,
        };
        if !is_asked {
            return Ok(None);
        }
        match guard.judge(context.schema, &self.key, new) {
            Judgement::Fits => Ok(None),
            Judgement::Tolerated(objection) => Ok(Some(objection)),
            Judgement::Refused(objection) => Err(WriteError::Refused(objection)),
        }
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

    /// Writes the change to the batch; gives what it costs and by how much the item collection
    /// grows. A write that changes nothing stores nothing, but is charged for the item.
    fn store(
        &self,
        context: &WriteContext<'_>,
        unfilled: &[IndexId],
        images: &ChangeImages<'_>,
        batch: &mut Batch,
    ) -> Result<(Consumed, i64), CorruptItem> {
        let (schema, &ChangeImages { old, new }) = (context.schema, images);
        let (old_size, new_size) = (stored_size(old)?, stored_size(new)?);
        let mut consumed = Consumed::on_table(charged_units(schema, images, old_size, new_size)?);
        if old == new {
            return Ok((consumed, 0));
        }
        match new {
            Some(new) => batch.put(self.key.storage_key().clone(), new.clone()),
            None => batch.delete(self.key.storage_key().clone()),
        }
        let growth = new_size as i64 - old_size as i64;
        let items = i64::from(new.is_some()) - i64::from(old.is_some());
        index::count(batch, schema, None, items, growth);
        let change = ItemChange { schema, table_key: self.key.parts(), unfilled, old, new };
        let local_growth = change.write_entries(batch, &mut consumed)?;
        if !schema.vector_indexes.is_empty() {
            change.write_vector_entries(batch, &mut consumed, context.sketches)?;
        }
        if schema.has_local_index() && growth + local_growth != 0 {
            let counter = collection::counter(schema.id, self.key.partition());
            batch.add(counter, growth + local_growth);
        }
        write_expiry(context, &self.key, old, new, batch)?;
        self.append_record(context, images, batch)?;
        Ok((consumed, growth + local_growth))
    }

    /// Adds the record of the change to the table's stream, if it has one.
    fn append_record(
        &self,
        context: &WriteContext<'_>,
        images: &ChangeImages<'_>,
        batch: &mut Batch,
    ) -> Result<(), CorruptItem> {
        let Some(stream) = &context.schema.stream else { return Ok(()) };
        let lane = stream.lane_of(partition_hash(self.key.partition()));
        let record =
            encode_change(context.schema, stream.view, images, context.cause, context.now_millis)?;
        if let Some(record) = record {
            batch.append(stream_record::log(context.schema.id, stream.id, lane), record);
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
        (Some(update), Some(old)) => {
            let edits = update.edits(ItemView::new(old)?)?;
            check_changed_index_keys(schema, &edits)?;
            made(schema, &edits, Some(old)).map(Some)
        }
        (None, None) => {
            let edits = Edits::new(ItemView::new(key)?, Vec::new());
            check_new_index_keys(schema, &edits)?;
            made(schema, &edits, None).map(Some)
        }
        (Some(update), None) => {
            let edits = update.edits_of_absent(ItemView::new(key)?)?;
            if !update.creates_item() {
                return Ok(None);
            }
            check_new_index_keys(schema, &edits)?;
            made(schema, &edits, None).map(Some)
        }
    }
}

/// The item after changes, unless it would be larger or deeper than items may be, or have vectors
/// that indexes cannot hold. It is not made before its size is known.
fn made(schema: &TableSchema, edits: &Edits<'_>, old: Option<&Bytes>) -> Result<Bytes, WriteError> {
    let size_bytes = edits.size_bytes(ITEM_BYTES_MAX)?;
    if size_bytes > ITEM_BYTES_MAX {
        return Err(WriteError::ItemTooLarge { size_bytes });
    }
    if edits.nesting()? > NESTING_MAX {
        return Err(WriteError::ItemTooDeep);
    }
    let new = edits.write(size_bytes)?.into();
    check_changed_vectors(schema, old, &new)?;
    Ok(new)
}

/// What a write of an item is charged on the table: for the larger of the old and the new item, in
/// which a vector that an index reads counts less than in what is stored.
fn charged_units(
    schema: &TableSchema,
    images: &ChangeImages<'_>,
    old_size: usize,
    new_size: usize,
) -> Result<HalfUnits, CorruptItem> {
    if schema.vector_indexes.is_empty() {
        return Ok(write_units(old_size.max(new_size)));
    }
    let charged = |item: Option<&Bytes>, size_bytes: usize| match item {
        Some(item) => {
            Ok(size_bytes - vector_excess_bytes(schema, &ItemView::new(item)?)?.min(size_bytes))
        }
        None => Ok(0),
    };
    Ok(write_units(charged(images.old, old_size)?.max(charged(images.new, new_size)?)))
}

fn stored_size(item: Option<&Bytes>) -> Result<usize, CorruptItem> {
    item.map_or(Ok(0), |item| Ok(ItemView::new(item)?.size_bytes()))
}
