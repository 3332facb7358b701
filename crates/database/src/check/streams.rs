//! Streams: their shards follow one another, and their records can be read and lie in their shards.
//!
//! A lane is one log. Its shards are parts of it, each beginning behind the end of the one before.
//! Records of shards that were forgotten may be left before the first one; they go with the next
//! records that are trimmed.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, RangeInclusive};

use bytes::Bytes;
use monotable_item::stored;
use monotable_storage::{Direction, Engine, Result as StorageResult, Snapshot};

use super::catalogue::Catalogue;
use super::checker::Checker;
use super::{CheckStage, FaultLocation, Problem, RecordFlaw, ShardFlaw};
use crate::error::CorruptRecord;
use crate::keyspace::stream_record;
use crate::schema::TableSchema;
use crate::stream::{ShardId, ShardSchema, StreamRecord, StreamSchema};

/// How many records are read at once, and how many bytes about.
const CHUNK_RECORDS: usize = 256;
const CHUNK_BYTES: usize = 1 << 20;

impl<E: Engine> Checker<'_, E> {
    /// Checks all streams, and that tables write to those that they name.
    pub(super) async fn check_streams(&mut self, catalogue: &Catalogue) -> StorageResult<()> {
        for schema in catalogue.tables.values() {
            self.check_written_stream(catalogue, schema);
        }
        let mut done = 0;
        for stream in &catalogue.streams {
            self.check_stream(catalogue, stream);
            let lanes: BTreeSet<u32> = stream.shards.iter().map(|shard| shard.lane).collect();
            for lane in lanes {
                self.check_lane(stream, lane, &mut done).await?;
            }
        }
        Ok(())
    }

    /// Checks that the stream that a table writes to is there, and is what the table takes it for.
    fn check_written_stream(&mut self, catalogue: &Catalogue, schema: &TableSchema) {
        let Some(open) = &schema.stream else { return };
        let is_it = |stream: &&StreamSchema| stream.table == schema.id && stream.id == open.id;
        let place = FaultLocation::table(&schema.name);
        let Some(stream) = catalogue.streams.iter().find(is_it) else {
            return self.fault(place, Problem::StreamMissing);
        };
        let is_named = schema.settings.stream_since_millis == Some(stream.created_millis)
            && stream.table_name == schema.name;
        let shards: Vec<ShardId> = open_shards(stream).map(|shard| shard.id).collect();
        let lanes: Vec<u32> = open_shards(stream).map(|shard| shard.lane).collect();
        let are_lanes = lanes == (0..lanes.len() as u32).collect::<Vec<_>>();
        if !is_named || stream.view != open.view || shards != open.shards || !are_lanes {
            self.fault(place, Problem::StreamDisagrees);
        }
    }

    /// Checks what is known of a stream.
    fn check_stream(&mut self, catalogue: &Catalogue, stream: &StreamSchema) {
        let place = FaultLocation::table(&stream.table_name);
        let writes =
            |schema: &TableSchema| schema.stream.as_ref().is_some_and(|open| open.id == stream.id);
        let is_written = catalogue.table(stream.table).is_some_and(writes);
        if stream.disabled_millis.is_none() && !is_written && !catalogue.is_unread(stream.table) {
            self.fault(place.clone(), Problem::StreamNotWritten);
        }
        let mut last_id = None;
        for shard in &stream.shards {
            let is_numbered = last_id < Some(shard.id) && shard.id.0 < stream.next_shard;
            last_id = Some(shard.id);
            let is_closed_right = shard.closed_millis.is_some() == shard.last_position.is_some()
                && (shard.closed_millis.is_some() || stream.disabled_millis.is_none());
            let flaws = [
                (!is_numbered, ShardFlaw::Number),
                (!is_closed_right, ShardFlaw::Closing),
                (!is_bounded(shard), ShardFlaw::Bounds),
                (!begins_well(stream, shard), ShardFlaw::Beginning),
            ];
            for (_, flaw) in flaws.into_iter().filter(|(is_wrong, _)| *is_wrong) {
                self.fault(place.clone(), Problem::Shard { shard: shard.id.0, flaw });
            }
        }
    }

    /// Checks the records of a lane.
    async fn check_lane(
        &mut self,
        stream: &StreamSchema,
        lane: u32,
        done: &mut u64,
    ) -> StorageResult<()> {
        let shards: Vec<&ShardSchema> =
            stream.shards.iter().filter(|shard| shard.lane == lane).collect();
        let log = stream_record::log(stream.table, stream.id, lane);
        let mut next = 0;
        loop {
            let records = self.records_of(&log, next..=u64::MAX).await?;
            let Some((last, _)) = records.last() else { break };
            let end = *last;
            *done += records.len() as u64;
            self.report.totals.stream_records += records.len() as u64;
            self.progress(CheckStage::Stream { table: stream.table_name.clone() }, *done, None);
            for (position, value) in &records {
                self.check_stream_record(stream, &shards, *position, value);
            }
            let Some(after) = end.checked_add(1) else { break };
            next = after;
        }
        self.check_ends(stream, &shards, &log).await
    }

    fn check_stream_record(
        &mut self,
        stream: &StreamSchema,
        shards: &[&ShardSchema],
        position: u64,
        value: &Bytes,
    ) {
        let Some(first) = shards.first() else { return };
        let covering = shards.iter().find(|shard| shard.positions().contains(&position));
        let flaw = match covering {
            Some(shard) if position <= shard.trimmed_position => Some(RecordFlaw::Trimmed),
            Some(_) => read_record(value).err().map(RecordFlaw::Unreadable),
            None if position < first.first_position => {
                self.report.totals.leftover_records += 1;
                None
            }
            None => Some(RecordFlaw::InNoShard),
        };
        if let Some(flaw) = flaw {
            let problem = Problem::StreamRecord { lane: first.lane, position, flaw };
            self.fault(FaultLocation::table(&stream.table_name), problem);
        }
    }

    /// Checks that closed shards end with a record, unless it was trimmed.
    async fn check_ends(
        &mut self,
        stream: &StreamSchema,
        shards: &[&ShardSchema],
        log: &[u8],
    ) -> StorageResult<()> {
        for (at, shard) in shards.iter().enumerate() {
            let Some(last) = shard.last_position else { continue };
            // Trimming a shard takes with it what is left of those before.
            let is_trimmed = |later: &&ShardSchema| later.trimmed_position >= later.first_position;
            let is_gone =
                last <= shard.trimmed_position || shards.iter().skip(at + 1).any(is_trimmed);
            if is_gone || !is_bounded(shard) || last < shard.first_position {
                continue;
            }
            if self.records_of(log, last..=last).await?.is_empty() {
                let flaw = ShardFlaw::LastRecordMissing;
                let problem = Problem::Shard { shard: shard.id.0, flaw };
                self.fault(FaultLocation::table(&stream.table_name), problem);
            }
        }
        Ok(())
    }

    /// The first records at these positions of a log.
    async fn records_of(
        &self,
        log: &[u8],
        positions: RangeInclusive<u64>,
    ) -> StorageResult<Vec<(u64, Bytes)>> {
        let (mut records, mut bytes) = (Vec::new(), 0);
        let visit = |position: u64, value: Bytes| {
            bytes += value.len();
            records.push((position, value));
            let is_full = records.len() >= CHUNK_RECORDS || bytes >= CHUNK_BYTES;
            if is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let snapshot = self.engine.snapshot().await?;
        snapshot.visit_log(log, positions, Direction::Forward, CHUNK_RECORDS, visit).await?;
        Ok(records)
    }
}

