//! The event that AWS Lambda calls a function with for changes of a table.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use monotable_item::{Item, Number, Value};
use serde_json::{Map, Value as Json};

use super::{ChangeKind, StreamRecord};

/// The service that removes expired items.
const EXPIRY: &str = "dynamodb.amazonaws.com";

/// An event is not what Lambda sends for a stream of a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct EventError {
    /// Where in the event, such as `Records[0].dynamodb.Keys.pk`.
    pub path: String,
    /// What is wrong.
    pub reason: String,
}

/// Reads the records of an event, in their order.
pub fn records_of_event(event: &Json) -> Result<Vec<StreamRecord>, EventError> {
    let records = member(event, "event", "Records")?;
    let Json::Array(records) = records else { return Err(expected("Records", "a list")) };
    let numbered = records.iter().enumerate();
    numbered.map(|(at, it)| read_record(it, &format!("Records[{at}]"))).collect()
}

/// Reads the records of an event that is JSON text.
pub fn records_of_json(event: &[u8]) -> Result<Vec<StreamRecord>, EventError> {
    let event = serde_json::from_slice(event);
    let event: Json = event.map_err(|error| wrong("event", error.to_string()))?;
    records_of_event(&event)
}

/// Reads one record of an event.
pub fn record_of_json(record: &Json) -> Result<StreamRecord, EventError> {
    read_record(record, "record")
}

fn read_record(record: &Json, path: &str) -> Result<StreamRecord, EventError> {
    let kind = match text(member(record, path, "eventName")?, path)? {
        "INSERT" => ChangeKind::Insert,
        "MODIFY" => ChangeKind::Modify,
        "REMOVE" => ChangeKind::Remove,
        other => return Err(wrong(&format!("{path}.eventName"), format!("{other} is no change"))),
    };
    let change = member(record, path, "dynamodb")?;
    let path = format!("{path}.dynamodb");
    let image = |name: &str| {
        let image = change.get(name).filter(|it| !it.is_null());
        image.map(|it| item(it, &format!("{path}.{name}"))).transpose()
    };
    let principal = record.get("userIdentity").and_then(|it| it.get("principalId"));
    let expired = principal.and_then(Json::as_str) == Some(EXPIRY);
    let sequence_number = change.get("SequenceNumber").and_then(Json::as_str).map(str::to_owned);
    let key = item(member(change, &path, "Keys")?, &format!("{path}.Keys"))?;
    let (old, new) = (image("OldImage")?, image("NewImage")?);
    Ok(StreamRecord { kind, key, old, new, sequence_number, expired })
}

fn item(image: &Json, path: &str) -> Result<Item, EventError> {
    let Json::Object(members) = image else { return Err(expected(path, "an item")) };
    items(members, path)
}

fn items(members: &Map<String, Json>, path: &str) -> Result<Item, EventError> {
    let read = |(name, it): (&String, &Json)| Ok((name.clone(), value(it, &at(path, name))?));
    members.iter().map(read).collect()
}

/// Reads a value such as `{"N": "1"}`.
fn value(typed: &Json, path: &str) -> Result<Value, EventError> {
    let one = typed.as_object().filter(|it| it.len() == 1).and_then(|it| it.iter().next());
    let Some((kind, content)) = one else {
        return Err(expected(path, "an attribute value such as {\"S\": \"text\"}"));
    };
    let path = &at(path, kind);
    Ok(match kind.as_str() {
        "S" => Value::from(text(content, path)?),
        "N" => Value::Number(number(content, path)?),
        "B" => Value::Binary(bytes(content, path)?),
        "BOOL" => Value::Bool(content.as_bool().ok_or_else(|| expected(path, "true or false"))?),
        "NULL" => Value::Null,
        "L" => Value::List(list(content, path, value)?),
        "M" => Value::Map(item(content, path)?),
        "SS" => {
            Value::string_set(list(content, path, |it, path| text(it, path).map(str::to_owned))?)
        }
        "NS" => Value::number_set(list(content, path, number)?),
        "BS" => Value::binary_set(list(content, path, bytes)?),
        other => return Err(wrong(path, format!("{other} is no type of an attribute value"))),
    })
}

fn list<T>(
    list: &Json,
    path: &str,
    read: impl Fn(&Json, &str) -> Result<T, EventError>,
) -> Result<Vec<T>, EventError> {
    let Json::Array(elements) = list else { return Err(expected(path, "a list")) };
    let numbered = elements.iter().enumerate();
    numbered.map(|(at, it)| read(it, &format!("{path}[{at}]"))).collect()
}

fn number(number: &Json, path: &str) -> Result<Number, EventError> {
    text(number, path)?.parse().map_err(|_| expected(path, "the text of a number"))
}

fn bytes(encoded: &Json, path: &str) -> Result<Vec<u8>, EventError> {
    STANDARD.decode(text(encoded, path)?).map_err(|_| expected(path, "bytes in base64"))
}

