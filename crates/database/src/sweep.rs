//! The sweeper: removes the items whose time to live is over.
//!
//! It walks over the expiry entries that are due, in order of time, and looks at each item again, held still, before it
//! removes it. One sweep runs at a time. It begins where the last one ended ([`crate::swept_mark`]); once a minute, after
//! a start and when it is asked to, it begins at the oldest time that counts.

use std::ops::RangeInclusive;

use bytes::Bytes;
use monotable_item::stored::CorruptItem;
use monotable_storage::{Batch, Decision, Engine, ErrorKind, Key, Reads, Result as StorageResult};

use crate::Database;
use crate::error::WriteError;
use crate::key::ItemKey;
use crate::keyspace::expiry;
use crate::schema::{TableSchema, TimeToLive};
use crate::stream::Cause;
use crate::table::Table;
use crate::ttl::{PAST_SECS_MAX, expires_at_secs, rest_after};
use crate::write::{Action, Write, WriteContext};

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
    /// Where a sweep must begin. A clock that went back leaves nothing to go by.
    fn beginning(&self, asked: SweepFrom, now_millis: u64) -> SweepFrom {
        match self.millis.and_then(|last| now_millis.checked_sub(last)) {
            Some(0..FULL_SWEEP_INTERVAL_MILLIS) => asked,
            Some(FULL_SWEEP_INTERVAL_MILLIS..) | None => SweepFrom::Start,
        }
    }
}

impl<E: Engine> Database<E> {
    /// Removes what is due in every table.
    pub(crate) async fn sweep(&self, asked: SweepFrom) -> StorageResult<()> {
        let mut last_full = self.last_full_sweep.lock().await;
        let now_millis = self.clock.now_millis();
        let from = last_full.beginning(asked, now_millis);
        for table in self.all_tables() {
            if from == SweepFrom::Start {
                table.swept().reset();
            }
            self.sweep_table(&table).await?;
        }
        if from == SweepFrom::Start {
            last_full.millis = Some(now_millis);
        }
        Ok(())
    }

    /// Removes what is due in one table. Each step goes on where the last one ended: a step from the start
    /// would pass over every entry removed so far, which an engine may keep as a mark for long.
    async fn sweep_table(&self, table: &Table) -> StorageResult<()> {
        if swept_by(&table.schema()).is_none() {
            return Ok(());
        }
        let now_secs = self.clock.now_millis() / 1000;
        let pass = table.swept().begin(now_secs);
        let start_secs = pass.start_secs().max(now_secs.saturating_sub(PAST_SECS_MAX));
        let due_secs = start_secs..=now_secs;
        let mut swept = None;
        while !self.is_stopping() {
            swept = self.sweep_some(table, &due_secs, swept).await?;
            if swept.is_none() {
                pass.finish();
                break;
            }
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    /// Removes the first items that are due after an entry; gives the last entry it looked at, or none if
    /// there are no more.
    async fn sweep_some(
        &self,
        table: &Table,
        due_secs: &RangeInclusive<u64>,
        swept: Option<Key>,
    ) -> StorageResult<Option<Key>> {
        let Some(_in_use) = table.use_for_writing().await else { return Ok(None) };
        let schema = table.schema();
        let Some(time_to_live) = swept_by(&schema) else { return Ok(None) };
        let due = expiry::due_range(schema.id, time_to_live.expiry, due_secs);
        let due = match swept.filter(|last| due.contains(last)) {
            Some(last) => rest_after(&due, last),
            None => due,
        };
        let mut keys = Vec::with_capacity(SWEEP_ITEMS);
        let last = self.visit_some(&due, SWEEP_ITEMS, |key, value| {
            keys.extend(ItemKey::from_expiry(&schema, key, &value));
        });
        let last = last.await?;
        if !keys.is_empty() {
            let now_millis = self.clock.now_millis();
            let context = WriteContext::new(table, &schema, now_millis, Cause::TimeToLive);
            self.remove_due(&context, time_to_live, &keys).await?;
        }
        Ok(last)
    }

    async fn remove_due(
        &self,
        context: &WriteContext<'_>,
        time_to_live: &TimeToLive,
        keys: &[ItemKey],
    ) -> StorageResult<()> {
        let storage_keys: Vec<Key> = keys.iter().map(|key| key.storage_key().clone()).collect();
        let decide = |reads: &Reads| {
            let mut batch = Batch::new();
            for (key, item) in keys.iter().zip(reads.iter()) {
                match is_due(time_to_live, item, context.now_millis / 1000) {
                    Ok(false) => continue,
                    Ok(true) => {}
                    Err(corrupt) => return Decision::Keep(Err(WriteError::from(corrupt))),
                }
                let write = Write { key: key.clone(), action: Action::Delete, condition: None };
                if let Err(error) = write.run(context, item, &mut batch) {
                    return Decision::Keep(Err(error));
                }
            }
            if batch.is_empty() { Decision::Keep(Ok(())) } else { Decision::Commit(batch, Ok(())) }
        };
        let removed = self.engine.transact(&storage_keys, decide).await?;
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
