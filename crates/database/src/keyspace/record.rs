//! Records with named members, written as stored items: what schemas of tables and streams are made
//! of.

use monotable_item::key_encoding::KeyType;
use monotable_item::{Item, Type, Value};

use crate::error::CorruptRecord;
use crate::home::Home;
use crate::schema::{KeyAttribute, KeySchema, StreamView};

pub(crate) fn key_schema(key: &KeySchema) -> Value {
    let mut record = Record::default();
    record.put("partition", key_attributes(&key.partition));
    record.put("sort", key_attributes(&key.sort));
    Value::Map(record.0)
}

pub(crate) fn read_key_schema(record: &Record) -> Result<KeySchema, CorruptRecord> {
    Ok(KeySchema {
        partition: read_key_attributes(record, "partition")?,
        sort: read_key_attributes(record, "sort")?,
    })
}

pub(crate) fn key_attributes(attributes: &[KeyAttribute]) -> Value {
    let pair = |attribute: &KeyAttribute| {
        let mut record = Record::default();
        record.put("name", attribute.name.as_str());
        record.put("type", attribute.kind.value_type().code());
        Value::Map(record.0)
    };
    Value::List(attributes.iter().map(pair).collect())
}

pub(crate) fn read_key_attributes(
    record: &Record,
    name: &str,
) -> Result<Vec<KeyAttribute>, CorruptRecord> {
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

/// The written words for the variants of an enum.
pub(crate) struct Codes<T: 'static>(pub(crate) &'static [(T, &'static str)]);

pub(crate) const STREAM_VIEWS: Codes<StreamView> = Codes(&[
    (StreamView::KeysOnly, "keys"),
    (StreamView::NewImage, "new"),
    (StreamView::OldImage, "old"),
    (StreamView::NewAndOldImages, "new-and-old"),
]);

impl<T: PartialEq + Copy> Codes<T> {
    pub(crate) fn code(&self, variant: T) -> &'static str {
        let found = self.0.iter().find(|(candidate, _)| *candidate == variant);
        found.map(|(_, code)| *code).expect("every variant has a code")
    }

    pub(crate) fn read(&self, code: &str) -> Result<T, CorruptRecord> {
        let found = self.0.iter().find(|(_, candidate)| *candidate == code);
        found.map(|(variant, _)| *variant).ok_or(CorruptRecord("code"))
    }
}

/// A map with typed access.
#[derive(Default)]
pub(crate) struct Record(pub(crate) Item);

impl Record {
    pub(crate) fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }

    pub(crate) fn put_optional<N: TryInto<i64>>(&mut self, name: &str, value: Option<N>) {
        if let Some(number) = value.and_then(|value| value.try_into().ok()) {
            self.put(name, number);
        }
    }

    pub(crate) fn put_some(&mut self, name: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.put(name, value);
        }
    }

    pub(crate) fn text(&self, name: &str) -> Result<String, CorruptRecord> {
        match self.0.get(name) {
            Some(Value::String(text)) => Ok(text.clone()),
            _ => Err(CorruptRecord("text")),
        }
    }

    pub(crate) fn integer<N: TryFrom<i64>>(&self, name: &str) -> Result<N, CorruptRecord> {
        self.optional(name)?.ok_or(CorruptRecord("number"))
    }

    pub(crate) fn optional<N: TryFrom<i64>>(&self, name: &str) -> Result<Option<N>, CorruptRecord> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::Number(number)) => {
                let number = number.to_i64().and_then(|number| N::try_from(number).ok());
                number.map(Some).ok_or(CorruptRecord("number"))
            }
            Some(_) => Err(CorruptRecord("number")),
        }
    }

    pub(crate) fn optional_code<T: PartialEq + Copy>(
        &self,
        name: &str,
        codes: &Codes<T>,
    ) -> Result<Option<T>, CorruptRecord> {
        if !self.0.contains_key(name) {
            return Ok(None);
        }
        codes.read(&self.text(name)?).map(Some)
    }

    pub(crate) fn record(&self, name: &str) -> Result<Record, CorruptRecord> {
        match self.0.get(name) {
            Some(Value::Map(map)) => Ok(Record(map.clone())),
            _ => Err(CorruptRecord("map")),
        }
    }

    pub(crate) fn optional_record(&self, name: &str) -> Result<Option<Record>, CorruptRecord> {
        if !self.0.contains_key(name) {
            return Ok(None);
        }
        self.record(name).map(Some)
    }

    /// Writes whose it is.
    pub(crate) fn put_home(&mut self, home: &Home) {
        self.put("account", home.account());
        self.put("region", home.region());
    }

    /// Whose it is. Records from before there were several homes do not say it, and are of the one
    /// that there was.
    pub(crate) fn home(&self) -> Result<Home, CorruptRecord> {
        if !self.0.contains_key("account") {
            return Ok(Home::default());
        }
        Ok(Home::new(&self.text("account")?, &self.text("region")?))
    }

    pub(crate) fn integers(&self, name: &str) -> Result<Vec<u32>, CorruptRecord> {
        let integer = |value: &Value| match value {
            Value::Number(number) => number.to_i64().and_then(|number| u32::try_from(number).ok()),
            _ => None,
        };
        match self.0.get(name) {
            Some(Value::List(values)) => {
                let integers: Option<Vec<u32>> = values.iter().map(integer).collect();
                integers.ok_or(CorruptRecord("number"))
            }
            _ => Err(CorruptRecord("list")),
        }
    }

    /// A list that may be absent, as records of earlier formats have it.
    pub(crate) fn optional_records(&self, name: &str) -> Result<Vec<Record>, CorruptRecord> {
        if self.0.contains_key(name) { self.records(name) } else { Ok(Vec::new()) }
    }

    pub(crate) fn texts(&self, name: &str) -> Result<Vec<String>, CorruptRecord> {
        let text = |value: &Value| match value {
            Value::String(text) => Ok(text.clone()),
            _ => Err(CorruptRecord("text")),
        };
        match self.0.get(name) {
            Some(Value::List(values)) => values.iter().map(text).collect(),
            _ => Err(CorruptRecord("list")),
        }
    }

    pub(crate) fn records(&self, name: &str) -> Result<Vec<Record>, CorruptRecord> {
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
