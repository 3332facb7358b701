//! What answers name that later requests need: streams, shards, iterators, places to go on from.

use std::collections::BTreeMap;

use serde_json::Value;

/// The members whose latest values are remembered.
const MEMBERS: &[&str] = &[
    "BackupArn",
    "ExportArn",
    "ImportArn",
    "IndexArn",
    "LastEvaluatedKey",
    "LatestStreamArn",
    "NextShardIterator",
    "NextToken",
    "ParentShardId",
    "RevisionId",
    "SequenceNumber",
    "ShardId",
    "ShardIterator",
    "StreamArn",
    "TableArn",
];

/// The latest values of some members of answers.
#[derive(Debug, Clone, Default)]
pub struct Harvest {
    values: BTreeMap<String, Value>,
}

impl Harvest {
    /// Remembers what an answer names.
    pub fn note(&mut self, answer: &Value) {
        match answer {
            Value::Object(members) => {
                for (name, value) in members {
                    if MEMBERS.contains(&name.as_str()) {
                        self.values.insert(name.clone(), value.clone());
                    }
                    self.note(value);
                }
            }
            Value::Array(elements) => elements.iter().for_each(|element| self.note(element)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// Replaces texts such as `$ShardIterator` by what is known. What is not known stays.
    pub fn fill(&self, request: &mut Value) {
        match request {
            Value::Object(members) => members.values_mut().for_each(|member| self.fill(member)),
            Value::Array(elements) => elements.iter_mut().for_each(|element| self.fill(element)),
            Value::String(text) => {
                let known = text.strip_prefix('$').and_then(|name| self.values.get(name));
                if let Some(known) = known {
                    *request = known.clone();
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_that_names_a_member_becomes_its_latest_value() {
        let mut harvest = Harvest::default();
        harvest.note(&json!({"Shards": [{"ShardId": "one"}, {"ShardId": "two"}]}));
        let mut request = json!({"ShardId": "$ShardId", "StreamArn": "$StreamArn"});
        harvest.fill(&mut request);
        assert_eq!(request, json!({"ShardId": "two", "StreamArn": "$StreamArn"}));
    }
}
