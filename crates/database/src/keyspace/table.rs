//! Tables: `01 account region name` → the table's record.
//!
//! The record begins with its stamp, the number of the table (4 bytes) and the version of the
//! record (8 bytes): that is all that a write looks at. The schema follows, written as a stored
//! item, whose attributes are named: a later format adds attributes and reads those of an earlier
//! one as absent. An attribute's name and meaning never change. What a later format has added to a
//! table, its settings or an index is kept when the record is written again.

use std::collections::BTreeSet;

use monotable_item::{Value, stored};
use monotable_storage::KeyRange;

use super::record::{
    Codes, Record, STREAM_VIEWS, key_attributes, key_schema, read_key_attributes, read_key_schema,
};
use super::table_controls::{
    index_transition, insights, put_policy, put_warm, read_index_transition, read_insights,
    read_policy, read_tags, read_transition, read_warm, tags, transition,
};
use super::{home, tag, vector_index};
use crate::error::CorruptRecord;
use crate::home::Home;
use crate::later_attributes::LaterAttributes;
use crate::schema::{
    Billing, Encryption, ExpiryId, IndexId, IndexKind, IndexProjection, IndexSchema, IndexStatus,
    RequestCeiling, SettingsReplication, Stamp, TableClass, TableId, TableSchema, TableSettings,
    Throughput, ThroughputChanges, TimeToLive,
};
use crate::stream::{OpenStream, ShardId, StreamId};

/// How many bytes a stamp takes.
pub(crate) const STAMP_BYTES: usize = 4 + 8;

/// The key of a table.
pub(crate) fn encode_key(home: &Home, name: &str) -> Vec<u8> {
    let mut key = home::prefix(tag::TABLE, home);
    key.extend_from_slice(name.as_bytes());
    key
}

/// The home and the name in the key of a table.
pub(crate) fn decode_key(key: &[u8]) -> Option<(Home, &str)> {
    let (home, name) = home::split(tag::TABLE, key)?;
    Some((home, std::str::from_utf8(name).ok()?))
}

/// The keys of all tables of every home.
pub(crate) fn range() -> KeyRange {
    KeyRange::prefix(&[tag::TABLE])
}

/// The keys of all tables of a home, in order of their names.
pub(crate) fn range_of(home: &Home) -> KeyRange {
    KeyRange::prefix(&home::prefix(tag::TABLE, home))
}

/// How a record begins that says this.
pub(crate) fn encode_stamp(stamp: Stamp) -> [u8; STAMP_BYTES] {
    let mut bytes = [0; STAMP_BYTES];
    let parts = stamp.table.0.to_be_bytes().into_iter().chain(stamp.version.to_be_bytes());
    bytes.iter_mut().zip(parts).for_each(|(place, byte)| *place = byte);
    bytes
}

/// The bytes of a record.
pub(crate) fn encode_value(schema: &TableSchema) -> Vec<u8> {
    let mut value = encode_stamp(schema.stamp()).to_vec();
    value.extend(encode_schema(schema));
    value
}

fn encode_schema(schema: &TableSchema) -> Vec<u8> {
    let mut record = Record::default();
    record.put("uuid", schema.uuid.as_str());
    record.put_home(&schema.home);
    record.put("name", schema.name.as_str());
    record.put("key", key_schema(&schema.key));
    record.put("definitions", key_attributes(&schema.definitions));
    record.put("indexes", Value::List(schema.indexes.iter().map(index).collect()));
    if !schema.vector_indexes.is_empty() {
        let indexes = schema.vector_indexes.iter().map(vector_index::encode);
        record.put("vector_indexes", Value::List(indexes.collect()));
    }
    record.put("next_index", i64::from(schema.next_index));
    record.put("created_millis", schema.created_millis as i64);
    record.put("settings", settings(&schema.settings));
    if let Some(stream) = &schema.stream {
        record.put("stream", open_stream(stream));
    }
    record.put("next_stream", i64::from(schema.next_stream));
    if let Some(time_to_live) = &schema.time_to_live {
        record.put("time_to_live", ttl(time_to_live));
    }
    record.put_optional("time_to_live_changed_millis", schema.time_to_live_changed_millis);
    record.put("next_expiry", i64::from(schema.next_expiry));
    record.put_some("tags", tags(&schema.tags));
    put_policy(&mut record, &schema.policy);
    record.put_some("insights", schema.insights.map(insights));
    record.put_some("transition", schema.transition.map(transition));
    schema.later.put_into(&mut record.0);
    stored::encode(&record.0)
}

