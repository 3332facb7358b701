//! Tables: `01 name` → the table's schema.
//!
//! The schema is written as a stored item, whose attributes are named: a later version adds attributes
//! and reads those of an earlier one as absent. An attribute's name and meaning never change.

use std::collections::BTreeSet;

use monotable_item::key_encoding::KeyType;
use monotable_item::{Item, Type, Value, stored};
use monotable_storage::KeyRange;

use super::tag;
use crate::error::CorruptRecord;
use crate::schema::{
    Billing, IndexId, IndexKind, IndexSchema, IndexStatus, KeyAttribute, KeySchema, Projected,
    RequestCeiling, StreamView, TableClass, TableId, TableSchema, TableSettings, Throughput,
    ThroughputChanges,
};

/// The key of a table.
pub(crate) fn encode_key(name: &str) -> Vec<u8> {
    let mut key = vec![tag::TABLE];
    key.extend_from_slice(name.as_bytes());
    key
}

/// The keys of all tables, in order of their names.
pub(crate) fn range() -> KeyRange {
    KeyRange::prefix(&[tag::TABLE])
}

/// The bytes of a schema.
pub(crate) fn encode_value(schema: &TableSchema) -> Vec<u8> {
    let mut record = Record::default();
    record.put("id", i64::from(schema.id.0));
    record.put("uuid", schema.uuid.as_str());
    record.put("name", schema.name.as_str());
    record.put("key", key_schema(&schema.key));
    record.put("definitions", key_attributes(&schema.definitions));
    record.put("indexes", Value::List(schema.indexes.iter().map(index).collect()));
    record.put("next_index", i64::from(schema.next_index));
    record.put("created_millis", schema.created_millis as i64);
    record.put("settings", settings(&schema.settings));
    stored::encode(&record.0)
}

/// Reads what [`encode_value`] wrote.
pub(crate) fn decode_value(bytes: &[u8]) -> Result<TableSchema, CorruptRecord> {
    let record = Record(stored::decode(bytes).map_err(|_| CorruptRecord("table"))?);
    Ok(TableSchema {
        id: TableId(record.integer("id")?),
        uuid: record.text("uuid")?,
        name: record.text("name")?,
        key: read_key_schema(&record.record("key")?)?,
        definitions: read_key_attributes(&record, "definitions")?,
        indexes: record.records("indexes")?.iter().map(read_index).collect::<Result<_, _>>()?,
        next_index: record.integer("next_index")?,
        created_millis: record.integer("created_millis")?,
        settings: read_settings(&record.record("settings")?)?,
    })
}

fn key_schema(key: &KeySchema) -> Value {
    let mut record = Record::default();
    record.put("partition", key_attributes(&key.partition));
    record.put("sort", key_attributes(&key.sort));
    Value::Map(record.0)
}

fn read_key_schema(record: &Record) -> Result<KeySchema, CorruptRecord> {
    Ok(KeySchema {
        partition: read_key_attributes(record, "partition")?,
        sort: read_key_attributes(record, "sort")?,
    })
}

fn key_attributes(attributes: &[KeyAttribute]) -> Value {
    let pair = |attribute: &KeyAttribute| {
        let mut record = Record::default();
        record.put("name", attribute.name.as_str());
        record.put("type", attribute.kind.value_type().code());
        Value::Map(record.0)
    };
    Value::List(attributes.iter().map(pair).collect())
}

fn read_key_attributes(record: &Record, name: &str) -> Result<Vec<KeyAttribute>, CorruptRecord> {
    let read = |pair: &Record| {
        let kind = match Type::from_code(&pair.text("type")?) {
            Some(Type::String) => KeyType::String,
            Some(Type::Number) => KeyType::Number,
            Some(Type::Binary) => KeyType::Binary,
            _ => return Err(CorruptRecord("key type")),
        };
        Ok(KeyAttribute { name: pair.text("name")?, kind })
    };
    record.records(name)?.iter().map(read).collect()
}

fn index(index: &IndexSchema) -> Value {
    let mut record = Record::default();
    record.put("id", i64::from(index.id.0));
    record.put("name", index.name.as_str());
    record.put("kind", INDEX_KINDS.code(index.kind));
    record.put("key", key_schema(&index.key));
    match &index.projected {
        Projected::All => record.put("projected", "all"),
        Projected::KeysOnly => record.put("projected", "keys"),
        Projected::Include(names) => {
            record.put(
                "projected",
                Value::List(names.iter().map(|name| name.as_str().into()).collect()),
            );
        }
    }
    record.put("status", INDEX_STATUSES.code(index.status));
    put_throughput(&mut record, index.throughput);
    put_ceiling(&mut record, index.ceiling);
    put_changes(&mut record, index.throughput_changed);
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
    })
}

