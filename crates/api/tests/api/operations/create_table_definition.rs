//! CreateTable checks its members against one another, in DynamoDB's order.
//!
//! The texts are AWS's, most of them recorded in 2026 by public test suites, some (units out of
//! bounds or unchanged) in 2021, but where a test says otherwise. Where several checks fail at
//! once, only the order of the large groups (members, request, table, limits) was measured.

use crate::harness::Harness;
use serde_json::{Value, json};

fn definitions(names: &[&str]) -> Value {
    names.iter().map(|name| json!({"AttributeName": name, "AttributeType": "S"})).collect()
}

/// A key schema from `HASH` names and `RANGE` names, these with a `>` before them.
fn key(names: &[&str]) -> Value {
    let element = |name: &&str| match name.strip_prefix('>') {
        Some(name) => json!({"AttributeName": name, "KeyType": "RANGE"}),
        None => json!({"AttributeName": name, "KeyType": "HASH"}),
    };
    names.iter().map(element).collect()
}

fn index(name: &str, names: &[&str]) -> Value {
    json!({
        "IndexName": name,
        "KeySchema": key(names),
        "Projection": {"ProjectionType": "ALL"},
    })
}

/// An index with some members replaced.
fn index_with(name: &str, names: &[&str], changes: Value) -> Value {
    merged(index(name, names), changes)
}

fn merged(mut base: Value, mut changes: Value) -> Value {
    base.as_object_mut().unwrap().append(changes.as_object_mut().unwrap());
    base
}

/// A request for an on-demand table with the key `a`, `b`, with some members replaced.
fn request(changes: Value) -> Value {
    let base = json!({
        "TableName": "shop",
        "AttributeDefinitions": definitions(&["a", "b"]),
        "KeySchema": key(&["a", ">b"]),
        "BillingMode": "PAY_PER_REQUEST",
    });
    merged(base, changes)
}

/// Checks the text of a refusal. Most start alike: `…` stands for that.
async fn check(changes: Value, text: &str) {
    let harness = Harness::new().await;
    let error = harness.error("CreateTable", request(changes)).await;
    let text = text.replace('…', "One or more parameter values were invalid: ");
    assert_eq!(error, ("ValidationException".to_owned(), text));
}

async fn check_accepted(changes: Value) -> Value {
    let harness = Harness::new().await;
    harness.call("CreateTable", request(changes)).await;
    harness.call("DescribeTable", json!({"TableName": "shop"})).await["Table"].clone()
}

fn units(read: i64, write: i64) -> Value {
    json!({"ReadCapacityUnits": read, "WriteCapacityUnits": write})
}

#[tokio::test]
async fn throughput_goes_with_provisioned_billing() {
    check(
        json!({"ProvisionedThroughput": units(1, 1)}),
        "…Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is \
         PAY_PER_REQUEST",
    )
    .await;
    let missing = "…ReadCapacityUnits and WriteCapacityUnits must both be specified when \
                   BillingMode is PROVISIONED";
    check(json!({"BillingMode": "PROVISIONED"}), missing).await;
    check(json!({"BillingMode": null}), missing).await;
}

#[tokio::test]
async fn units_have_a_bound() {
    let too_many = 1_000_000_000_001_i64;
    let provisioned =
        |throughput| json!({"BillingMode": "PROVISIONED", "ProvisionedThroughput": throughput});
    check(
        provisioned(units(too_many, too_many)),
        "Given value 1000000000001 for ReadCapacityUnits is out of bounds",
    )
    .await;
    check(
        provisioned(units(1, too_many)),
        "Given value 1000000000001 for WriteCapacityUnits is out of bounds",
    )
    .await;
    let global = index_with("g-a", &["a"], json!({"ProvisionedThroughput": units(1, too_many)}));
    check(
        merged(provisioned(units(1, 1)), json!({"GlobalSecondaryIndexes": [global]})),
        "Given value 1000000000001 for WriteCapacityUnits is out of bounds for index g-a",
    )
    .await;
}

