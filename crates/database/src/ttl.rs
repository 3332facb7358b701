//! Time to live: items that remove themselves.
//!
//! A table with TTL has an expiry index: an entry for each item whose TTL attribute is a time that can come.
//! The entries are kept by the transactions that write the items, so the sweeper ([`crate::sweep`]) walks only over
//! what is due.

use std::sync::Arc;

use bytes::Bytes;
use monotable_item::Number;
use monotable_item::stored::{CorruptItem, ItemView, ValueView};
use monotable_storage::{
    Batch, Decision, Engine, ErrorKind, Key, KeyRange, Reads, Result as StorageResult,
};

use crate::Database;
use crate::error::TimeToLiveError;
use crate::key::ItemKey;
use crate::keyspace::garbage::Garbage;
use crate::keyspace::{expiry, item, table as table_keys};
use crate::schema::{ExpiryId, TableSchema, TimeToLive};
use crate::stream::Cause;
use crate::table::Table;
use crate::write::WriteContext;

/// Times longer ago than this are taken for mistakes, and never expire an item.
pub(crate) const PAST_SECS_MAX: u64 = 5 * 365 * 24 * 60 * 60;
/// How long after a change of a table's TTL another one is refused.
const CHANGE_INTERVAL_MILLIS: u64 = 60 * 60 * 1000;

/// A change of how the items of a table expire. Both name the attribute with the time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimeToLiveChange {
    /// They expire by this attribute.
    Enable(String),
    /// They no longer expire by this attribute.
    Disable(String),
}

impl TimeToLiveChange {
    fn attribute(&self) -> &str {
        match self {
            TimeToLiveChange::Enable(attribute) | TimeToLiveChange::Disable(attribute) => attribute,
        }
    }

    /// Whether a table can be changed so: what is asked for must differ from what is, and not come too soon
    /// after the last change.
    fn check(&self, schema: &TableSchema, now_millis: u64) -> Result<(), TimeToLiveError> {
        match (&schema.time_to_live, self) {
            (None, TimeToLiveChange::Disable(_)) => return Err(TimeToLiveError::AlreadyDisabled),
            (Some(current), _) if current.attribute != self.attribute() => {
                let current = current.attribute.clone();
                return Err(TimeToLiveError::OtherAttribute { current });
            }
            (Some(_), TimeToLiveChange::Enable(_)) => return Err(TimeToLiveError::AlreadyEnabled),
            (None, TimeToLiveChange::Enable(_)) | (Some(_), TimeToLiveChange::Disable(_)) => {}
        }
        let since_last = |changed| now_millis.saturating_sub(changed);
        match schema.time_to_live_changed_millis.map(since_last) {
            Some(0..CHANGE_INTERVAL_MILLIS) => Err(TimeToLiveError::TooSoon),
            Some(CHANGE_INTERVAL_MILLIS..) | None => Ok(()),
        }
    }
}

/// When a stored item expires, if it does: the attribute must be a whole number of seconds that is not too
/// long ago.
pub(crate) fn expires_at_secs(
    time_to_live: &TimeToLive,
    item: &Bytes,
    now_secs: u64,
) -> Result<Option<u64>, CorruptItem> {
    let secs = match ItemView::new(item)?.get(&time_to_live.attribute)? {
        Some(ValueView::Number(text)) => whole_secs(text),
        Some(_) | None => None,
    };
    Ok(secs.filter(|secs| *secs >= now_secs.saturating_sub(PAST_SECS_MAX)))
}

fn whole_secs(text: &[u8]) -> Option<u64> {
    let number: Number = std::str::from_utf8(text).ok()?.parse().ok()?;
    number.to_i64().and_then(|secs| u64::try_from(secs).ok())
}

/// Keeps the expiry index for the change of one item.
pub(crate) fn write_expiry(
    context: &WriteContext<'_>,
    key: &ItemKey,
    old: Option<&Bytes>,
    new: Option<&Bytes>,
    batch: &mut Batch,
) -> Result<(), CorruptItem> {
    let Some(time_to_live) = &context.schema.time_to_live else { return Ok(()) };
    let now_secs = context.now_millis / 1000;
    let entry = |item: Option<&Bytes>| match item {
        Some(item) => expires_at_secs(time_to_live, item, now_secs),
        None => Ok(None),
    };
    let (old, new) = (entry(old)?, entry(new)?);
    if old == new {
        return Ok(());
    }
    let table = context.schema.id;
    let entry_key = |secs| expiry::encode_key(table, time_to_live.expiry, secs, key.parts());
    if let Some(secs) = old {
        batch.delete(entry_key(secs));
    }
    if let Some(secs) = new {
        batch.put(entry_key(secs), expiry::encode_value(key.partition().len()));
        context.put_expiries.note(secs);
    }
    Ok(())
}

