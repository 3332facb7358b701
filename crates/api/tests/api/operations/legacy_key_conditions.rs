//! `KeyConditions`.
//!
//! The facts were measured on AWS by ScyllaDB's Alternator tests, the texts by dynalite's.

use crate::harness::Harness;
use serde_json::{Value, json};

/// A table with one partition of three items, by a sort key of strings.
async fn table() -> Harness {
    let harness = Harness::new().await;
    let request = json!({
        "TableName": "things",
        "AttributeDefinitions": [
            {"AttributeName": "a", "AttributeType": "S"},
            {"AttributeName": "b", "AttributeType": "S"},
        ],
        "KeySchema": [
            {"AttributeName": "a", "KeyType": "HASH"},
            {"AttributeName": "b", "KeyType": "RANGE"},
        ],
        "BillingMode": "PAY_PER_REQUEST",
    });
    harness.call("CreateTable", request).await;
    for (partition, sort) in [("x", "1"), ("x", "2"), ("x", "21"), ("y", "2")] {
        let item = json!({"a": {"S": partition}, "b": {"S": sort}, "d": {"S": sort}});
        harness.call("PutItem", json!({"TableName": "things", "Item": item})).await;
    }
    harness
}

fn on(operator: &str, values: &[&str]) -> Value {
    let values: Value = values.iter().map(|value| json!({"S": value})).collect();
    json!({"ComparisonOperator": operator, "AttributeValueList": values})
}

fn query(conditions: Value) -> Value {
    let mut request = json!({"TableName": "things"});
    request["KeyConditions"] = conditions;
    request
}

fn sort_keys(page: &Value) -> Vec<&str> {
    let items = page["Items"].as_array().unwrap();
    items.iter().map(|item| item["b"]["S"].as_str().unwrap()).collect()
}

fn refused(text: &str) -> (String, String) {
    ("ValidationException".to_owned(), text.to_owned())
}

#[tokio::test]
async fn a_partition_is_read_whole_or_by_its_sort_key() {
    let harness = table().await;
    let whole = harness.call("Query", query(json!({"a": on("EQ", &["x"])}))).await;
    assert_eq!(sort_keys(&whole), ["1", "2", "21"]);
    let cases: [(&str, &[&str], &[&str]); 7] = [
        ("EQ", &["2"], &["2"]),
        ("LT", &["2"], &["1"]),
        ("LE", &["2"], &["1", "2"]),
        ("GT", &["2"], &["21"]),
        ("GE", &["2"], &["2", "21"]),
        ("BETWEEN", &["1", "2"], &["1", "2"]),
        ("BEGINS_WITH", &["2"], &["2", "21"]),
    ];
    for (operator, values, expected) in cases {
        let conditions = json!({"a": on("EQ", &["x"]), "b": on(operator, values)});
        let page = harness.call("Query", query(conditions)).await;
        assert_eq!(sort_keys(&page), expected, "{operator}");
    }
}

#[tokio::test]
async fn key_conditions_go_with_filters_of_either_kind() {
    let harness = table().await;
    let mut request = query(json!({"a": on("EQ", &["x"])}));
    request["QueryFilter"] = json!({"d": on("EQ", &["21"])});
    assert_eq!(sort_keys(&harness.call("Query", request).await), ["21"]);
    let mut request = query(json!({"a": on("EQ", &["x"])}));
    request["FilterExpression"] = json!("d = :d");
    request["ExpressionAttributeValues"] = json!({":d": {"S": "2"}});
    assert_eq!(sort_keys(&harness.call("Query", request).await), ["2"]);
}

#[tokio::test]
async fn there_are_one_or_two_conditions() {
    let harness = Harness::new().await;
    let text = refused("Conditions can be of length 1 or 2 only");
    assert_eq!(harness.error("Query", query(json!({}))).await, text);
    let is_null = || on("NULL", &[]);
    let three = json!({"a": is_null(), "b": is_null(), "c": is_null()});
    assert_eq!(harness.error("Query", query(three)).await, text);
}

