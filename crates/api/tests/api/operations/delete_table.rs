//! DeleteTable answers with a table that is being deleted; it is gone from then on.

use crate::harness::Harness;
use serde_json::{Value, json};

fn shop(is_protected: bool) -> Value {
    json!({
        "TableName": "shop",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
        "DeletionProtectionEnabled": is_protected,
        "GlobalSecondaryIndexes": [{
            "IndexName": "global",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }],
    })
}

#[tokio::test]
async fn the_answer_shows_the_table_without_what_it_was_made_of() {
    let harness = Harness::new().await;
    harness.call("CreateTable", shop(false)).await;
    let item = json!({"TableName": "shop", "Item": {"pk": {"S": "a"}}});
    harness.call("PutItem", item).await;
    let answer = harness.call("DeleteTable", json!({"TableName": "shop"})).await;
    let table = &answer["TableDescription"];
    assert_eq!(table["TableStatus"], "DELETING");
    assert_eq!(table["ItemCount"], 1);
    assert_eq!(table["ProvisionedThroughput"]["ReadCapacityUnits"], 0);
    for member in [
        "AttributeDefinitions",
        "KeySchema",
        "CreationDateTime",
        "WarmThroughput",
        "GlobalSecondaryIndexes",
    ] {
        assert_eq!(table.get(member), None, "{member}");
    }
}

#[tokio::test]
async fn a_deleted_table_is_gone_and_its_name_free() {
    let harness = Harness::new().await;
    let created = harness.call("CreateTable", shop(false)).await;
    harness.call("DeleteTable", json!({"TableName": "shop"})).await;
    let not_found = (
        "ResourceNotFoundException".to_owned(),
        "Requested resource not found: Table: shop not found".to_owned(),
    );
    assert_eq!(harness.error("DescribeTable", json!({"TableName": "shop"})).await, not_found);
    assert_eq!(harness.error("DeleteTable", json!({"TableName": "shop"})).await, not_found);
    let again = harness.call("CreateTable", shop(false)).await;
    let (created, again) = (&created["TableDescription"], &again["TableDescription"]);
    assert_eq!(created["TableArn"], again["TableArn"]);
    assert_ne!(created["TableId"], again["TableId"]);
}

#[tokio::test]
async fn a_protected_table_stays() {
    let harness = Harness::new().await;
    harness.call("CreateTable", shop(true)).await;
    assert_eq!(
        harness.error("DeleteTable", json!({"TableName": "shop"})).await,
        (
            "ValidationException".to_owned(),
            "Resource cannot be deleted as it is currently protected against deletion. Disable \
             deletion protection first."
                .to_owned()
        )
    );
    let unprotect = json!({"TableName": "shop", "DeletionProtectionEnabled": false});
    let answer = harness.call("UpdateTable", unprotect).await;
    assert_eq!(answer["TableDescription"]["TableStatus"], "ACTIVE");
    harness.call("DeleteTable", json!({"TableName": "shop"})).await;
}

#[tokio::test]
async fn a_table_whose_index_is_being_changed_stays() {
    let harness = Harness::new().await;
    harness.call("CreateTable", shop(false)).await;
    let drop_index = json!({
        "TableName": "shop",
        "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "global"}}],
    });
    harness.call("UpdateTable", drop_index).await;
    assert_eq!(
        harness.error("DeleteTable", json!({"TableName": "shop"})).await,
        (
            "ResourceInUseException".to_owned(),
            "Attempt to change a resource which is still in use: Cannot delete table while indexes \
             are being created, updated, or deleted."
                .to_owned()
        )
    );
}