fn read_projected(record: &Record) -> Result<Projected, CorruptRecord> {
    match record.0.get("projected") {
        Some(Value::String(text)) if text == "all" => Ok(Projected::All),
        Some(Value::String(text)) if text == "keys" => Ok(Projected::KeysOnly),
        Some(Value::List(names)) => {
            let name = |value: &Value| match value {
                Value::String(name) => Ok(name.clone()),
                _ => Err(CorruptRecord("projected name")),
            };
            Ok(Projected::Include(names.iter().map(name).collect::<Result<BTreeSet<_>, _>>()?))
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
    if let Some(view) = settings.stream {
        record.put("stream", STREAM_VIEWS.code(view));
    }
    record.put_optional("stream_since_millis", settings.stream_since_millis);
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
        stream: record.optional_code("stream", &STREAM_VIEWS)?,
        stream_since_millis: record.optional("stream_since_millis")?,
    })
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

/// The written words for the variants of an enum.
struct Codes<T: 'static>(&'static [(T, &'static str)]);

const INDEX_KINDS: Codes<IndexKind> =
    Codes(&[(IndexKind::Local, "local"), (IndexKind::Global, "global")]);
const INDEX_STATUSES: Codes<IndexStatus> = Codes(&[
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
const STREAM_VIEWS: Codes<StreamView> = Codes(&[
    (StreamView::KeysOnly, "keys"),
    (StreamView::NewImage, "new"),
    (StreamView::OldImage, "old"),
    (StreamView::NewAndOldImages, "new-and-old"),
]);

impl<T: PartialEq + Copy> Codes<T> {
    fn code(&self, variant: T) -> &'static str {
        let found = self.0.iter().find(|(candidate, _)| *candidate == variant);
        found.map(|(_, code)| *code).expect("every variant has a code")
    }

    fn read(&self, code: &str) -> Result<T, CorruptRecord> {
        let found = self.0.iter().find(|(_, candidate)| *candidate == code);
        found.map(|(variant, _)| *variant).ok_or(CorruptRecord("code"))
    }
}

/// A map with typed access.
#[derive(Default)]
struct Record(Item);

impl Record {
    fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }

    fn put_optional<N: TryInto<i64>>(&mut self, name: &str, value: Option<N>) {
        if let Some(number) = value.and_then(|value| value.try_into().ok()) {
            self.put(name, number);
        }
    }

    fn text(&self, name: &str) -> Result<String, CorruptRecord> {
        match self.0.get(name) {
            Some(Value::String(text)) => Ok(text.clone()),
            _ => Err(CorruptRecord("text")),
        }
    }

    fn integer<N: TryFrom<i64>>(&self, name: &str) -> Result<N, CorruptRecord> {
        self.optional(name)?.ok_or(CorruptRecord("number"))
    }

    fn optional<N: TryFrom<i64>>(&self, name: &str) -> Result<Option<N>, CorruptRecord> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::Number(number)) => {
                let number = number.to_i64().and_then(|number| N::try_from(number).ok());
                number.map(Some).ok_or(CorruptRecord("number"))
            }
            Some(_) => Err(CorruptRecord("number")),
        }
    }

    fn optional_code<T: PartialEq + Copy>(
        &self,
        name: &str,
        codes: &Codes<T>,
    ) -> Result<Option<T>, CorruptRecord> {
        if !self.0.contains_key(name) {
            return Ok(None);
        }
        codes.read(&self.text(name)?).map(Some)
    }

    fn record(&self, name: &str) -> Result<Record, CorruptRecord> {
        match self.0.get(name) {
            Some(Value::Map(map)) => Ok(Record(map.clone())),
            _ => Err(CorruptRecord("map")),
        }
    }

    fn records(&self, name: &str) -> Result<Vec<Record>, CorruptRecord> {
        let record = |value: &Value| match value {
            Value::Map(map) => Ok(Record(map.clone())),
            _ => Err(CorruptRecord("map")),
        };
        match self.0.get(name) {
            Some(Value::List(values)) => values.iter().map(record).collect(),
            _ => Err(CorruptRecord("list")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        };
        TableSchema {
            id: TableId(9),
            uuid: "00000000-0000-4000-8000-000000000000".to_owned(),
            name: "shop".to_owned(),
            definitions: vec![attribute("pk", KeyType::String), attribute("b", KeyType::Binary)],
            indexes: vec![
                index(0, IndexKind::Local, Projected::All, IndexStatus::Active),
                index(1, IndexKind::Global, Projected::KeysOnly, IndexStatus::Creating),
                index(
                    2,
                    IndexKind::Global,
                    Projected::Include(BTreeSet::from(["x".to_owned(), "y".to_owned()])),
                    IndexStatus::Deleting,
                ),
            ],
            next_index: 3,
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
                stream: Some(StreamView::NewAndOldImages),
                stream_since_millis: Some(11),
            },
            key,
        }
    }

    #[test]
    fn schemas_read_back() {
        let schema = schema();
        assert_eq!(decode_value(&encode_value(&schema)), Ok(schema));
    }

    #[test]
    fn the_first_version_ever_written_is_still_read() {
        let text = include_str!("../../tests/fixtures/v1/table.hex");
        let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
        let byte =
            |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        let bytes: Vec<u8> = digits.chunks(2).map(byte).collect();
        assert_eq!(decode_value(&bytes), Ok(schema()));
    }

    #[test]
    fn damaged_schemas_are_refused() {
        let bytes = encode_value(&schema());
        assert!(decode_value(&bytes[..bytes.len() - 1]).is_err());
        assert!(decode_value(&stored::encode(&Item::new())).is_err());
    }
}