fn open_shards(stream: &StreamSchema) -> impl Iterator<Item = &ShardSchema> {
    stream.shards.iter().filter(|shard| shard.closed_millis.is_none())
}

/// Returns whether a shard ends, and was trimmed, within itself.
fn is_bounded(shard: &ShardSchema) -> bool {
    let before = shard.first_position.wrapping_sub(1);
    let end = shard.last_position.unwrap_or(u64::MAX);
    shard.first_position > 0 && (before..=end).contains(&shard.trimmed_position)
}

/// Returns whether a shard begins behind the one before it in its lane, and after its parent, as
/// far as these are still known.
fn begins_well(stream: &StreamSchema, shard: &ShardSchema) -> bool {
    let is_before = |other: &&ShardSchema| other.lane == shard.lane && other.id < shard.id;
    if let Some(before) = stream.shards.iter().rfind(is_before) {
        let follows = before.last_position.and_then(|last| last.checked_add(1));
        if shard.parent.is_none() || follows != Some(shard.first_position) {
            return false;
        }
    }
    let Some(parent) = shard.parent.and_then(|parent| stream.shard(parent)) else { return true };
    parent.id < shard.id && parent.end() <= shard.start()
}

/// Reads a record with all its images.
fn read_record(value: &Bytes) -> Result<(), CorruptRecord> {
    let StreamRecord { keys, old, new, .. } = stream_record::decode_value(value)?;
    for image in [Some(keys), old, new].into_iter().flatten() {
        stored::decode(&image).map_err(|_| CorruptRecord("image of a stream record"))?;
    }
    Ok(())
}
