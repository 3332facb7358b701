//! `Expected` on PutItem, UpdateItem and DeleteItem.
//!
//! What holds and what does not was measured on AWS by ScyllaDB's Alternator tests, the texts by
//! dynalite's, ExtendDB's and the Parity Suite's.

use crate::harness::Harness;
use serde_json::{Value, json};

/// A table with one item: `a` is 1.
async fn table() -> Harness {
    let harness = Harness::new().await;
    let request = json!({
        "TableName": "things",
        "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    harness.call("CreateTable", request).await;
    harness.call("PutItem", put(json!({}))).await;
    harness
}

fn with(mut base: Value, mut changes: Value) -> Value {
    base.as_object_mut().unwrap().append(changes.as_object_mut().unwrap());
    base
}

fn put(changes: Value) -> Value {
    let base = json!({"TableName": "things", "Item": {"p": {"S": "x"}, "a": {"N": "1"}}});
    with(base, changes)
}

fn by_key(changes: Value) -> Value {
    with(json!({"TableName": "things", "Key": {"p": {"S": "x"}}}), changes)
}

fn failed() -> (String, String) {
    let text = "The conditional request failed";
    ("ConditionalCheckFailedException".to_owned(), text.to_owned())
}

fn refused(text: &str) -> (String, String) {
    ("ValidationException".to_owned(), format!("1 validation error detected: {text}"))
}

#[tokio::test]
async fn a_write_happens_only_if_its_expectation_is_met() {
    let harness = table().await;
    let met = json!({"Expected": {"a": {"Value": {"N": "1"}}, "b": {"Exists": false}}});
    let missed = json!({"Expected": {"a": {"Value": {"N": "2"}}}});
    harness.call("PutItem", put(met.clone())).await;
    assert_eq!(harness.error("PutItem", put(missed.clone())).await, failed());
    harness.call("UpdateItem", by_key(met.clone())).await;
    assert_eq!(harness.error("UpdateItem", by_key(missed.clone())).await, failed());
    assert_eq!(harness.error("DeleteItem", by_key(missed)).await, failed());
    harness.call("DeleteItem", by_key(met)).await;
    assert_eq!(harness.call("GetItem", by_key(json!({}))).await, json!({}));
}

#[tokio::test]
async fn an_absent_item_has_no_attributes() {
    let harness = table().await;
    let create = json!({
        "Item": {"p": {"S": "y"}},
        "Expected": {"p": {"ComparisonOperator": "NULL"}},
    });
    harness.call("PutItem", put(create.clone())).await;
    assert_eq!(harness.error("PutItem", put(create)).await, failed());
}

#[tokio::test]
async fn not_contains_needs_an_attribute_and_ne_does_not() {
    let harness = table().await;
    let compare = |attribute: &str, operator: &str| {
        let values = json!([{"N": "7"}]);
        let one = json!({"ComparisonOperator": operator, "AttributeValueList": values});
        put(json!({"Expected": {attribute: one}}))
    };
    harness.call("PutItem", compare("missing", "NE")).await;
    assert_eq!(harness.error("PutItem", compare("missing", "NOT_CONTAINS")).await, failed());
    harness.call("PutItem", compare("a", "NOT_CONTAINS")).await;
}

#[tokio::test]
async fn or_asks_for_one_of_several() {
    let harness = table().await;
    let expected = json!({"a": {"Value": {"N": "9"}}, "b": {"Exists": false}});
    let joined = |operator: &str| {
        put(json!({"Expected": expected.clone(), "ConditionalOperator": operator}))
    };
    assert_eq!(
        harness.error("PutItem", put(json!({"Expected": expected.clone()}))).await,
        failed()
    );
    assert_eq!(harness.error("PutItem", joined("AND")).await, failed());
    harness.call("PutItem", joined("OR")).await;
}

#[tokio::test]
async fn a_conditional_operator_needs_two_expectations() {
    let harness = table().await;
    let without = refused("ConditionalOperator cannot be used without Filter or Expected");
    let with_one = refused(
        "ConditionalOperator can only be used when Filter or Expected has two or more elements",
    );
    let one = json!({"Expected": {"a": {"Value": {"N": "1"}}}, "ConditionalOperator": "AND"});
    let none = json!({"ConditionalOperator": "AND"});
    let empty = json!({"Expected": {}, "ConditionalOperator": "OR"});
    assert_eq!(harness.error("PutItem", put(one.clone())).await, with_one);
    assert_eq!(harness.error("PutItem", put(none.clone())).await, without);
    for operation in ["UpdateItem", "DeleteItem"] {
        assert_eq!(harness.error(operation, by_key(one.clone())).await, with_one);
        assert_eq!(harness.error(operation, by_key(none.clone())).await, without);
        assert_eq!(harness.error(operation, by_key(empty.clone())).await, without);
    }
}

#[tokio::test]
async fn an_unknown_conditional_operator_is_refused() {
    let harness = table().await;
    let request = put(json!({
        "Expected": {"a": {"Exists": false}, "b": {"Exists": false}},
        "ConditionalOperator": "XOR",
    }));
    let text = "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]";
    assert_eq!(harness.error("PutItem", request).await, refused(text));
}

#[tokio::test]
async fn a_malformed_expectation_is_refused_before_the_table_is_looked_up() {
    let harness = Harness::new().await;
    let cases = [
        (json!({"Exists": true}), "Value must be provided when Exists is true for Attribute: a"),
        (json!({}), "Value must be provided when Exists is null for Attribute: a"),
        (
            json!({"ComparisonOperator": "EQ"}),
            "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a",
        ),
        (
            json!({"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"N": "1"}]}),
            "Invalid number of argument(s) for the BETWEEN ComparisonOperator",
        ),
        (
            json!({"ComparisonOperator": "LT", "Value": {"SS": ["x"]}}),
            "ComparisonOperator LT is not valid for SS AttributeValue type",
        ),
    ];
    for (expected, text) in cases {
        let text = refused(&format!("One or more parameter values were invalid: {text}"));
        let expected = json!({"Expected": {"a": expected}});
        assert_eq!(harness.error("PutItem", put(expected.clone())).await, text);
        assert_eq!(harness.error("UpdateItem", by_key(expected.clone())).await, text);
        assert_eq!(harness.error("DeleteItem", by_key(expected)).await, text);
    }
}

#[tokio::test]
async fn expressions_and_expectations_do_not_mix() {
    let harness = Harness::new().await;
    let request = put(json!({
        "Expected": {"a": {"Exists": false}},
        "ConditionalOperator": "AND",
        "ConditionExpression": "attribute_exists(p)",
    }));
    let text = "Can not use both expression and non-expression parameters in the same request: \
                Non-expression parameters: {Expected, ConditionalOperator} Expression parameters: \
                {ConditionExpression}";
    assert_eq!(harness.error("PutItem", request).await, refused(text));
}