/// Reads what [`encode_value`] wrote.
pub(crate) fn decode_value(bytes: &[u8]) -> Result<TableSchema, CorruptRecord> {
    let (id, rest) = bytes.split_first_chunk().ok_or(CorruptRecord("table number"))?;
    let (version, schema) = rest.split_first_chunk().ok_or(CorruptRecord("table version"))?;
    let record = Record(stored::decode(schema).map_err(|_| CorruptRecord("table"))?);
    Ok(TableSchema {
        id: TableId(u32::from_be_bytes(*id)),
        version: u64::from_be_bytes(*version),
        uuid: record.text("uuid")?,
        home: record.home()?,
        name: record.text("name")?,
        key: read_key_schema(&record.record("key")?)?,
        definitions: read_key_attributes(&record, "definitions")?,
        indexes: record.records("indexes")?.iter().map(read_index).collect::<Result<_, _>>()?,
        vector_indexes: record
            .optional_records("vector_indexes")?
            .iter()
            .map(vector_index::decode)
            .collect::<Result<_, _>>()?,
        next_index: record.integer("next_index")?,
        created_millis: record.integer("created_millis")?,
        settings: read_settings(&record.record("settings")?)?,
        stream: record.optional_record("stream")?.as_ref().map(read_open_stream).transpose()?,
        next_stream: record.integer("next_stream")?,
        time_to_live: record.optional_record("time_to_live")?.as_ref().map(read_ttl).transpose()?,
        time_to_live_changed_millis: record.optional("time_to_live_changed_millis")?,
        next_expiry: record.integer("next_expiry")?,
        tags: read_tags(&record)?,
        policy: read_policy(&record)?,
        insights: record.optional_record("insights")?.as_ref().map(read_insights).transpose()?,
        transition: read_transition(record.optional_record("transition")?)?,
        later: LaterAttributes::of(&record.0, TABLE_ATTRIBUTES),
    })
}

fn open_stream(stream: &OpenStream) -> Value {
    let mut record = Record::default();
    record.put("id", i64::from(stream.id.0));
    record.put("view", STREAM_VIEWS.code(stream.view));
    let shards = stream.shards.iter().map(|shard| Value::from(i64::from(shard.0)));
    record.put("shards", Value::List(shards.collect()));
    Value::Map(record.0)
}

fn read_open_stream(record: &Record) -> Result<OpenStream, CorruptRecord> {
    let shards = record.integers("shards")?;
    Ok(OpenStream {
        id: StreamId(record.integer("id")?),
        view: STREAM_VIEWS.read(&record.text("view")?)?,
        shards: shards.into_iter().map(ShardId).collect(),
    })
}

fn ttl(time_to_live: &TimeToLive) -> Value {
    let mut record = Record::default();
    record.put("attribute", time_to_live.attribute.as_str());
    record.put("expiry", i64::from(time_to_live.expiry.0));
    record.put("is_active", Value::Bool(time_to_live.is_active));
    Value::Map(record.0)
}

fn read_ttl(record: &Record) -> Result<TimeToLive, CorruptRecord> {
    Ok(TimeToLive {
        attribute: record.text("attribute")?,
        expiry: ExpiryId(record.integer("expiry")?),
        is_active: record.0.get("is_active") == Some(&Value::Bool(true)),
    })
}

