//! How a table is changed.
//!
//! A change is a pure function from what is stored to what is stored then. It runs in one storage
//! transaction that locks the table's record, so no write is under way meanwhile: those before have
//! settled, and those after find another record than the one they were checked against. The record
//! must be the version that the change was checked against; otherwise nothing happens, and whoever
//! asked for it checks again.
//!
//! What others see of it in this process, and the work that follows, comes after the commit in a
//! task of its own ([`Database::own`]): a caller that goes away leaves the old state or the new
//! one, never half.

use std::sync::Arc;

use bytes::Bytes;
use monotable_storage::{
    Batch, Decision, Direction, Engine, Error, Key, RangeRead, Reads, Result as StorageResult,
    Wants,
};

use crate::Database;
use crate::error::{CorruptRecord, SchemaChanged};
use crate::home::Home;
use crate::keyspace::garbage::Garbage;
use crate::keyspace::{stream, stream_record, table as table_keys};
use crate::lease::Lease;
use crate::schema::TableSchema;
use crate::stream::StreamSchema;
use crate::table::Table;

/// What is stored of a table before it changes.
pub(crate) struct Before<'a> {
    pub(crate) schema: &'a TableSchema,
    /// The stream that writes append to, and where each of its lanes ends.
    pub(crate) stream: Option<(StreamSchema, Vec<u64>)>,
    /// When the latest stream of a table of this name began.
    pub(crate) latest_stream_millis: Option<u64>,
    /// The values of the keys that were asked for requirements.
    pub(crate) also: Vec<Option<&'a Bytes>>,
}

/// What is stored then.
#[derive(Default)]
pub(crate) struct After {
    /// The schema, or none if the table was deleted. One with another number is another table,
    /// which takes the place of this one.
    pub(crate) schema: Option<TableSchema>,
    /// Streams that are new or changed.
    pub(crate) streams: Vec<StreamSchema>,
    /// Data that belongs to nothing from here on.
    pub(crate) garbage: Vec<Garbage>,
    /// Keys that go.
    pub(crate) deleted: Vec<Key>,
}

impl After {
    /// A table with another schema.
    pub(crate) fn schema(schema: TableSchema) -> After {
        After { schema: Some(schema), ..After::default() }
    }
}

/// What a change requires besides the version of the table.
#[derive(Clone, Copy, Default)]
pub(crate) struct ChangeRequirements<'a> {
    /// The right to the job that makes the change.
    pub(crate) lease: Option<&'a Lease<'a>>,
    /// Further keys, which are locked.
    pub(crate) keys: &'a [Key],
}

