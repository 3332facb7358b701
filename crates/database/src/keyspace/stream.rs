//! Streams: `09 account region table-name 00 time` → what is known of a stream, its shards among
//! it.
//!
//! A stream outlives being disabled, and its table, by a day, so it is not part of the table's
//! record. It is named as clients name it: by the table's name and the moment it began (8 bytes),
//! so that a stream is not created under a name that another one has.

use monotable_item::{Item, Value, stored};
use monotable_storage::KeyRange;

use super::record::{Record, STREAM_VIEWS, key_schema, read_key_schema};
use super::table_controls::{put_policy, read_policy};
use super::{home, tag};
use crate::error::CorruptRecord;
use crate::home::Home;
use crate::schema::TableId;
use crate::stream::{ShardId, ShardSchema, StreamId, StreamSchema};

/// The key of a stream.
pub(crate) fn encode_key(home: &Home, table_name: &str, created_millis: u64) -> Vec<u8> {
    let mut key = home::name_prefix(tag::STREAM, home, table_name);
    key.extend(created_millis.to_be_bytes());
    key
}

/// The moment in the key of a stream.
pub(crate) fn decode_created_millis(key: &[u8]) -> Result<u64, CorruptRecord> {
    let (_, created) = key.split_last_chunk().ok_or(CorruptRecord("stream key"))?;
    Ok(u64::from_be_bytes(*created))
}

/// The keys of all streams of every home.
pub(crate) fn range() -> KeyRange {
    KeyRange::prefix(&[tag::STREAM])
}

/// The keys of all streams of a home, in order of the names of their tables and of their age.
pub(crate) fn range_at(home: &Home) -> KeyRange {
    KeyRange::prefix(&home::prefix(tag::STREAM, home))
}

/// The keys of all streams of tables of this name, in order of their age.
pub(crate) fn range_of(home: &Home, table_name: &str) -> KeyRange {
    KeyRange::prefix(&home::name_prefix(tag::STREAM, home, table_name))
}

/// The bytes of a stream.
pub(crate) fn encode_value(stream: &StreamSchema) -> Vec<u8> {
    let mut record = Record::default();
    record.put("table", i64::from(stream.table.0));
    record.put("id", i64::from(stream.id.0));
    record.put_home(&stream.home);
    record.put("table_name", stream.table_name.as_str());
    record.put("key", key_schema(&stream.key));
    record.put("view", STREAM_VIEWS.code(stream.view));
    record.put("created_millis", stream.created_millis as i64);
    record.put_optional("disabled_millis", stream.disabled_millis);
    record.put("next_shard", i64::from(stream.next_shard));
    record.put("shards", Value::List(stream.shards.iter().map(shard).collect()));
    put_policy(&mut record, &stream.policy);
    stored::encode(&record.0)
}

/// Reads what [`encode_value`] wrote.
pub(crate) fn decode_value(bytes: &[u8]) -> Result<StreamSchema, CorruptRecord> {
    let record: Item = stored::decode(bytes).map_err(|_| CorruptRecord("stream"))?;
    let record = Record(record);
    Ok(StreamSchema {
        table: TableId(record.integer("table")?),
        id: StreamId(record.integer("id")?),
        home: record.home()?,
        table_name: record.text("table_name")?,
        key: read_key_schema(&record.record("key")?)?,
        view: STREAM_VIEWS.read(&record.text("view")?)?,
        created_millis: record.integer("created_millis")?,
        disabled_millis: record.optional("disabled_millis")?,
        next_shard: record.integer("next_shard")?,
        shards: record.records("shards")?.iter().map(read_shard).collect::<Result<_, _>>()?,
        policy: read_policy(&record)?,
    })
}

fn shard(shard: &ShardSchema) -> Value {
    let mut record = Record::default();
    record.put("id", i64::from(shard.id.0));
    record.put("lane", i64::from(shard.lane));
    record.put_optional("parent", shard.parent.map(|parent| parent.0));
    record.put("opened_millis", shard.opened_millis as i64);
    record.put("first_position", shard.first_position as i64);
    record.put("trimmed_position", shard.trimmed_position as i64);
    record.put_optional("last_position", shard.last_position);
    record.put_optional("closed_millis", shard.closed_millis);
    record
        .put_optional("sequence_offset", Some(shard.sequence_offset).filter(|offset| *offset > 0));
    Value::Map(record.0)
}

fn read_shard(record: &Record) -> Result<ShardSchema, CorruptRecord> {
    Ok(ShardSchema {
        id: ShardId(record.integer("id")?),
        lane: record.integer("lane")?,
        parent: record.optional("parent")?.map(ShardId),
        opened_millis: record.integer("opened_millis")?,
        first_position: record.integer("first_position")?,
        trimmed_position: record.integer("trimmed_position")?,
        last_position: record.optional("last_position")?,
        closed_millis: record.optional("closed_millis")?,
        sequence_offset: record.optional("sequence_offset")?.unwrap_or(0),
    })
}
