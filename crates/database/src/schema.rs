//! What a table is: its keys, its indexes and its settings.

use std::collections::{BTreeMap, BTreeSet};

use monotable_item::key_encoding::KeyType;

use crate::any_index::AnyIndex;
use crate::attached_policy::AttachedPolicy;
use crate::home::Home;
use crate::insights::Insights;
use crate::later_attributes::LaterAttributes;
use crate::status::{IndexTransition, Transition};
use crate::stream::OpenStream;
pub use crate::vector::{
    Distance, SearchAttribute, SearchRole, VectorIndexDefinition, VectorIndexSchema,
};

/// The number of a table in the keyspace. It is never used again after the table was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub u32);

/// The number of an index within its table. It is never used again after the index was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IndexId(pub u32);

/// The number of an expiry index within its table. It is never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExpiryId(pub u32);

/// An attribute that is part of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyAttribute {
    /// Its name.
    pub name: String,
    /// The type that its values must have.
    pub kind: KeyType,
}

/// The attributes of a key: one and perhaps another for a table, up to four of each kind for a
/// global index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySchema {
    /// What decides the partition.
    pub partition: Vec<KeyAttribute>,
    /// What orders the items of a partition.
    pub sort: Vec<KeyAttribute>,
}

impl KeySchema {
    /// All attributes of the key, partition first.
    pub fn attributes(&self) -> impl Iterator<Item = &KeyAttribute> {
        self.partition.iter().chain(&self.sort)
    }

    /// Returns whether the key has an attribute of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.attributes().any(|attribute| attribute.name == name)
    }
}

/// What an index copies from the items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexProjection {
    /// Every attribute.
    All,
    /// The keys of the index and of the table.
    KeysOnly,
    /// The keys and these.
    Include(BTreeSet<String>),
}

/// The status of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexStatus {
    /// Written to by every write, and being filled with what was there before.
    Creating,
    /// Complete.
    Active,
    /// No longer written to; its entries are being removed.
    Deleting,
}

impl IndexStatus {
    /// Returns whether writes maintain an index with this status.
    pub(crate) fn is_maintained(self) -> bool {
        match self {
            IndexStatus::Creating | IndexStatus::Active => true,
            IndexStatus::Deleting => false,
        }
    }
}

/// Whether an index shares the table's partitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexKind {
    /// The table's partition key with another sort key.
    Local,
    /// Keys of its own.
    Global,
}

/// Read and write units a second that were asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Throughput {
    /// Read units a second.
    pub read_units: u64,
    /// Write units a second.
    pub write_units: u64,
}

/// Read and write request units a second that an on-demand table may not pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RequestCeiling {
    /// Read request units, if there is a ceiling.
    pub read_units: Option<i64>,
    /// Write request units, if there is a ceiling.
    pub write_units: Option<i64>,
}

/// A secondary index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexSchema {
    /// Its number in the keyspace.
    pub id: IndexId,
    /// Its name.
    pub name: String,
    /// Local or global.
    pub kind: IndexKind,
    /// Its keys.
    pub key: KeySchema,
    /// What it copies.
    pub projected: IndexProjection,
    /// Where it stands.
    pub status: IndexStatus,
    /// Its own throughput: of a global index on a provisioned table.
    pub throughput: Throughput,
    /// Its own ceiling: of a global index on an on-demand table.
    pub ceiling: RequestCeiling,
    /// When its throughput changed.
    pub throughput_changed: ThroughputChanges,
    /// What it must serve at once, if that was asked for.
    pub warm: Option<Warm>,
    /// Whether its keys are watched; none if they never were.
    pub insights: Option<Insights>,
    /// A change that is shown as under way, or was last.
    pub transition: Option<IndexTransition>,
    /// What a later version says of it.
    pub later: LaterAttributes,
}

impl IndexSchema {
    /// Returns whether writes maintain this index.
    pub fn is_maintained(&self) -> bool {
        self.status.is_maintained()
    }

    /// The attributes that the index holds of an item of a table with `table_key`, if it does not
    /// hold all.
    pub(crate) fn projected_names<'s>(&'s self, table_key: &'s KeySchema) -> BTreeSet<&'s str> {
        let keys = table_key.attributes().chain(self.key.attributes());
        let mut names: BTreeSet<&str> = keys.map(|attribute| attribute.name.as_str()).collect();
        if let IndexProjection::Include(included) = &self.projected {
            names.extend(included.iter().map(String::as_str));
        }
        names
    }

