//! Opening and closing the shards of a table's stream.

use std::sync::Arc;

use monotable_storage::{Engine, Result as StorageResult};

use super::{OpenStream, StreamId, StreamOptions, StreamSchema};
use crate::Database;
use crate::alteration::{After, Before, ChangeRequirements};
use crate::attached_policy::AttachedPolicy;
use crate::error::TableError;
use crate::keyspace::stream;
use crate::lease::Lease;
use crate::schema::{StreamView, TableSchema};
use crate::table::Table;

/// A new stream for a table, with open shards; the schema then names it.
///
/// Streams of one table name never begin at the same moment, though a table can be deleted and
/// created again, and a clock can stand still: the moment is the stream's name. `latest_millis` is
/// when the latest began.
pub(crate) fn enabled(
    schema: &mut TableSchema,
    view: StreamView,
    now_millis: u64,
    latest_millis: Option<u64>,
    lanes: u32,
) -> StreamSchema {
    let created_millis = latest_millis.map_or(now_millis, |latest| now_millis.max(latest + 1));
    let mut stream = StreamSchema {
        table: schema.id,
        id: StreamId(schema.next_stream),
        home: schema.home.clone(),
        table_name: schema.name.clone(),
        key: schema.key.clone(),
        view,
        created_millis,
        disabled_millis: None,
        next_shard: 0,
        shards: Vec::new(),
        policy: AttachedPolicy::default(),
    };
    schema.next_stream += 1;
    schema.settings.stream_since_millis = Some(created_millis);
    schema.stream = Some(stream.open_shards(lanes, now_millis));
    stream
}

/// The stream that a table writes to, closed at its last records and disabled.
pub(crate) fn disabled(before: &Before<'_>, now_millis: u64) -> Option<StreamSchema> {
    let (mut stream, ends) = before.stream.clone()?;
    stream.close_shards(now_millis, &ends);
    Some(StreamSchema { disabled_millis: Some(now_millis), ..stream })
}

/// The stream that a table writes to with more shards, if the table as it is then needs more; the
/// schema then names them.
pub(crate) fn grown(
    before: &Before<'_>,
    schema: &mut TableSchema,
    options: &StreamOptions,
    now_millis: u64,
) -> Option<StreamSchema> {
    let open = before.schema.stream.as_ref()?.lanes();
    let lanes = options.lanes_after(open, &schema.settings, 0);
    (lanes > open).then(|| rotated(before, schema, lanes, now_millis)).flatten()
}

/// The stream that a table writes to, its open shards closed at their last records, with children.
fn rotated(
    before: &Before<'_>,
    schema: &mut TableSchema,
    lanes: u32,
    now_millis: u64,
) -> Option<StreamSchema> {
    let (mut stream, ends) = before.stream.clone()?;
    stream.close_shards(now_millis, &ends);
    schema.stream = Some(stream.open_shards(lanes, now_millis));
    Some(stream)
}

impl<E: Engine> Database<E> {
    /// Closes the shards of a table's stream if they are old enough or too few, and opens their
    /// children.
    pub(crate) async fn rotate_stream(
        self: &Arc<Self>,
        table: &Arc<Table>,
        lease: &Lease<'_>,
    ) -> StorageResult<()> {
        let now_millis = self.clock.now_millis();
        let schema = table.schema();
        let Some(open) = schema.stream.as_ref().map(OpenStream::lanes) else { return Ok(()) };
        let size_bytes = self.statistics(schema).await?.bytes;
        let lanes = self.options.streams.lanes_after(open, &schema.settings, size_bytes);
        if lanes == open && !self.is_rotation_due(schema, now_millis).await? {
            return Ok(());
        }
        let requirements =
            ChangeRequirements { lease: Some(lease), ..ChangeRequirements::default() };
        let rotating = self.alter_here(table, requirements, |before| {
            let mut schema = before.schema.clone();
            let stream = rotated(before, &mut schema, lanes, now_millis);
            let stream = stream.ok_or(TableError::SchemaChanged)?;
            Ok(After { streams: vec![stream], ..After::schema(schema) })
        });
        match rotating.await {
            Err(TableError::Storage(error)) => Err(error),
            // A table that has just changed has its turn again soon.
            Ok(_) | Err(_) => Ok(()),
        }
    }

    async fn is_rotation_due(&self, schema: &TableSchema, now_millis: u64) -> StorageResult<bool> {
        let since_millis = schema.stream.as_ref().and(schema.settings.stream_since_millis);
        let Some(since_millis) = since_millis else { return Ok(false) };
        let key = stream::encode_key(&schema.home, &schema.name, since_millis);
        let Some(record) = self.engine.get(&key).await? else { return Ok(false) };
        let stream = stream::decode_value(&record)?;
        let opened_millis = stream.shards.last().map(|shard| shard.opened_millis);
        Ok(opened_millis.is_some_and(|opened| {
            now_millis.saturating_sub(opened) >= self.options.streams.shard_age_millis
        }))
    }
}
