//! Constraints on single members: missing ones, enums, numbers out of range, and how they are
//! joined.

use serde_json::{Value, json};

use super::support::{ABSENT, null, old, one, wrong_capacity};
use crate::harness::Harness;

const RETURN_VALUES: &str = "Failed to satisfy constraint: Member must satisfy enum value set: \
    [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]";
const RETURN_VALUES_SET: &str =
    "Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]";
const METRICS: &str = "ReturnItemCollectionMetrics can only be SIZE or NONE";
const ON_FAILURE_SET: &str = "Member must satisfy enum value set: [ALL_OLD, NONE]";
const SELECT_SET: &str = "Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, \
    ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]";
const OPERATOR_SET: &str = "Member must satisfy enum value set: [OR, AND]";
const LENGTH_1: &str = "Member must have length greater than or equal to 1";

fn joined(violations: &[&str]) -> String {
    format!("{} validation errors detected: {}", violations.len(), violations.join("; "))
}

#[tokio::test]
async fn single_writes_without_item_or_key_tell_all_that_is_wrong_in_the_older_form() {
    let harness = Harness::new().await;
    harness.refuses("PutItem", json!({"TableName": ABSENT}), &one(&null("item"))).await;
    harness.refuses("DeleteItem", json!({"TableName": ABSENT}), &one(&null("key"))).await;
    let empty_name = old("", "tableName", LENGTH_1);
    let request = json!({"TableName": ""});
    harness.refuses("UpdateItem", request, &joined(&[&empty_name, &null("key")])).await;
    let request = json!({"TableName": "", "ReturnConsumedCapacity": "X", "ReturnValues": "Y"});
    let (capacity, values) = (wrong_capacity("X"), old("Y", "returnValues", RETURN_VALUES_SET));
    let text = joined(&[&capacity, &empty_name, &values, &null("key")]);
    harness.refuses("UpdateItem", request.clone(), &text).await;
    let text = joined(&[&capacity, &empty_name, &null("item"), &values]);
    harness.refuses("PutItem", request, &text).await;
    let request = json!({"TableName": ABSENT, "ConditionalOperator": "XOR"});
    let operator = old("XOR", "conditionalOperator", OPERATOR_SET);
    harness.refuses("UpdateItem", request.clone(), &joined(&[&operator, &null("key")])).await;
    harness.refuses("DeleteItem", request, &joined(&[&null("key"), &operator])).await;
}

#[tokio::test]
async fn put_and_delete_tell_all_wrong_enums_and_update_the_first() {
    let harness = Harness::new().await;
    let key = json!({"pk": {"S": "a"}});
    let wrong = json!({"TableName": ABSENT, "Item": key, "Key": key, "ReturnValues": "INVALID",
        "ReturnConsumedCapacity": "INVALID", "ReturnItemCollectionMetrics": "INVALID"});
    let all = joined(&[&wrong_capacity("INVALID"), RETURN_VALUES, METRICS]);
    harness.refuses("PutItem", wrong.clone(), &all).await;
    harness.refuses("DeleteItem", wrong.clone(), &all).await;
    harness.refuses("UpdateItem", wrong, &one(RETURN_VALUES)).await;
}

#[tokio::test]
async fn each_enum_of_the_single_writes_has_its_text() {
    let harness = Harness::new().await;
    let key = json!({"pk": {"S": "a"}});
    let on_failure = old("X", "returnValuesOnConditionCheckFailure", ON_FAILURE_SET);
    let members = [
        ("ReturnValues", RETURN_VALUES.to_owned(), one(RETURN_VALUES)),
        ("ReturnItemCollectionMetrics", METRICS.to_owned(), one(METRICS)),
        ("ReturnConsumedCapacity", wrong_capacity("X"), wrong_capacity("X")),
        ("ReturnValuesOnConditionCheckFailure", on_failure.clone(), on_failure),
    ];
    for (member, text, of_update) in members {
        let request = json!({"TableName": ABSENT, "Item": key, "Key": key, member: "X"});
        harness.refuses("PutItem", request.clone(), &one(&text)).await;
        harness.refuses("DeleteItem", request.clone(), &one(&text)).await;
        harness.refuses("UpdateItem", request, &of_update).await;
    }
}

