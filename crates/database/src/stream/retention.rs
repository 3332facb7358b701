//! Forgetting records, shards and streams that are a day old.

use std::ops::Bound;
use std::sync::{Arc, PoisonError};

use bytes::Bytes;
use monotable_storage::{
    Batch, Decision, Engine, Key, KeyRange, Reads, Result as StorageResult, log_entry_position,
};

use super::{RETENTION_MILLIS, ShardSchema, StreamSchema};
use crate::Database;
use crate::keyspace::{stream, stream_record};

impl<E: Engine> Database<E> {
    /// Forgets what is too old in every stream.
    pub(crate) async fn trim_streams(&self) -> StorageResult<()> {
        let now_millis = self.clock.now_millis();
        let Some(cutoff_millis) = now_millis.checked_sub(RETENTION_MILLIS) else { return Ok(()) };
        for stream in self.streams() {
            if stream.disabled_millis.is_some_and(|disabled| disabled <= cutoff_millis) {
                self.forget_stream(&stream).await?;
                continue;
            }
            for shard in &stream.shards {
                self.trim_shard(&stream, shard, cutoff_millis).await?;
            }
            self.forget_shards(&stream, cutoff_millis).await?;
        }
        Ok(())
    }

    /// Removes the records of a shard up to the first that is young enough. That they are gone is noted
    /// before they go, so that no reader takes the gap for the end of the records.
    async fn trim_shard(
        &self,
        stream: &StreamSchema,
        shard: &ShardSchema,
        cutoff_millis: u64,
    ) -> StorageResult<()> {
        let log = KeyRange::prefix(&stream_record::log(stream.table, stream.id, shard.id));
        loop {
            let mut last_old: Option<Key> = None;
            let mut is_done = false;
            let visit = |key: &[u8], value: Bytes| {
                let is_old = stream_record::decode_created_millis(&value)
                    .is_ok_and(|created_millis| created_millis <= cutoff_millis);
                if !is_old {
                    is_done = true;
                }
                if !is_done {
                    last_old = Some(key.to_vec());
                }
            };
            let seen = self.visit_chunk(&log, visit).await?;
            let Some(last_old) = last_old else { return Ok(()) };
            let position = log_entry_position(&last_old)?;
            self.amend_stream(stream, |stream| stream.note_trimmed(shard.id, position)).await?;
            let start = log.start().map(<[u8]>::to_vec);
            self.delete_range(KeyRange::new(start, Bound::Included(last_old))).await?;
            if is_done || seen.is_none() || self.is_stopping() {
                return Ok(());
            }
        }
    }

    /// Takes shards out of a stream that have been closed for as long as records are kept.
    async fn forget_shards(&self, known: &StreamSchema, cutoff_millis: u64) -> StorageResult<()> {
        let is_old =
            |shard: &ShardSchema| shard.closed_millis.is_some_and(|closed| closed <= cutoff_millis);
        if !known.shards.iter().any(is_old) {
            return Ok(());
        }
        self.amend_stream(known, |stream| stream.shards.retain(|shard| !is_old(shard))).await
    }

    /// Changes what is known of a stream, unless it is gone. Rotation waits meanwhile.
    async fn amend_stream(
        &self,
        known: &StreamSchema,
        amend: impl FnOnce(&mut StreamSchema),
    ) -> StorageResult<()> {
        let table = self.table(&known.table_name);
        let table = table.filter(|table| table.schema().id == known.table);
        let _change = match &table {
            Some(table) => Some(table.begin_change().await),
            None => None,
        };
        let Some(newest) = self.stream(known.table, known.id) else { return Ok(()) };
        let mut amended = (*newest).clone();
        amend(&mut amended);
        self.put_stream_record(&amended).await?;
        self.remember_stream(amended);
        Ok(())
    }

    async fn put_stream_record(&self, kept: &StreamSchema) -> StorageResult<()> {
        let decide = |_: &Reads| {
            let mut batch = Batch::new();
            super::rotation::put_stream(&mut batch, kept);
            Decision::Commit(batch, ())
        };
        self.engine.transact(&[], decide).await
    }

    /// Removes a stream with all its records.
    async fn forget_stream(&self, gone: &Arc<StreamSchema>) -> StorageResult<()> {
        self.delete_all(&stream_record::stream_range(gone.table, gone.id)).await?;
        let decide = |_: &Reads| {
            let mut batch = Batch::new();
            batch.delete(stream::encode_key(gone.table, gone.id));
            Decision::Commit(batch, ())
        };
        self.engine.transact(&[], decide).await?;
        let mut streams = self.streams.write().unwrap_or_else(PoisonError::into_inner);
        streams.remove(&(gone.table, gone.id));
        Ok(())
    }
}
