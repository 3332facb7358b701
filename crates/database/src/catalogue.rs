//! Creating, changing, deleting and describing tables.

use std::collections::BTreeMap;
use std::sync::Arc;

use monotable_storage::{
    Batch, Decision, Engine, Error as StorageError, Reads, Result as StorageResult, Snapshot, Wants,
};

use crate::Database;
use crate::alteration::{self, After, Before};
use crate::attached_policy::AttachedPolicy;
use crate::backfill::set_status;
use crate::database::rest_after;
use crate::error::{CorruptRecord, TableError};
use crate::home::Home;
use crate::keyspace::garbage::Garbage;
use crate::keyspace::{counter, sequence, table};
use crate::later_attributes::LaterAttributes;
use crate::schema::{
    Billing, Encryption, IndexId, IndexKind, IndexProjection, IndexSchema, IndexStatus,
    KeyAttribute, KeySchema, RequestCeiling, SettingsReplication, StreamView, TableClass, TableId,
    TableSchema, TableSettings, Throughput, ThroughputChanges, VectorIndexDefinition,
    VectorIndexSchema, Warm,
};
use crate::status::{
    IndexState, IndexTransition, IndexTransitionKind, Transition, TransitionKind, Undertaking,
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
    /// Its vector indexes.
    pub vector_indexes: Vec<VectorIndexDefinition>,
    /// Its settings; the dates in them are filled in when the table is created.
    pub settings: TableSettings,
    /// Its tags.
    pub tags: BTreeMap<String, String>,
    /// Who may use it.
    pub policy: AttachedPolicy,
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
    pub projected: IndexProjection,
    /// Its throughput.
    pub throughput: Throughput,
    /// Its ceiling.
    pub ceiling: RequestCeiling,
    /// What it must serve at once, if that was asked for.
    pub warm: Option<Warm>,
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
            warm: self.warm,
            insights: None,
            transition: None,
            later: LaterAttributes::default(),
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
    /// What it must serve at once, and served before.
    pub warm: Option<(Throughput, Throughput)>,
    /// How it is encrypted, or that it is by the service's own key.
    pub encryption: Option<Option<Encryption>>,
    /// What its stream holds, or that it has none.
    pub stream: Option<Option<StreamView>>,
    /// Whether replicas would follow its settings.
    pub settings_replication: Option<SettingsReplication>,
    /// Types of key attributes that the table does not know yet.
    pub definitions: Vec<KeyAttribute>,
    /// A global index to be created.
    pub create_index: Option<IndexDefinition>,
    /// A global index to be deleted.
    pub delete_index: Option<String>,
    /// A vector index to be created.
    pub create_vector_index: Option<VectorIndexDefinition>,
    /// A vector index to be deleted. One that is being filled is given up.
    pub delete_vector_index: Option<String>,
    /// New settings of global indexes.
    pub update_indexes: Vec<IndexSettingsChange>,
    /// What the table is reported to be busy with, if anything.
    pub undertaking: Option<Undertaking>,
}

