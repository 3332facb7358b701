//! The tables that the items go into. They differ in what a write has to do beside writing the item.

use serde_json::{Value, json};

use crate::data::{self, Dataset, EXPIRY_ATTRIBUTE, FIRST_REVISION, Field};

/// The name of the index of every table, which projects all attributes.
pub(crate) const INDEX: &str = "by_customer";

/// A table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Table {
    /// Nothing but items and the index.
    Plain,
    /// With a stream that has both images of each change.
    Streamed,
    /// With items that expire.
    Expiring,
}

impl Table {
    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Table::Plain => "bench",
            Table::Streamed => "bench_streamed",
            Table::Expiring => "bench_expiring",
        }
    }

    /// The body of the `CreateTable` call.
    pub(crate) fn definition(self) -> Value {
        let attribute = |name: &str| json!({ "AttributeName": name, "AttributeType": "S" });
        let attributes = ["pk", "sk", "customer", "placed_at"].map(attribute);
        json!({
            "TableName": self.name(),
            "AttributeDefinitions": attributes,
            "KeySchema": key_schema("pk", "sk"),
            "BillingMode": "PAY_PER_REQUEST",
            "GlobalSecondaryIndexes": [{
                "IndexName": INDEX,
                "KeySchema": key_schema("customer", "placed_at"),
                "Projection": { "ProjectionType": "ALL" },
            }],
            "StreamSpecification": self.stream(),
        })
    }

    /// The body of the `UpdateTimeToLive` call, if items expire.
    pub(crate) fn time_to_live(self) -> Option<Value> {
        let specification = json!({ "AttributeName": EXPIRY_ATTRIBUTE, "Enabled": true });
        let call = json!({ "TableName": self.name(), "TimeToLiveSpecification": specification });
        match self {
            Table::Plain | Table::Streamed => None,
            Table::Expiring => Some(call),
        }
    }

    /// An item whose fields have these digits.
    pub(crate) fn item(self, digits: impl Fn(Field) -> String) -> Value {
        let mut item = data::item(&digits);
        match (self, item.as_object_mut()) {
            (Table::Expiring, Some(attributes)) => {
                attributes.insert(EXPIRY_ATTRIBUTE.to_owned(), data::expiry(&digits));
            }
            (Table::Plain | Table::Streamed | Table::Expiring, _) => {}
        }
        item
    }

    /// An item as it was loaded, in DynamoDB's JSON.
    pub(crate) fn loaded_item(self, dataset: &Dataset, number: u64) -> Value {
        self.item(|field| format!("{:08}", dataset.number(field, number, FIRST_REVISION)))
    }

    fn stream(self) -> Value {
        match self {
            Table::Plain | Table::Expiring => json!({ "StreamEnabled": false }),
            Table::Streamed => {
                json!({ "StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES" })
            }
        }
    }
}

fn key_schema(partition: &str, sort: &str) -> Value {
    json!([
        { "AttributeName": partition, "KeyType": "HASH" },
        { "AttributeName": sort, "KeyType": "RANGE" },
    ])
}
