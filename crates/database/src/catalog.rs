//! Creating, changing, deleting and describing tables.

use std::sync::Arc;

use monotable_storage::{
    Batch, Decision, Engine, Error as StorageError, Reads, Result as StorageResult, Snapshot, Wants,
};

use crate::Database;
use crate::alteration::{self, After};
use crate::backfill::set_status;
use crate::database::rest_after;
use crate::error::{CorruptRecord, TableError};
use crate::home::Home;
use crate::keyspace::garbage::Garbage;
use crate::keyspace::{counter, sequence, table};
use crate::schema::{
    Billing, IndexId, IndexKind, IndexSchema, IndexStatus, KeyAttribute, KeySchema, Projected,
    RequestCeiling, StreamView, TableClass, TableId, TableSchema, TableSettings, Throughput,
    ThroughputChanges,
};
use crate::stream;
use crate::table::Table;

/// A table to be created.
#[derive(Debug, Clone)]
pub struct TableDefinition {
    /// Whose it is, and where.
    pub home: Home,
    /// Its name.
    pub name: String,
    /// Its primary key.
    pub key: KeySchema,
    /// The types of all key attributes.
    pub definitions: Vec<KeyAttribute>,
    /// Its indexes.
    pub indexes: Vec<IndexDefinition>,
    /// Its settings; the dates in them are filled in when the table is created.
    pub settings: TableSettings,
}

/// An index to be created.
#[derive(Debug, Clone)]
pub struct IndexDefinition {
    /// Its name.
    pub name: String,
    /// Local or global.
    pub kind: IndexKind,
    /// Its keys.
    pub key: KeySchema,
    /// What it copies.
    pub projected: Projected,
    /// Its throughput.
    pub throughput: Throughput,
    /// Its ceiling.
    pub ceiling: RequestCeiling,
}

impl IndexDefinition {
    fn into_schema(self, id: IndexId, status: IndexStatus) -> IndexSchema {
        IndexSchema {
            id,
            name: self.name,
            kind: self.kind,
            key: self.key,
            projected: self.projected,
            status,
            throughput: self.throughput,
            ceiling: self.ceiling,
            throughput_changed: ThroughputChanges::default(),
        }
    }
}

/// A change of a table. What is `None` stays as it is.
#[derive(Debug, Clone, Default)]
pub struct TableChange {
    /// How it is paid for.
    pub billing: Option<Billing>,
    /// Its throughput.
    pub throughput: Option<Throughput>,
    /// Its ceiling.
    pub ceiling: Option<RequestCeiling>,
    /// Whether it is protected from deletion.
    pub deletion_protection: Option<bool>,
    /// Its storage class.
    pub class: Option<TableClass>,
    /// What its stream holds, or that it has none.
    pub stream: Option<Option<StreamView>>,
    /// Types of key attributes that the table does not know yet.
    pub definitions: Vec<KeyAttribute>,
    /// A global index to be created.
    pub create_index: Option<IndexDefinition>,
    /// A global index to be deleted.
    pub delete_index: Option<String>,
    /// New throughputs and ceilings of global indexes.
    pub update_indexes: Vec<(String, Option<Throughput>, Option<RequestCeiling>)>,
}

/// How much a table and its indexes hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableStatistics {
    /// Items of the table.
    pub items: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Entries and bytes of each index.
    pub indexes: Vec<(IndexId, u64, u64)>,
}

/// A table as it was at one moment.
#[derive(Debug, Clone)]
pub struct DescribedTable {
    /// What it is.
    pub table: Arc<Table>,
    /// How much it holds.
    pub statistics: TableStatistics,
}

impl<E: Engine> Database<E> {
    /// Creates a table, ready for use.
    pub async fn create_table(
        self: &Arc<Self>,
        definition: TableDefinition,
    ) -> Result<Arc<Table>, TableError> {
        let database = self.clone();
        // Drawn here: a decision may be made again, and must come out the same.
        let drawn = Drawn {
            uuid: uuid(self.ids.random()),
            now_millis: self.clock.now_millis(),
            lanes: self.options.streams.lanes_of_new(&definition.settings),
        };
        let creating = async move { (database.create(&definition, &drawn).await, || ()) };
        self.own(creating).await?
    }

