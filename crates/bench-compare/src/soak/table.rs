//! The table that everything happens in.

use anyhow::{Context, Result};
use monotable_conformance::client::Client;
use serde_json::{Value, json};

/// Its name.
pub(super) const TABLE: &str = "soak";

/// Its indexes. Their entries move with every version of an item.
pub(super) const INDEXES: [&str; 2] = ["by-version", "by-group"];

/// Makes the table, and returns the name of its stream.
pub(super) fn create(client: &mut Client) -> Result<String> {
    let index = |name: &str, partition: &str| {
        json!({
            "IndexName": name,
            "KeySchema": [
                {"AttributeName": partition, "KeyType": "HASH"},
                {"AttributeName": "version", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        })
    };
    let attribute = |name: &str, kind: &str| json!({"AttributeName": name, "AttributeType": kind});
    let [by_version, by_group] = INDEXES;
    let request = json!({
        "TableName": TABLE,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
        "AttributeDefinitions": [
            attribute("pk", "S"),
            attribute("sk", "S"),
            attribute("version", "N"),
            attribute("grp", "S"),
        ],
        "LocalSecondaryIndexes": [index(by_version, "pk")],
        "GlobalSecondaryIndexes": [index(by_group, "grp")],
        "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"},
    });
    let created = client.must("CreateTable", &request)?;
    let stream = created.pointer("/TableDescription/LatestStreamArn").and_then(Value::as_str);
    Ok(stream.context("the table has no stream")?.to_owned())
}