#[tokio::test]
async fn the_key_is_defined_and_in_order() {
    let undefined = "Invalid KeySchema: Some index key attribute have no definition";
    check(json!({"KeySchema": key(&["a", ">c"])}), undefined).await;
    check(json!({"AttributeDefinitions": []}), undefined).await;
    check(json!({"KeySchema": key(&["a"]), "AttributeDefinitions": []}), undefined).await;
    check(
        json!({"KeySchema": key(&["a", ">a"]), "AttributeDefinitions": definitions(&["a"])}),
        undefined,
    )
    .await;
    check(
        json!({"KeySchema": key(&["A"]), "AttributeDefinitions": definitions(&["a"])}),
        "…Some index key attributes are not defined in AttributeDefinitions. Keys: [A], \
         AttributeDefinitions: [a]",
    )
    .await;
    check(
        json!({"KeySchema": key(&["a", ">a"])}),
        "Both the Hash Key and the Range Key element in the KeySchema have the same name",
    )
    .await;
    let first = "Invalid KeySchema: The first KeySchemaElement is not a HASH key type";
    check(json!({"KeySchema": key(&[">a", "b"])}), first).await;
    check(json!({"KeySchema": key(&[">a"])}), first).await;
    check(
        json!({"KeySchema": key(&["a", "b"])}),
        "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
    )
    .await;
}

#[tokio::test]
async fn definitions_are_used_once_each() {
    check(
        json!({"AttributeDefinitions": definitions(&["a", "b", "a"])}),
        "Attribute Name is duplicated: a",
    )
    .await;
    check(
        json!({"AttributeDefinitions": definitions(&["a", "b", "c"])}),
        "…Number of attributes in KeySchema does not exactly match number of attributes defined in \
         AttributeDefinitions",
    )
    .await;
    check(
        json!({
            "AttributeDefinitions": definitions(&["b", "a", "c"]),
            "GlobalSecondaryIndexes": [index_with("g-a", &["b"], json!({"Projection": {}}))],
        }),
        "…Some AttributeDefinitions are not used. AttributeDefinitions: [b, a, c], keys used: [a, \
         b]",
    )
    .await;
}

/// The order is that of the messages that DynamoDB gives to requests with both faults.
#[tokio::test]
async fn what_is_wrong_with_an_index_comes_before_definitions_that_are_not_used() {
    let unused = || definitions(&["a", "b", "c"]);
    check(
        json!({
            "AttributeDefinitions": unused(),
            "GlobalSecondaryIndexes": [index_with("g-a", &["x"], json!({}))],
        }),
        "…Some index key attributes are not defined in AttributeDefinitions. Keys: [x], \
         AttributeDefinitions: [a, b, c]",
    )
    .await;
    check(
        json!({
            "AttributeDefinitions": unused(),
            "LocalSecondaryIndexes": [index_with("l-a", &["a"], json!({}))],
        }),
        "…Index KeySchema does not have a range key for index: l-a",
    )
    .await;
    check(
        json!({"AttributeDefinitions": unused(), "LocalSecondaryIndexes": []}),
        "…List of LocalSecondaryIndexes is empty",
    )
    .await;
}

#[tokio::test]
async fn lists_of_indexes_are_not_empty() {
    check(
        json!({"LocalSecondaryIndexes": [], "GlobalSecondaryIndexes": []}),
        "…List of LocalSecondaryIndexes is empty",
    )
    .await;
    check(json!({"GlobalSecondaryIndexes": []}), "…List of GlobalSecondaryIndexes is empty").await;
}

#[tokio::test]
async fn local_indexes_have_the_tables_partition_key_and_a_sort_key() {
    let local = |names: &[&str]| json!({"LocalSecondaryIndexes": [index("abc", names)]});
    check(
        merged(
            local(&["a", ">b"]),
            json!({"KeySchema": key(&["a"]), "AttributeDefinitions": definitions(&["a", "b"])}),
        ),
        "…Table KeySchema does not have a range key, which is required when specifying a \
         LocalSecondaryIndex",
    )
    .await;
    check(
        local(&["a", ">c"]),
        "…Some index key attributes are not defined in AttributeDefinitions. Keys: [a, c], \
         AttributeDefinitions: [a, b]",
    )
    .await;
    check(
        local(&["a", ">a"]),
        "Both the Hash Key and the Range Key element in the KeySchema have the same name",
    )
    .await;
    check(
        local(&[">a", "b"]),
        "Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
    )
    .await;
    check(
        local(&["a", "b"]),
        "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
    )
    .await;
    check(local(&["a"]), "…Index KeySchema does not have a range key for index: abc").await;
    check(
        local(&["b", ">a"]),
        "…Index KeySchema does not have the same leading hash key as table KeySchema for index: \
         abc. index hash key: b, table hash key: a",
    )
    .await;
    check_accepted(local(&["a", ">b"])).await;
}

