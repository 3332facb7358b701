//! Reading streams and the records of their shards.

use std::ops::{ControlFlow, RangeInclusive};

use bytes::Bytes;
use monotable_storage::{Direction, Engine, KeyRange, Result as StorageResult, Snapshot};

use super::{ShardSchema, StreamRecord, StreamSchema};
use crate::Database;
use crate::database::rest_after;
use crate::home::Home;
use crate::keyspace::{stream, stream_record};
use crate::off_worker;

/// The bytes of records after which a page ends.
const PAGE_BYTES_MAX: usize = 1024 * 1024;

/// A record and its place in the order of its lane.
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
    /// All streams of a home, ordered by the names of their tables and by age.
    pub async fn streams(&self, home: &Home) -> StorageResult<Vec<StreamSchema>> {
        self.streams_in(stream::range_at(home)).await
    }

    /// The streams of tables of this name, ordered by age.
    pub async fn streams_of(
        &self,
        home: &Home,
        table_name: &str,
    ) -> StorageResult<Vec<StreamSchema>> {
        self.streams_in(stream::range_of(home, table_name)).await
    }

    /// The streams of every home.
    pub(crate) async fn all_streams(&self) -> StorageResult<Vec<StreamSchema>> {
        self.streams_in(stream::range()).await
    }

    async fn streams_in(&self, range: KeyRange) -> StorageResult<Vec<StreamSchema>> {
        let (mut rest, mut streams) = (range, Vec::new());
        loop {
            let mut records = Vec::new();
            let last = self.visit_chunk(&rest, |_, value| records.push(value)).await?;
            for record in records {
                streams.push(stream::decode_value(&record)?);
            }
            match last {
                Some(last) => rest = rest_after(&rest, last),
                None => return Ok(streams),
            }
        }
    }

    /// The records of a shard after a position. The end of the shard is as it was when `stream` was
    /// read: what closes afterwards is read again.
    pub async fn records(
        &self,
        stream: &StreamSchema,
        shard: &ShardSchema,
        after: u64,
        limit: usize,
    ) -> StorageResult<RecordsPage> {
        let log = stream_record::log(stream.table, stream.id, shard.lane);
        let positions = shard.positions();
        let positions = after.saturating_add(1).max(*positions.start())..=*positions.end();
        let mut entries: Vec<(u64, Bytes)> = Vec::new();
        let (mut size_bytes, mut is_full) = (0, false);
        let visit = |position: u64, value: Bytes| {
            size_bytes += stream_record::decoded_bytes(&value);
            entries.push((position, value));
            is_full = entries.len() >= limit || size_bytes >= PAGE_BYTES_MAX;
            if is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let snapshot = self.engine.snapshot().await?;
        snapshot.visit_log(&log, positions, Direction::Forward, limit, visit).await?;
        let reached = entries.last().map(|(position, _)| *position);
        let is_last = shard.last_position.is_some_and(|last| !is_full || reached >= Some(last));
        off_worker::move_if_large(size_bytes).await;
        let mut records = Vec::with_capacity(entries.len());
        for (position, value) in entries {
            let record = stream_record::decode_value(&value)?;
            records.push(PositionedRecord { position, record });
        }
        Ok(RecordsPage { records, is_last })
    }

    /// The position of the last record of a shard that was made before this time, if there is one.
    /// Records are in the order of their times, so it is found in few steps.
    pub async fn last_record_before(
        &self,
        stream: &StreamSchema,
        shard: &ShardSchema,
        time_millis: u64,
    ) -> StorageResult<Option<u64>> {
        let log = stream_record::log(stream.table, stream.id, shard.lane);
        let snapshot = self.engine.snapshot().await?;
        let (mut low, end) = shard.positions().into_inner();
        let Some((mut high, _)) = last_of(&snapshot, &log, low..=end).await? else {
            return Ok(None);
        };
        let mut found = None;
        while low <= high {
            let middle = low + (high - low) / 2;
            match last_of(&snapshot, &log, low..=middle).await? {
                Some((position, made_millis)) if made_millis >= time_millis => high = position - 1,
                Some((position, _)) => (found, low) = (Some(position), middle + 1),
                None => low = middle + 1,
            }
        }
        Ok(found)
    }

    /// The position of the last record of a shard, if it has one.
    pub async fn last_record(
        &self,
        stream: &StreamSchema,
        shard: &ShardSchema,
    ) -> StorageResult<Option<u64>> {
        let log = stream_record::log(stream.table, stream.id, shard.lane);
        let snapshot = self.engine.snapshot().await?;
        let last = last_of(&snapshot, &log, shard.positions()).await?;
        Ok(last.map(|(position, _)| position))
    }
}

/// The position and the time of the last record of a part of a log.
async fn last_of<S: Snapshot>(
    snapshot: &S,
    log: &[u8],
    positions: RangeInclusive<u64>,
) -> StorageResult<Option<(u64, u64)>> {
    let mut found = None;
    let visit = |position: u64, value: Bytes| {
        found = Some((position, stream_record::decode_created_millis(&value)));
        ControlFlow::Break(())
    };
    snapshot.visit_log(log, positions, Direction::Backward, 1, visit).await?;
    found.map(|(position, made_millis)| Ok((position, made_millis?))).transpose()
}
