//! DescribeTable shows what a table is and holds.

use crate::harness::Harness;
use serde_json::{Value, json};

async fn with_shop() -> Harness {
    let harness = Harness::new().await;
    let shop = json!({
        "TableName": "shop",
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "state", "AttributeType": "S"},
        ],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
        "GlobalSecondaryIndexes": [{
            "IndexName": "by-state",
            "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
            "ProvisionedThroughput": {"ReadCapacityUnits": 7, "WriteCapacityUnits": 8},
        }],
    });
    harness.call("CreateTable", shop).await;
    harness
}

async fn describe(harness: &Harness, name: &str) -> Value {
    harness.call("DescribeTable", json!({"TableName": name})).await["Table"].clone()
}

#[tokio::test]
async fn counts_and_sizes_are_those_of_this_moment() {
    let harness = with_shop().await;
    for item in [
        json!({"pk": {"S": "a"}, "state": {"S": "paid"}, "note": {"S": "0123456789"}}),
        json!({"pk": {"S": "b"}}),
    ] {
        harness.call("PutItem", json!({"TableName": "shop", "Item": item})).await;
    }
    let table = describe(&harness, "shop").await;
    // 2 + 1, 5 + 4 and 4 + 10 bytes of the first item, 2 + 1 of the second.
    assert_eq!((&table["ItemCount"], &table["TableSizeBytes"]), (&json!(2), &json!(29)));
    let index = &table["GlobalSecondaryIndexes"][0];
    assert_eq!((&index["ItemCount"], &index["IndexSizeBytes"]), (&json!(1), &json!(12)));
}

#[tokio::test]
async fn a_provisioned_table_serves_its_units() {
    let harness = with_shop().await;
    let table = describe(&harness, "shop").await;
    assert_eq!(table["TableStatus"], "ACTIVE");
    assert_eq!(table.get("BillingModeSummary"), None);
    assert_eq!(
        table["WarmThroughput"],
        json!({"ReadUnitsPerSecond": 5, "WriteUnitsPerSecond": 6, "Status": "ACTIVE"})
    );
    assert_eq!(
        table["GlobalSecondaryIndexes"][0]["WarmThroughput"],
        json!({"ReadUnitsPerSecond": 7, "WriteUnitsPerSecond": 8, "Status": "ACTIVE"})
    );
}

#[tokio::test]
async fn a_table_can_be_named_by_its_arn() {
    let harness = with_shop().await;
    let table = describe(&harness, "arn:aws:dynamodb:us-east-1:000000000000:table/shop").await;
    assert_eq!(table["TableName"], "shop");
}

#[tokio::test]
async fn a_table_must_be_named_and_exist() {
    let harness = with_shop().await;
    let not_found = "Requested resource not found: Table: Shop not found";
    for (name, code, text) in [
        (
            Value::Null,
            "ValidationException",
            "The parameter 'TableName' is required but was not present in the request",
        ),
        (
            json!(""),
            "ValidationException",
            "2 validation errors detected: Value '' at 'tableName' failed to satisfy constraint: \
             Member must have length greater than or equal to 3; Value '' at 'tableName' failed to \
             satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
        ),
        (json!("Shop"), "ResourceNotFoundException", not_found),
        (
            json!("arn:aws:dynamodb:us-east-1:000000000000:table/Shop"),
            "ResourceNotFoundException",
            not_found,
        ),
    ] {
        for operation in ["DescribeTable", "DeleteTable"] {
            let error = harness.error(operation, json!({"TableName": name})).await;
            assert_eq!(error, (code.to_owned(), text.to_owned()));
        }
    }
}