    /// Returns whether the index holds the attribute `name` of an item of a table with `table_key`.
    pub fn projects(&self, table_key: &KeySchema, name: &str) -> bool {
        match &self.projected {
            IndexProjection::All => true,
            IndexProjection::KeysOnly => table_key.contains(name) || self.key.contains(name),
            IndexProjection::Include(names) => {
                names.contains(name) || table_key.contains(name) || self.key.contains(name)
            }
        }
    }
}

/// How a table is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Billing {
    /// By request.
    #[default]
    OnDemand,
    /// By throughput asked for in advance.
    Provisioned,
}

/// Which images a table's stream holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamView {
    /// Only the keys.
    KeysOnly,
    /// The item as it is after the write.
    NewImage,
    /// The item as it was before the write.
    OldImage,
    /// Both.
    NewAndOldImages,
}

/// The storage class of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableClass {
    /// The usual one.
    Standard,
    /// Cheaper storage, dearer requests.
    StandardInfrequentAccess,
}

/// What a table or index must be able to serve at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Warm {
    /// What was asked for.
    pub units: Throughput,
    /// What it was before that.
    pub before: Throughput,
    /// Until when it is shown as it was before, if it is.
    pub settled_millis: Option<u64>,
}

/// Encryption with a key of the account. The data is not encrypted; the setting is stored and
/// reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encryption {
    /// The key that was named; none for the one of the service in the account.
    pub key: Option<String>,
}

/// Whether replicas of a table in other accounts would follow its settings. There are none; what
/// was asked for is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsReplication {
    /// They would.
    Enabled,
    /// They would not.
    Disabled,
}

/// The settings of a table that can change at any time and touch no data. By default it is
/// on-demand and has nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableSettings {
    /// How it is paid for.
    pub billing: Billing,
    /// When it was last switched to on-demand, in milliseconds since 1970.
    pub on_demand_since_millis: Option<u64>,
    /// Its throughput, if provisioned.
    pub throughput: Throughput,
    /// Its ceiling, if on-demand.
    pub ceiling: RequestCeiling,
    /// When its throughput changed.
    pub throughput_changed: ThroughputChanges,
    /// Whether DeleteTable is refused.
    pub deletion_protection: bool,
    /// Its storage class, if one was named.
    pub class: Option<TableClass>,
    /// When its storage class changed, in milliseconds since 1970.
    pub class_changed_millis: Option<u64>,
    /// What it must serve at once, if that was asked for.
    pub warm: Option<Warm>,
    /// How it is encrypted, if not by the service's own key.
    pub encryption: Option<Encryption>,
    /// Until when a change of the encryption is reported as under way, if one is.
    pub encryption_settled_millis: Option<u64>,
    /// What its stream holds, if it has one.
    pub stream: Option<StreamView>,
    /// When its latest stream began, in milliseconds since 1970. It stays when the stream ends.
    pub stream_since_millis: Option<u64>,
    /// Whether replicas would follow its settings, if that was said.
    pub settings_replication: Option<SettingsReplication>,
    /// What a later version says of it.
    pub later: LaterAttributes,
}

impl TableSettings {
    /// Notes the dates of what a table has from its first moment.
    pub(crate) fn begin(&mut self, now_millis: u64) {
        self.on_demand_since_millis = (self.billing == Billing::OnDemand).then_some(now_millis);
    }
}

/// When the provisioned throughput of a table or index last changed, in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ThroughputChanges {
    /// The last increase.
    pub increased_millis: Option<u64>,
    /// The last decrease.
    pub decreased_millis: Option<u64>,
    /// How many decreases there were on the UTC day of the last one.
    pub decreases: u32,
}

impl ThroughputChanges {
    /// How many decreases there were on the UTC day of this moment.
    pub fn decreases_on_day(&self, now_millis: u64) -> u32 {
        let is_same_day = self.decreased_millis.map(utc_day) == Some(utc_day(now_millis));
        if is_same_day { self.decreases } else { 0 }
    }

