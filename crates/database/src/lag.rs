//! How far the background work is behind, for monitoring.
//!
//! It is computed on request, from the first entries of what is to be done. What is looked at is
//! bounded, however many tables there are and however far behind the work is.

use std::ops::ControlFlow;

use bytes::Bytes;
use monotable_storage::{Direction, Engine, Result as StorageResult, Snapshot};

use crate::Database;
use crate::keyspace::{expiry, stream_record};
use crate::stream::StreamSchema;
use crate::table::Table;
use crate::ttl::PAST_SECS_MAX;

/// How many tables are looked at, and how many streams.
const TABLES_MAX: usize = 100;
/// How many items that are due are counted in a table.
const DUE_ITEMS_MAX: usize = 1_000;

/// How far the work in the background is behind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lags {
    /// Of each table whose items expire.
    pub expiry: Vec<ExpiryLag>,
    /// Of each stream that is enabled.
    pub streams: Vec<StreamLag>,
}

/// Items of a table that have expired and are not removed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpiryLag {
    /// The table.
    pub table: String,
    /// How many there are, up to a thousand.
    pub due_items: u64,
    /// For how many seconds the oldest of them has been due; 0 if there is none.
    pub oldest_secs: u64,
}

/// How far back the records of a stream reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamLag {
    /// Its table.
    pub table: String,
    /// How many shards it has.
    pub shards: u64,
    /// The age of its oldest record, in milliseconds; none if it has no record.
    pub oldest_record_millis: Option<u64>,
}

impl<E: Engine> Database<E> {
    /// Returns how far the background work is behind, of the first hundred tables and the first
    /// hundred streams.
    pub async fn lags(&self) -> StorageResult<Lags> {
        let mut lags = Lags::default();
        for table in self.all_tables().await?.iter().take(TABLES_MAX) {
            lags.expiry.extend(self.expiry_lag(table).await?);
        }
        let enabled = |stream: &StreamSchema| stream.disabled_millis.is_none();
        for stream in self.all_streams().await?.iter().filter(|it| enabled(it)).take(TABLES_MAX) {
            lags.streams.push(self.stream_lag(stream).await?);
        }
        Ok(lags)
    }

    async fn expiry_lag(&self, table: &Table) -> StorageResult<Option<ExpiryLag>> {
        let schema = table.schema();
        let Some(time_to_live) = schema.time_to_live.as_ref().filter(|it| it.is_active) else {
            return Ok(None);
        };
        let now_secs = self.clock.now_millis() / 1000;
        let start_secs = table.swept().secs().max(now_secs.saturating_sub(PAST_SECS_MAX));
        let mut lag = ExpiryLag { table: schema.name.clone(), due_items: 0, oldest_secs: 0 };
        if start_secs > now_secs {
            return Ok(Some(lag));
        }
        let due = expiry::due_range(schema.id, time_to_live.expiry, &(start_secs..=now_secs));
        let count = |key: &[u8], _: Bytes| {
            if lag.due_items == 0 {
                let expired = expiry::expires_at_secs(key).unwrap_or(now_secs);
                lag.oldest_secs = now_secs.saturating_sub(expired);
            }
            lag.due_items += 1;
        };
        self.visit_some(&due, DUE_ITEMS_MAX, count).await?;
        Ok(Some(lag))
    }

    async fn stream_lag(&self, stream: &StreamSchema) -> StorageResult<StreamLag> {
        let mut oldest_millis: Option<u64> = None;
        let snapshot = self.engine.snapshot().await?;
        for shard in &stream.shards {
            let log = stream_record::log(stream.table, stream.id, shard.lane);
            let mut created_millis = None;
            let first = |_: u64, value: Bytes| {
                created_millis = stream_record::decode_created_millis(&value).ok();
                ControlFlow::Break(())
            };
            snapshot.visit_log(&log, shard.positions(), Direction::Forward, 1, first).await?;
            oldest_millis = oldest_millis.into_iter().chain(created_millis).min();
        }
        let now_millis = self.clock.now_millis();
        Ok(StreamLag {
            table: stream.table_name.clone(),
            shards: stream.shards.len() as u64,
            oldest_record_millis: oldest_millis.map(|millis| now_millis.saturating_sub(millis)),
        })
    }
}
