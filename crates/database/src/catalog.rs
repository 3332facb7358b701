//! Creating, changing, deleting and describing tables.

use std::ops::Bound;
use std::sync::{Arc, PoisonError};

use monotable_storage::{
    Batch, Decision, Engine, Reads, Result as StorageResult, Snapshot, counter_value,
};

use crate::Database;
use crate::backfill::set_status;
use crate::error::{CorruptRecord, TableError};
use crate::keyspace::garbage::Garbage;
use crate::keyspace::{counter, sequence, table};
use crate::schema::{
    Billing, IndexId, IndexKind, IndexSchema, IndexStatus, KeyAttribute, KeySchema, Projected,
    RequestCeiling, StreamView, TableClass, TableId, TableSchema, TableSettings, Throughput,
    ThroughputChanges,
};
use crate::stream::{StreamSchema, put_stream};
use crate::table::Table;

/// A table to be created.
#[derive(Debug, Clone)]
pub struct TableDefinition {
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableStatistics {
    /// Items of the table.
    pub items: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Entries and bytes of each index.
    pub indexes: Vec<(IndexId, u64, u64)>,
}

impl<E: Engine> Database<E> {
    /// Creates a table, ready for use.
    pub async fn create_table(
        &self,
        definition: TableDefinition,
    ) -> Result<Arc<TableSchema>, TableError> {
        let _change = self.catalog_change.lock().await;
        if self.table(&definition.name).is_some() {
            return Err(TableError::Exists);
        }
        let keys = [sequence::encode_key()];
        let decide = |reads: &Reads| {
            let Some(id) = sequence::decode_value(reads.get(0).map(|value| &**value)) else {
                return Decision::Keep(Err(CorruptRecord("table sequence")));
            };
            let mut schema = self.new_schema(id, definition.clone());
            let view = schema.settings.stream;
            let created_millis = schema.created_millis;
            let stream = view.map(|view| self.new_stream(&mut schema, view, created_millis));
            let mut batch = Batch::new();
            stream.iter().for_each(|stream| put_stream(&mut batch, stream));
            batch.put(sequence::encode_key(), sequence::encode_value(TableId(id.0 + 1)));
            batch.put(table::encode_key(&schema.name), table::encode_value(&schema));
            Decision::Commit(batch, Ok((schema, stream)))
        };
        let created = self.engine.transact(&keys, decide).await?;
        let (schema, stream) = created.map_err(monotable_storage::Error::from)?;
        stream.into_iter().for_each(|stream| self.remember_stream(stream));
        let table = Table::new(schema);
        let schema = table.schema();
        self.write_tables().insert(schema.name.clone(), table);
        Ok(schema)
    }

    /// Deletes a table; its data is removed in the background.
    pub async fn delete_table(
        self: &Arc<Self>,
        name: &str,
    ) -> Result<Arc<TableSchema>, TableError> {
        let table = self.table(name).ok_or(TableError::NotFound)?;
        let _table_change = table.begin_change().await;
        let _change = self.catalog_change.lock().await;
        let schema = table.schema();
        if table.is_dropped() {
            return Err(TableError::NotFound);
        }
        if schema.settings.deletion_protection {
            return Err(TableError::Protected);
        }
        let _gate = table.close_gate().await;
        let garbage: Vec<Garbage> = garbage_of(&schema);
        let stream = self.disabled_stream(&schema).await?;
        self.note_garbage(&schema, &garbage, stream.as_ref()).await?;
        stream.into_iter().for_each(|stream| self.remember_stream(stream));
        table.drop_table();
        self.write_tables().remove(name);
        garbage.into_iter().for_each(|garbage| self.start_purge(garbage));
        Ok(schema)
    }

    /// Changes a table. A new index is filled, and a deleted one removed, in the background.
    pub async fn update_table(
        self: &Arc<Self>,
        name: &str,
        change: TableChange,
    ) -> Result<Arc<TableSchema>, TableError> {
        let table = self.table(name).ok_or(TableError::NotFound)?;
        let _change = table.begin_change().await;
        if table.is_dropped() {
            return Err(TableError::NotFound);
        }
        let mut schema = (*table.schema()).clone();
        let now_millis = self.clock.now_millis();
        change_settings(&mut schema, &change, now_millis);
        change_indexes(&mut schema, &change, now_millis)?;
        let created = change
            .create_index
            .map(|definition| add_index(&mut schema, definition, change.definitions));
        let created = created.transpose()?;
        let deleted =
            change.delete_index.map(|name| mark_deleted(&mut schema, &name)).transpose()?;
        let gate = table.close_gate().await;
        match self.change_stream(&mut schema, change.stream).await? {
            Some(stream) => self.store_stream(&schema, &stream).await?,
            None => self.store_schema(&schema).await?,
        }
        table.set_schema(schema);
        drop(gate);
        created.into_iter().for_each(|index| self.start_backfill(&table, index));
        deleted.into_iter().for_each(|index| self.start_index_removal(&table, index));
        Ok(table.schema())
    }