fn index(index: &IndexSchema) -> Value {
    let mut record = Record::default();
    record.put("id", i64::from(index.id.0));
    record.put("name", index.name.as_str());
    record.put("kind", INDEX_KINDS.code(index.kind));
    record.put("key", key_schema(&index.key));
    put_projected(&mut record, &index.projected);
    record.put("status", INDEX_STATUSES.code(index.status));
    put_throughput(&mut record, index.throughput);
    put_ceiling(&mut record, index.ceiling);
    put_changes(&mut record, index.throughput_changed);
    put_warm(&mut record, index.warm);
    record.put_some("insights", index.insights.map(insights));
    record.put_some("transition", index.transition.map(index_transition));
    index.later.put_into(&mut record.0);
    Value::Map(record.0)
}

fn read_index(record: &Record) -> Result<IndexSchema, CorruptRecord> {
    Ok(IndexSchema {
        id: IndexId(record.integer("id")?),
        name: record.text("name")?,
        kind: INDEX_KINDS.read(&record.text("kind")?)?,
        key: read_key_schema(&record.record("key")?)?,
        projected: read_projected(record)?,
        status: INDEX_STATUSES.read(&record.text("status")?)?,
        throughput: read_throughput(record)?,
        ceiling: read_ceiling(record)?,
        throughput_changed: read_changes(record)?,
        warm: read_warm(record)?,
        insights: record.optional_record("insights")?.as_ref().map(read_insights).transpose()?,
        transition: read_index_transition(record.optional_record("transition")?)?,
        later: LaterAttributes::of(&record.0, INDEX_ATTRIBUTES),
    })
}

pub(super) fn put_projected(record: &mut Record, projected: &IndexProjection) {
    match projected {
        IndexProjection::All => record.put("projected", "all"),
        IndexProjection::KeysOnly => record.put("projected", "keys"),
        IndexProjection::Include(names) => {
            record.put(
                "projected",
                Value::List(names.iter().map(|name| name.as_str().into()).collect()),
            );
        }
    }
}

pub(super) fn read_projected(record: &Record) -> Result<IndexProjection, CorruptRecord> {
    match record.0.get("projected") {
        Some(Value::String(text)) if text == "all" => Ok(IndexProjection::All),
        Some(Value::String(text)) if text == "keys" => Ok(IndexProjection::KeysOnly),
        Some(Value::List(names)) => {
            let name = |value: &Value| match value {
                Value::String(name) => Ok(name.clone()),
                _ => Err(CorruptRecord("projected name")),
            };
            Ok(IndexProjection::Include(
                names.iter().map(name).collect::<Result<BTreeSet<_>, _>>()?,
            ))
        }
        _ => Err(CorruptRecord("projected")),
    }
}

fn settings(settings: &TableSettings) -> Value {
    let mut record = Record::default();
    record.put("billing", BILLINGS.code(settings.billing));
    record.put_optional("on_demand_since_millis", settings.on_demand_since_millis);
    put_throughput(&mut record, settings.throughput);
    put_ceiling(&mut record, settings.ceiling);
    put_changes(&mut record, settings.throughput_changed);
    record.put("deletion_protection", Value::Bool(settings.deletion_protection));
    if let Some(class) = settings.class {
        record.put("class", CLASSES.code(class));
    }
    record.put_optional("class_changed_millis", settings.class_changed_millis);
    put_warm(&mut record, settings.warm);
    record.put_some("encryption", settings.encryption.as_ref().map(encryption));
    record.put_optional("encryption_settled_millis", settings.encryption_settled_millis);
    if let Some(view) = settings.stream {
        record.put("stream", STREAM_VIEWS.code(view));
    }
    record.put_optional("stream_since_millis", settings.stream_since_millis);
    if let Some(replication) = settings.settings_replication {
        record.put("settings_replication", SETTINGS_REPLICATIONS.code(replication));
    }
    settings.later.put_into(&mut record.0);
    Value::Map(record.0)
}

