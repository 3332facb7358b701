//! `QueryFilter` and `ScanFilter`.
//!
//! What holds and what does not was measured on AWS by ScyllaDB's Alternator tests, the texts by
//! dynalite's, ExtendDB's and the Parity Suite's.

use crate::harness::Harness;
use serde_json::{Value, json};

/// A table with one partition of three items. `a` is a number, a string, and missing.
async fn table() -> Harness {
    let harness = Harness::new().await;
    let request = json!({
        "TableName": "things",
        "AttributeDefinitions": [
            {"AttributeName": "p", "AttributeType": "S"},
            {"AttributeName": "c", "AttributeType": "N"},
        ],
        "KeySchema": [
            {"AttributeName": "p", "KeyType": "HASH"},
            {"AttributeName": "c", "KeyType": "RANGE"},
        ],
        "BillingMode": "PAY_PER_REQUEST",
    });
    harness.call("CreateTable", request).await;
    for item in [
        json!({"p": {"S": "x"}, "c": {"N": "1"}, "a": {"N": "5"}, "b": {"SS": ["u", "v"]}}),
        json!({"p": {"S": "x"}, "c": {"N": "2"}, "a": {"S": "five"}}),
        json!({"p": {"S": "x"}, "c": {"N": "3"}, "b": {"L": [{"S": "v"}, {"NULL": true}]}}),
    ] {
        harness.call("PutItem", json!({"TableName": "things", "Item": item})).await;
    }
    harness
}

fn on(operator: &str, values: Value) -> Value {
    let mut condition = json!({"ComparisonOperator": operator});
    condition["AttributeValueList"] = values;
    condition
}

fn query(mut changes: Value) -> Value {
    let mut request = json!({
        "TableName": "things",
        "KeyConditions": {"p": on("EQ", json!([{"S": "x"}]))},
    });
    request.as_object_mut().unwrap().append(changes.as_object_mut().unwrap());
    request
}

fn scan(mut changes: Value) -> Value {
    let mut request = json!({"TableName": "things"});
    request.as_object_mut().unwrap().append(changes.as_object_mut().unwrap());
    request
}

fn sort_keys(page: &Value) -> Vec<&str> {
    let items = page["Items"].as_array().unwrap();
    items.iter().map(|item| item["c"]["N"].as_str().unwrap()).collect()
}

fn refused(text: &str) -> (String, String) {
    ("ValidationException".to_owned(), text.to_owned())
}

#[tokio::test]
async fn every_operator_filters_queries_and_scans_alike() {
    let harness = table().await;
    let cases: [(&str, &str, Value, &[&str]); 17] = [
        ("a", "EQ", json!([{"N": "5.0"}]), &["1"]),
        ("a", "NE", json!([{"N": "5"}]), &["2", "3"]),
        ("a", "LT", json!([{"N": "6"}]), &["1"]),
        ("a", "LE", json!([{"N": "5"}]), &["1"]),
        ("a", "GT", json!([{"S": "fiv"}]), &["2"]),
        ("a", "GE", json!([{"S": "five"}]), &["2"]),
        ("a", "BETWEEN", json!([{"N": "5"}, {"N": "6"}]), &["1"]),
        ("a", "IN", json!([{"S": "four"}, {"S": "five"}]), &["2"]),
        ("a", "NULL", json!([]), &["3"]),
        ("a", "NOT_NULL", json!([]), &["1", "2"]),
        ("a", "BEGINS_WITH", json!([{"S": "fi"}]), &["2"]),
        ("a", "CONTAINS", json!([{"S": "iv"}]), &["2"]),
        ("a", "NOT_CONTAINS", json!([{"S": "iv"}]), &["1"]),
        ("b", "CONTAINS", json!([{"S": "v"}]), &["1", "3"]),
        ("b", "CONTAINS", json!([{"NULL": true}]), &["3"]),
        ("b", "NOT_CONTAINS", json!([{"S": "u"}]), &["3"]),
        ("b", "EQ", json!([{"SS": ["v", "u"]}]), &["1"]),
    ];
    for (attribute, operator, values, expected) in cases {
        let filter = json!({attribute: on(operator, values)});
        let queried = harness.call("Query", query(json!({"QueryFilter": filter.clone()}))).await;
        assert_eq!(sort_keys(&queried), expected, "{operator}");
        assert_eq!(queried["ScannedCount"], 3);
        let scanned = harness.call("Scan", scan(json!({"ScanFilter": filter}))).await;
        assert_eq!(sort_keys(&scanned), expected, "{operator}");
    }
}

#[tokio::test]
async fn conditions_are_joined_by_and_unless_or_is_asked_for() {
    let harness = table().await;
    let both = json!({"a": on("NOT_NULL", json!([])), "b": on("NOT_NULL", json!([]))});
    let all = harness.call("Scan", scan(json!({"ScanFilter": both.clone()}))).await;
    assert_eq!(sort_keys(&all), ["1"]);
    let any = json!({"QueryFilter": both, "ConditionalOperator": "OR"});
    assert_eq!(sort_keys(&harness.call("Query", query(any)).await), ["1", "2", "3"]);
}