#[tokio::test]
async fn projections_name_attributes_if_they_include_some() {
    for list in ["LocalSecondaryIndexes", "GlobalSecondaryIndexes"] {
        let with = |projection: Value| {
            json!({list: [index_with("abc", &["a", ">b"],
                json!({"Projection": projection}))]})
        };
        check(with(json!({})), "…Unknown ProjectionType: null").await;
        check(
            with(json!({"ProjectionType": "ALL", "NonKeyAttributes": ["x"]})),
            "…ProjectionType is ALL, but NonKeyAttributes is specified",
        )
        .await;
        check(
            with(json!({"ProjectionType": "KEYS_ONLY", "NonKeyAttributes": ["x"]})),
            "…ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified",
        )
        .await;
        check(
            with(json!({"ProjectionType": "INCLUDE"})),
            "…ProjectionType is INCLUDE, but NonKeyAttributes is not specified",
        )
        .await;
        check(
            with(json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["y", "x", "y"]})),
            "…Duplicate element in NonKeyAttributes: y",
        )
        .await;
        let table = check_accepted(with(
            json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["y", "a"]}),
        ))
        .await;
        assert_eq!(
            table[list][0]["Projection"],
            json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a", "y"]})
        );
    }
}

/// The limit is documented by AWS; the text is ours.
#[tokio::test]
async fn indexes_include_at_most_a_hundred_names_together() {
    let globals = |per_index: usize| -> Value {
        let names: Vec<String> = (0..per_index).map(|number| format!("x{number}")).collect();
        let projection = json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": names});
        (0..6)
            .map(|number| {
                let changes = json!({"Projection": projection});
                index_with(&format!("global-{number}"), &["a"], changes)
            })
            .collect()
    };
    check_accepted(json!({"GlobalSecondaryIndexes": globals(16)})).await;
    check(
        json!({"GlobalSecondaryIndexes": globals(17)}),
        "…Number of NonKeyAttributes of all indexes exceeds per-table limit of 100",
    )
    .await;
}

#[tokio::test]
async fn index_names_differ() {
    let abc = index("abc", &["a", ">b"]);
    let text = "…Duplicate index name: abc";
    check(json!({"LocalSecondaryIndexes": [abc, abc]}), text).await;
    check(json!({"GlobalSecondaryIndexes": [abc, abc]}), text).await;
    check(json!({"LocalSecondaryIndexes": [abc], "GlobalSecondaryIndexes": [abc]}), text).await;
}

#[tokio::test]
async fn a_table_has_a_limited_number_of_indexes() {
    let indexes = |count: usize| -> Value {
        (0..count).map(|number| index(&format!("index-{number}"), &["a", ">b"])).collect()
    };
    check_accepted(json!({"LocalSecondaryIndexes": indexes(5)})).await;
    check(
        json!({"LocalSecondaryIndexes": indexes(6)}),
        "…Number of LocalSecondaryIndexes exceeds per-table limit of 5",
    )
    .await;
    check_accepted(json!({"GlobalSecondaryIndexes": indexes(20)})).await;
    check(
        json!({"GlobalSecondaryIndexes": indexes(21)}),
        "…GlobalSecondaryIndex count exceeds the per-table limit of 20",
    )
    .await;
}

#[tokio::test]
async fn global_indexes_are_provisioned_as_their_table() {
    check(
        json!({
            "BillingMode": "PROVISIONED",
            "ProvisionedThroughput": units(1, 1),
            "GlobalSecondaryIndexes": [index("g-a", &["b"])],
        }),
        "…ProvisionedThroughput is not specified for index: g-a",
    )
    .await;
    let provisioned = index_with("g-a", &["b"], json!({"ProvisionedThroughput": units(1, 1)}));
    check(
        json!({"GlobalSecondaryIndexes": [provisioned]}),
        "…ProvisionedThroughput should not be specified for index: g-a when BillingMode is \
         PAY_PER_REQUEST",
    )
    .await;
}

