//! CreateTable answers with a table that is being created; it is active from then on.

use crate::harness::Harness;
use serde_json::{Value, json};

fn provisioned_shop() -> Value {
    json!({
        "TableName": "shop",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
    })
}

fn on_demand_shop() -> Value {
    json!({
        "TableName": "shop",
        "AttributeDefinitions": [
            {"AttributeName": "sk", "AttributeType": "N"},
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "at", "AttributeType": "B"},
        ],
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
        "BillingMode": "PAY_PER_REQUEST",
        "LocalSecondaryIndexes": [{
            "IndexName": "local",
            "KeySchema": [
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "at", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }],
        "GlobalSecondaryIndexes": [{
            "IndexName": "global",
            "KeySchema": [{"AttributeName": "at", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
            "OnDemandThroughput": {"MaxReadRequestUnits": 7},
        }],
        "OnDemandThroughput": {"MaxReadRequestUnits": 8, "MaxWriteRequestUnits": 9},
        "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"},
        "DeletionProtectionEnabled": true,
        "TableClass": "STANDARD",
        "Tags": [{"Key": "team", "Value": "sales"}],
    })
}

#[tokio::test]
async fn a_provisioned_table_is_answered_with_its_least_members() {
    let harness = Harness::new().await;
    assert_eq!(
        harness.call("CreateTable", provisioned_shop()).await,
        json!({"TableDescription": {
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "TableName": "shop",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "TableStatus": "CREATING",
            "CreationDateTime": 1794744000.25,
            "ProvisionedThroughput": {
                "NumberOfDecreasesToday": 0,
                "ReadCapacityUnits": 5,
                "WriteCapacityUnits": 6,
            },
            "TableSizeBytes": 0,
            "ItemCount": 0,
            "TableArn": "arn:aws:dynamodb:us-east-1:000000000000:table/shop",
            "TableId": "00000000-0000-4000-8000-000000000001",
            "DeletionProtectionEnabled": false,
        }})
    );
}

#[tokio::test]
async fn an_on_demand_table_is_answered_with_all_that_it_has() {
    let harness = Harness::new().await;
    let table = harness.call("CreateTable", on_demand_shop()).await["TableDescription"].clone();
    let no_units =
        json!({"NumberOfDecreasesToday": 0, "ReadCapacityUnits": 0, "WriteCapacityUnits": 0});
    assert_eq!(
        table,
        json!({
            "AttributeDefinitions": [
                {"AttributeName": "at", "AttributeType": "B"},
                {"AttributeName": "pk", "AttributeType": "S"},
                {"AttributeName": "sk", "AttributeType": "N"},
            ],
            "TableName": "shop",
            "KeySchema": [
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
            "TableStatus": "CREATING",
            "CreationDateTime": 1794744000.25,
            "ProvisionedThroughput": no_units,
            "TableSizeBytes": 0,
            "ItemCount": 0,
            "TableArn": "arn:aws:dynamodb:us-east-1:000000000000:table/shop",
            "TableId": "00000000-0000-4000-8000-000000000001",
            "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
            "LocalSecondaryIndexes": [{
                "IndexName": "local",
                "KeySchema": [
                    {"AttributeName": "pk", "KeyType": "HASH"},
                    {"AttributeName": "at", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
                "IndexSizeBytes": 0,
                "ItemCount": 0,
                "IndexArn": "arn:aws:dynamodb:us-east-1:000000000000:table/shop/index/local",
            }],
            "GlobalSecondaryIndexes": [{
                "IndexName": "global",
                "KeySchema": [{"AttributeName": "at", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
                "IndexStatus": "CREATING",
                "ProvisionedThroughput": no_units,
                "IndexSizeBytes": 0,
                "ItemCount": 0,
                "IndexArn": "arn:aws:dynamodb:us-east-1:000000000000:table/shop/index/global",
                "OnDemandThroughput": {"MaxReadRequestUnits": 7},
            }],
            "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"},
            "LatestStreamLabel": "2026-11-15T12:00:00.250",
            "LatestStreamArn": "arn:aws:dynamodb:us-east-1:000000000000:table/shop/stream/\
                                2026-11-15T12:00:00.250",
            "TableClassSummary": {"TableClass": "STANDARD"},
            "DeletionProtectionEnabled": true,
            "OnDemandThroughput": {"MaxReadRequestUnits": 8, "MaxWriteRequestUnits": 9},
        })
    );
}

#[tokio::test]
async fn the_table_is_active_after_the_answer() {
    let harness = Harness::new().await;
    let mut created =
        harness.call("CreateTable", on_demand_shop()).await["TableDescription"].clone();
    let described = harness.call("DescribeTable", json!({"TableName": "shop"})).await;
    created["TableStatus"] = json!("ACTIVE");
    created["BillingModeSummary"]["LastUpdateToPayPerRequestDateTime"] = json!(1794744000.25);
    let warm = json!({
        "ReadUnitsPerSecond": 12000,
        "WriteUnitsPerSecond": 4000,
        "Status": "ACTIVE",
    });
    created["WarmThroughput"] = warm.clone();
    created["GlobalSecondaryIndexes"][0]["IndexStatus"] = json!("ACTIVE");
    created["GlobalSecondaryIndexes"][0]["WarmThroughput"] = warm;
    assert_eq!(described["Table"], created);
}

#[tokio::test]
async fn a_name_is_given_once() {
    let harness = Harness::new().await;
    harness.call("CreateTable", provisioned_shop()).await;
    assert_eq!(
        harness.error("CreateTable", on_demand_shop()).await,
        ("ResourceInUseException".to_owned(), "Table already exists: shop".to_owned())
    );
}

/// AWS allows 2,500 tables, unless it is asked for more.
#[tokio::test]
async fn tables_are_not_limited() {
    const TABLES: usize = 2_501;
    let harness = Harness::new().await;
    let mut request = provisioned_shop();
    for number in 0..TABLES {
        request["TableName"] = json!(format!("shop-{number:04}"));
        harness.call("CreateTable", request.clone()).await;
    }
    let last = json!({"ExclusiveStartTableName": "shop-2499"});
    assert_eq!(harness.call("ListTables", last).await, json!({"TableNames": ["shop-2500"]}));
}