#[tokio::test]
async fn put_and_delete_return_the_old_item_or_nothing() {
    let harness = Harness::new().await;
    let key = json!({"pk": {"S": "a"}});
    for values in ["ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"] {
        let request = json!({"TableName": ABSENT, "Item": key, "Key": key, "ReturnValues": values});
        let text = one("ReturnValues can only be ALL_OLD or NONE");
        harness.refuses("PutItem", request.clone(), &text).await;
        harness.refuses("DeleteItem", request, &text).await;
    }
}

#[tokio::test]
async fn get_item_joins_what_is_wrong() {
    let harness = Harness::new().await;
    let both = joined(&[&null("tableName"), &null("key")]);
    harness.refuses("GetItem", json!({}), &both).await;
    let request = json!({"TableName": ABSENT, "Key": {}, "ReturnConsumedCapacity": "X"});
    harness.refuses("GetItem", request, &one(&wrong_capacity("X"))).await;
    let request = json!({"TableName": ABSENT, "Key": {}, "AttributesToGet": []});
    harness.refuses("GetItem", request, &one(&old("[]", "attributesToGet", LENGTH_1))).await;
}

#[tokio::test]
async fn query_tells_limit_in_the_newer_form_and_enums_in_the_older() {
    let harness = Harness::new().await;
    let limit = "Value at 'Limit' failed to satisfy constraint: Member must have value greater \
                 than or equal to 1";
    let select = old("X", "select", SELECT_SET);
    let cases: [(Value, String); 5] = [
        (json!({"Limit": 0}), one(limit)),
        (json!({"Limit": -1}), one(limit)),
        (json!({"ReturnConsumedCapacity": "X"}), one(&wrong_capacity("X"))),
        (json!({"Select": "X"}), one(&select)),
        (
            json!({"Select": "X", "ReturnConsumedCapacity": "X"}),
            joined(&[&wrong_capacity("X"), &select]),
        ),
    ];
    for (member, text) in cases {
        let request = super::support::with(json!({"TableName": ABSENT}), member);
        harness.refuses("Query", request, &text).await;
    }
}

