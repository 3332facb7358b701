//! The sweeper: removes the items whose time to live is over.
//!
//! It walks over the expiry entries that are due, in order of time, and looks at each item again,
//! held still, before it removes it. One sweep runs at a time. It begins where the last one ended
//! ([`crate::swept_mark`]); once a minute, after a start and when it is asked to, it begins at the
//! oldest time that counts.

use bytes::Bytes;
use monotable_item::stored::CorruptItem;
use monotable_storage::{
    Batch, Decision, Engine, ErrorKind, Key, Reads, Result as StorageResult, Wants,
};

use crate::Database;
use crate::database::{commit_some, rest_after};
use crate::error::WriteError;
use crate::fence::{FenceError, Fences};
use crate::key::ItemKey;
use crate::keyspace::expiry;
use crate::lease::{Job, Lease};
use crate::schema::{TableSchema, TimeToLive};
use crate::stream::Cause;
use crate::table::Table;
use crate::ttl::{PAST_SECS_MAX, expires_at_secs};
use crate::write::{Write, WriteContext};

/// How many items one transaction of the sweeper removes.
const SWEEP_ITEMS: usize = 64;
/// How long after a sweep of everything the next one comes.
const FULL_SWEEP_INTERVAL_MILLIS: u64 = 60 * 1000;

/// Where a sweep begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SweepFrom {
    /// Where the last one ended, or at the start if that was long ago.
    Mark,
    /// At the oldest time that counts.
    Start,
}

/// When everything was swept last, by the database's clock.
#[derive(Debug, Default)]
pub(crate) struct LastFullSweep {
    millis: Option<u64>,
}

impl LastFullSweep {
    /// Where a sweep must begin. If the clock was set back, the last sweep says nothing.
    fn beginning(&self, asked: SweepFrom, now_millis: u64) -> SweepFrom {
        match self.millis.and_then(|last| now_millis.checked_sub(last)) {
            Some(0..FULL_SWEEP_INTERVAL_MILLIS) => asked,
            Some(FULL_SWEEP_INTERVAL_MILLIS..) | None => SweepFrom::Start,
        }
    }
}

impl<E: Engine> Database<E> {
    /// Removes what is due in every table, unless another server does.
    pub(crate) async fn sweep(&self, asked: SweepFrom) -> StorageResult<()> {
        let mut last_full = self.last_full_sweep.lock().await;
        let tables = self.all_tables().await?;
        let swept: Vec<_> =
            tables.into_iter().filter(|table| swept_by(table.schema()).is_some()).collect();
        if swept.is_empty() {
            return Ok(());
        }
        let Some(mut lease) = self.take(Job::Sweep).await? else { return Ok(()) };
        let now_millis = self.clock.now_millis();
        // What other servers write does not lower the mark of this one.
        let asked = if self.engine.is_shared() { SweepFrom::Start } else { asked };
        let from = last_full.beginning(asked, now_millis);
        for table in swept {
            if from == SweepFrom::Start {
                table.swept().reset();
            }
            let mut current = Some(table);
            while let Some(table) = current {
                current = if self.sweep_table(&table, &mut lease).await? {
                    None
                } else {
                    self.reload_table(&table).await?
                };
            }
        }
        if from == SweepFrom::Start {
            last_full.millis = Some(now_millis);
        }
        Ok(())
    }

