//! ListTables names the tables in byte order, a page at a time.

use crate::harness::Harness;
use serde_json::{Value, json};

async fn with_tables(names: impl IntoIterator<Item = String>) -> Harness {
    let harness = Harness::new().await;
    for name in names {
        let table = json!({
            "TableName": name,
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "BillingMode": "PAY_PER_REQUEST",
        });
        harness.call("CreateTable", table).await;
    }
    harness
}

async fn with_four_tables() -> Harness {
    with_tables(["beta", "Zeta", "alpha", "_first"].map(str::to_owned)).await
}

#[tokio::test]
async fn upper_case_comes_before_lower_case() {
    let harness = with_four_tables().await;
    assert_eq!(
        harness.call("ListTables", json!({})).await,
        json!({"TableNames": ["Zeta", "_first", "alpha", "beta"]})
    );
}

#[tokio::test]
async fn a_page_names_its_last_table_only_if_more_follow() {
    let harness = with_four_tables().await;
    assert_eq!(
        harness.call("ListTables", json!({"Limit": 3})).await,
        json!({"TableNames": ["Zeta", "_first", "alpha"], "LastEvaluatedTableName": "alpha"})
    );
    assert_eq!(
        harness.call("ListTables", json!({"Limit": 1, "ExclusiveStartTableName": "alpha"})).await,
        json!({"TableNames": ["beta"]})
    );
    assert_eq!(
        harness.call("ListTables", json!({"ExclusiveStartTableName": "beta"})).await,
        json!({"TableNames": []})
    );
}

#[tokio::test]
async fn a_page_can_start_after_a_name_without_a_table() {
    let harness = with_four_tables().await;
    assert_eq!(
        harness.call("ListTables", json!({"ExclusiveStartTableName": "aaa"})).await,
        json!({"TableNames": ["alpha", "beta"]})
    );
}

#[tokio::test]
async fn a_page_has_a_hundred_names_at_most() {
    let harness = with_tables((0..101).map(|number| format!("table-{number:03}"))).await;
    let page = harness.call("ListTables", json!({})).await;
    assert_eq!(page["TableNames"].as_array().unwrap().len(), 100);
    assert_eq!(page["LastEvaluatedTableName"], "table-099");
}

#[tokio::test]
async fn members_out_of_range_are_refused() {
    let violation = |value: &str, path: &str, constraint: &str| {
        format!("Value '{value}' at '{path}' failed to satisfy constraint: {constraint}")
    };
    let start = "exclusiveStartTableName";
    let pattern = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
    let cases: Vec<(Value, String)> = vec![
        (
            json!({"Limit": 0}),
            violation("0", "limit", "Member must have value greater than or equal to 1"),
        ),
        (
            json!({"Limit": 101}),
            violation("101", "limit", "Member must have value less than or equal to 100"),
        ),
        (json!({"ExclusiveStartTableName": "a|b"}), violation("a|b", start, pattern)),
        (
            json!({"ExclusiveStartTableName": "ab"}),
            violation("ab", start, "Member must have length greater than or equal to 3"),
        ),
    ];
    let harness = Harness::new().await;
    for (request, text) in cases {
        assert_eq!(
            harness.error("ListTables", request).await,
            ("ValidationException".to_owned(), format!("1 validation error detected: {text}"))
        );
    }
    assert_eq!(
        harness.error("ListTables", json!({"Limit": -1, "ExclusiveStartTableName": ""})).await.1,
        "3 validation errors detected: Value '' at 'exclusiveStartTableName' failed to satisfy \
         constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value '' at \
         'exclusiveStartTableName' failed to satisfy constraint: Member must have length greater \
         than or equal to 3; Value '-1' at 'limit' failed to satisfy constraint: Member must have \
         value greater than or equal to 1"
    );
}
