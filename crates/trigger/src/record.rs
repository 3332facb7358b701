//! One change of one item, in the form that AWS Lambda functions receive.

use serde_json::{Map, Value, json};

use crate::error::Error;
use crate::stream::StreamArn;

/// A change.
#[derive(Debug, Clone, PartialEq)]
pub struct LambdaRecord {
    sequence_number: String,
    event: Value,
}

impl LambdaRecord {
    /// Makes the Lambda form of what GetRecords answers: the two differ in the stream's name, which
    /// GetRecords does not repeat, and in how the members of `userIdentity` are written.
    pub fn from_stream(mut record: Value, stream: &StreamArn) -> Result<LambdaRecord, Error> {
        let sequence_number = record.pointer("/dynamodb/SequenceNumber").and_then(Value::as_str);
        let sequence_number =
            sequence_number.ok_or(Error::malformed("GetRecords", "SequenceNumber"))?.to_owned();
        if let Some(members) = record.as_object_mut() {
            members.insert("eventSourceARN".to_owned(), Value::String(stream.to_string()));
            if let Some(Value::Object(identity)) = members.get_mut("userIdentity") {
                rename(identity, "PrincipalId", "principalId");
                rename(identity, "Type", "type");
            }
        }
        Ok(LambdaRecord { sequence_number, event: record })
    }

    /// Its place in the order of the shard.
    pub fn sequence_number(&self) -> &str {
        &self.sequence_number
    }

    /// The record in Lambda's form.
    pub fn event(&self) -> &Value {
        &self.event
    }

    /// `INSERT`, `MODIFY` or `REMOVE`.
    pub fn event_name(&self) -> &str {
        self.event.get("eventName").and_then(Value::as_str).unwrap_or_default()
    }

    /// When it happened, in milliseconds since 1970, as far as the stream says.
    pub fn created_millis(&self) -> Option<u64> {
        let secs = self.event.pointer("/dynamodb/ApproximateCreationDateTime")?.as_f64()?;
        // Times are whole or nearly whole seconds; what is cut off is less than a millisecond.
        Some((secs * 1000.0).max(0.0) as u64)
    }

    /// The item's key.
    pub fn keys(&self) -> Option<&Map<String, Value>> {
        self.image("Keys")
    }

    /// The item before, if the stream holds it.
    pub fn old_image(&self) -> Option<&Map<String, Value>> {
        self.image("OldImage")
    }

    /// The item after, if the stream holds it.
    pub fn new_image(&self) -> Option<&Map<String, Value>> {
        self.image("NewImage")
    }

    fn image(&self, name: &str) -> Option<&Map<String, Value>> {
        self.event.get("dynamodb")?.get(name)?.as_object()
    }
}

/// The event of a batch.
pub fn batch_event(records: &[LambdaRecord]) -> Value {
    let events: Vec<&Value> = records.iter().map(LambdaRecord::event).collect();
    json!({ "Records": events })
}

fn rename(members: &mut Map<String, Value>, from: &str, to: &str) {
    if let Some(value) = members.remove(from) {
        members.insert(to.to_owned(), value);
    }
}

/// Records with these sequence numbers, each made in the second of its number.
#[cfg(test)]
pub(crate) fn records(numbers: std::ops::RangeInclusive<u64>) -> Vec<LambdaRecord> {
    let record = |number: u64| {
        let change = json!({
            "SequenceNumber": number.to_string(), "ApproximateCreationDateTime": number
        });
        LambdaRecord::from_stream(json!({ "dynamodb": change }), &StreamArn(String::new()))
            .expect("a record has a sequence number")
    };
    numbers.map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expired_item_looks_as_it_does_to_a_lambda_function() {
        let record = json!({
            "eventID": "c4ca4238a0b923820dcc509a6f75849b", "eventName": "REMOVE",
            "eventVersion": "1.1",
            "eventSource": "aws:dynamodb", "awsRegion": "us-east-1",
            "dynamodb": {
                "ApproximateCreationDateTime": 1_767_225_600.5, "Keys": { "id": { "S": "a" } },
                "SequenceNumber": "100000000000000000001", "SizeBytes": 3,
                "StreamViewType": "KEYS_ONLY"
            },
            "userIdentity": { "PrincipalId": "dynamodb.amazonaws.com", "Type": "Service" }
        });
        let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/t/stream/2026-01-01T00:00:00.000";
        let record = LambdaRecord::from_stream(record, &StreamArn(arn.to_owned())).unwrap();
        assert_eq!(record.sequence_number(), "100000000000000000001");
        assert_eq!(record.created_millis(), Some(1_767_225_600_500));
        let expected = json!({ "Records": [{
            "eventID": "c4ca4238a0b923820dcc509a6f75849b", "eventName": "REMOVE",
            "eventVersion": "1.1",
            "eventSource": "aws:dynamodb", "awsRegion": "us-east-1",
            "dynamodb": {
                "ApproximateCreationDateTime": 1_767_225_600.5, "Keys": { "id": { "S": "a" } },
                "SequenceNumber": "100000000000000000001", "SizeBytes": 3,
                "StreamViewType": "KEYS_ONLY"
            },
            "eventSourceARN": arn,
            "userIdentity": { "principalId": "dynamodb.amazonaws.com", "type": "Service" }
        }] });
        assert_eq!(batch_event(&[record]), expected);
    }

    #[test]
    fn a_record_without_a_sequence_number_is_no_record() {
        assert!(LambdaRecord::from_stream(json!({}), &StreamArn(String::new())).is_err());
    }
}
