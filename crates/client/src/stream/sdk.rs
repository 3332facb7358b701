//! Records of the AWS SDK for streams.

use std::collections::HashMap;

use aws_sdk_dynamodbstreams::types::{AttributeValue, OperationType, Record};
use monotable_item::{Item, Number, Value};

use super::{ChangeKind, StreamRecord};

/// The service that removes expired items.
const EXPIRY: &str = "dynamodb.amazonaws.com";

/// A record of the SDK that says less than a change needs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The record does not say what happened, or says something unknown.
    #[error("the record is of no known kind: {0}")]
    Kind(String),
    /// The record has no change.
    #[error("the record has no change")]
    NoChange,
    /// The record has no key.
    #[error("the record has no key")]
    NoKey,
    /// A value is of none of the ten types, or an invalid number.
    #[error("{attribute}: {found} is not an attribute value")]
    Value {
        /// The attribute.
        attribute: String,
        /// What it is.
        found: String,
    },
}

impl TryFrom<Record> for StreamRecord {
    type Error = RecordError;

    fn try_from(record: Record) -> Result<StreamRecord, RecordError> {
        let kind = match record.event_name {
            Some(OperationType::Insert) => ChangeKind::Insert,
            Some(OperationType::Modify) => ChangeKind::Modify,
            Some(OperationType::Remove) => ChangeKind::Remove,
            other => return Err(RecordError::Kind(format!("{other:?}"))),
        };
        let change = record.dynamodb.ok_or(RecordError::NoChange)?;
        let principal = record.user_identity.and_then(|identity| identity.principal_id);
        Ok(StreamRecord {
            kind,
            key: item(change.keys.ok_or(RecordError::NoKey)?)?,
            old: change.old_image.map(item).transpose()?,
            new: change.new_image.map(item).transpose()?,
            sequence_number: change.sequence_number,
            expired: principal.as_deref() == Some(EXPIRY),
        })
    }
}

fn item(attributes: HashMap<String, AttributeValue>) -> Result<Item, RecordError> {
    let read = |(name, it)| match value(it) {
        Ok(value) => Ok((name, value)),
        Err(found) => Err(RecordError::Value { attribute: name, found }),
    };
    attributes.into_iter().map(read).collect()
}

/// Converts a value, or says what it is instead.
fn value(value: AttributeValue) -> Result<Value, String> {
    Ok(match value {
        AttributeValue::S(text) => Value::String(text),
        AttributeValue::N(text) => Value::Number(number(&text)?),
        AttributeValue::B(blob) => Value::Binary(blob.into_inner()),
        AttributeValue::Bool(truth) => Value::Bool(truth),
        AttributeValue::Null(_) => Value::Null,
        AttributeValue::L(values) => {
            Value::List(values.into_iter().map(self::value).collect::<Result<_, _>>()?)
        }
        AttributeValue::M(map) => {
            let members = map.into_iter().map(|(name, it)| Ok((name, self::value(it)?)));
            Value::Map(members.collect::<Result<_, String>>()?)
        }
        AttributeValue::Ss(members) => Value::string_set(members),
        AttributeValue::Ns(members) => {
            let numbers = members.iter().map(|text| number(text)).collect::<Result<_, _>>();
            Value::number_set(numbers?)
        }
        AttributeValue::Bs(members) => {
            Value::binary_set(members.into_iter().map(|blob| blob.into_inner()).collect())
        }
        other => return Err(format!("{other:?}")),
    })
}

fn number(text: &str) -> Result<Number, String> {
    text.parse().map_err(|_| format!("the number {text:?}"))
}
