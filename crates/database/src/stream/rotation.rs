//! Opening and closing the shards of a table's stream.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use monotable_storage::{Batch, Decision, Engine, Reads, Result as StorageResult};

use super::{OpenStream, ShardId, StreamId, StreamSchema};
use crate::Database;
use crate::keyspace::{stream, table};
use crate::schema::{StreamView, TableId, TableSchema};
use crate::table::Table;

impl<E: Engine> Database<E> {
    /// A new stream for a table, with open shards; the schema then names it.
    ///
    /// Streams of one table name never begin at the same moment, though a table can be deleted and created
    /// again, and a clock can stand still: the moment is the stream's name.
    pub(crate) fn new_stream(
        &self,
        schema: &mut TableSchema,
        view: StreamView,
        now_millis: u64,
    ) -> StreamSchema {
        let created_millis = self.unused_stream_millis(&schema.name, now_millis);
        let mut stream = StreamSchema {
            table: schema.id,
            id: StreamId(schema.next_stream),
            table_name: schema.name.clone(),
            key: schema.key.clone(),
            view,
            created_millis,
            disabled_millis: None,
            next_shard: 0,
            shards: Vec::new(),
        };
        schema.next_stream += 1;
        schema.settings.stream_since_millis = Some(created_millis);
        schema.stream = Some(stream.open_shards(self.options.streams.lanes, now_millis, 1));
        stream
    }

    fn unused_stream_millis(&self, table_name: &str, now_millis: u64) -> u64 {
        let streams = self.streams.read().unwrap_or_else(PoisonError::into_inner);
        let of_name = streams.values().filter(|stream| stream.table_name == table_name);
        let latest = of_name.map(|stream| stream.created_millis).max();
        latest.map_or(now_millis, |latest| now_millis.max(latest + 1))
    }

    /// The stream that a table writes to, closed at its last records. No write may be under way.
    pub(crate) async fn closed_stream(
        &self,
        schema: &TableSchema,
        now_millis: u64,
    ) -> StorageResult<Option<StreamSchema>> {
        let Some(open) = &schema.stream else { return Ok(None) };
        let Some(stream) = self.stream(schema.id, open.id) else { return Ok(None) };
        let last = self.last_positions(&stream, open).await?;
        let mut stream = (*stream).clone();
        stream.close_shards(now_millis, |shard| last.get(&shard).copied());
        Ok(Some(stream))
    }

    /// The stream that a table writes to, closed and disabled. No write may be under way.
    pub(crate) async fn disabled_stream(
        &self,
        schema: &TableSchema,
    ) -> StorageResult<Option<StreamSchema>> {
        let now_millis = self.clock.now_millis();
        let closed = self.closed_stream(schema, now_millis).await?;
        Ok(closed.map(|stream| StreamSchema { disabled_millis: Some(now_millis), ..stream }))
    }

    /// Enables or disables a table's stream in its schema; gives the stream to be stored with it. No write may
    /// be under way.
    pub(crate) async fn change_stream(
        &self,
        schema: &mut TableSchema,
        change: Option<Option<StreamView>>,
    ) -> StorageResult<Option<StreamSchema>> {
        match change {
            None => Ok(None),
            Some(Some(view)) => Ok(Some(self.new_stream(schema, view, self.clock.now_millis()))),
            Some(None) => {
                let disabled = self.disabled_stream(schema).await?;
                schema.stream = None;
                Ok(disabled)
            }
        }
    }

    /// Opens the stream of a table whose settings ask for one that was never opened: such tables were
    /// written before there were streams.
    pub(crate) async fn open_missing_stream(&self, table: &Table) -> StorageResult<()> {
        let mut schema = (*table.schema()).clone();
        let Some(view) = schema.settings.stream.filter(|_| schema.stream.is_none()) else {
            return Ok(());
        };
        let stream = self.new_stream(&mut schema, view, self.clock.now_millis());
        self.store_stream(&schema, &stream).await?;
        table.set_schema(schema);
        Ok(())
    }

    async fn last_positions(
        &self,
        stream: &StreamSchema,
        open: &OpenStream,
    ) -> StorageResult<BTreeMap<ShardId, u64>> {
        let mut last = BTreeMap::new();
        for shard in &open.shards {
            if let Some(position) = self.last_record(stream, *shard).await? {
                last.insert(*shard, position);
            }
        }
        Ok(last)
    }

    /// Closes the shards of a table's stream that are old enough, and opens their children.
    pub(crate) async fn rotate_stream(&self, table: &Table) -> StorageResult<()> {
        let now_millis = self.clock.now_millis();
        if !self.is_rotation_due(&table.schema(), now_millis) {
            return Ok(());
        }
        let _change = table.begin_change().await;
        let _gate = table.close_gate().await;
        let mut schema = (*table.schema()).clone();
        if table.is_dropped() || !self.is_rotation_due(&schema, now_millis) {
            return Ok(());
        }
        let Some(mut stream) = self.closed_stream(&schema, now_millis).await? else {
            return Ok(());
        };
        let closed = stream.shards.iter().filter_map(|shard| shard.last_position).max();
        let first_position = closed.unwrap_or(0) + 1;
        let lanes = self.options.streams.lanes;
        schema.stream = Some(stream.open_shards(lanes, now_millis, first_position));
        self.store_stream(&schema, &stream).await?;
        table.set_schema(schema);
        Ok(())
    }

    fn is_rotation_due(&self, schema: &TableSchema, now_millis: u64) -> bool {
        let stream = schema.stream.as_ref().and_then(|open| self.stream(schema.id, open.id));
        let opened =
            stream.and_then(|stream| stream.shards.last().map(|shard| shard.opened_millis));
        opened.is_some_and(|opened| {
            now_millis.saturating_sub(opened) >= self.options.streams.shard_age_millis
        })
    }

    /// A stream of a table as it is now.
    pub fn stream(&self, table: TableId, id: StreamId) -> Option<Arc<StreamSchema>> {
        let streams = self.streams.read().unwrap_or_else(PoisonError::into_inner);
        streams.get(&(table, id)).cloned()
    }

    /// Stores a table's schema together with a stream of it.
    pub(crate) async fn store_stream(
        &self,
        schema: &TableSchema,
        stream: &StreamSchema,
    ) -> StorageResult<()> {
        let decide = |_: &Reads| {
            let mut batch = Batch::new();
            batch.put(table::encode_key(&schema.name), table::encode_value(schema));
            put_stream(&mut batch, stream);
            Decision::Commit(batch, ())
        };
        self.engine.transact(&[], decide).await?;
        self.remember_stream(stream.clone());
        Ok(())
    }

    /// Shows a stream that has been stored to readers.
    pub(crate) fn remember_stream(&self, stream: StreamSchema) {
        let mut streams = self.streams.write().unwrap_or_else(PoisonError::into_inner);
        streams.insert((stream.table, stream.id), Arc::new(stream));
    }
}

/// Writes a stream to a batch.
pub(crate) fn put_stream(batch: &mut Batch, stream: &StreamSchema) {
    batch.put(stream::encode_key(stream.table, stream.id), stream::encode_value(stream));
}
