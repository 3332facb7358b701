//! `AttributesToGet`.
//!
//! The texts were recorded on AWS by the tests of dynalite and the Parity Suite.

use crate::harness::Harness;
use serde_json::{Value, json};

async fn table() -> Harness {
    let harness = Harness::new().await;
    let request = json!({
        "TableName": "things",
        "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    harness.call("CreateTable", request).await;
    let item = json!({
        "p": {"S": "x"},
        "a": {"M": {"b": {"N": "1"}}},
        "a.b": {"N": "2"},
        "c": {"N": "3"},
    });
    harness.call("PutItem", json!({"TableName": "things", "Item": item})).await;
    harness
}

fn key() -> Value {
    json!({"p": {"S": "x"}})
}

#[tokio::test]
async fn every_read_returns_the_named_attributes_and_no_others() {
    let harness = table().await;
    let names = json!(["a.b", "p", "missing"]);
    let expected = json!({"p": {"S": "x"}, "a.b": {"N": "2"}});
    let get = json!({"TableName": "things", "Key": key(), "AttributesToGet": names});
    assert_eq!(harness.call("GetItem", get).await["Item"], expected);
    let keys = json!({"things": {"Keys": [key()], "AttributesToGet": names}});
    let batch = harness.call("BatchGetItem", json!({"RequestItems": keys})).await;
    assert_eq!(batch["Responses"]["things"], json!([expected]));
    let scan = json!({"TableName": "things", "AttributesToGet": names});
    assert_eq!(harness.call("Scan", scan).await["Items"], json!([expected]));
    let condition = json!({"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "x"}]});
    let query = json!({
        "TableName": "things",
        "KeyConditions": {"p": condition},
        "AttributesToGet": names,
    });
    assert_eq!(harness.call("Query", query).await["Items"], json!([expected]));
}

#[tokio::test]
async fn a_repeated_name_is_refused_before_the_table_is_looked_up() {
    let harness = Harness::new().await;
    let text = "One or more parameter values were invalid: Duplicate value in attribute name: a";
    let refused = ("ValidationException".to_owned(), text.to_owned());
    let get = json!({"TableName": "things", "Key": key(), "AttributesToGet": ["a", "b", "a"]});
    assert_eq!(harness.error("GetItem", get).await, refused);
    let keys = json!({"things": {"Keys": [key()], "AttributesToGet": ["a", "a"]}});
    assert_eq!(harness.error("BatchGetItem", json!({"RequestItems": keys})).await, refused);
    let scan = json!({"TableName": "things", "AttributesToGet": ["a", "a"]});
    assert_eq!(harness.error("Scan", scan).await, refused);
    let condition = json!({"ComparisonOperator": "NULL"});
    let query = json!({
        "TableName": "things",
        "KeyConditions": {"p": condition},
        "AttributesToGet": ["a", "a"],
    });
    assert_eq!(harness.error("Query", query).await, refused);
}

#[tokio::test]
async fn an_empty_list_violates_a_constraint() {
    let harness = Harness::new().await;
    let get = json!({"TableName": "things", "Key": key(), "AttributesToGet": []});
    let text = "1 validation error detected: Value '[]' at 'attributesToGet' failed to satisfy \
                constraint: Member must have length greater than or equal to 1";
    let refused = ("ValidationException".to_owned(), text.to_owned());
    assert_eq!(harness.error("GetItem", get).await, refused);
}
