//! The keys and indexes of a table, as the server describes them.

use monotable_plan::cost::{EntryChange, ItemWrite};
use serde_json::{Value, json};

use crate::support::Server;
use crate::value::size_bytes;

pub(crate) struct Schema {
    pub(crate) keys: Vec<String>,
    indexes: Vec<Index>,
}

struct Index {
    name: String,
    keys: Vec<String>,
    /// The attributes that it holds; all, if there are none here.
    names: Option<Vec<String>>,
}

impl Schema {
    pub(crate) fn of(server: &Server, table: &str) -> Schema {
        let description = server.call("DescribeTable", &json!({ "TableName": table }));
        let table = &description["Table"];
        let keys = key_names(&table["KeySchema"]);
        let indexes = table["GlobalSecondaryIndexes"].as_array().into_iter().flatten();
        Schema { indexes: indexes.map(|index| Index::of(index, &keys)).collect(), keys }
    }

    /// The key of an item.
    pub(crate) fn key_of(&self, item: &Value) -> Value {
        self.keys.iter().map(|name| (name.clone(), item[name].clone())).collect()
    }

    /// The write that makes one item of another.
    pub(crate) fn write(&self, before: Option<&Value>, after: Option<&Value>) -> ItemWrite {
        let change = |index: &Index| (index.name.clone(), index.change(before, after));
        ItemWrite {
            before: before.map(size_bytes),
            after: after.map(size_bytes),
            indexes: self.indexes.iter().map(change).collect(),
        }
    }
}

impl Index {
    fn of(index: &Value, table_keys: &[String]) -> Index {
        let keys = key_names(&index["KeySchema"]);
        let included = index["Projection"]["NonKeyAttributes"].as_array().into_iter().flatten();
        let included = included.map(|name| name.as_str().unwrap().to_owned());
        let held = included.chain(keys.iter().chain(table_keys).cloned()).collect();
        let is_all = index["Projection"]["ProjectionType"] == "ALL";
        Index {
            name: index["IndexName"].as_str().unwrap().to_owned(),
            keys,
            names: (!is_all).then_some(held),
        }
    }

    fn entry(&self, item: Option<&Value>) -> Option<Value> {
        let item = item?.as_object().unwrap();
        if !self.keys.iter().all(|key| item.contains_key(key)) {
            return None;
        }
        let is_held = |name: &String| self.names.as_ref().is_none_or(|names| names.contains(name));
        let held = item.iter().filter(|(name, _)| is_held(name));
        Some(held.map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    fn change(&self, before: Option<&Value>, after: Option<&Value>) -> EntryChange {
        match (self.entry(before), self.entry(after)) {
            (None, None) => EntryChange::Untouched,
            (None, Some(after)) => EntryChange::Inserted(size_bytes(&after)),
            (Some(before), None) => EntryChange::Removed(size_bytes(&before)),
            (Some(before), Some(after)) if before == after => EntryChange::Untouched,
            (Some(before), Some(after)) => {
                let is_moved = self.keys.iter().any(|key| before[key] != after[key]);
                let (before, after) = (size_bytes(&before), size_bytes(&after));
                if is_moved {
                    EntryChange::Moved { before, after }
                } else {
                    EntryChange::Changed { before, after }
                }
            }
        }
    }
}

fn key_names(schema: &Value) -> Vec<String> {
    let elements = schema.as_array().unwrap().iter();
    elements.map(|element| element["AttributeName"].as_str().unwrap().to_owned()).collect()
}
