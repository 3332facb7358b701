//! The tables that the items go into. They differ in what a write has to do beside writing the
//! item.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::data::{self, Dataset, EXPIRY_ATTRIBUTE, FIRST_REVISION, Field};
use crate::template::marker;

/// The name of the first index of a table. Every index projects all attributes.
pub const INDEX: &str = "by_customer";
/// The indexes of a table that has many.
pub const MANY_INDEXES: u32 = 3;

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    name: Arc<str>,
    indexes: u32,
    has_stream: bool,
    expires: bool,
}

impl Table {
    /// Nothing but items and one index.
    pub fn plain() -> Table {
        Table { name: "bench".into(), indexes: 1, has_stream: false, expires: false }
    }

    /// With a stream that has both images of each change.
    pub fn streamed() -> Table {
        Table { name: "bench_streamed".into(), has_stream: true, ..Table::plain() }
    }

    /// With items that expire.
    pub fn expiring() -> Table {
        Table { name: "bench_expiring".into(), expires: true, ..Table::plain() }
    }

    /// With this many indexes of the same attributes: each is one more entry of the size of the
    /// item.
    pub fn indexed(indexes: u32) -> Table {
        Table { name: format!("bench_indexed_{indexes}").into(), indexes, ..Table::plain() }
    }

    /// One of many tables: the name of the one that a request goes to follows from the item.
    pub fn one_of_many() -> Table {
        let name = format!("bench_{}", marker(Field::Table, 0));
        Table { name: name.into(), indexes: 0, ..Table::plain() }
    }

    /// The same table by a name that begins with something else.
    pub fn with_prefix(self, prefix: &str) -> Table {
        Table { name: format!("{prefix}{}", self.name).into(), ..self }
    }

    /// The same table by another name.
    pub fn named(self, name: &str) -> Table {
        Table { name: name.into(), ..self }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The body of the `CreateTable` call.
    pub fn definition(&self) -> Value {
        let attribute = |name: &&str| json!({ "AttributeName": name, "AttributeType": "S" });
        let keys: &[&str] =
            if self.indexes == 0 { &["pk", "sk"] } else { &["pk", "sk", "customer", "placed_at"] };
        let attributes: Vec<Value> = keys.iter().map(attribute).collect();
        let mut definition = json!({
            "TableName": self.name(),
            "AttributeDefinitions": attributes,
            "KeySchema": key_schema("pk", "sk"),
            "BillingMode": "PAY_PER_REQUEST",
        });
        if let Some(members) = definition.as_object_mut() {
            members.extend(self.indexes().map(|list| ("GlobalSecondaryIndexes".to_owned(), list)));
            members.extend(self.stream().map(|stream| ("StreamSpecification".to_owned(), stream)));
        }
        definition
    }

    /// The body of the `UpdateTimeToLive` call, if items expire.
    pub fn time_to_live(&self) -> Option<Value> {
        let specification = json!({ "AttributeName": EXPIRY_ATTRIBUTE, "Enabled": true });
        let call = json!({ "TableName": self.name(), "TimeToLiveSpecification": specification });
        self.expires.then_some(call)
    }

    /// An item whose fields have these digits.
    pub fn item(&self, digits: impl Fn(Field) -> String) -> Value {
        let mut item = data::item(&digits);
        if let Some(attributes) = item.as_object_mut().filter(|_| self.expires) {
            attributes.insert(EXPIRY_ATTRIBUTE.to_owned(), data::expiry(&digits));
        }
        item
    }

    /// An item as it was loaded, in DynamoDB's JSON.
    pub fn loaded_item(&self, dataset: &Dataset, number: u64) -> Value {
        self.item(|field| format!("{:08}", dataset.number(field, number, FIRST_REVISION)))
    }

    /// The indexes; no list at all if there are none, since an empty one is refused.
    fn indexes(&self) -> Option<Value> {
        let index = |number| {
            json!({
                "IndexName": index_name(number),
                "KeySchema": key_schema("customer", "placed_at"),
                "Projection": { "ProjectionType": "ALL" },
            })
        };
        let indexes: Vec<Value> = (0..self.indexes).map(index).collect();
        (!indexes.is_empty()).then(|| Value::from(indexes))
    }

    fn stream(&self) -> Option<Value> {
        let stream = json!({ "StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES" });
        self.has_stream.then_some(stream)
    }
}

fn index_name(number: u32) -> String {
    if number == 0 { INDEX.to_owned() } else { format!("{INDEX}_{number}") }
}

fn key_schema(partition: &str, sort: &str) -> Value {
    json!([
        { "AttributeName": partition, "KeyType": "HASH" },
        { "AttributeName": sort, "KeyType": "RANGE" },
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_as_many_indexes_as_it_says() {
        for indexes in [1, 3, 20] {
            let definition = Table::indexed(indexes).definition();
            let listed = definition["GlobalSecondaryIndexes"].as_array().unwrap();
            assert_eq!(listed.len(), indexes as usize);
            assert_eq!(listed[0]["IndexName"], INDEX);
        }
        let definition = Table::indexed(0).definition();
        assert!(definition.get("GlobalSecondaryIndexes").is_none());
        assert_eq!(definition["AttributeDefinitions"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn only_tables_that_need_them_have_streams_and_expiry() {
        assert!(Table::plain().definition().get("StreamSpecification").is_none());
        assert_eq!(Table::streamed().definition()["StreamSpecification"]["StreamEnabled"], true);
        assert_eq!(Table::plain().time_to_live(), None);
        assert!(Table::expiring().time_to_live().is_some());
    }
}