    /// Removes what is due in one table. Each step continues where the last one ended: a step from
    /// the start would pass over every entry removed so far, which an engine may keep as a mark for
    /// long. Returns whether the table was this one to the end.
    async fn sweep_table(&self, table: &Table, lease: &mut Lease<'_>) -> StorageResult<bool> {
        let Some(time_to_live) = swept_by(table.schema()) else { return Ok(true) };
        let now_secs = self.clock.now_millis() / 1000;
        let pass = table.swept().begin(now_secs);
        let start_secs = pass.start_secs().max(now_secs.saturating_sub(PAST_SECS_MAX));
        let mut due =
            expiry::due_range(table.schema().id, time_to_live.expiry, &(start_secs..=now_secs));
        while !self.is_stopping() && self.keep(lease).await? {
            let (mut keys, schema) = (Vec::with_capacity(SWEEP_ITEMS), table.schema());
            let last = self.visit_some(&due, SWEEP_ITEMS, |key, value| {
                keys.extend(ItemKey::from_expiry(schema, key, &value));
            });
            let Some(last) = last.await? else {
                pass.finish();
                break;
            };
            if !self.remove_due(table, time_to_live, &keys, lease).await? {
                return Ok(false);
            }
            due = rest_after(&due, last);
            tokio::task::yield_now().await;
        }
        Ok(true)
    }

    /// Removes those of the items that are due; returns whether the table was still this one.
    async fn remove_due(
        &self,
        table: &Table,
        time_to_live: &TimeToLive,
        keys: &[ItemKey],
        lease: &Lease<'_>,
    ) -> StorageResult<bool> {
        let context = WriteContext::new(table, self.clock.now_millis(), Cause::TimeToLive);
        let storage_keys: Vec<Key> = keys.iter().map(|key| key.storage_key().clone()).collect();
        let mut fences = Fences::of(keys.iter().map(|key| (table, key)));
        let lease_place = fences.keys.len();
        fences.keys.extend(lease.key().cloned());
        let decide = |reads: &Reads| {
            if !lease.stands(reads.shared(lease_place)) {
                return Decision::Keep(Ok(false));
            }
            let mut batch = Batch::new();
            for (index, (key, item)) in keys.iter().zip(reads.iter()).enumerate() {
                match is_due(time_to_live, item, context.now_millis / 1000) {
                    Ok(false) => continue,
                    Ok(true) => {}
                    Err(corrupt) => return Decision::Keep(Err(WriteError::from(corrupt))),
                }
                let unfilled = match fences.check(index, table, key, reads) {
                    Ok(unfilled) => unfilled,
                    Err(FenceError::Changed) => return Decision::Keep(Ok(false)),
                    Err(error) => return Decision::Keep(Err(error.into())),
                };
                if let Err(error) =
                    Write::delete(key.clone()).run(&context, &unfilled, item, &mut batch)
                {
                    return Decision::Keep(Err(error));
                }
            }
            commit_some(batch, Ok(true))
        };
        let wants = Wants::locked(&storage_keys).and_shared(&fences.keys);
        self.note_commit().await?;
        let removed = self.transact(wants, decide).await?;
        removed.map_err(|error| monotable_storage::Error::with_source(ErrorKind::Corrupt, error))
    }
}

/// By what the items of a table are swept, if they are: not before its expiry index is complete.
fn swept_by(schema: &TableSchema) -> Option<&TimeToLive> {
    schema.time_to_live.as_ref().filter(|ttl| ttl.is_active)
}

fn is_due(
    time_to_live: &TimeToLive,
    item: Option<&Bytes>,
    now_secs: u64,
) -> Result<bool, CorruptItem> {
    let Some(item) = item else { return Ok(false) };
    Ok(expires_at_secs(time_to_live, item, now_secs)?.is_some_and(|secs| secs <= now_secs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_swept_at_first_and_once_a_minute_and_when_the_clock_went_back() {
        let never = LastFullSweep::default();
        assert_eq!(never.beginning(SweepFrom::Mark, 0), SweepFrom::Start);
        let last = LastFullSweep { millis: Some(1_000_000) };
        for (now_millis, from) in [
            (1_000_000, SweepFrom::Mark),
            (1_059_999, SweepFrom::Mark),
            (1_060_000, SweepFrom::Start),
            (999_999, SweepFrom::Start),
        ] {
            assert_eq!(last.beginning(SweepFrom::Mark, now_millis), from, "{now_millis}");
        }
        assert_eq!(last.beginning(SweepFrom::Start, 1_000_000), SweepFrom::Start);
    }
}