#[tokio::test]
async fn keys_of_global_indexes_have_up_to_four_attributes_of_each_kind() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let with = |key: &[&str]| {
        let used: Vec<&str> = names
            .iter()
            .copied()
            .filter(|name| key.iter().any(|part| part.ends_with(name)))
            .collect();
        let mut defined = vec!["a", "b"];
        defined.extend(used.iter().filter(|name| !["a", "b"].contains(name)));
        json!({
            "AttributeDefinitions": definitions(&defined),
            "GlobalSecondaryIndexes": [index("g-a", key)],
        })
    };
    let table = check_accepted(with(&["h", "g", "f", "e", ">d", ">c", ">b", ">a"])).await;
    assert_eq!(
        table["GlobalSecondaryIndexes"][0]["KeySchema"],
        key(&["h", "g", "f", "e", ">d", ">c", ">b", ">a"])
    );
    check_accepted(with(&["a", "b"])).await;
    check(
        with(&["a", "b", "c", "d", "e"]),
        "…The KeySchema exceeds the maximum allowed number of HASH key attributes",
    )
    .await;
    check(
        with(&["a", ">b", ">c", ">d", ">e", ">f"]),
        "…The KeySchema exceeds the maximum allowed number of RANGE key attributes",
    )
    .await;
    check(
        with(&["a", ">b", "c"]),
        "…All HASH key attributes must precede RANGE key attributes in the KeySchema",
    )
    .await;
    check(
        with(&[">a", "b"]),
        "Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
    )
    .await;
    check(
        with(&["a", ">a"]),
        "Both the Hash Key and the Range Key element in the KeySchema have the same name",
    )
    .await;
    check(
        with(&["a", "b", ">a"]),
        "The KeySchema contains multiple key attributes with the same name",
    )
    .await;
    check(
        json!({"GlobalSecondaryIndexes": [index("g-a", &["x"])]}),
        "…Some index key attributes are not defined in AttributeDefinitions. Keys: [x], \
         AttributeDefinitions: [a, b]",
    )
    .await;
}

#[tokio::test]
async fn streams_have_a_view_type_if_enabled() {
    check(
        json!({"StreamSpecification": {"StreamEnabled": true}}),
        "…Table is being created with a stream enabled, UpdateViewType is required",
    )
    .await;
    check(
        json!({"StreamSpecification": {"StreamEnabled": false, "StreamViewType": "KEYS_ONLY"}}),
        "…Table is being created with a stream disabled, UpdateViewType should not be specified",
    )
    .await;
    let table = check_accepted(json!({"StreamSpecification": {"StreamEnabled": false}})).await;
    assert_eq!(table.get("StreamSpecification"), None);
}

#[tokio::test]
async fn on_demand_ceilings_are_positive() {
    let ceiling = |read: i64| json!({"MaxReadRequestUnits": read});
    check(
        json!({
            "BillingMode": "PROVISIONED",
            "ProvisionedThroughput": units(1, 1),
            "OnDemandThroughput": ceiling(5),
        }),
        "…MaxReadRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is \
         PROVISIONED.",
    )
    .await;
    for units in [0, -1, -2] {
        check(
            json!({"OnDemandThroughput": ceiling(units)}),
            "…Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid \
             range",
        )
        .await;
    }
    let global = index_with("g-a", &["b"], json!({"OnDemandThroughput": ceiling(0)}));
    check(
        json!({"GlobalSecondaryIndexes": [global]}),
        "…Requested MaxReadRequestUnits for OnDemandThroughput for index : g-a is outside of valid \
         range",
    )
    .await;
    let unlimited = index_with("g-a", &["b"], json!({"OnDemandThroughput": ceiling(-1)}));
    check_accepted(json!({"GlobalSecondaryIndexes": [unlimited]})).await;
    let table = check_accepted(json!({"OnDemandThroughput": ceiling(100)})).await;
    assert_eq!(table["OnDemandThroughput"], ceiling(100));
    let table = check_accepted(json!({"OnDemandThroughput": {}})).await;
    assert_eq!(table.get("OnDemandThroughput"), None);
}