/// A change of the settings of an index. What is `None` stays as it is.
#[derive(Debug, Clone, Default)]
pub struct IndexSettingsChange {
    /// The index.
    pub name: String,
    /// Its throughput.
    pub throughput: Option<Throughput>,
    /// Its ceiling.
    pub ceiling: Option<RequestCeiling>,
    /// What it must serve at once, and served before.
    pub warm: Option<(Throughput, Throughput)>,
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
        let now_millis = self.clock.now_millis();
        // Drawn here: a decision may be made again, and must come out the same.
        let drawn = Drawn {
            uuid: uuid(self.ids.random()),
            now_millis,
            lanes: self.options.streams.lanes_of_new(&definition.settings),
            settled_millis: self.settled_millis(now_millis),
        };
        let creating = async move { (database.create(&definition, &drawn).await, || ()) };
        self.own(creating).await?
    }

    async fn create(
        self: &Arc<Self>,
        definition: &TableDefinition,
        drawn: &Drawn,
    ) -> Result<Arc<Table>, TableError> {
        // A table that goes before it is learned here stays gone.
        let _loading = self.tables.loading();
        let TableDefinition { home, name, .. } = definition;
        let mut stored = self.store_new_table(definition, drawn).await?;
        if stored.is_err() {
            let existing = self.reload(home, name).await?;
            if let Some(gone) = existing.filter(|existing| self.is_gone(existing)) {
                self.finish_deletion(&gone).await?;
                stored = self.store_new_table(definition, drawn).await?;
            }
        }
        let table = Table::new(stored?);
        self.tables.learn(table.clone());
        Ok(table)
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

    /// Deletes a table that was checked; its data is removed in the background. If changes take
    /// time it is reported as being deleted until then.
    pub async fn delete_table(
        self: &Arc<Self>,
        table: &Arc<Table>,
    ) -> Result<Arc<Table>, TableError> {
        let now_millis = self.clock.now_millis();
        let settled_millis = self.settled_millis(now_millis);
        self.alter(table, move |before| {
            if before.schema.settings.deletion_protection {
                return Err(TableError::Protected);
            }
            let Some(until_millis) = settled_millis else { return Ok(deleted(before, now_millis)) };
            let transition = Some(Transition { kind: TransitionKind::Deletion, until_millis });
            Ok(After::schema(TableSchema { transition, ..before.schema.clone() }))
        })
        .await
    }

    /// Sets the tags of a table that was checked.
    pub async fn set_tags(
        self: &Arc<Self>,
        table: &Arc<Table>,
        tags: BTreeMap<String, String>,
    ) -> Result<Arc<Table>, TableError> {
        self.alter(table, move |before| {
            Ok(After::schema(TableSchema { tags: tags.clone(), ..before.schema.clone() }))
        })
        .await
    }

    /// Changes a table that was checked. A new index is filled, and a deleted one removed, in the
    /// background.
    pub async fn update_table(
        self: &Arc<Self>,
        table: &Arc<Table>,
        change: TableChange,
    ) -> Result<Arc<Table>, TableError> {
        let options = self.options.streams;
        let moment = ChangeTime { now_millis: self.clock.now_millis(), delay: self.delay_millis() };
        let now_millis = moment.now_millis;
        self.alter(table, move |before| {
            let mut schema = before.schema.clone();
            change_settings(&mut schema, &change, moment);
            change_indexes(&mut schema, &change, moment)?;
            if let Some(definition) = &change.create_index {
                add_index(&mut schema, definition, &change.definitions, moment)?;
            }
            if let Some(name) = &change.delete_index {
                mark_deleted(&mut schema, name, moment)?;
            }
            vector_index_changes(&mut schema, &change, moment)?;
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
            Ok(After { streams: stream.into_iter().collect(), ..After::schema(schema) })
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
        if schema.is_gone(|| self.clock.now_millis()) {
            return Ok(None);
        }
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
    for index in schema.every_index() {
        let (entries, bytes) = sums(snapshot, schema.id, Some(index.id())).await?;
        indexes.push((index.id(), entries, bytes));
    }
    Ok(TableStatistics { items, bytes, indexes })
}

/// What a new table gets from elsewhere than its definition.
struct Drawn {
    uuid: String,
    now_millis: u64,
    lanes: u32,
    /// Until when it is reported as being created, if it is.
    settled_millis: Option<u64>,
}

/// When a change happens, and how long it is reported as under way.
#[derive(Debug, Clone, Copy)]
struct ChangeTime {
    now_millis: u64,
    delay: Option<u64>,
}

impl ChangeTime {
    fn settled_millis(self) -> Option<u64> {
        self.delay.map(|delay_millis| self.now_millis.saturating_add(delay_millis))
    }

    fn index_transition(self, kind: IndexTransitionKind) -> Option<IndexTransition> {
        let of = |delay_millis| match kind {
            IndexTransitionKind::Creation => {
                IndexTransition::creation(self.now_millis, delay_millis)
            }
            IndexTransitionKind::Change | IndexTransitionKind::Removal => {
                IndexTransition::of(kind, self.now_millis, delay_millis)
            }
        };
        self.delay.map(of)
    }

    fn warm(self, (units, before): (Throughput, Throughput)) -> Warm {
        Warm { units, before, settled_millis: self.settled_millis() }
    }
}

/// What is stored after a table was deleted.
pub(crate) fn deleted(before: &Before<'_>, now_millis: u64) -> After {
    After {
        streams: stream::disabled(before, now_millis).into_iter().collect(),
        garbage: garbage_of(before.schema),
        ..After::default()
    }
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
    let vectors = definition.vector_indexes.into_iter().zip(indexes.len() as u32..);
    let vectors = vectors.map(|(definition, id)| {
        let (id, status) = (IndexId(id), IndexStatus::Active);
        new_vector_index(id, definition, status)
    });
    let vector_indexes: Vec<VectorIndexSchema> = vectors.collect();
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
        next_index: (indexes.len() + vector_indexes.len()) as u32,
        indexes,
        vector_indexes,
        created_millis: drawn.now_millis,
        settings,
        stream: None,
        next_stream: 0,
        time_to_live: None,
        time_to_live_changed_millis: None,
        next_expiry: 0,
        tags: definition.tags,
        policy: definition.policy.begun(drawn.now_millis),
        insights: None,
        transition: drawn
            .settled_millis
            .map(|until_millis| Transition { kind: TransitionKind::Creation, until_millis }),
        later: LaterAttributes::default(),
    }
}

fn new_vector_index(
    id: IndexId,
    definition: VectorIndexDefinition,
    status: IndexStatus,
) -> VectorIndexSchema {
    let later = LaterAttributes::default();
    VectorIndexSchema { id, definition, status, transition: None, later }
}

/// The data of a table, once it belongs to nothing.
pub(crate) fn garbage_of(schema: &TableSchema) -> Vec<Garbage> {
    let indexes = schema.every_index().map(|index| Garbage::Index(schema.id, index.id()));
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

fn change_settings(schema: &mut TableSchema, change: &TableChange, moment: ChangeTime) {
    let now_millis = moment.now_millis;
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
    change_class(settings, change.class, now_millis);
    settings.warm = change.warm.map(|warm| moment.warm(warm)).or(settings.warm);
    if let Some(encryption) = &change.encryption {
        settings.encryption = encryption.clone();
        settings.encryption_settled_millis = moment.settled_millis();
    }
    if let Some(stream) = change.stream {
        settings.stream = stream;
    }
    settings.settings_replication = change.settings_replication.or(settings.settings_replication);
    let kind = change.undertaking.map(TransitionKind::Change);
    if let Some((kind, until_millis)) = kind.zip(moment.settled_millis()) {
        schema.transition = Some(Transition { kind, until_millis });
    }
}

/// A table that never had another class than the usual one is not said to have one when it is asked
/// to.
fn change_class(settings: &mut TableSettings, class: Option<TableClass>, now_millis: u64) {
    let known = settings.class.unwrap_or(TableClass::Standard);
    if let Some(class) = class.filter(|class| *class != known) {
        settings.class = Some(class);
        settings.class_changed_millis = Some(now_millis);
    }
}

fn change_indexes(
    schema: &mut TableSchema,
    change: &TableChange,
    moment: ChangeTime,
) -> Result<(), TableError> {
    for IndexSettingsChange { name, throughput, ceiling, warm } in &change.update_indexes {
        let index = schema.indexes.iter_mut().find(|index| index.name == *name);
        let index = index.ok_or(TableError::IndexNotFound)?;
        if let Some(throughput) = *throughput {
            index.throughput_changed.note(index.throughput, throughput, moment.now_millis);
            index.throughput = throughput;
        }
        index.ceiling = ceiling.unwrap_or(index.ceiling);
        index.warm = warm.map(|warm| moment.warm(warm)).or(index.warm);
        index.transition = moment.index_transition(IndexTransitionKind::Change);
    }
    Ok(())
}

/// Adds an index to the schema. Only what its keys need of `definitions` is taken over, and a type
/// that the table knows already stays: AWS does the same.
fn add_index(
    schema: &mut TableSchema,
    definition: &IndexDefinition,
    definitions: &[KeyAttribute],
    moment: ChangeTime,
) -> Result<(), TableError> {
    refuse_if_busy(schema, moment)?;
    if schema.has_index(&definition.name) {
        return Err(TableError::IndexExists);
    }
    add_definitions(schema, definitions, |name| definition.key.contains(name));
    let id = IndexId(schema.next_index);
    schema.next_index += 1;
    schema.indexes.push(IndexSchema {
        transition: moment.index_transition(IndexTransitionKind::Creation),
        ..definition.clone().into_schema(id, IndexStatus::Creating)
    });
    Ok(())
}

/// Adds the definitions of attributes that the table does not know yet, and that a new index needs.
fn add_definitions(
    schema: &mut TableSchema,
    definitions: &[KeyAttribute],
    needs: impl Fn(&str) -> bool,
) {
    for attribute in definitions.iter().filter(|attribute| needs(&attribute.name)) {
        if !schema.definitions.iter().any(|known| known.name == attribute.name) {
            schema.definitions.push(attribute.clone());
        }
    }
}

/// Creates and deletes vector indexes.
fn vector_index_changes(
    schema: &mut TableSchema,
    change: &TableChange,
    moment: ChangeTime,
) -> Result<(), TableError> {
    if let Some(definition) = &change.create_vector_index {
        refuse_if_busy(schema, moment)?;
        if schema.has_index(&definition.name) {
            return Err(TableError::IndexExists);
        }
        add_definitions(schema, &change.definitions, |name| definition.searches(name));
        let (id, status) = (IndexId(schema.next_index), IndexStatus::Creating);
        schema.next_index += 1;
        let transition = moment.index_transition(IndexTransitionKind::Creation);
        let definition = definition.clone();
        let index = new_vector_index(id, definition, status);
        schema.vector_indexes.push(VectorIndexSchema { transition, ..index });
    }
    if let Some(name) = &change.delete_vector_index {
        let index = schema.vector_index(name).ok_or(TableError::IndexNotFound)?;
        let state = index.state_at(moment.now_millis);
        let (id, is_filling) = (index.id, matches!(state, IndexState::Creating { .. }));
        // Only one index is ever created at a time, so it is this one that keeps the table busy.
        if !is_filling {
            refuse_if_busy(schema, moment)?;
        }
        set_status(schema, id, IndexStatus::Deleting);
        for index in schema.vector_indexes.iter_mut().filter(|index| index.id == id) {
            index.transition = moment.index_transition(IndexTransitionKind::Removal);
        }
    }
    Ok(())
}

fn mark_deleted(
    schema: &mut TableSchema,
    name: &str,
    moment: ChangeTime,
) -> Result<(), TableError> {
    let index = schema.index(name).filter(|index| index.kind == IndexKind::Global);
    let id = index.ok_or(TableError::IndexNotFound)?.id;
    refuse_if_busy(schema, moment)?;
    set_status(schema, id, IndexStatus::Deleting);
    for index in schema.indexes.iter_mut().filter(|index| index.id == id) {
        index.transition = moment.index_transition(IndexTransitionKind::Removal);
    }
    Ok(())
}

fn refuse_if_busy(schema: &TableSchema, moment: ChangeTime) -> Result<(), TableError> {
    if schema.has_indexes_at_rest(moment.now_millis) { Ok(()) } else { Err(TableError::Busy) }
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