    async fn create(
        &self,
        definition: &TableDefinition,
        drawn: &Drawn,
    ) -> Result<Arc<Table>, TableError> {
        // A table that goes before it is learned here stays gone.
        let _loading = self.tables.loading();
        match self.store_new_table(definition, drawn).await? {
            Ok(schema) => {
                let table = Table::new(schema);
                self.tables.learn(table.clone());
                Ok(table)
            }
            Err(error) => {
                self.reload(&definition.home, &definition.name).await?;
                Err(error)
            }
        }
    }

    async fn store_new_table(
        &self,
        definition: &TableDefinition,
        drawn: &Drawn,
    ) -> StorageResult<Result<TableSchema, TableError>> {
        let TableDefinition { home, name, .. } = definition;
        let keys = [sequence::encode_key(), table::encode_key(home, name)];
        let latest_stream = [alteration::latest_stream(home, name)];
        let decide = |reads: &Reads| {
            if reads.get(1).is_some() {
                return Decision::Keep(Err(TableError::Exists));
            }
            match new_table(definition, drawn, reads) {
                Ok((batch, schema)) => Decision::Commit(batch, Ok(schema)),
                Err(corrupt) => Decision::Keep(Err(StorageError::from(corrupt).into())),
            }
        };
        self.transact(Wants::locked(&keys).and_ranges(&latest_stream), decide).await
    }

    /// Deletes a table that was checked; its data is removed in the background.
    pub async fn delete_table(
        self: &Arc<Self>,
        table: &Arc<Table>,
    ) -> Result<Arc<Table>, TableError> {
        let now_millis = self.clock.now_millis();
        self.alter(table, move |before| {
            if before.schema.settings.deletion_protection {
                return Err(TableError::Protected);
            }
            Ok(After {
                stream: stream::disabled(before, now_millis),
                garbage: garbage_of(before.schema),
                ..After::default()
            })
        })
        .await
    }

    /// Changes a table that was checked. A new index is filled, and a deleted one removed, in the background.
    pub async fn update_table(
        self: &Arc<Self>,
        table: &Arc<Table>,
        change: TableChange,
    ) -> Result<Arc<Table>, TableError> {
        let (now_millis, options) = (self.clock.now_millis(), self.options.streams);
        self.alter(table, move |before| {
            let mut schema = before.schema.clone();
            change_settings(&mut schema, &change, now_millis);
            change_indexes(&mut schema, &change, now_millis)?;
            if let Some(definition) = &change.create_index {
                add_index(&mut schema, definition, &change.definitions)?;
            }
            if let Some(name) = &change.delete_index {
                mark_deleted(&mut schema, name)?;
            }
            let stream = match change.stream {
                None => stream::grown(before, &mut schema, &options, now_millis),
                Some(Some(view)) => {
                    let latest = before.latest_stream_millis;
                    let lanes = options.lanes_of_new(&schema.settings);
                    Some(stream::enabled(&mut schema, view, now_millis, latest, lanes))
                }
                Some(None) => {
                    schema.stream = None;
                    stream::disabled(before, now_millis)
                }
            };
            Ok(After { stream, ..After::schema(schema) })
        })
        .await
    }

    /// The names of a home's tables after `start`, in order, at most `limit`.
    pub async fn table_names(
        &self,
        home: &Home,
        start: Option<&str>,
        limit: usize,
    ) -> StorageResult<Vec<String>> {
        let mut range = table::range_of(home);
        if let Some(start) = start {
            range = rest_after(&range, table::encode_key(home, start));
        }
        let mut names = Vec::new();
        if limit > 0 {
            let collect = |key: &[u8], _| {
                names.extend(table::decode_key(key).map(|(_, name)| name.to_owned()));
            };
            self.visit_some(&range, limit, collect).await?;
        }
        Ok(names)
    }

