//! Table names that are refused, and Amazon resource names that are taken.

use serde_json::{Value, json};

use super::support::{ABSENT, PLAIN, null, old, one, tables, with, wrong_capacity};
use crate::harness::Harness;

const PATTERN: &str = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
const ARN: &str = "arn:aws:dynamodb:us-east-1:000000000000:table/plain";

/// The operations on one table, each as a request without the name.
fn requests() -> [(&'static str, Value); 6] {
    let key = json!({"pk": {"S": "a"}});
    [
        ("PutItem", json!({"Item": key})),
        ("UpdateItem", json!({"Key": key})),
        ("DeleteItem", json!({"Key": key})),
        ("GetItem", json!({"Key": key})),
        (
            "Query",
            json!({"KeyConditionExpression": "pk = :p",
            "ExpressionAttributeValues": {":p": {"S": "a"}}}),
        ),
        ("Scan", json!({})),
    ]
}

#[tokio::test]
async fn a_missing_name_is_null_in_the_older_form() {
    let harness = Harness::new().await;
    for (operation, request) in requests() {
        harness.refuses(operation, request, &one(&null("tableName"))).await;
    }
}

#[tokio::test]
async fn an_empty_name_is_too_short_in_the_form_of_the_layer() {
    let harness = Harness::new().await;
    let constraint = "Member must have length greater than or equal to 1";
    for (operation, request) in requests() {
        let text = match operation {
            "Scan" => old("", "tableName", constraint),
            _ => format!("Value at 'TableName' failed to satisfy constraint: {constraint}"),
        };
        harness.refuses(operation, with(request, json!({"TableName": ""})), &one(&text)).await;
    }
}

#[tokio::test]
async fn a_name_of_other_characters_violates_the_pattern_alone() {
    let harness = Harness::new().await;
    for (operation, request) in requests() {
        for name in ["bad table!@#", "x!"] {
            let request = with(request.clone(), json!({"TableName": name}));
            harness.refuses(operation, request, &one(&old(name, "tableName", PATTERN))).await;
        }
    }
}

#[tokio::test]
async fn a_name_has_at_most_255_characters() {
    let harness = Harness::new().await;
    for (operation, request) in requests() {
        let name = "a".repeat(256);
        let text = old(&name, "tableName", "Member must have length less than or equal to 255");
        let request = with(request, json!({"TableName": name}));
        harness.refuses(operation, request, &one(&text)).await;
    }
}

#[tokio::test]
async fn an_invalid_name_is_told_alone_before_every_other_member() {
    let harness = Harness::new().await;
    for (operation, request) in requests() {
        let wrong = json!({"TableName": "x!", "ReturnConsumedCapacity": "BOGUS"});
        let text = one(&old("x!", "tableName", PATTERN));
        harness.refuses(operation, with(request, wrong), &text).await;
    }
}

#[tokio::test]
async fn a_table_that_is_not_there_is_not_found() {
    let harness = Harness::new().await;
    for (operation, request) in requests() {
        for name in [ABSENT, "ab"] {
            let request = with(request.clone(), json!({"TableName": name}));
            harness.finds_no_table(operation, request).await;
        }
    }
}

#[tokio::test]
async fn an_arn_names_the_table_and_is_repeated_in_the_consumed_capacity() {
    let harness = tables().await;
    for (operation, request) in requests() {
        let more = json!({"TableName": ARN, "ReturnConsumedCapacity": "TOTAL"});
        let answer = harness.call(operation, with(request, more)).await;
        assert_eq!(answer["ConsumedCapacity"]["TableName"], json!(ARN), "{operation}");
    }
    let request = json!({"RequestItems": {ARN: {"Keys": [{"pk": {"S": "a"}}]}},
        "ReturnConsumedCapacity": "TOTAL"});
    let answer = harness.call("BatchGetItem", request).await;
    assert_eq!(answer["Responses"], json!({ARN: []}));
    assert_eq!(answer["ConsumedCapacity"][0]["TableName"], json!(ARN));
    let request = json!({"RequestItems": {ARN: [{"PutRequest": {"Item": {"pk": {"S": "b"}}}}]},
        "ReturnConsumedCapacity": "TOTAL"});
    let answer = harness.call("BatchWriteItem", request).await;
    assert_eq!(answer["ConsumedCapacity"][0]["TableName"], json!(ARN));
    let request = json!({"TransactItems": [{"Put": {"TableName": ARN, "Item": {"pk": {"S": "c"}}}}],
        "ReturnConsumedCapacity": "TOTAL"});
    let answer = harness.call("TransactWriteItems", request).await;
    assert_eq!(answer["ConsumedCapacity"][0]["TableName"], json!(ARN));
    let request = json!({"TransactItems": [{"Get": {"TableName": ARN, "Key": {"pk": {"S": "c"}}}}],
        "ReturnConsumedCapacity": "TOTAL"});
    let answer = harness.call("TransactGetItems", request).await;
    assert_eq!(answer["Responses"], json!([{"Item": {"pk": {"S": "c"}}}]));
    assert_eq!(answer["ConsumedCapacity"][0]["TableName"], json!(ARN));
}

#[tokio::test]
async fn an_arn_of_something_else_is_refused() {
    let harness = tables().await;
    let form = "Valid ARN format is \
                'arn:<awsPartition>:<vendor>:<region>:<subscriber>:resourceType/resourceName', \
                where Resource name must have length less than or equal to 255, Resource name must \
                have length greater than or equal to 3, Resource name must satisfy regular \
                expression pattern: [a-zA-Z0-9_.-]+";
    let arns = [
        (format!("{ARN}/index/by-gsi"), form),
        ("arn:aws:dynamodb:us-east-1".to_owned(), form),
        (
            "arn:aws:dynamodb:us-east-1:000000000000:backup/plain".to_owned(),
            "Invalid resource type",
        ),
        (
            "arn:aws:dynamodb:us-east-1:000000000000:table/ab".to_owned(),
            "Table name of ARN must have length greater than or equal to 3",
        ),
    ];
    for (arn, constraint) in arns {
        let request = json!({"TableName": arn, "Key": {"pk": {"S": "a"}}});
        let text = one(&old(&arn, "tableName", constraint));
        harness.refuses("GetItem", request, &text).await;
    }
    harness.put(PLAIN, json!({"pk": {"S": "a"}})).await;
}

#[tokio::test]
async fn an_action_of_a_transaction_is_told_with_its_place() {
    let harness = Harness::new().await;
    let key = json!({"pk": {"S": "a"}});
    let request = json!({"ReturnConsumedCapacity": "BOGUS", "TransactItems": [
        {"Put": {"TableName": ABSENT, "Item": key}}, {"Delete": {"TableName": "x!", "Key": key}}]});
    let text = format!(
        "2 validation errors detected: {}; {}",
        wrong_capacity("BOGUS"),
        old("x!", "transactItems.2.member.delete.tableName", PATTERN)
    );
    harness.refuses("TransactWriteItems", request, &text).await;
    let request = json!({"TransactItems": [{"Get": {"TableName": "x!", "Key": key}}]});
    let text = one(&old("x!", "transactItems.1.member.get.tableName", PATTERN));
    harness.refuses("TransactGetItems", request, &text).await;
}
