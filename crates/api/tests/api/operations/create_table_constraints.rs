//! CreateTable checks each member by itself first, and answers all that is wrong in one text.
//!
//! The texts are AWS's, most of them recorded in 2026 by public test suites; the order of the
//! values of
//! `sSEType` is that of the service model.

use crate::harness::Harness;
use serde_json::{Value, json};

/// A request that is right, with some members replaced; `null` takes one away.
fn request(mut changes: Value) -> Value {
    let mut request = json!({
        "TableName": "shop",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    request.as_object_mut().unwrap().append(changes.as_object_mut().unwrap());
    request
}

async fn check(changes: Value, text: &str) {
    let harness = Harness::new().await;
    let error = harness.error("CreateTable", request(changes)).await;
    assert_eq!(error, ("ValidationException".to_owned(), text.to_owned()));
    let tables = harness.call("ListTables", json!({})).await;
    assert_eq!(tables, json!({"TableNames": []}));
}

async fn check_one(changes: Value, violation: &str) {
    check(changes, &format!("1 validation error detected: {violation}")).await;
}

#[tokio::test]
async fn the_table_name_is_checked_alone() {
    let bad_billing = json!("FREE");
    check(
        json!({"TableName": null, "BillingMode": bad_billing}),
        "The parameter 'TableName' is required but was not present in the request",
    )
    .await;
    check_one(
        json!({"TableName": "ab", "BillingMode": bad_billing}),
        "Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater \
         than or equal to 3",
    )
    .await;
    let long = "a".repeat(256);
    check_one(
        json!({"TableName": long}),
        &format!(
            "Value '{long}' at 'tableName' failed to satisfy constraint: Member must have length \
             less than or equal to 255"
        ),
    )
    .await;
    check(
        json!({"TableName": ""}),
        "2 validation errors detected: Value '' at 'tableName' failed to satisfy constraint: \
         Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value '' at 'tableName' \
         failed to satisfy constraint: Member must have length greater than or equal to 3",
    )
    .await;
    check_one(
        json!({"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/shop"}),
        "Value 'arn:aws:dynamodb:us-east-1:000000000000:table/shop' at 'tableName' failed to \
         satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
    )
    .await;
}

#[tokio::test]
async fn enums_list_their_values_in_a_fixed_order() {
    let violation = |value: &str, path: &str, values: &str| {
        format!(
            "Value '{value}' at '{path}' failed to satisfy constraint: Member must satisfy enum \
             value set: {values}"
        )
    };
    check_one(
        json!({"BillingMode": "FREE"}),
        &violation("FREE", "billingMode", "[PROVISIONED, PAY_PER_REQUEST]"),
    )
    .await;
    check_one(
        json!({"KeySchema": [{"AttributeName": "pk", "KeyType": "SORT"}]}),
        &violation("SORT", "keySchema.1.member.keyType", "[HASH, RANGE]"),
    )
    .await;
    check_one(
        json!({"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "BOOL"}]}),
        &violation("BOOL", "attributeDefinitions.1.member.attributeType", "[B, N, S]"),
    )
    .await;
    check_one(
        json!({"StreamSpecification": {"StreamEnabled": true, "StreamViewType": ""}}),
        &violation(
            "",
            "streamSpecification.streamViewType",
            "[OLD_IMAGE, KEYS_ONLY, NEW_AND_OLD_IMAGES, NEW_IMAGE]",
        ),
    )
    .await;
    check_one(
        json!({"SSESpecification": {"Enabled": true, "SSEType": "ROT13"}}),
        &violation("ROT13", "sSESpecification.sSEType", "[AES256, KMS]"),
    )
    .await;
    check_one(
        json!({"LocalSecondaryIndexes": [{
            "IndexName": "local",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "SOME"},
        }]}),
        &violation(
            "SOME",
            "localSecondaryIndexes.1.member.projection.projectionType",
            "[ALL, INCLUDE, KEYS_ONLY]",
        ),
    )
    .await;
}

#[tokio::test]
async fn required_members_must_be_there() {
    let missing = |path: &str| {
        format!("Value null at '{path}' failed to satisfy constraint: Member must not be null")
    };
    check_one(json!({"KeySchema": null}), &missing("keySchema")).await;
    check_one(json!({"AttributeDefinitions": null}), &missing("attributeDefinitions")).await;
    check_one(json!({"StreamSpecification": {}}), &missing("streamSpecification.streamEnabled"))
        .await;
    let two = |first: &str, second: &str| {
        format!("2 validation errors detected: {}; {}", missing(first), missing(second))
    };
    check(
        json!({"KeySchema": [{}]}),
        &two("keySchema.1.member.attributeName", "keySchema.1.member.keyType"),
    )
    .await;
    check(
        json!({"AttributeDefinitions": [{}]}),
        &two(
            "attributeDefinitions.1.member.attributeType",
            "attributeDefinitions.1.member.attributeName",
        ),
    )
    .await;
    check(
        json!({"BillingMode": null, "ProvisionedThroughput": {}}),
        &two("provisionedThroughput.writeCapacityUnits", "provisionedThroughput.readCapacityUnits"),
    )
    .await;
    check(
        json!({"GlobalSecondaryIndexes": [{}]}),
        &format!(
            "3 validation errors detected: {}; {}; {}",
            missing("globalSecondaryIndexes.1.member.keySchema"),
            missing("globalSecondaryIndexes.1.member.projection"),
            missing("globalSecondaryIndexes.1.member.indexName"),
        ),
    )
    .await;
    check(
        json!({"LocalSecondaryIndexes": [{}]}),
        &format!(
            "3 validation errors detected: {}; {}; {}",
            missing("localSecondaryIndexes.1.member.indexName"),
            missing("localSecondaryIndexes.1.member.keySchema"),
            missing("localSecondaryIndexes.1.member.projection"),
        ),
    )
    .await;
}

#[tokio::test]
async fn key_schemas_have_a_length() {
    check_one(
        json!({"KeySchema": []}),
        "Value '[]' at 'keySchema' failed to satisfy constraint: Member must have length greater \
         than or equal to 1",
    )
    .await;
    let three = json!([
        {"AttributeName": "a", "KeyType": "HASH"},
        {"AttributeName": "b", "KeyType": "RANGE"},
        {"AttributeName": "c", "KeyType": "RANGE"},
    ]);
    let echo = "[KeySchemaElement(attributeName=a, keyType=HASH), \
                KeySchemaElement(attributeName=b, keyType=RANGE), \
                KeySchemaElement(attributeName=c, keyType=RANGE)]";
    let too_long = |path: &str| {
        format!(
            "Value '{echo}' at '{path}' failed to satisfy constraint: Member must have length less \
             than or equal to 2"
        )
    };
    check_one(json!({"KeySchema": three}), &too_long("keySchema")).await;
    check_one(
        json!({"LocalSecondaryIndexes": [
            {"IndexName": "local", "KeySchema": three, "Projection": {"ProjectionType": "ALL"}},
        ]}),
        &too_long("localSecondaryIndexes.1.member.keySchema"),
    )
    .await;
    check_one(
        json!({"KeySchema": [{"AttributeName": "", "KeyType": "HASH"}]}),
        "Value '' at 'keySchema.1.member.attributeName' failed to satisfy constraint: Member must \
         have length greater than or equal to 1",
    )
    .await;
}

#[tokio::test]
async fn units_are_at_least_one() {
    check(
        json!({"ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": -1}}),
        "2 validation errors detected: Value '-1' at 'provisionedThroughput.writeCapacityUnits' \
         failed to satisfy constraint: Member must have value greater than or equal to 1; Value \
         '0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member \
         must have value greater than or equal to 1",
    )
    .await;
}

#[tokio::test]
async fn projected_names_are_one_to_twenty() {
    let index = |names: &[&str]| {
        json!({"GlobalSecondaryIndexes": [{
            "IndexName": "global",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": names},
        }]})
    };
    let violation = |echo: &str, constraint: &str| {
        format!(
            "Value '[{echo}]' at 'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' \
             failed to satisfy constraint: Member must have length {constraint}"
        )
    };
    check_one(index(&[]), &violation("", "greater than or equal to 1")).await;
    let names = ["x"; 21];
    check_one(index(&names), &violation(&names.join(", "), "less than or equal to 20")).await;
}

#[tokio::test]
async fn index_names_of_global_indexes_come_first() {
    let index = |name: &str| {
        json!([{
            "IndexName": name,
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }])
    };
    check(
        json!({"LocalSecondaryIndexes": index("l1"), "GlobalSecondaryIndexes": index("g1")}),
        "2 validation errors detected: Value 'g1' at 'globalSecondaryIndexes.1.member.indexName' \
         failed to satisfy constraint: Member must have length greater than or equal to 3; Value \
         'l1' at 'localSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member \
         must have length greater than or equal to 3",
    )
    .await;
    check(
        json!({"GlobalSecondaryIndexes": index("")}),
        "2 validation errors detected: Value '' at 'globalSecondaryIndexes.1.member.indexName' \
         failed to satisfy constraint: Member must have length greater than or equal to 3; Value \
         '' at 'globalSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member \
         must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
    )
    .await;
}

#[tokio::test]
async fn at_most_ten_violations_are_listed() {
    let elements: Vec<Value> = (0..6).map(|_| json!({})).collect();
    let harness = Harness::new().await;
    let (_, text) =
        harness.error("CreateTable", request(json!({"AttributeDefinitions": elements}))).await;
    assert!(text.starts_with("10 validation errors detected: "), "{text}");
    assert_eq!(text.matches("Member must not be null").count(), 10);
}