    /// The names of tables after `start`, in order, at most `limit`.
    pub fn table_names(&self, start: Option<&str>, limit: usize) -> Vec<String> {
        let from = start.map_or(Bound::Unbounded, Bound::Excluded);
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables
            .range::<str, _>((from, Bound::Unbounded))
            .take(limit)
            .map(|(name, _)| name.clone())
            .collect()
    }

    /// How much a table and its indexes hold.
    pub async fn statistics(&self, schema: &TableSchema) -> StorageResult<TableStatistics> {
        let snapshot = self.engine.snapshot().await?;
        let (items, bytes) = sums(&snapshot, schema.id, None).await?;
        let mut indexes = Vec::with_capacity(schema.indexes.len());
        for index in &schema.indexes {
            let (entries, bytes) = sums(&snapshot, schema.id, Some(index.id)).await?;
            indexes.push((index.id, entries, bytes));
        }
        Ok(TableStatistics { items, bytes, indexes })
    }

    /// Stores the schema of a table that exists.
    pub(crate) async fn store_schema(&self, schema: &TableSchema) -> StorageResult<()> {
        let decide = |_: &Reads| {
            let mut batch = Batch::new();
            batch.put(table::encode_key(&schema.name), table::encode_value(schema));
            Decision::Commit(batch, ())
        };
        self.engine.transact(&[], decide).await
    }

    async fn note_garbage(
        &self,
        schema: &TableSchema,
        garbage: &[Garbage],
        stream: Option<&StreamSchema>,
    ) -> StorageResult<()> {
        let decide = |_: &Reads| {
            let mut batch = Batch::new();
            batch.delete(table::encode_key(&schema.name));
            stream.iter().for_each(|stream| put_stream(&mut batch, stream));
            garbage.iter().for_each(|garbage| batch.put(garbage.encode_key(), Vec::new()));
            Decision::Commit(batch, ())
        };
        self.engine.transact(&[], decide).await
    }

    fn new_schema(&self, id: TableId, definition: TableDefinition) -> TableSchema {
        let indexes = definition.indexes.into_iter().zip(0..);
        let indexes =
            indexes.map(|(index, id)| index.into_schema(IndexId(id), IndexStatus::Active));
        let indexes: Vec<IndexSchema> = indexes.collect();
        let created_millis = self.clock.now_millis();
        let mut settings = definition.settings;
        settings.begin(created_millis);
        TableSchema {
            id,
            uuid: uuid(self.ids.random()),
            name: definition.name,
            key: definition.key,
            definitions: definition.definitions,
            next_index: indexes.len() as u32,
            indexes,
            created_millis,
            settings,
            stream: None,
            next_stream: 0,
            time_to_live: None,
            time_to_live_changed_millis: None,
            next_expiry: 0,
        }
    }

    fn write_tables(
        &self,
    ) -> std::sync::RwLockWriteGuard<'_, std::collections::BTreeMap<String, Arc<Table>>> {
        self.tables.write().unwrap_or_else(PoisonError::into_inner)
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
    let keys = [counter::items_key(table, index), counter::bytes_key(table, index)];
    let mut sums = [0; 2];
    for (sum, value) in sums.iter_mut().zip(snapshot.get_many(&keys).await?) {
        *sum = u64::try_from(counter_value(value.as_deref())?).unwrap_or(0);
    }
    let [items, bytes] = sums;
    Ok((items, bytes))
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
    definition: IndexDefinition,
    definitions: Vec<KeyAttribute>,
) -> Result<IndexId, TableError> {
    refuse_if_busy(schema)?;
    if schema.index(&definition.name).is_some() {
        return Err(TableError::IndexExists);
    }
    let is_known = |schema: &TableSchema, name: &str| {
        schema.definitions.iter().any(|known| known.name == name)
    };
    for attribute in definitions {
        if definition.key.contains(&attribute.name) && !is_known(schema, &attribute.name) {
            schema.definitions.push(attribute);
        }
    }
    let id = IndexId(schema.next_index);
    schema.next_index += 1;
    schema.indexes.push(definition.into_schema(id, IndexStatus::Creating));
    Ok(id)
}

fn mark_deleted(schema: &mut TableSchema, name: &str) -> Result<IndexId, TableError> {
    let index = schema.index(name).filter(|index| index.kind == IndexKind::Global);
    let id = index.ok_or(TableError::IndexNotFound)?.id;
    refuse_if_busy(schema)?;
    set_status(schema, id, IndexStatus::Deleting);
    Ok(id)
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