    /// A table and how much it holds, both at one moment.
    pub async fn describe(&self, home: &Home, name: &str) -> StorageResult<Option<DescribedTable>> {
        let snapshot = self.engine.snapshot().await?;
        let Some(record) = snapshot.get(&table::encode_key(home, name)).await? else {
            return Ok(None);
        };
        let schema = table::decode_value(&record)?;
        let statistics = statistics(&snapshot, &schema).await?;
        Ok(Some(DescribedTable { table: Table::new(schema), statistics }))
    }

    /// How much a table and its indexes hold.
    pub async fn statistics(&self, schema: &TableSchema) -> StorageResult<TableStatistics> {
        statistics(&self.engine.snapshot().await?, schema).await
    }
}

async fn statistics<S: Snapshot>(
    snapshot: &S,
    schema: &TableSchema,
) -> StorageResult<TableStatistics> {
    let (items, bytes) = sums(snapshot, schema.id, None).await?;
    let mut indexes = Vec::with_capacity(schema.indexes.len());
    for index in &schema.indexes {
        let (entries, bytes) = sums(snapshot, schema.id, Some(index.id)).await?;
        indexes.push((index.id, entries, bytes));
    }
    Ok(TableStatistics { items, bytes, indexes })
}

/// What a new table gets from elsewhere than its definition.
struct Drawn {
    uuid: String,
    now_millis: u64,
    lanes: u32,
}

/// A table that is created on what was read: the next number, and the latest stream of its name.
fn new_table(
    definition: &TableDefinition,
    drawn: &Drawn,
    reads: &Reads,
) -> Result<(Batch, TableSchema), CorruptRecord> {
    let next = sequence::decode_value(reads.get(0).map(|value| &**value));
    let id = next.ok_or(CorruptRecord("table sequence"))?;
    let mut schema = new_schema(id, definition.clone(), drawn);
    let mut batch = Batch::new();
    if let Some(view) = schema.settings.stream {
        let latest = alteration::latest_stream_millis(reads)?;
        let stream = stream::enabled(&mut schema, view, drawn.now_millis, latest, drawn.lanes);
        alteration::put_stream(&mut batch, &stream);
    }
    batch.put(sequence::encode_key(), sequence::encode_value(TableId(id.0 + 1)));
    batch.put(table::encode_key(&schema.home, &schema.name), table::encode_value(&schema));
    Ok((batch, schema))
}

fn new_schema(id: TableId, definition: TableDefinition, drawn: &Drawn) -> TableSchema {
    let indexes = definition.indexes.into_iter().zip(0..);
    let indexes = indexes.map(|(index, id)| index.into_schema(IndexId(id), IndexStatus::Active));
    let indexes: Vec<IndexSchema> = indexes.collect();
    let mut settings = definition.settings;
    settings.begin(drawn.now_millis);
    TableSchema {
        id,
        version: 1,
        uuid: drawn.uuid.clone(),
        home: definition.home,
        name: definition.name,
        key: definition.key,
        definitions: definition.definitions,
        next_index: indexes.len() as u32,
        indexes,
        created_millis: drawn.now_millis,
        settings,
        stream: None,
        next_stream: 0,
        time_to_live: None,
        time_to_live_changed_millis: None,
        next_expiry: 0,
    }
}

fn garbage_of(schema: &TableSchema) -> Vec<Garbage> {
    let indexes = schema.indexes.iter().map(|index| Garbage::Index(schema.id, index.id));
    let expiry = schema.time_to_live.iter().map(|ttl| Garbage::Expiry(schema.id, ttl.expiry));
    indexes.chain(expiry).chain([Garbage::Table(schema.id)]).collect()
}

async fn sums<S: Snapshot>(
    snapshot: &S,
    table: TableId,
    index: Option<IndexId>,
) -> StorageResult<(u64, u64)> {
    let items = snapshot.counter(&counter::items_key(table, index)).await?;
    let bytes = snapshot.counter(&counter::bytes_key(table, index)).await?;
    Ok((u64::try_from(items).unwrap_or(0), u64::try_from(bytes).unwrap_or(0)))
}