fn read_settings(record: &Record) -> Result<TableSettings, CorruptRecord> {
    Ok(TableSettings {
        billing: BILLINGS.read(&record.text("billing")?)?,
        on_demand_since_millis: record.optional("on_demand_since_millis")?,
        throughput: read_throughput(record)?,
        ceiling: read_ceiling(record)?,
        throughput_changed: read_changes(record)?,
        deletion_protection: record.0.get("deletion_protection") == Some(&Value::Bool(true)),
        class: record.optional_code("class", &CLASSES)?,
        class_changed_millis: record.optional("class_changed_millis")?,
        warm: read_warm(record)?,
        encryption: record.optional_record("encryption")?.as_ref().map(read_encryption),
        encryption_settled_millis: record.optional("encryption_settled_millis")?,
        stream: record.optional_code("stream", &STREAM_VIEWS)?,
        stream_since_millis: record.optional("stream_since_millis")?,
        settings_replication: record
            .optional_code("settings_replication", &SETTINGS_REPLICATIONS)?,
        later: LaterAttributes::of(&record.0, SETTINGS_ATTRIBUTES),
    })
}

fn encryption(encryption: &Encryption) -> Value {
    let mut record = Record::default();
    record.put_some("key", encryption.key.as_deref());
    Value::Map(record.0)
}

fn read_encryption(record: &Record) -> Encryption {
    Encryption { key: record.text("key").ok() }
}

fn put_throughput(record: &mut Record, throughput: Throughput) {
    record.put("read_units", throughput.read_units as i64);
    record.put("write_units", throughput.write_units as i64);
}

fn read_throughput(record: &Record) -> Result<Throughput, CorruptRecord> {
    Ok(Throughput {
        read_units: record.integer("read_units")?,
        write_units: record.integer("write_units")?,
    })
}

fn put_ceiling(record: &mut Record, ceiling: RequestCeiling) {
    record.put_optional("read_ceiling", ceiling.read_units);
    record.put_optional("write_ceiling", ceiling.write_units);
}

fn read_ceiling(record: &Record) -> Result<RequestCeiling, CorruptRecord> {
    Ok(RequestCeiling {
        read_units: record.optional("read_ceiling")?,
        write_units: record.optional("write_ceiling")?,
    })
}

fn put_changes(record: &mut Record, changes: ThroughputChanges) {
    record.put_optional("increased_millis", changes.increased_millis);
    record.put_optional("decreased_millis", changes.decreased_millis);
    record.put("decreases", i64::from(changes.decreases));
}

fn read_changes(record: &Record) -> Result<ThroughputChanges, CorruptRecord> {
    Ok(ThroughputChanges {
        increased_millis: record.optional("increased_millis")?,
        decreased_millis: record.optional("decreased_millis")?,
        decreases: record.optional("decreases")?.unwrap_or(0),
    })
}

const INDEX_KINDS: Codes<IndexKind> =
    Codes(&[(IndexKind::Local, "local"), (IndexKind::Global, "global")]);
pub(super) const INDEX_STATUSES: Codes<IndexStatus> = Codes(&[
    (IndexStatus::Creating, "creating"),
    (IndexStatus::Active, "active"),
    (IndexStatus::Deleting, "deleting"),
]);
const BILLINGS: Codes<Billing> =
    Codes(&[(Billing::OnDemand, "on-demand"), (Billing::Provisioned, "provisioned")]);
const CLASSES: Codes<TableClass> = Codes(&[
    (TableClass::Standard, "standard"),
    (TableClass::StandardInfrequentAccess, "standard-infrequent-access"),
]);
const SETTINGS_REPLICATIONS: Codes<SettingsReplication> = Codes(&[
    (SettingsReplication::Enabled, "enabled"),
    (SettingsReplication::Disabled, "disabled"),
]);

/// The attributes of a table.
const TABLE_ATTRIBUTES: &[&str] = &[
    "uuid",
    "account",
    "region",
    "name",
    "key",
    "definitions",
    "indexes",
    "vector_indexes",
    "next_index",
    "created_millis",
    "settings",
    "stream",
    "next_stream",
    "time_to_live",
    "time_to_live_changed_millis",
    "next_expiry",
    "tags",
    "policy",
    "policy_revision_millis",
    "insights",
    "transition",
];