impl<E: Engine> Database<E> {
    /// Changes a table for a caller who may go away. Returns the table as it is then, or was at
    /// last.
    pub(crate) async fn alter<X>(
        self: &Arc<Self>,
        table: &Arc<Table>,
        change: impl Fn(&Before<'_>) -> Result<After, X> + Send + Sync + 'static,
    ) -> Result<Arc<Table>, X>
    where
        X: From<SchemaChanged> + From<Error> + Send + 'static,
    {
        let (database, table) = (self.clone(), table.clone());
        let altering = async move {
            let altered = database.alter_known(&table, ChangeRequirements::default(), change).await;
            let (altered, work) = match altered {
                Ok((changed, garbage)) => (Ok(changed.clone()), Some((changed, garbage))),
                Err(error) => (Err(error), None),
            };
            let start_work = move || {
                work.iter().for_each(|(changed, garbage)| database.follow_up(changed, garbage));
            };
            (altered, start_work)
        };
        self.own(altering).await.map_err(X::from)?
    }

    /// Changes a table in a task that is never cancelled.
    pub(crate) async fn alter_here<X>(
        self: &Arc<Self>,
        table: &Arc<Table>,
        requirements: ChangeRequirements<'_>,
        change: impl Fn(&Before<'_>) -> Result<After, X> + Send + Sync,
    ) -> Result<Arc<Table>, X>
    where
        X: From<SchemaChanged> + From<Error> + Send,
    {
        let (changed, garbage) = self.alter_known(table, requirements, change).await?;
        self.follow_up(&changed, &garbage);
        Ok(changed)
    }

    /// Starts the work that a change leaves to the background.
    fn follow_up(self: &Arc<Self>, changed: &Arc<Table>, garbage: &[Garbage]) {
        let is_there = self.tables.get(&changed.schema().home, &changed.schema().name).is_some();
        if is_there {
            self.start_jobs_of(changed);
        }
        garbage.iter().for_each(|garbage| self.start_purge(*garbage));
    }

    /// Changes a table, and what is remembered of it.
    async fn alter_known<X>(
        &self,
        table: &Arc<Table>,
        requirements: ChangeRequirements<'_>,
        change: impl Fn(&Before<'_>) -> Result<After, X> + Send + Sync,
    ) -> Result<(Arc<Table>, Vec<Garbage>), X>
    where
        X: From<SchemaChanged> + From<Error> + Send,
    {
        // A table that goes before its last change is learned here stays gone.
        let _loading = self.tables.loading();
        let altered = self.alter_stored(table, requirements, change).await?;
        let After { schema, garbage, .. } = match altered {
            Ok(after) => after,
            Err(refusal) => {
                self.reload_table(table).await.map_err(X::from)?;
                return Err(refusal);
            }
        };
        let changed = match schema {
            Some(schema) => {
                let is_same = schema.id == table.schema().id;
                let changed = if is_same { table.changed(schema) } else { Table::new(schema) };
                self.tables.learn(changed.clone());
                changed
            }
            None => {
                self.tables.learn_gone(table.schema());
                table.clone()
            }
        };
        Ok((changed, garbage))
    }

    async fn alter_stored<X>(
        &self,
        table: &Table,
        requirements: ChangeRequirements<'_>,
        change: impl Fn(&Before<'_>) -> Result<After, X> + Send + Sync,
    ) -> StorageResult<Result<After, X>>
    where
        X: From<SchemaChanged> + From<Error> + Send,
    {
        let keys = Keys::of(table, requirements);
        let decide = |reads: &Reads| {
            let fence = (requirements.lease, reads.shared(0));
            let is_ours = fence.0.is_none_or(|lease| lease.stands(fence.1));
            if !table.stands(reads.get(0)) || !is_ours {
                return Decision::Keep(Err(SchemaChanged.into()));
            }
            let before = match keys.before(table, reads) {
                Ok(before) => before,
                Err(corrupt) => return Decision::Keep(Err(Error::from(corrupt).into())),
            };
            match change(&before) {
                Ok(after) => commit(table, after),
                Err(refusal) => Decision::Keep(Err(refusal)),
            }
        };
        let wants = Wants::locked(&keys.locked).and_shared(&keys.shared);
        self.transact(wants.and_ranges(&keys.latest_stream).and_ends(&keys.lanes), decide).await
    }
}

/// What a change reads.
struct Keys {
    /// The record, that of the stream if there is one, and what else is required.
    locked: Vec<Key>,
    shared: Vec<Key>,
    latest_stream: [RangeRead; 1],
    lanes: Vec<Key>,
    has_stream: bool,
}

impl Keys {
    fn of(table: &Table, requirements: ChangeRequirements<'_>) -> Keys {
        let schema = table.schema();
        let mut locked = vec![table.record_key().clone()];
        let mut lanes = Vec::new();
        let open = schema.stream.as_ref().zip(schema.settings.stream_since_millis);
        if let Some((open, since_millis)) = open {
            locked.push(stream::encode_key(&schema.home, &schema.name, since_millis));
            let log = |lane: u32| stream_record::log(schema.id, open.id, lane);
            lanes.extend((0..open.shards.len() as u32).map(log));
        }
        locked.extend(requirements.keys.iter().cloned());
        Keys {
            locked,
            shared: requirements.lease.and_then(Lease::key).cloned().into_iter().collect(),
            latest_stream: [latest_stream(&schema.home, &schema.name)],
            lanes,
            has_stream: open.is_some(),
        }
    }

    fn before<'a>(&self, table: &'a Table, reads: &'a Reads) -> Result<Before<'a>, CorruptRecord> {
        let mut also = reads.iter().skip(1);
        let stream = if self.has_stream {
            let record = also.next().flatten().ok_or(CorruptRecord("stream is missing"))?;
            let ends = (0..self.lanes.len()).map(|lane| reads.end(lane)).collect();
            Some((stream::decode_value(record)?, ends))
        } else {
            None
        };
        Ok(Before {
            schema: table.schema(),
            stream,
            latest_stream_millis: latest_stream_millis(reads)?,
            also: also.collect(),
        })
    }
}

/// Asks for the latest stream of tables of this name, as the first range.
pub(crate) fn latest_stream(home: &Home, table_name: &str) -> RangeRead {
    let range = stream::range_of(home, table_name);
    RangeRead { range, direction: Direction::Backward, limit: 1 }
}

/// When the latest stream began that [`latest_stream`] asked for.
pub(crate) fn latest_stream_millis(reads: &Reads) -> Result<Option<u64>, CorruptRecord> {
    let latest = reads.range(0).first();
    latest.map(|(key, _)| stream::decode_created_millis(key)).transpose()
}

/// Writes what a table is then.
fn commit<X>(table: &Table, mut after: After) -> Decision<Result<After, X>> {
    let mut batch = Batch::new();
    match &mut after.schema {
        Some(schema) => {
            schema.version = table.schema().version + 1;
            batch.put(table.record_key().clone(), table_keys::encode_value(schema));
        }
        None => batch.delete(table.record_key().clone()),
    }
    after.streams.iter().for_each(|stream| put_stream(&mut batch, stream));
    after.garbage.iter().for_each(|garbage| batch.put(garbage.encode_key(), Vec::new()));
    after.deleted.iter().for_each(|key| batch.delete(key.clone()));
    Decision::Commit(batch, Ok(after))
}

/// Writes a stream to a batch.
pub(crate) fn put_stream(batch: &mut Batch, changed: &StreamSchema) {
    let key = stream::encode_key(&changed.home, &changed.table_name, changed.created_millis);
    batch.put(key, stream::encode_value(changed));
}
