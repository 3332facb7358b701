//! What the endpoint says about a table.

use monotable_item::key_encoding::KeyType;
use monotable_model::document::{KeyAttribute, Table};
use monotable_remote::Endpoint;
use serde_json::{Value as Json, json};

use crate::error::Error;

/// A table as the endpoint describes it.
#[derive(Debug, Clone)]
pub(crate) struct Described {
    pub(crate) name: String,
    /// The attributes of its key, partition first.
    pub(crate) key: Vec<KeyAttribute>,
    /// The names of its indexes.
    pub(crate) indexes: Vec<String>,
    /// How many items it has, as the service counts them: AWS does so every six hours.
    pub(crate) item_count: u64,
}

impl Described {
    /// Asks for a table.
    pub(crate) async fn read(endpoint: &Endpoint, name: &str) -> Result<Described, Error> {
        let answer =
            endpoint.call_patiently("DescribeTable", &json!({ "TableName": name })).await?;
        let table = answer.get("Table").unwrap_or(&Json::Null);
        let names = |member: &str| {
            let list = table.get(member).and_then(Json::as_array).into_iter().flatten();
            list.filter_map(|index| text(index, "IndexName")).collect::<Vec<String>>()
        };
        let mut indexes = names("LocalSecondaryIndexes");
        indexes.extend(names("GlobalSecondaryIndexes"));
        Ok(Described {
            name: name.to_owned(),
            key: key_of(table),
            indexes,
            item_count: table.get("ItemCount").and_then(Json::as_u64).unwrap_or(0),
        })
    }

    /// Whether the table has the key and the indexes that a model gives it.
    pub(crate) fn check(&self, model: &Table) -> Result<(), Error> {
        let expected: Vec<KeyAttribute> = model.key_attributes().cloned().collect();
        if self.key != expected {
            return Err(Error::OtherKey {
                table: self.name.clone(),
                found: key_words(&self.key),
                expected: key_words(&expected),
            });
        }
        let missing = model.indexes.iter().filter(|index| !self.indexes.contains(&index.name));
        let indexes: Vec<String> = missing.map(|index| index.name.clone()).collect();
        if indexes.is_empty() {
            Ok(())
        } else {
            Err(Error::MissingIndex { table: self.name.clone(), indexes })
        }
    }
}

fn key_of(table: &Json) -> Vec<KeyAttribute> {
    let list =
        |member: &str| table.get(member).and_then(Json::as_array).cloned().unwrap_or_default();
    let definitions = list("AttributeDefinitions");
    let kind_of = |name: &str| {
        let is_it = |one: &&Json| text(one, "AttributeName").as_deref() == Some(name);
        match definitions.iter().find(is_it).and_then(|one| text(one, "AttributeType")).as_deref() {
            Some("N") => KeyType::Number,
            Some("B") => KeyType::Binary,
            _ => KeyType::String,
        }
    };
    let mut schema = list("KeySchema");
    schema.sort_by_key(|part| text(part, "KeyType").as_deref() != Some("HASH"));
    let names = schema.iter().filter_map(|part| text(part, "AttributeName"));
    names.map(|name| KeyAttribute { kind: kind_of(&name), name }).collect()
}

fn text(json: &Json, member: &str) -> Option<String> {
    json.get(member).and_then(Json::as_str).map(str::to_owned)
}

fn key_words(key: &[KeyAttribute]) -> String {
    let word = |part: &KeyAttribute| format!("{} ({})", part.name, part.kind.value_type().code());
    key.iter().map(word).collect::<Vec<_>>().join(", ")
}
