//! Forgetting records, shards and streams that are a day old.

use std::ops::{ControlFlow, RangeInclusive};

use bytes::Bytes;
use monotable_storage::{
    Batch, Decision, Direction, Engine, Key, Reads, Result as StorageResult, Snapshot, Wants,
};

use super::{RETENTION_MILLIS, ShardSchema, StreamSchema};
use crate::Database;
use crate::alteration::put_stream;
use crate::keyspace::{stream, stream_record};
use crate::lease::Lease;

/// How many records are removed at once.
const CHUNK_RECORDS: usize = 256;

impl<E: Engine> Database<E> {
    /// Forgets what is too old in every stream.
    pub(crate) async fn trim_streams(&self, lease: &mut Lease<'_>) -> StorageResult<()> {
        let now_millis = self.clock.now_millis();
        let Some(cutoff_millis) = now_millis.checked_sub(RETENTION_MILLIS) else { return Ok(()) };
        for stream in self.all_streams().await? {
            if stream.disabled_millis.is_some_and(|disabled| disabled <= cutoff_millis) {
                self.forget_stream(&stream, lease).await?;
                continue;
            }
            for shard in &stream.shards {
                self.trim_shard(&stream, shard, cutoff_millis, lease).await?;
            }
            self.forget_shards(&stream, cutoff_millis, lease).await?;
        }
        Ok(())
    }

    /// Forgets all streams that have ended, however short a time ago.
    pub(crate) async fn forget_ended_streams(&self, lease: &mut Lease<'_>) -> StorageResult<()> {
        for stream in self.all_streams().await? {
            if stream.disabled_millis.is_some() {
                self.forget_stream(&stream, lease).await?;
            }
        }
        Ok(())
    }

    /// Removes the records of a shard up to the first that is young enough. That they are gone is
    /// noted in the same step, so that no reader takes the gap for the end of the records.
    async fn trim_shard(
        &self,
        stream: &StreamSchema,
        shard: &ShardSchema,
        cutoff_millis: u64,
        lease: &mut Lease<'_>,
    ) -> StorageResult<()> {
        let log = stream_record::log(stream.table, stream.id, shard.lane);
        let mut positions = shard.positions();
        loop {
            let old = self.old_records(&log, positions.clone(), cutoff_millis).await?;
            let Some(last) = old.last else { return Ok(()) };
            if self.is_stopping() || !self.keep(lease).await? {
                return Ok(());
            }
            let trim = |stream: &mut StreamSchema, batch: &mut Batch| {
                stream.note_trimmed(shard.id, last);
                batch.trim(log.clone(), last);
            };
            if !self.amend_stream(stream, lease, trim).await? || !old.has_more {
                return Ok(());
            }
            positions = last + 1..=*positions.end();
        }
    }

    /// The first records of a part of a log that are old.
    async fn old_records(
        &self,
        log: &[u8],
        positions: RangeInclusive<u64>,
        cutoff_millis: u64,
    ) -> StorageResult<OldRecords> {
        let mut old = OldRecords { last: None, has_more: false };
        let mut left = CHUNK_RECORDS;
        let visit = |position: u64, value: Bytes| {
            let is_old = stream_record::decode_created_millis(&value)
                .is_ok_and(|created_millis| created_millis <= cutoff_millis);
            if !is_old {
                return ControlFlow::Break(());
            }
            old.last = Some(position);
            left -= 1;
            old.has_more = left == 0;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let snapshot = self.engine.snapshot().await?;
        snapshot.visit_log(log, positions, Direction::Forward, CHUNK_RECORDS, visit).await?;
        Ok(old)
    }

    /// Takes shards out of a stream that have been closed for as long as records are kept.
    async fn forget_shards(
        &self,
        known: &StreamSchema,
        cutoff_millis: u64,
        lease: &Lease<'_>,
    ) -> StorageResult<()> {
        let is_old =
            |shard: &ShardSchema| shard.closed_millis.is_some_and(|closed| closed <= cutoff_millis);
        if known.shards.iter().any(is_old) {
            let forget = |stream: &mut StreamSchema, _: &mut Batch| {
                stream.shards.retain(|shard| !is_old(shard));
            };
            self.amend_stream(known, lease, forget).await?;
        }
        Ok(())
    }

    /// Changes what is known of a stream; returns whether it is there and the job still ours.
    async fn amend_stream(
        &self,
        known: &StreamSchema,
        lease: &Lease<'_>,
        amend: impl Fn(&mut StreamSchema, &mut Batch) + Send + Sync,
    ) -> StorageResult<bool> {
        let keys = [stream::encode_key(&known.home, &known.table_name, known.created_millis)];
        let decide = |reads: &Reads| {
            let Some(record) = reads.get(0).filter(|_| lease.stands(reads.shared(0))) else {
                return Decision::Keep(Ok(false));
            };
            match stream::decode_value(record) {
                Ok(mut stream) => {
                    let mut batch = Batch::new();
                    amend(&mut stream, &mut batch);
                    put_stream(&mut batch, &stream);
                    Decision::Commit(batch, Ok(true))
                }
                Err(corrupt) => Decision::Keep(Err(corrupt)),
            }
        };
        let shared: Vec<Key> = lease.key().cloned().into_iter().collect();
        Ok(self.transact(Wants::locked(&keys).and_shared(&shared), decide).await??)
    }

    /// Removes a stream with all its records.
    async fn forget_stream(&self, gone: &StreamSchema, lease: &mut Lease<'_>) -> StorageResult<()> {
        for shard in &gone.shards {
            self.trim_shard(gone, shard, u64::MAX, lease).await?;
        }
        if self.is_stopping() {
            return Ok(());
        }
        let mut batch = Batch::new();
        batch.delete(stream::encode_key(&gone.home, &gone.table_name, gone.created_millis));
        self.commit_as(lease, batch).await?;
        Ok(())
    }
}

/// The old records at the beginning of a part of a log.
struct OldRecords {
    /// The position of the last one that was looked at.
    last: Option<u64>,
    /// Whether there may be more behind it.
    has_more: bool,
}
