//! Time to live: items that expire.
//!
//! A table with TTL has an expiry index: an entry for each item whose TTL attribute is a time that
//! can come. The entries are kept by the transactions that write the items, so the sweeper
//! ([`crate::sweep`]) walks only over what is due.

use std::sync::Arc;

use bytes::Bytes;
use monotable_item::Number;
use monotable_item::stored::{CorruptItem, ItemView, ValueView};
use monotable_storage::{
    Batch, Decision, Engine, ErrorKind, Key, Reads, Result as StorageResult, Wants,
};

use crate::Database;
use crate::alteration::{After, ChangeRequirements};
use crate::database::{commit_some, rest_after};
use crate::error::{TableError, TimeToLiveError};
use crate::key::ItemKey;
use crate::keyspace::garbage::Garbage;
use crate::keyspace::{expiry, item};
use crate::lease::{Job, Lease};
use crate::schema::{ExpiryId, TableId, TableSchema, TimeToLive};
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

    /// Whether a table can be changed so: what is asked for must differ from what is, and not come
    /// too soon after the last change.
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

/// When a stored item expires, if it does: the attribute must be a number of seconds that is not
/// too long ago. Parts of a second do not count.
pub(crate) fn expires_at_secs(
    time_to_live: &TimeToLive,
    item: &Bytes,
    now_secs: u64,
) -> Result<Option<u64>, CorruptItem> {
    let secs = named_secs(time_to_live, item)?;
    Ok(secs.filter(|secs| *secs >= now_secs.saturating_sub(PAST_SECS_MAX)))
}

/// The time that a stored item has in its TTL attribute, however long ago.
pub(crate) fn named_secs(
    time_to_live: &TimeToLive,
    item: &Bytes,
) -> Result<Option<u64>, CorruptItem> {
    Ok(match ItemView::new(item)?.get(&time_to_live.attribute)? {
        Some(ValueView::Number(text)) => whole_secs(text),
        Some(_) | None => None,
    })
}