#[tokio::test]
async fn warm_throughput_is_not_below_what_a_table_serves() {
    check(
        json!({"WarmThroughput": {"ReadUnitsPerSecond": 1}}),
        "…Requested ReadUnitsPerSecond for WarmThroughput for table is lower than initial \
         throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/\
         developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial",
    )
    .await;
    check(
        json!({
            "BillingMode": "PROVISIONED",
            "ProvisionedThroughput": units(10, 10),
            "WarmThroughput": {"ReadUnitsPerSecond": 10, "WriteUnitsPerSecond": 5},
        }),
        "…Requested WriteUnitsPerSecond for WarmThroughput for table is lower than \
         WriteCapacityUnits of ProvisionedThroughput",
    )
    .await;
    check_accepted(json!({"WarmThroughput": {"ReadUnitsPerSecond": 12001}})).await;
}

#[tokio::test]
async fn classes_and_encryption_are_of_a_kind() {
    check(
        json!({"TableClass": "COLD"}),
        "Invalid table-class parameter provided. Please try again with a valid table-class value: \
         [STANDARD, STANDARD_INFREQUENT_ACCESS].",
    )
    .await;
    for (specification, text) in [
        (
            json!({"Enabled": false, "SSEType": "KMS"}),
            "…SSEType can not be specified if Enabled is false",
        ),
        (
            json!({"KMSMasterKeyId": "alias/key"}),
            "…KMSMasterKeyId can not be specified if Enabled is false",
        ),
        (
            json!({"Enabled": true, "KMSMasterKeyId": "alias/key"}),
            "…SSEType KMS is required if KMSMasterKeyId is specified",
        ),
        (json!({"Enabled": true, "SSEType": "AES256"}), "…SSEType AES256 is not supported"),
    ] {
        check(json!({"SSESpecification": specification}), text).await;
    }
    let table = check_accepted(json!({"TableClass": "STANDARD_INFREQUENT_ACCESS"})).await;
    assert_eq!(table["TableClassSummary"], json!({"TableClass": "STANDARD_INFREQUENT_ACCESS"}));
}

#[tokio::test]
async fn tags_are_checked() {
    for (tags, text) in [
        (
            json!([{"Key": "aws:foo", "Value": "x"}]),
            "Tag Key cannot be prefixed with aws:, Key: aws:foo",
        ),
        (json!([{}]), "The Tag Key provided is invalid, Key: null"),
        (json!([{"Key": "a|b", "Value": "x"}]), "The Tag Key provided is invalid, Key: a|b"),
        (json!([{"Key": "a"}]), "The Tag Value provided is invalid, Value: null"),
        (json!([{"Key": "a", "Value": "x|y"}]), "The Tag Value provided is invalid, Value: x|y"),
        (
            json!([{"Key": "a", "Value": "x"}, {"Key": "a", "Value": "y"}]),
            "Duplicate Tag Keys provided as input: Duplicate Tag Key found a",
        ),
    ] {
        check(json!({"Tags": tags}), text).await;
    }
    let tags: Vec<Value> =
        (0..51).map(|number| json!({"Key": format!("k{number}"), "Value": ""})).collect();
    check(
        json!({"Tags": tags}),
        "Number of Tags exceed the current limit for the provided ResourceArn",
    )
    .await;
    check_accepted(json!({"Tags": []})).await;
    check_accepted(json!({"Tags": &tags[..50]})).await;
}

/// AWS copies tables to other regions; this database has one place. The text is ours.
#[tokio::test]
async fn replicas_are_refused() {
    check(
        json!({"GlobalTableSourceArn": "arn:aws:dynamodb:us-west-2:000000000000:table/shop"}),
        "…Global tables are not supported",
    )
    .await;
}

#[tokio::test]
async fn earlier_checks_win() {
    check(
        json!({
            "ProvisionedThroughput": units(1_000_000_000_001, 1),
            "KeySchema": key(&[">a"]),
        }),
        "…Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is \
         PAY_PER_REQUEST",
    )
    .await;
    check(
        json!({"KeySchema": key(&[">a", "b"]), "GlobalSecondaryIndexes": []}),
        "Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
    )
    .await;
    check(
        json!({
            "StreamSpecification": {"StreamEnabled": true},
            "OnDemandThroughput": {"MaxReadRequestUnits": 0},
            "TableClass": "COLD",
        }),
        "…Table is being created with a stream enabled, UpdateViewType is required",
    )
    .await;
}