    /// Notes a change. One that raises one kind of unit and lowers the other is both.
    pub(crate) fn note(&mut self, old: Throughput, new: Throughput, now_millis: u64) {
        if new.read_units > old.read_units || new.write_units > old.write_units {
            self.increased_millis = Some(now_millis);
        }
        if new.read_units < old.read_units || new.write_units < old.write_units {
            self.decreases = self.decreases_on_day(now_millis) + 1;
            self.decreased_millis = Some(now_millis);
        }
    }
}

fn utc_day(millis: u64) -> u64 {
    millis / (24 * 60 * 60 * 1000)
}

/// A version of a table's schema. Of two, the later one is greater, also if the table was deleted
/// and another one of its name created in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stamp {
    pub(crate) table: TableId,
    pub(crate) version: u64,
}

/// A table: everything about it but its data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableSchema {
    /// Its number in the keyspace.
    pub id: TableId,
    /// How many times it was changed since it was created, and one more.
    pub version: u64,
    /// Its public id, a UUID.
    pub uuid: String,
    /// Whose it is, and where.
    pub home: Home,
    /// Its name, which no other table of its home has.
    pub name: String,
    /// Its primary key.
    pub key: KeySchema,
    /// The types of all attributes that are part of some key, by name, in the order they were
    /// given.
    pub definitions: Vec<KeyAttribute>,
    /// Its indexes, in the order they were given.
    pub indexes: Vec<IndexSchema>,
    /// Its vector indexes, in the order they were given.
    pub vector_indexes: Vec<VectorIndexSchema>,
    /// The number of the next index, of whichever kind.
    pub next_index: u32,
    /// When it was created, in milliseconds since 1970.
    pub created_millis: u64,
    /// Its settings.
    pub settings: TableSettings,
    /// The stream that writes append to.
    pub stream: Option<OpenStream>,
    /// The number of the next stream.
    pub next_stream: u32,
    /// When items expire, if they do.
    pub time_to_live: Option<TimeToLive>,
    /// When time to live was last enabled or disabled, in milliseconds since 1970.
    pub time_to_live_changed_millis: Option<u64>,
    /// The number of the next expiry index.
    pub next_expiry: u32,
    /// Its tags.
    pub tags: BTreeMap<String, String>,
    /// Who may use it.
    pub policy: AttachedPolicy,
    /// Whether its keys are watched; none if they never were.
    pub insights: Option<Insights>,
    /// A change that is shown as under way, or was last.
    pub transition: Option<Transition>,
    /// What a later version says of it.
    pub later: LaterAttributes,
}

/// How the items of a table expire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeToLive {
    /// The attribute with the time, in seconds since 1970.
    pub attribute: String,
    /// The expiry index.
    pub expiry: ExpiryId,
    /// Whether the expiry index is complete, so that items are removed.
    pub is_active: bool,
}

impl TableSchema {
    /// Which version of which table this is.
    pub(crate) fn stamp(&self) -> Stamp {
        Stamp { table: self.id, version: self.version }
    }

    /// The indexes that are being filled, of whichever kind.
    pub(crate) fn filling_indexes(&self) -> impl Iterator<Item = IndexId> {
        let filling = self.every_index().filter(|index| index.status() == IndexStatus::Creating);
        filling.map(AnyIndex::id)
    }