/// The attributes of an index.
const INDEX_ATTRIBUTES: &[&str] = &[
    "id",
    "name",
    "kind",
    "key",
    "projected",
    "status",
    "read_units",
    "write_units",
    "read_ceiling",
    "write_ceiling",
    "increased_millis",
    "decreased_millis",
    "decreases",
    "warm",
    "insights",
    "transition",
];

/// The attributes of the settings of a table.
const SETTINGS_ATTRIBUTES: &[&str] = &[
    "billing",
    "on_demand_since_millis",
    "read_units",
    "write_units",
    "read_ceiling",
    "write_ceiling",
    "increased_millis",
    "decreased_millis",
    "decreases",
    "deletion_protection",
    "class",
    "class_changed_millis",
    "warm",
    "encryption",
    "encryption_settled_millis",
    "stream",
    "stream_since_millis",
    "settings_replication",
];

#[cfg(test)]
mod tests {
    use monotable_item::Item;
    use monotable_item::key_encoding::KeyType;

    use super::*;
    use std::collections::BTreeMap;

    use crate::attached_policy::AttachedPolicy;
    use crate::insights::{Insights, InsightsMode};
    use crate::schema::{KeyAttribute, KeySchema, StreamView, Warm};
    use crate::status::{IndexTransition, Transition, TransitionKind};

    fn attribute(name: &str, kind: KeyType) -> KeyAttribute {
        KeyAttribute { name: name.to_owned(), kind }
    }

    fn schema() -> TableSchema {
        let key = KeySchema {
            partition: vec![attribute("pk", KeyType::String)],
            sort: vec![attribute("sk", KeyType::Number)],
        };
        let index = |id, kind, projected, status| IndexSchema {
            id: IndexId(id),
            name: format!("index-{id}"),
            kind,
            key: key.clone(),
            projected,
            status,
            throughput: Throughput { read_units: 3, write_units: 4 },
            ceiling: RequestCeiling { read_units: Some(-1), write_units: None },
            throughput_changed: ThroughputChanges {
                increased_millis: None,
                decreased_millis: Some(8),
                decreases: 2,
            },
            warm: Some(Warm {
                units: UNITS,
                before: Throughput::default(),
                settled_millis: Some(4),
            }),
            insights: Some(INSIGHTS),
            transition: Some(IndexTransition::creation(3, 4)),
            later: LaterAttributes::default(),
        };
        TableSchema {
            id: TableId(9),
            version: 17,
            uuid: "00000000-0000-4000-8000-000000000000".to_owned(),
            home: Home::new("111122223333", "eu-west-2"),
            name: "shop".to_owned(),
            definitions: vec![attribute("pk", KeyType::String), attribute("b", KeyType::Binary)],
            indexes: vec![
                index(0, IndexKind::Local, IndexProjection::All, IndexStatus::Active),
                index(1, IndexKind::Global, IndexProjection::KeysOnly, IndexStatus::Creating),
                index(
                    2,
                    IndexKind::Global,
                    IndexProjection::Include(BTreeSet::from(["x".to_owned(), "y".to_owned()])),
                    IndexStatus::Deleting,
                ),
            ],
            vector_indexes: vector_index::testing::indexes(),
            next_index: 5,
            created_millis: 1_700_000_000_123,
            settings: TableSettings {
                billing: Billing::Provisioned,
                on_demand_since_millis: Some(5),
                throughput: Throughput { read_units: 1, write_units: 2 },
                ceiling: RequestCeiling::default(),
                throughput_changed: ThroughputChanges {
                    increased_millis: Some(7),
                    decreased_millis: None,
                    decreases: 0,
                },
                deletion_protection: true,
                class: Some(TableClass::StandardInfrequentAccess),
                class_changed_millis: Some(14),
                warm: Some(Warm { units: UNITS, before: UNITS, settled_millis: None }),
                encryption: Some(Encryption { key: Some("alias/shop".to_owned()) }),
                encryption_settled_millis: Some(15),
                stream: Some(StreamView::NewAndOldImages),
                stream_since_millis: Some(11),
                settings_replication: Some(SettingsReplication::Enabled),
                later: LaterAttributes::default(),
            },
            key,
            stream: Some(OpenStream {
                id: StreamId(3),
                view: StreamView::OldImage,
                shards: vec![ShardId(8), ShardId(9)],
            }),
            next_stream: 4,
            time_to_live: Some(TimeToLive {
                attribute: "ttl".to_owned(),
                expiry: ExpiryId(1),
                is_active: true,
            }),
            time_to_live_changed_millis: Some(12),
            next_expiry: 2,
            tags: BTreeMap::from([("team".to_owned(), String::new())]),
            policy: AttachedPolicy::new("{}".into()).begun(16),
            insights: Some(INSIGHTS),
            transition: Some(Transition { kind: TransitionKind::Creation, until_millis: 17 }),
            later: LaterAttributes::default(),
        }
    }