#[tokio::test]
async fn an_index_of_several_key_attributes_takes_as_many_conditions() {
    let harness = Harness::new().await;
    let names = ["a", "p", "q", "s", "t"];
    let definition = |name: &&str| json!({"AttributeName": name, "AttributeType": "S"});
    let part = |name: &str, role: &str| json!({"AttributeName": name, "KeyType": role});
    let index = json!({
        "IndexName": "several",
        "KeySchema": [part("p", "HASH"), part("q", "HASH"), part("s", "RANGE"), part("t", "RANGE")],
        "Projection": {"ProjectionType": "ALL"},
    });
    let request = json!({
        "TableName": "parts",
        "AttributeDefinitions": names.iter().map(definition).collect::<Vec<_>>(),
        "KeySchema": [part("a", "HASH")],
        "GlobalSecondaryIndexes": [index],
        "BillingMode": "PAY_PER_REQUEST",
    });
    harness.call("CreateTable", request).await;
    for (a, t) in [("1", "x"), ("2", "xy"), ("3", "z")] {
        let text = |text: &str| json!({"S": text});
        let item =
            json!({"a": text(a), "p": text("p"), "q": text("q"), "s": text("s"), "t": text(t)});
        harness.call("PutItem", json!({"TableName": "parts", "Item": item})).await;
    }
    let on_index = |conditions: Value| {
        json!({"TableName": "parts", "IndexName": "several",
            "KeyConditions": conditions})
    };
    let equal = |value: &str| on("EQ", &[value]);
    let four = json!({"p": equal("p"), "q": equal("q"), "s": equal("s"),
        "t": on("BEGINS_WITH", &["x"])});
    let page = harness.call("Query", on_index(four)).await;
    let found: Vec<&Value> =
        page["Items"].as_array().unwrap().iter().map(|i| &i["a"]["S"]).collect();
    assert_eq!(found, ["1", "2"]);
    let gap = json!({"p": equal("p"), "q": equal("q"), "t": equal("x")});
    let text = "RANGE key attributes s must have equality conditions specified in the query \
                because a condition is present on key attribute t";
    assert_eq!(harness.error("Query", on_index(gap)).await, refused(text));
    let five = json!({"p": equal("p"), "q": equal("q"), "s": equal("s"), "t": equal("x"),
        "a": equal("1")});
    let text = "The number of query conditions (5) exceeds the number of key attributes defined in \
                the schema (4)";
    assert_eq!(harness.error("Query", on_index(five)).await, refused(text));
}

#[tokio::test]
async fn the_schema_decides_which_conditions_fit() {
    let harness = table().await;
    let equal = || on("EQ", &["x"]);
    let is_null = || on("NULL", &[]);
    let missed = |name: &str| format!("Query condition missed key schema element: {name}");
    let not_indexable = "Attempted conditional constraint is not an indexable operation".to_owned();
    let unsupported = "Query key condition not supported".to_owned();
    let cases = [
        (json!({"c": is_null()}), missed("a")),
        (json!({"a": equal(), "c": is_null()}), missed("b")),
        (json!({"a": is_null()}), not_indexable.clone()),
        (json!({"a": on("NE", &["x"])}), not_indexable.clone()),
        (json!({"a": on("IN", &["x"])}), not_indexable.clone()),
        (json!({"a": on("CONTAINS", &["x"]), "b": is_null()}), not_indexable.clone()),
        (json!({"a": equal(), "b": on("NOT_CONTAINS", &["x"])}), not_indexable),
        (json!({"a": on("LE", &["x"])}), unsupported.clone()),
        (json!({"a": on("BETWEEN", &["x", "y"])}), unsupported),
    ];
    for (conditions, text) in cases {
        assert_eq!(harness.error("Query", query(conditions)).await, refused(&text));
    }
    let number = json!({"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "1"}]});
    let text = "One or more parameter values were invalid: Condition parameter type does not match \
                schema type";
    let error = harness.error("Query", query(json!({"a": number}))).await;
    assert_eq!(error, refused(text));
}

#[tokio::test]
async fn an_unindexable_condition_is_refused_after_the_table_and_the_index_are_found() {
    let harness = table().await;
    let mut request = query(json!({"a": on("NULL", &[])}));
    request["IndexName"] = json!("whatever");
    let text = "The table does not have the specified index: whatever";
    assert_eq!(harness.error("Query", request.clone()).await, refused(text));
    request["TableName"] = json!("missing");
    assert_eq!(harness.error("Query", request).await.0, "ResourceNotFoundException");
}

#[tokio::test]
async fn malformed_conditions_are_refused_before_the_table_is_looked_up() {
    let harness = Harness::new().await;
    let prefix = "One or more parameter values were invalid";
    let cases = [
        (on("NE", &[]), "Invalid number of argument(s) for the NE ComparisonOperator"),
        (on("NULL", &["x"]), "Invalid number of argument(s) for the NULL ComparisonOperator"),
        (
            json!({"ComparisonOperator": "LE", "AttributeValueList": [{"SS": ["a"]}]}),
            "ComparisonOperator LE is not valid for SS AttributeValue type",
        ),
        (
            json!({"ComparisonOperator": "BEGINS_WITH", "AttributeValueList": [{"N": "3"}]}),
            "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type",
        ),
    ];
    for (condition, text) in cases {
        let error = harness.error("Query", query(json!({"a": condition}))).await;
        assert_eq!(error, refused(&format!("{prefix}: {text}")));
    }
    let missing = json!({"a": {"AttributeValueList": [{"S": "x"}]}});
    let text = "1 validation error detected: Value null at \
                'keyConditions.a.member.comparisonOperator' failed to satisfy constraint: Member \
                must not be null";
    assert_eq!(harness.error("Query", query(missing)).await, refused(text));
}