fn whole_secs(text: &[u8]) -> Option<u64> {
    let number: Number = std::str::from_utf8(text).ok()?.parse().ok()?;
    number.trunc_to_i64().and_then(|secs| u64::try_from(secs).ok())
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
    /// Lets the items of a table that was checked expire by an attribute, or no longer by any.
    pub async fn update_time_to_live(
        self: &Arc<Self>,
        table: &Arc<Table>,
        change: TimeToLiveChange,
    ) -> Result<Arc<Table>, TimeToLiveError> {
        let now_millis = self.clock.now_millis();
        self.alter(table, move |before| changed(before.schema, &change, now_millis)).await
    }

    /// Fills the expiry index of a table whose TTL is not active yet, in the background.
    pub(crate) fn start_expiry_fill(self: &Arc<Self>, table: &Arc<Table>) {
        if !waits_for_fill(table) {
            return;
        }
        let (database, table) = (self.clone(), table.clone());
        self.spawn(async move {
            if let Err(error) = database.finish_expiry_fill(&table).await {
                tracing::error!(%error, "an expiry index could not be filled; it is tried again");
            }
        });
    }

    /// Fills the expiry index of a table whose TTL is not active yet, or waits for the task that
    /// does in this process.
    pub(crate) async fn finish_expiry_fill(
        self: &Arc<Self>,
        table: &Arc<Table>,
    ) -> StorageResult<()> {
        let Some(expiry) = expiry_of(table).filter(|_| waits_for_fill(table)) else {
            return Ok(());
        };
        let job = Job::FillExpiry(table.schema().id, expiry);
        let Some(mut lease) = self.take(job).await? else {
            self.jobs.wait_for_end(job).await;
            return Ok(());
        };
        // Somebody may have done it since the table was looked at.
        let current = self.reload_table(table).await?;
        let is_to_fill = |changed: &Arc<Table>| {
            is_fill_of(changed, table.schema().id, expiry) && waits_for_fill(changed)
        };
        if let Some(current) = current.filter(is_to_fill) {
            self.fill_expiry(current, expiry, &mut lease).await?;
        }
        self.give_back(lease).await
    }

    async fn fill_expiry(
        self: &Arc<Self>,
        mut table: Arc<Table>,
        expiry: ExpiryId,
        lease: &mut Lease<'_>,
    ) -> StorageResult<()> {
        let mut rest = item::range(table.schema().id);
        loop {
            // Those who were answered go first.
            tokio::task::yield_now().await;
            let mut keys = Vec::new();
            let last = self.visit_chunk(&rest, |key, _| keys.push(key.to_vec())).await?;
            if self.is_stopping() || !self.keep(lease).await? {
                return Ok(());
            }
            let is_done = match &last {
                Some(_) => self.fill_expiry_of(&table, &keys, lease).await?,
                None => self.activate_time_to_live(&table, lease).await?,
            };
            match (is_done, last) {
                (true, Some(last)) => rest = rest_after(&rest, last),
                (true, None) => return Ok(()),
                (false, _) => match self.reload_table(&table).await? {
                    Some(changed) if is_fill_of(&changed, table.schema().id, expiry) => {
                        table = changed;
                    }
                    Some(_) | None => return Ok(()),
                },
            }
        }
    }

    /// Writes the expiry entries of these items as they are now; returns whether the table was
    /// still this one.
    async fn fill_expiry_of(
        &self,
        table: &Table,
        keys: &[Key],
        lease: &Lease<'_>,
    ) -> StorageResult<bool> {
        let context = WriteContext::new(table, self.clock.now_millis(), Cause::Client);
        let decide = |reads: &Reads| {
            if !table.stands(reads.shared(0)) || !lease.stands(reads.shared(1)) {
                return Decision::Keep(Ok(false));
            }
            let mut batch = Batch::new();
            for (key, item) in keys.iter().zip(reads.iter()) {
                let filled = ItemKey::from_storage(table.schema(), key, item)
                    .and_then(|key| write_expiry(&context, &key, None, item, &mut batch));
                if let Err(corrupt) = filled {
                    return Decision::Keep(Err(corrupt));
                }
            }
            commit_some(batch, Ok(true))
        };
        let shared = shared_keys(table, lease);
        let filled = self.transact(Wants::locked(keys).and_shared(&shared), decide).await?;
        filled.map_err(|corrupt| monotable_storage::Error::with_source(ErrorKind::Corrupt, corrupt))
    }

    /// Lets items expire from here on; returns whether the table was still this one.
    async fn activate_time_to_live(
        self: &Arc<Self>,
        table: &Arc<Table>,
        lease: &Lease<'_>,
    ) -> StorageResult<bool> {
        let requirements =
            ChangeRequirements { lease: Some(lease), ..ChangeRequirements::default() };
        let activated = self.alter_here(table, requirements, |before| {
            let mut schema = before.schema.clone();
            schema.time_to_live.iter_mut().for_each(|ttl| ttl.is_active = true);
            Ok(After::schema(schema))
        });
        match activated.await {
            Ok(_) => Ok(true),
            Err(TableError::Storage(error)) => Err(error),
            Err(_) => Ok(false),
        }
    }
}

/// What a job on a table shares: the table's record, and the lease if there is one.
pub(crate) fn shared_keys(table: &Table, lease: &Lease<'_>) -> Vec<Key> {
    std::iter::once(table.record_key()).chain(lease.key()).cloned().collect()
}

/// A table whose items expire by an attribute, or no longer.
fn changed(
    before: &TableSchema,
    change: &TimeToLiveChange,
    now_millis: u64,
) -> Result<After, TimeToLiveError> {
    change.check(before, now_millis)?;
    let mut schema = before.clone();
    schema.time_to_live_changed_millis = Some(now_millis);
    let removed = schema.time_to_live.take();
    if let TimeToLiveChange::Enable(attribute) = change {
        let expiry = ExpiryId(schema.next_expiry);
        schema.next_expiry += 1;
        let attribute = attribute.clone();
        schema.time_to_live = Some(TimeToLive { attribute, expiry, is_active: false });
    }
    let garbage = removed.map(|removed| Garbage::Expiry(schema.id, removed.expiry));
    Ok(After { garbage: garbage.into_iter().collect(), ..After::schema(schema) })
}

/// Returns whether a table is the one whose expiry index is filled. Another one may have taken its
/// name.
fn is_fill_of(table: &Table, id: TableId, expiry: ExpiryId) -> bool {
    table.schema().id == id && expiry_of(table) == Some(expiry)
}

fn expiry_of(table: &Table) -> Option<ExpiryId> {
    table.schema().time_to_live.as_ref().map(|ttl| ttl.expiry)
}

/// Returns whether the expiry index of a table is not complete yet.
fn waits_for_fill(table: &Table) -> bool {
    table.schema().time_to_live.as_ref().is_some_and(|ttl| !ttl.is_active)
}