#[tokio::test]
async fn an_empty_filter_lets_everything_through() {
    let harness = table().await;
    let all = harness.call("Query", query(json!({"QueryFilter": {}}))).await;
    assert_eq!(all["Count"], 3);
    assert_eq!(harness.call("Scan", scan(json!({"ScanFilter": {}}))).await["Count"], 3);
}

#[tokio::test]
async fn a_query_filter_leaves_keys_alone_and_a_scan_filter_does_not() {
    let harness = table().await;
    let filter = json!({"c": on("EQ", json!([{"N": "2"}]))});
    let text = "QueryFilter can only contain non-primary key attributes: Primary key attribute: c";
    let request = query(json!({"QueryFilter": filter.clone()}));
    assert_eq!(harness.error("Query", request).await, refused(text));
    let scanned = harness.call("Scan", scan(json!({"ScanFilter": filter}))).await;
    assert_eq!(sort_keys(&scanned), ["2"]);
}

#[tokio::test]
async fn a_conditional_operator_needs_two_conditions() {
    let harness = Harness::new().await;
    let without = refused("ConditionalOperator cannot be used without Filter or Expected");
    let with_one = refused(
        "ConditionalOperator can only be used when Filter or Expected has two or more elements",
    );
    let none = json!({"ConditionalOperator": "AND"});
    assert_eq!(harness.error("Scan", scan(none.clone())).await, without);
    assert_eq!(harness.error("Query", query(none.clone())).await, without);
    // Also before the key condition that is missing.
    assert_eq!(harness.error("Query", scan(none)).await, without);
    let one = json!({"a": on("NULL", json!([]))});
    let request = scan(json!({"ConditionalOperator": "OR", "ScanFilter": one.clone()}));
    assert_eq!(harness.error("Scan", request).await, with_one);
    let request = query(json!({"ConditionalOperator": "OR", "QueryFilter": one}));
    assert_eq!(harness.error("Query", request).await, with_one);
}

#[tokio::test]
async fn an_unknown_conditional_operator_is_refused_by_each_in_its_own_words() {
    let harness = Harness::new().await;
    let two = json!({"a": on("NULL", json!([])), "b": on("NULL", json!([]))});
    let request = query(json!({"ConditionalOperator": "XOR", "QueryFilter": two.clone()}));
    let text = "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]";
    assert_eq!(harness.error("Query", request).await, refused(text));
    let request = scan(json!({"ConditionalOperator": "XOR", "ScanFilter": two}));
    let text = "1 validation error detected: Value 'XOR' at 'conditionalOperator' failed to \
                satisfy constraint: Member must satisfy enum value set: [OR, AND]";
    assert_eq!(harness.error("Scan", request).await, refused(text));
}

#[tokio::test]
async fn malformed_conditions_are_refused_before_the_table_is_looked_up() {
    let harness = Harness::new().await;
    let cases = [
        (on("EQ", json!([])), "Invalid number of argument(s) for the EQ ComparisonOperator"),
        (
            on("NULL", json!([{"S": "x"}])),
            "Invalid number of argument(s) for the NULL ComparisonOperator",
        ),
        (
            on("IN", json!([{"S": "x"}, {"N": "1"}])),
            "AttributeValues inside AttributeValueList must be of same type",
        ),
        (
            on("LE", json!([{"NS": ["1"]}])),
            "ComparisonOperator LE is not valid for NS AttributeValue type",
        ),
    ];
    for (condition, text) in cases {
        let text = refused(&format!("One or more parameter values were invalid: {text}"));
        let filter = json!({"a": condition});
        let request = query(json!({"QueryFilter": filter.clone()}));
        assert_eq!(harness.error("Query", request).await, text);
        assert_eq!(harness.error("Scan", scan(json!({"ScanFilter": filter}))).await, text);
    }
    let reversed = json!({"a": on("BETWEEN", json!([{"N": "2"}, {"N": "1"}]))});
    let text = "The BETWEEN condition was provided a range where the lower bound is greater than \
                the upper bound";
    let request = scan(json!({"ScanFilter": reversed}));
    assert_eq!(harness.error("Scan", request).await, refused(text));
}

#[tokio::test]
async fn an_unknown_comparison_is_a_violated_constraint() {
    let harness = Harness::new().await;
    let request = scan(json!({"ScanFilter": {"a": on("eq", json!([]))}}));
    let (code, text) = harness.error("Scan", request).await;
    assert_eq!(code, "ValidationException");
    let start = "1 validation error detected: Value 'eq' at \
                 'scanFilter.a.member.comparisonOperator' failed to satisfy constraint: Member \
                 must satisfy enum value set: [IN, NULL, BETWEEN,";
    assert!(text.starts_with(start), "{text}");
}
