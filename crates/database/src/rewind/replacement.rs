//! Building a table beside the one that it replaces, and the step that puts it in its place.

use std::sync::Arc;

use bytes::Bytes;
use monotable_storage::{
    Batch, Decision, Engine, Error, ErrorKind, Key, Reads, Result as StorageResult, Wants,
};

use super::saved::{TableContents, unfinished_home};
use crate::Database;
use crate::alteration::{self, After, ChangeRequirements};
use crate::attached_policy::AttachedPolicy;
use crate::catalogue::{TableDefinition, deleted, garbage_of};
use crate::database::commit_some;
use crate::error::{RewindError, TableError, WriteError};
use crate::fence::Fences;
use crate::home::Home;
use crate::keyspace::table;
use crate::schema::TableSchema;
use crate::stream::{self, Cause, StreamSchema};
use crate::table::Table;
use crate::write::{Write, WriteContext};

/// How often a table is tried that other calls change meanwhile.
const ATTEMPTS_MAX: usize = 16;
/// How many items, and about how many bytes of them, one transaction puts.
const CHUNK_ITEMS: usize = 256;
const CHUNK_BYTES: usize = 1 << 20;

impl<E: Engine> Database<E> {
    /// Builds a table with these contents where no client sees it.
    pub(super) async fn build(
        self: &Arc<Self>,
        contents: &TableContents,
    ) -> Result<Arc<Table>, RewindError> {
        let TableContents { schema, items } = contents;
        let empty = self.create_table(bare_definition(schema)).await?;
        let built = self
            .alter_here(&empty, ChangeRequirements::default(), |before| {
                Ok::<_, TableError>(After::schema(unpublished(schema, before.schema)))
            })
            .await?;
        self.fill(&built, items).await?;
        Ok(built)
    }

    async fn fill(&self, table: &Table, items: &[Bytes]) -> Result<(), RewindError> {
        let mut rest = items;
        while !rest.is_empty() {
            // Requests go first.
            tokio::task::yield_now().await;
            if self.is_stopping() {
                return Err(Error::new(ErrorKind::Closed).into());
            }
            let (chunk, next) = rest.split_at(chunk_length(rest));
            self.put_all(table, chunk).await?;
            rest = next;
        }
        Ok(())
    }

    /// Puts items into a table that no other call can reach.
    async fn put_all(&self, table: &Table, items: &[Bytes]) -> StorageResult<()> {
        let put = |item: &Bytes| Write::put(table.schema(), item.clone());
        let writes: Result<Vec<Write>, _> = items.iter().map(put).collect();
        let writes = writes.map_err(corrupt)?;
        let keys: Vec<Key> = writes.iter().map(|write| write.key().storage_key().clone()).collect();
        let fences = Fences::of(writes.iter().map(|write| (table, write.key())));
        let context = WriteContext::new(table, self.clock.now_millis(), Cause::Client);
        let run = |reads: &Reads, batch: &mut Batch| -> Result<(), WriteError> {
            for (at, write) in writes.iter().enumerate() {
                let unfilled = fences.check(at, table, write.key(), reads)?;
                write.run(&context, &unfilled, reads.get(at), batch)?;
            }
            Ok(())
        };
        let decide = |reads: &Reads| {
            let mut batch = Batch::new();
            match run(reads, &mut batch) {
                Ok(()) => commit_some(batch, Ok(())),
                Err(error) => Decision::Keep(Err(error)),
            }
        };
        let wants = Wants::locked(&keys).and_shared(&fences.keys);
        self.transact(wants, decide).await?.map_err(|error| match error {
            WriteError::Storage(error) => error,
            other => corrupt(other),
        })
    }