#[tokio::test]
async fn query_tells_an_unknown_conditional_operator_alone_and_before_a_wrong_select() {
    let harness = Harness::new().await;
    let condition = json!({"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]});
    let request = json!({"TableName": ABSENT, "KeyConditions": {"pk": condition},
        "QueryFilter": {"a": condition, "b": condition}, "ConditionalOperator": "XOR",
        "Select": "X"});
    let text = "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]";
    harness.refuses("Query", request, text).await;
}

#[tokio::test]
async fn single_writes_need_two_conditions_for_a_conditional_operator() {
    let harness = Harness::new().await;
    let request = |expected: Value, operator: &str| {
        json!({"TableName": ABSENT, "Item": {"pk": {"S": "a"}}, "Expected": expected,
            "ConditionalOperator": operator})
    };
    let two = json!({"a": {"Exists": false}, "b": {"Exists": false}});
    let text = "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]";
    harness.refuses("PutItem", request(two, "XOR"), &one(text)).await;
    let text =
        "ConditionalOperator can only be used when Filter or Expected has two or more elements";
    let single = json!({"a": {"Exists": false}});
    harness.refuses("PutItem", request(single, "XOR"), &one(text)).await;
    let text = "ConditionalOperator cannot be used without Filter or Expected";
    harness.refuses("PutItem", request(Value::Null, "AND"), &one(text)).await;
}

#[tokio::test]
async fn scan_joins_what_is_wrong_in_the_older_form() {
    let harness = Harness::new().await;
    let at_least = |min: i64| format!("Member must have value greater than or equal to {min}");
    let at_most = |max: i64| format!("Member must have value less than or equal to {max}");
    let cases = [
        (json!({"Limit": 0}), old("0", "limit", &at_least(1))),
        (json!({"Segment": -1}), old("-1", "segment", &at_least(0))),
        (json!({"Segment": 1_000_000}), old("1000000", "segment", &at_most(999_999))),
        (json!({"TotalSegments": 0}), old("0", "totalSegments", &at_least(1))),
        (json!({"TotalSegments": 1_000_001}), old("1000001", "totalSegments", &at_most(1_000_000))),
        (json!({"Select": "X"}), old("X", "select", SELECT_SET)),
        (json!({"AttributesToGet": []}), old("[]", "attributesToGet", LENGTH_1)),
    ];
    for (member, text) in cases {
        let request = super::support::with(json!({"TableName": ABSENT}), member);
        harness.refuses("Scan", request, &one(&text)).await;
    }
    let request = json!({"TableName": ABSENT, "Limit": 0, "ReturnConsumedCapacity": "X",
        "Segment": -1, "Select": "X", "TotalSegments": 0});
    let text = joined(&[
        &old("0", "limit", &at_least(1)),
        &wrong_capacity("X"),
        &old("-1", "segment", &at_least(0)),
        &old("X", "select", SELECT_SET),
        &old("0", "totalSegments", &at_least(1)),
    ]);
    harness.refuses("Scan", request, &text).await;
}

#[tokio::test]
async fn an_index_name_is_checked_like_a_table_name() {
    let harness = Harness::new().await;
    let pattern = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
    let request = json!({"TableName": ABSENT, "IndexName": "by!state"});
    harness.refuses("Scan", request.clone(), &one(&old("by!state", "indexName", pattern))).await;
    harness.refuses("Query", request, &one(&old("by!state", "indexName", pattern))).await;
    let request = json!({"TableName": ABSENT, "IndexName": "ab"});
    let short = old("ab", "indexName", "Member must have length greater than or equal to 3");
    harness.refuses("Query", request, &one(&short)).await;
}

#[tokio::test]
async fn members_inside_transactions_are_told_with_their_place() {
    let harness = Harness::new().await;
    let cases = [
        (json!({"Put": {"TableName": ABSENT}}), null("transactItems.1.member.put.item")),
        (json!({"Put": {"Item": {}}}), null("transactItems.1.member.put.tableName")),
        (json!({"Delete": {"TableName": ABSENT}}), null("transactItems.1.member.delete.key")),
        (
            json!({"Update": {"TableName": ABSENT, "Key": {}}}),
            null("transactItems.1.member.update.updateExpression"),
        ),
        (
            json!({"Update": {"TableName": ABSENT, "UpdateExpression": "SET a = :a"}}),
            null("transactItems.1.member.update.key"),
        ),
        (
            json!({"ConditionCheck": {"TableName": ABSENT, "Key": {}}}),
            null("transactItems.1.member.conditionCheck.conditionExpression"),
        ),
        (
            json!({"Put": {"TableName": ABSENT, "Item": {},
                "ReturnValuesOnConditionCheckFailure": "X"}}),
            old(
                "X",
                "transactItems.1.member.put.returnValuesOnConditionCheckFailure",
                ON_FAILURE_SET,
            ),
        ),
    ];
    for (action, text) in cases {
        let request = json!({"TransactItems": [action]});
        harness.refuses("TransactWriteItems", request, &one(&text)).await;
    }
    let gets = [
        (json!({}), null("transactItems.1.member.get")),
        (json!({"Get": {"TableName": ABSENT}}), null("transactItems.1.member.get.key")),
        (json!({"Get": {"Key": {}}}), null("transactItems.1.member.get.tableName")),
    ];
    for (action, text) in gets {
        let request = json!({"TransactItems": [action]});
        harness.refuses("TransactGetItems", request, &one(&text)).await;
    }
}

#[tokio::test]
async fn a_null_member_is_a_missing_one() {
    let harness = Harness::new().await;
    let request = json!({"TableName": ABSENT, "Item": null});
    harness.refuses("PutItem", request, &one(&null("item"))).await;
}