    const UNITS: Throughput = Throughput { read_units: 5, write_units: 6 };
    const INSIGHTS: Insights = Insights {
        is_enabled: true,
        mode: InsightsMode::Throttled,
        changed_millis: 18,
        since_millis: 19,
        settled_millis: Some(20),
    };

    #[test]
    fn a_record_that_names_no_home_is_of_the_first_one() {
        let mut record = Record::default();
        assert_eq!(record.home(), Ok(Home::default()));
        record.put_home(&Home::new("111122223333", "eu-west-2"));
        assert_eq!(record.home(), Ok(Home::new("111122223333", "eu-west-2")));
    }

    #[test]
    fn schemas_read_back() {
        let schema = schema();
        assert_eq!(decode_value(&encode_value(&schema)), Ok(schema));
    }

    /// The bytes of a record, to each part of which a later version has added an attribute.
    fn with_later_attributes(bytes: &[u8]) -> Vec<u8> {
        let (stamp, schema) = bytes.split_at(STAMP_BYTES);
        let mut table = stored::decode(schema).unwrap();
        for name in ["indexes", "vector_indexes"] {
            let Some(Value::List(indexes)) = table.get_mut(name) else { panic!("no {name}") };
            indexes.iter_mut().for_each(plant);
        }
        plant(table.get_mut("settings").unwrap());
        let mut table = Value::Map(table);
        plant(&mut table);
        let Value::Map(table) = table else { panic!("a map") };
        [stamp, &stored::encode(&table)].concat()
    }

    fn plant(record: &mut Value) {
        let Value::Map(record) = record else { panic!("a map") };
        let later = Value::Map(Item::from_iter([("a".to_owned(), Value::Bool(true))]));
        record.insert("later".to_owned(), later);
    }

    #[test]
    fn what_a_later_version_has_added_survives_a_change_by_this_one() {
        let written = with_later_attributes(&encode_value(&schema()));
        let mut read = decode_value(&written).unwrap();
        assert_eq!(encode_value(&read), written);
        read.settings.deletion_protection = false;
        read.indexes[1].status = IndexStatus::Active;
        read.tags.clear();
        let mut expected = schema();
        expected.settings.deletion_protection = false;
        expected.indexes[1].status = IndexStatus::Active;
        expected.tags.clear();
        assert_eq!(encode_value(&read), with_later_attributes(&encode_value(&expected)));
    }

    #[test]
    fn a_record_begins_with_its_stamp() {
        let schema = schema();
        assert!(encode_value(&schema).starts_with(&encode_stamp(schema.stamp())));
        let later = TableSchema { version: 18, ..schema.clone() };
        let other = TableSchema { id: TableId(10), version: 1, ..schema.clone() };
        assert!(schema.stamp() < later.stamp() && later.stamp() < other.stamp());
    }

    #[test]
    fn damaged_schemas_are_refused() {
        let bytes = encode_value(&schema());
        assert!(decode_value(&bytes[..bytes.len() - 1]).is_err());
        assert!(decode_value(&stored::encode(&Item::new())).is_err());
    }
}