fn change_settings(schema: &mut TableSchema, change: &TableChange, now_millis: u64) {
    let settings = &mut schema.settings;
    if let Some(billing) = change.billing {
        if billing == Billing::OnDemand && settings.billing == Billing::Provisioned {
            settings.on_demand_since_millis = Some(now_millis);
            settings.throughput = Throughput::default();
            schema.indexes.iter_mut().for_each(|index| index.throughput = Throughput::default());
        }
        settings.billing = billing;
    }
    if let Some(throughput) = change.throughput {
        settings.throughput_changed.note(settings.throughput, throughput, now_millis);
        settings.throughput = throughput;
    }
    settings.ceiling = change.ceiling.unwrap_or(settings.ceiling);
    settings.deletion_protection =
        change.deletion_protection.unwrap_or(settings.deletion_protection);
    settings.class = change.class.or(settings.class);
    if let Some(stream) = change.stream {
        settings.stream = stream;
    }
}

fn change_indexes(
    schema: &mut TableSchema,
    change: &TableChange,
    now_millis: u64,
) -> Result<(), TableError> {
    for (name, throughput, ceiling) in &change.update_indexes {
        let index = schema.indexes.iter_mut().find(|index| index.name == *name);
        let index = index.ok_or(TableError::IndexNotFound)?;
        if let Some(throughput) = *throughput {
            index.throughput_changed.note(index.throughput, throughput, now_millis);
            index.throughput = throughput;
        }
        index.ceiling = ceiling.unwrap_or(index.ceiling);
    }
    Ok(())
}

/// Adds an index to the schema. Only what its keys need of `definitions` is taken over, and a type that the
/// table knows already stays: AWS does the same.
fn add_index(
    schema: &mut TableSchema,
    definition: &IndexDefinition,
    definitions: &[KeyAttribute],
) -> Result<(), TableError> {
    refuse_if_busy(schema)?;
    if schema.index(&definition.name).is_some() {
        return Err(TableError::IndexExists);
    }
    let is_known = |schema: &TableSchema, name: &str| {
        schema.definitions.iter().any(|known| known.name == name)
    };
    for attribute in definitions {
        if definition.key.contains(&attribute.name) && !is_known(schema, &attribute.name) {
            schema.definitions.push(attribute.clone());
        }
    }
    let id = IndexId(schema.next_index);
    schema.next_index += 1;
    schema.indexes.push(definition.clone().into_schema(id, IndexStatus::Creating));
    Ok(())
}

fn mark_deleted(schema: &mut TableSchema, name: &str) -> Result<(), TableError> {
    let index = schema.index(name).filter(|index| index.kind == IndexKind::Global);
    let id = index.ok_or(TableError::IndexNotFound)?.id;
    refuse_if_busy(schema)?;
    set_status(schema, id, IndexStatus::Deleting);
    Ok(())
}

fn refuse_if_busy(schema: &TableSchema) -> Result<(), TableError> {
    match schema.indexes.iter().any(|index| index.status != IndexStatus::Active) {
        true => Err(TableError::Busy),
        false => Ok(()),
    }
}

/// A random UUID in its usual form.
fn uuid(random: u128) -> String {
    let version_4 = random & !(0xF << 76) & !(0x3 << 62) | (0x4 << 76) | (0x2 << 62);
    let hex = format!("{version_4:032x}");
    let mut out = String::with_capacity(36);
    for (at, digit) in hex.chars().enumerate() {
        if [8, 12, 16, 20].contains(&at) {
            out.push('-');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_have_the_form_of_version_four() {
        assert_eq!(uuid(0), "00000000-0000-4000-8000-000000000000");
        assert_eq!(uuid(u128::MAX), "ffffffff-ffff-4fff-bfff-ffffffffffff");
    }
}
