//! Reading the records of a shard.

use std::ops::{Bound, ControlFlow};
use std::sync::{Arc, PoisonError};

use bytes::Bytes;
use monotable_storage::{
    Direction, Engine, Key, KeyRange, Result as StorageResult, Snapshot, log_entry_key,
    log_entry_position,
};

use super::{ShardId, StreamRecord, StreamSchema};
use crate::Database;
use crate::keyspace::stream_record;

/// The bytes of records after which a page ends.
const PAGE_BYTES_MAX: usize = 1024 * 1024;

/// A record and its place in the order of all commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionedRecord {
    /// Its position.
    pub position: u64,
    /// The record.
    pub record: StreamRecord,
}

/// Some records of a shard, in order.
#[derive(Debug, Clone)]
pub struct RecordsPage {
    /// The records.
    pub records: Vec<PositionedRecord>,
    /// Whether the shard is closed and these were its last.
    pub is_last: bool,
}

impl<E: Engine> Database<E> {
    /// All streams, ordered by table and age.
    pub fn streams(&self) -> Vec<Arc<StreamSchema>> {
        self.streams.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// The records of a shard after a position.
    pub async fn records(
        &self,
        stream: &StreamSchema,
        shard: ShardId,
        after: u64,
        limit: usize,
    ) -> StorageResult<RecordsPage> {
        let log = stream_record::log(stream.table, stream.id, shard);
        let start = Bound::Excluded(log_entry_key(&log, after));
        let range = KeyRange::new(start, KeyRange::prefix(&log).end().map(<[u8]>::to_vec));
        // The end of a shard is known before its records are read: what closes in between is read again.
        let last_position = self.closed_at(stream, shard);
        let mut entries: Vec<(Key, Bytes)> = Vec::new();
        let mut size_bytes = 0;
        let visit = |key: &[u8], value: Bytes| {
            size_bytes += value.len();
            entries.push((key.to_vec(), value));
            let is_full = entries.len() >= limit || size_bytes >= PAGE_BYTES_MAX;
            if is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        self.engine.snapshot().await?.visit(&range, Direction::Forward, visit).await?;
        let mut records = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            let record = stream_record::decode_value(&value)?;
            records.push(PositionedRecord { position: log_entry_position(&key)?, record });
        }
        let reached = records.last().map_or(after, |last| last.position);
        Ok(RecordsPage { records, is_last: last_position.is_some_and(|last| reached >= last) })
    }

    /// The position of the last record of a shard, if it has one.
    pub async fn last_record(
        &self,
        stream: &StreamSchema,
        shard: ShardId,
    ) -> StorageResult<Option<u64>> {
        self.outermost_record(stream, shard, Direction::Backward).await
    }

    /// The position of the oldest record of a shard that is still kept.
    pub async fn first_record(
        &self,
        stream: &StreamSchema,
        shard: ShardId,
    ) -> StorageResult<Option<u64>> {
        self.outermost_record(stream, shard, Direction::Forward).await
    }

    async fn outermost_record(
        &self,
        stream: &StreamSchema,
        shard: ShardId,
        direction: Direction,
    ) -> StorageResult<Option<u64>> {
        let log = stream_record::log(stream.table, stream.id, shard);
        let mut found = None;
        let visit = |key: &[u8], _: Bytes| {
            found = Some(log_entry_position(key));
            ControlFlow::Break(())
        };
        let snapshot = self.engine.snapshot().await?;
        snapshot.visit(&KeyRange::prefix(&log), direction, visit).await?;
        found.transpose()
    }

    /// The last position of a shard as it is now, if it is closed.
    fn closed_at(&self, stream: &StreamSchema, shard: ShardId) -> Option<u64> {
        let streams = self.streams.read().unwrap_or_else(PoisonError::into_inner);
        streams.get(&(stream.table, stream.id))?.shard(shard)?.last_position
    }
}