impl<E: Engine> Database<E> {
    /// Lets the items of a table expire by an attribute, or no longer by any.
    pub async fn update_time_to_live(
        self: &Arc<Self>,
        name: &str,
        change: TimeToLiveChange,
    ) -> Result<Arc<TableSchema>, TimeToLiveError> {
        let table = self.table(name).ok_or(TimeToLiveError::TableNotFound)?;
        let _change = table.begin_change().await;
        if table.is_dropped() {
            return Err(TimeToLiveError::TableNotFound);
        }
        let mut schema = (*table.schema()).clone();
        let now_millis = self.clock.now_millis();
        change.check(&schema, now_millis)?;
        schema.time_to_live_changed_millis = Some(now_millis);
        let removed = schema.time_to_live.take();
        if let TimeToLiveChange::Enable(attribute) = change {
            let expiry = ExpiryId(schema.next_expiry);
            schema.next_expiry += 1;
            schema.time_to_live = Some(TimeToLive { attribute, expiry, is_active: false });
        }
        let garbage = removed.map(|removed| Garbage::Expiry(schema.id, removed.expiry));
        let gate = table.close_gate().await;
        self.store_schema_with_garbage(&schema, garbage).await?;
        table.set_schema(schema);
        drop(gate);
        garbage.into_iter().for_each(|garbage| self.start_purge(garbage));
        self.start_expiry_fill(&table);
        Ok(table.schema())
    }

    async fn store_schema_with_garbage(
        &self,
        schema: &TableSchema,
        garbage: Option<Garbage>,
    ) -> StorageResult<()> {
        let decide = |_: &Reads| {
            let mut batch = Batch::new();
            batch.put(table_keys::encode_key(&schema.name), table_keys::encode_value(schema));
            garbage.iter().for_each(|garbage| batch.put(garbage.encode_key(), Vec::new()));
            Decision::Commit(batch, ())
        };
        self.engine.transact(&[], decide).await
    }

    /// Fills the expiry index of a table whose TTL is not active yet, in the background.
    pub(crate) fn start_expiry_fill(self: &Arc<Self>, table: &Arc<Table>) {
        if !waits_for_fill(table) {
            return;
        }
        let (database, table) = (self.clone(), table.clone());
        self.spawn(async move {
            if let Err(error) = database.fill_expiry(&table).await {
                tracing::error!(%error, "an expiry index could not be filled; the next start tries again");
            }
        });
    }

    /// Fills the expiry index of a table whose TTL is not active yet. Filling twice does no harm, so this does
    /// not wait for the background.
    pub(crate) async fn finish_expiry_fill(&self, table: &Table) -> StorageResult<()> {
        if waits_for_fill(table) { self.fill_expiry(table).await } else { Ok(()) }
    }

    async fn fill_expiry(&self, table: &Table) -> StorageResult<()> {
        let Some(expiry) = table.schema().time_to_live.as_ref().map(|ttl| ttl.expiry) else {
            return Ok(());
        };
        let mut rest = item::range(table.schema().id);
        loop {
            let mut keys = Vec::new();
            let last = self.visit_chunk(&rest, |key, _| keys.push(key.to_vec())).await?;
            let Some(last) = last else { break };
            if self.is_stopping() || table.is_dropped() {
                return Ok(());
            }
            self.fill_expiry_of(table, expiry, &keys).await?;
            rest = rest_after(&rest, last);
        }
        self.activate_time_to_live(table, expiry).await
    }

    /// Writes the expiry entries of these items as they are now, unless the index is gone.
    async fn fill_expiry_of(
        &self,
        table: &Table,
        expiry: ExpiryId,
        keys: &[Key],
    ) -> StorageResult<()> {
        let Some(_in_use) = table.use_for_writing().await else { return Ok(()) };
        let schema = table.schema();
        if schema.time_to_live.as_ref().is_none_or(|ttl| ttl.expiry != expiry) {
            return Ok(());
        }
        let context = WriteContext::new(table, &schema, self.clock.now_millis(), Cause::Client);
        let decide = |reads: &Reads| {
            let mut batch = Batch::new();
            for (key, item) in keys.iter().zip(reads.iter()) {
                let filled = ItemKey::from_storage(&schema, key, item)
                    .and_then(|key| write_expiry(&context, &key, None, item, &mut batch));
                if let Err(corrupt) = filled {
                    return Decision::Keep(Err(corrupt));
                }
            }
            if batch.is_empty() { Decision::Keep(Ok(())) } else { Decision::Commit(batch, Ok(())) }
        };
        let filled = self.engine.transact(keys, decide).await?;
        filled.map_err(|corrupt| monotable_storage::Error::with_source(ErrorKind::Corrupt, corrupt))
    }

    async fn activate_time_to_live(&self, table: &Table, expiry: ExpiryId) -> StorageResult<()> {
        let _change = table.begin_change().await;
        let mut schema = (*table.schema()).clone();
        let filled = schema.time_to_live.as_mut().filter(|ttl| ttl.expiry == expiry);
        let Some(time_to_live) = filled.filter(|_| !table.is_dropped()) else { return Ok(()) };
        time_to_live.is_active = true;
        let _gate = table.close_gate().await;
        self.store_schema(&schema).await?;
        table.set_schema(schema);
        Ok(())
    }
}

/// Whether the expiry index of a table is not complete yet.
fn waits_for_fill(table: &Table) -> bool {
    table.schema().time_to_live.as_ref().is_some_and(|ttl| !ttl.is_active)
}

/// What is left of a range after a key.
pub(crate) fn rest_after(range: &KeyRange, last: Key) -> KeyRange {
    KeyRange::new(std::ops::Bound::Excluded(last), range.end().map(<[u8]>::to_vec))
}