    /// All indexes, of whichever kind.
    pub(crate) fn every_index(&self) -> impl Iterator<Item = AnyIndex<'_>> {
        let secondary = self.indexes.iter().map(AnyIndex::Secondary);
        secondary.chain(self.vector_indexes.iter().map(AnyIndex::Vector))
    }

    /// The indexes that writes keep, of whichever kind.
    pub(crate) fn every_maintained_index(&self) -> impl Iterator<Item = AnyIndex<'_>> {
        self.every_index().filter(|index| index.status().is_maintained())
    }

    /// Returns whether there is an index of this name, of whichever kind.
    pub fn has_index(&self, name: &str) -> bool {
        self.every_index().any(|index| index.name() == name)
    }

    /// The index with this number, of whichever kind.
    pub(crate) fn any_index_by_id(&self, id: IndexId) -> Option<AnyIndex<'_>> {
        self.every_index().find(|index| index.id() == id)
    }

    /// The vector index of this name.
    pub fn vector_index(&self, name: &str) -> Option<&VectorIndexSchema> {
        self.vector_indexes.iter().find(|index| index.name() == name)
    }

    /// The vector index with this number.
    pub fn vector_index_by_id(&self, id: IndexId) -> Option<&VectorIndexSchema> {
        self.vector_indexes.iter().find(|index| index.id == id)
    }

    /// The index of this name.
    pub fn index(&self, name: &str) -> Option<&IndexSchema> {
        self.indexes.iter().find(|index| index.name == name)
    }

    /// The index with this number.
    pub fn index_by_id(&self, id: IndexId) -> Option<&IndexSchema> {
        self.indexes.iter().find(|index| index.id == id)
    }

    /// The indexes that writes keep.
    pub fn maintained_indexes(&self) -> impl Iterator<Item = &IndexSchema> {
        self.indexes.iter().filter(|index| index.is_maintained())
    }

    /// Returns whether the table has a local index, and so item collections of limited size.
    pub fn has_local_index(&self) -> bool {
        self.indexes.iter().any(|index| index.kind == IndexKind::Local)
    }

    /// Forgets the definitions of attributes that are part of no key any more.
    pub(crate) fn prune_definitions(&mut self) {
        let keys: Vec<&KeySchema> =
            self.indexes.iter().map(|index| &index.key).chain([&self.key]).collect();
        let vectors = &self.vector_indexes;
        self.definitions.retain(|KeyAttribute { name, .. }| {
            keys.iter().any(|key| key.contains(name))
                || vectors.iter().any(|index| index.definition.searches(name))
        });
    }
}

/// Schemas for tests.
#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A table with one key attribute and nothing else.
    pub(crate) fn schema(name: &str) -> TableSchema {
        let attribute = KeyAttribute { name: "pk".to_owned(), kind: KeyType::String };
        TableSchema {
            id: TableId(1),
            version: 1,
            uuid: String::new(),
            home: Home::default(),
            name: name.to_owned(),
            key: KeySchema { partition: vec![attribute.clone()], sort: Vec::new() },
            definitions: vec![attribute],
            indexes: Vec::new(),
            vector_indexes: Vec::new(),
            next_index: 0,
            created_millis: 0,
            settings: TableSettings::default(),
            stream: None,
            next_stream: 0,
            time_to_live: None,
            time_to_live_changed_millis: None,
            next_expiry: 0,
            tags: BTreeMap::new(),
            policy: AttachedPolicy::default(),
            insights: None,
            transition: None,
            later: LaterAttributes::default(),
        }
    }

    /// A global index with the key of [`schema`].
    pub(crate) fn index(name: &str, status: IndexStatus) -> IndexSchema {
        IndexSchema {
            id: IndexId(0),
            name: name.to_owned(),
            kind: IndexKind::Global,
            key: schema("").key,
            projected: IndexProjection::All,
            status,
            throughput: Throughput::default(),
            ceiling: RequestCeiling::default(),
            throughput_changed: ThroughputChanges::default(),
            warm: None,
            insights: None,
            transition: None,
            later: LaterAttributes::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY_MILLIS: u64 = 86_400_000;

    fn units(read_units: u64, write_units: u64) -> Throughput {
        Throughput { read_units, write_units }
    }

    #[test]
    fn decreases_are_counted_by_utc_day() {
        let mut changes = ThroughputChanges::default();
        changes.note(units(5, 5), units(4, 5), DAY_MILLIS);
        changes.note(units(4, 5), units(4, 3), 2 * DAY_MILLIS - 1);
        assert_eq!(changes.decreases_on_day(2 * DAY_MILLIS - 1), 2);
        assert_eq!(changes.decreases_on_day(2 * DAY_MILLIS), 0);
        changes.note(units(4, 3), units(1, 3), 2 * DAY_MILLIS);
        assert_eq!(changes.decreases_on_day(2 * DAY_MILLIS), 1);
        assert_eq!(changes.increased_millis, None);
    }

    #[test]
    fn a_change_can_raise_and_lower() {
        let mut changes = ThroughputChanges::default();
        changes.note(units(5, 5), units(1, 9), 7);
        assert_eq!((changes.increased_millis, changes.decreased_millis), (Some(7), Some(7)));
    }
}