fn text<'a>(text: &'a Json, path: &str) -> Result<&'a str, EventError> {
    text.as_str().ok_or_else(|| expected(path, "text"))
}

fn member<'a>(object: &'a Json, path: &str, name: &str) -> Result<&'a Json, EventError> {
    object.get(name).ok_or_else(|| wrong(path, format!("{name} is missing")))
}

fn at(path: &str, member: &str) -> String {
    format!("{path}.{member}")
}

fn expected(path: &str, what: &str) -> EventError {
    wrong(path, format!("expected {what}"))
}

fn wrong(path: &str, reason: impl Into<String>) -> EventError {
    EventError { path: path.to_owned(), reason: reason.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENT: &str = r#"{
        "Records": [
            {
                "eventID": "1", "eventName": "MODIFY", "eventVersion": "1.1",
                "eventSource": "aws:dynamodb", "awsRegion": "eu-central-1",
                "dynamodb": {
                    "ApproximateCreationDateTime": 1767225600,
                    "Keys": { "pk": { "S": "CUST#c1" }, "sk": { "N": "7" } },
                    "OldImage": { "pk": { "S": "CUST#c1" }, "sk": { "N": "7" } },
                    "NewImage": {
                        "pk": { "S": "CUST#c1" }, "sk": { "N": "7" }, "ok": { "BOOL": true },
                        "none": { "NULL": true }, "raw": { "B": "AP8=" },
                        "list": { "L": [{ "N": "1.5" }, { "M": { "a": { "S": "b" } } }] },
                        "texts": { "SS": ["b", "a"] }, "numbers": { "NS": ["10", "9"] },
                        "blobs": { "BS": ["AQ=="] }
                    },
                    "SequenceNumber": "111", "SizeBytes": 59,
                    "StreamViewType": "NEW_AND_OLD_IMAGES"
                },
                "eventSourceARN": "arn:aws:dynamodb:eu-central-1:123456789012:table/shop/stream/x"
            },
            {
                "eventName": "REMOVE",
                "userIdentity": { "principalId": "dynamodb.amazonaws.com", "type": "Service" },
                "dynamodb": { "Keys": { "pk": { "S": "CUST#c2" }, "sk": { "N": "8" } } }
            }
        ]
    }"#;

    #[test]
    fn an_event_gives_its_records_with_every_type_of_value() {
        let records = records_of_json(EVENT.as_bytes()).unwrap();
        let [changed, removed] = records.as_slice() else { panic!("{records:?}") };
        assert_eq!((changed.kind, changed.expired), (ChangeKind::Modify, false));
        assert_eq!(changed.sequence_number.as_deref(), Some("111"));
        assert_eq!(changed.old.as_ref(), Some(&changed.key));
        let inner = Item::from([("a".to_owned(), Value::from("b"))]);
        let mut new = changed.key.clone();
        new.extend([
            ("ok".to_owned(), Value::Bool(true)),
            ("none".to_owned(), Value::Null),
            ("raw".to_owned(), Value::Binary(vec![0, 255])),
            (
                "list".to_owned(),
                Value::List(vec![Value::Number("1.5".parse().unwrap()), Value::Map(inner)]),
            ),
            ("texts".to_owned(), Value::StringSet(vec!["a".into(), "b".into()])),
            ("numbers".to_owned(), Value::NumberSet(vec![Number::from(9), Number::from(10)])),
            ("blobs".to_owned(), Value::BinarySet(vec![vec![1]])),
        ]);
        assert_eq!(changed.new.as_ref(), Some(&new));
        assert_eq!((removed.kind, removed.expired), (ChangeKind::Remove, true));
        assert_eq!((&removed.old, &removed.new), (&None, &None));
    }

    #[track_caller]
    fn refused(before: &str, after: &str, message: &str) {
        assert!(EVENT.contains(before), "{before}");
        let event = EVENT.replacen(before, after, 1);
        assert_eq!(records_of_json(event.as_bytes()).unwrap_err().to_string(), message);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        refused(
            "\"N\": \"7\"",
            "\"N\": \"x\"",
            "Records[0].dynamodb.Keys.sk.N: expected the text of a number",
        );
        refused(
            "\"AP8=\"",
            "\"~\"",
            "Records[0].dynamodb.NewImage.raw.B: expected bytes in base64",
        );
        refused("\"MODIFY\"", "\"TRUNCATE\"", "Records[0].eventName: TRUNCATE is no change");
        refused(
            "\"Keys\": { \"pk\": { \"S\": \"CUST#c2\" }, \"sk\": { \"N\": \"8\" } }",
            "",
            "Records[1].dynamodb: Keys is missing",
        );
        refused("\"Records\"", "\"records\"", "event: Records is missing");
    }
}