    /// Puts a table that was built in the place of the one that has the name, or where none is.
    pub(super) async fn put_in_place(
        self: &Arc<Self>,
        schema: &TableSchema,
        built: &Arc<Table>,
    ) -> Result<(), RewindError> {
        for _ in 0..ATTEMPTS_MAX {
            let placed = match self.reload(&schema.home, &schema.name).await? {
                // What is remembered of tables goes by their numbers: the higher one is the later.
                Some(current) if current.schema().id > built.schema().id => break,
                Some(current) => self.replace(&current, schema, built).await,
                None => self.place(schema, built).await,
            };
            match placed {
                Ok(()) => {
                    self.tables.learn_gone(built.schema());
                    return Ok(());
                }
                Err(TableError::SchemaChanged) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(RewindError::Busy)
    }

    async fn replace(
        self: &Arc<Self>,
        current: &Arc<Table>,
        schema: &TableSchema,
        built: &Table,
    ) -> Result<(), TableError> {
        let keys = [built.record_key().clone()];
        let requirements = ChangeRequirements { keys: &keys, ..ChangeRequirements::default() };
        let begin = self.stream_begin(schema);
        let replaced = self.alter_here(current, requirements, |before| {
            if !built.stands(before.also.first().copied().flatten()) {
                return Err(TableError::SchemaChanged);
            }
            let latest_millis = before.latest_stream_millis;
            let (published, begun) = published(schema, built.schema(), latest_millis, begin);
            let ended = stream::disabled(before, begin.now_millis);
            Ok(After {
                streams: ended.into_iter().chain(begun).collect(),
                garbage: garbage_of(before.schema),
                deleted: keys.to_vec(),
                ..After::schema(published)
            })
        });
        replaced.await.map(drop)
    }

    /// Gives a table that was built its name, which no table has.
    async fn place(&self, schema: &TableSchema, built: &Table) -> Result<(), TableError> {
        // A table that goes before it is learned here stays gone.
        let _loading = self.tables.loading();
        let TableSchema { home, name, .. } = schema;
        let keys = [table::encode_key(home, name), built.record_key().clone()];
        let latest_stream = [alteration::latest_stream(home, name)];
        let begin = self.stream_begin(schema);
        let decide = |reads: &Reads| {
            if reads.get(0).is_some() || !built.stands(reads.get(1)) {
                return Decision::Keep(Err(TableError::SchemaChanged));
            }
            let latest_millis = match alteration::latest_stream_millis(reads) {
                Ok(latest_millis) => latest_millis,
                Err(corrupt) => return Decision::Keep(Err(Error::from(corrupt).into())),
            };
            let (published, begun) = published(schema, built.schema(), latest_millis, begin);
            let mut batch = Batch::new();
            let [key, hidden_key] = keys.clone();
            batch.put(key, table::encode_value(&published));
            batch.delete(hidden_key);
            begun.iter().for_each(|stream| alteration::put_stream(&mut batch, stream));
            Decision::Commit(batch, Ok(published))
        };
        let placed = self.transact(Wants::locked(&keys).and_ranges(&latest_stream), decide).await?;
        self.tables.learn(Table::new(placed?));
        Ok(())
    }

    fn stream_begin(&self, schema: &TableSchema) -> StreamBegin {
        let lanes = self.options.streams.lanes_of_new(&schema.settings);
        StreamBegin { now_millis: self.clock.now_millis(), lanes }
    }

    /// Removes a table with its items, whatever protects it.
    pub(super) async fn remove(
        self: &Arc<Self>,
        home: &Home,
        name: &str,
    ) -> Result<(), RewindError> {
        let now_millis = self.clock.now_millis();
        for _ in 0..ATTEMPTS_MAX {
            let Some(table) = self.reload(home, name).await? else { return Ok(()) };
            let removed = self.alter_here(&table, ChangeRequirements::default(), |before| {
                Ok::<_, TableError>(deleted(before, now_millis))
            });
            match removed.await {
                Ok(_) => return Ok(()),
                Err(TableError::SchemaChanged) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(RewindError::Busy)
    }
}

/// A table of the same key without anything else: what it has besides comes with its contents.
fn bare_definition(schema: &TableSchema) -> TableDefinition {
    let mut settings = schema.settings.clone();
    settings.stream = None;
    TableDefinition {
        home: unfinished_home(),
        // A number is one table's for ever, so no two have the same name there.
        name: schema.id.0.to_string(),
        key: schema.key.clone(),
        definitions: schema.definitions.clone(),
        indexes: Vec::new(),
        vector_indexes: Vec::new(),
        settings,
        tags: Default::default(),
        policy: AttachedPolicy::default(),
    }
}

/// The table as it is filled: what is put into it is no change that a stream should have.
fn unpublished(schema: &TableSchema, built: &TableSchema) -> TableSchema {
    let mut unpublished = TableSchema {
        id: built.id,
        version: built.version,
        home: built.home.clone(),
        name: built.name.clone(),
        stream: None,
        ..schema.clone()
    };
    unpublished.settings.stream = None;
    unpublished
}

/// When the stream of a table begins, and how it is divided.
#[derive(Debug, Clone, Copy)]
struct StreamBegin {
    now_millis: u64,
    lanes: u32,
}

/// The table that was built with its own name, and its stream, which begins after the latest one
/// of that name.
fn published(
    schema: &TableSchema,
    built: &TableSchema,
    latest_millis: Option<u64>,
    StreamBegin { now_millis, lanes }: StreamBegin,
) -> (TableSchema, Option<StreamSchema>) {
    let mut published =
        TableSchema { home: schema.home.clone(), name: schema.name.clone(), ..built.clone() };
    let begun = schema.settings.stream.map(|view| {
        published.settings.stream = Some(view);
        stream::enabled(&mut published, view, now_millis, latest_millis, lanes)
    });
    (published, begun)
}

/// How many of these items one transaction puts.
fn chunk_length(items: &[Bytes]) -> usize {
    let mut size_bytes = 0;
    let fits = |item: &&Bytes| {
        size_bytes += item.len();
        size_bytes <= CHUNK_BYTES
    };
    items.iter().take(CHUNK_ITEMS).take_while(fits).count().max(1)
}

/// What was read from a table of this schema must fit it.
fn corrupt(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::with_source(ErrorKind::Corrupt, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_end_at_a_megabyte_or_at_256_items_and_are_never_empty() {
        let items = |count: usize, size_bytes: usize| vec![Bytes::from(vec![0; size_bytes]); count];
        assert_eq!(chunk_length(&items(1000, 10)), CHUNK_ITEMS);
        assert_eq!(chunk_length(&items(10, CHUNK_BYTES / 2)), 2);
        assert_eq!(chunk_length(&items(3, CHUNK_BYTES * 2)), 1);
    }
}
