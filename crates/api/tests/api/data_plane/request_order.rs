//! In which order the single operations find what is wrong, each request having several faults at
//! first.

use serde_json::{Value, json};

use super::support::{ABSENT, KEY_MISMATCH, MIXING, PAIRS, invalid, one, tables, with};

/// Sends a request with many faults, checks the text for the first one, mends it, and so on.
async fn check(operation: &str, faulty: Value, steps: &[(String, Value)]) {
    let harness = tables().await;
    let mut request = faulty;
    for (text, mend) in steps {
        assert_eq!(harness.error(operation, request.clone()).await.1, *text, "{operation}");
        request = with(request, mend.clone());
    }
    harness.call(operation, request).await;
}

const NUMBER: &str = "The parameter cannot be converted to a numeric value: x";
const NOT_FOUND: &str = "Requested resource not found";

fn mixing(older: &str, newer: &str) -> String {
    format!("{MIXING}Non-expression parameters: {{{older}}} Expression parameters: {{{newer}}}")
}

fn not_scalar(name: &str) -> String {
    format!(
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not \
         allowed: IndexKey: {name}"
    )
}

fn syntax(parameter: &str) -> String {
    format!("Invalid {parameter}: Syntax error; token: \"!\", near: \"!\"")
}

fn name_violation() -> String {
    one("Value 'x!' at 'tableName' failed to satisfy constraint: Member must satisfy regular \
         expression pattern: [a-zA-Z0-9_.-]+")
}

#[tokio::test]
async fn put_item_checks_members_then_values_then_sizes_then_expressions_then_the_schema() {
    let faulty = json!({"TableName": "x!", "Item": {"pk": {"N": "x"}}, "Expected": {},
        "ConditionExpression": "!", "ReturnValues": "ALL_NEW", "ReturnConsumedCapacity": "X"});
    let large = json!({"pk": {"S": "a"}, "gsiPk": {"N": "1"}, "d": {"S": "x".repeat(409_600)}});
    let steps = [
        (name_violation(), json!({"TableName": ABSENT})),
        (one(&super::support::wrong_capacity("X")), json!({"ReturnConsumedCapacity": null})),
        (one(&mixing("Expected", "ConditionExpression")), json!({"Expected": null})),
        (one(NUMBER), json!({"Item": large})),
        (one("ReturnValues can only be ALL_OLD or NONE"), json!({"ReturnValues": null})),
        (
            "Item size has exceeded the maximum allowed size".to_owned(),
            json!({"Item": {"pk": {"S": "a"}, "gsiPk": {"N": "1"}}}),
        ),
        (
            one(&syntax("ConditionExpression")),
            json!({"ConditionExpression": "attribute_not_exists(gsiPk.a)"}),
        ),
        (NOT_FOUND.to_owned(), json!({"TableName": PAIRS})),
        (
            invalid("Missing the key sk in the item"),
            json!({"Item": {"pk": {"S": "a"}, "sk": {"S": "b"}, "gsiPk": {"N": "1"}}}),
        ),
        (
            invalid("Type mismatch for Index Key gsiPk Expected: S Actual: N IndexName: by-gsi"),
            json!({"Item": {"pk": {"S": "a"}, "sk": {"S": "b"}}}),
        ),
        (not_scalar("gsiPk"), json!({"ConditionExpression": "attribute_not_exists(pk)"})),
    ];
    check("PutItem", faulty, &steps).await;
}

#[tokio::test]
async fn update_item_checks_the_key_then_expressions_then_the_schema_then_the_item() {
    let faulty = json!({"TableName": "x!", "Key": {"pk": {"N": "x"}}, "AttributeUpdates": {},
        "UpdateExpression": "!", "ConditionExpression": "!", "ReturnValues": "X",
        "ExpressionAttributeNames": {"#u": "u"}, "ExpressionAttributeValues": {":v": {"N": "1"}}});
    let values = "Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, \
                  UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]";
    let steps = [
        (name_violation(), json!({"TableName": ABSENT})),
        (one(values), json!({"ReturnValues": null})),
        (
            one(&mixing("AttributeUpdates", "UpdateExpression, ConditionExpression")),
            json!({"AttributeUpdates": null}),
        ),
        (one(NUMBER), json!({"Key": {"x": {"S": "a"}}})),
        (
            one(&syntax("UpdateExpression")),
            json!({"UpdateExpression": "SET pk = :v, gsiPk = :v, a = nothing"}),
        ),
        (
            one(&syntax("ConditionExpression")),
            json!({"ConditionExpression": "attribute_exists(lsiSk.a)"}),
        ),
        (
            one("Value provided in ExpressionAttributeNames unused in expressions: keys: {#u}"),
            json!({"ExpressionAttributeNames": null}),
        ),
        (NOT_FOUND.to_owned(), json!({"TableName": PAIRS})),
        (KEY_MISMATCH.to_owned(), json!({"Key": {"pk": {"S": "a"}, "sk": {"S": "b"}}})),
        (
            invalid("Cannot update attribute pk. This attribute is part of the key"),
            json!({"UpdateExpression": "SET gsiPk = :v, gsiPk2 = gsiPk.b, a = nothing"}),
        ),
        (
            invalid("Type mismatch for Index Key gsiPk Expected: S Actual: N IndexName: by-gsi"),
            json!({"UpdateExpression": "SET x = :v, a = gsiPk.b"}),
        ),
        (not_scalar("gsiPk"), json!({"UpdateExpression": "SET x = :v, a = nothing"})),
        (not_scalar("lsiSk"), json!({"ConditionExpression": "attribute_exists(nothing)"})),
        (
            "The conditional request failed".to_owned(),
            json!({"ConditionExpression": "attribute_not_exists(nothing)"}),
        ),
        (
            "The provided expression refers to an attribute that does not exist in the item"
                .to_owned(),
            json!({"UpdateExpression": "SET x = :v"}),
        ),
    ];
    check("UpdateItem", faulty, &steps).await;
}

#[tokio::test]
async fn a_missing_table_is_told_after_the_request_and_before_the_key() {
    let harness = tables().await;
    let request = json!({"TableName": ABSENT, "Key": {}, "Item": {}});
    for operation in ["PutItem", "UpdateItem", "DeleteItem", "GetItem"] {
        harness.finds_no_table(operation, request.clone()).await;
    }
}

#[tokio::test]
async fn query_checks_the_request_then_select_then_the_key_condition_then_the_schema() {
    let faulty = json!({"TableName": "x!", "Limit": 0, "AttributesToGet": ["a"],
        "ExclusiveStartKey": {"pk": {"SS": []}}, "KeyConditionExpression": "!",
        "FilterExpression": "!", "ProjectionExpression": "!", "Select": "SPECIFIC_ATTRIBUTES",
        "ExpressionAttributeValues": {":v": {"S": "a"}, ":u": {"S": "b"}}, "IndexName": "nope",
        "ConsistentRead": true});
    let steps = [
        (name_violation(), json!({"TableName": ABSENT})),
        (
            one("Value at 'Limit' failed to satisfy constraint: Member must have value greater \
                 than or equal to 1"),
            json!({"Limit": 1}),
        ),
        (
            mixing("AttributesToGet", "ProjectionExpression, FilterExpression, \
                KeyConditionExpression"),
            json!({"AttributesToGet": null}),
        ),
        (
            invalid("An string set  may not be empty"),
            json!({"ExclusiveStartKey": {"x": {"S": "a"}}}),
        ),
        (syntax("KeyConditionExpression"), json!({"KeyConditionExpression": "pk.x = :v"})),
        (syntax("FilterExpression"), json!({"FilterExpression": "sk = :v"})),
        (syntax("ProjectionExpression"), json!({"ProjectionExpression": null})),
        (
            "Value provided in ExpressionAttributeValues unused in expressions: keys: \
             {:u}".to_owned(),
            json!({"ExpressionAttributeValues": {":v": {"S": "a"}}}),
        ),
        (
            one("Must specify the AttributesToGet or ProjectionExpression when choosing to get \
                 SPECIFIC_ATTRIBUTES"),
            json!({"ProjectionExpression": "pk.x"}),
        ),
        (
            "KeyConditionExpressions cannot have conditions on nested attributes".to_owned(),
            json!({"KeyConditionExpression": "sk = :v"}),
        ),
        (NOT_FOUND.to_owned(), json!({"TableName": PAIRS})),
        (
            "The table does not have the specified index: nope".to_owned(),
            json!({"IndexName": "by-gsi"}),
        ),
        (
            "Consistent reads are not supported on global secondary indexes".to_owned(),
            json!({"IndexName": null}),
        ),
        ("The provided starting key is invalid".to_owned(), json!({"ExclusiveStartKey": null})),
        (
            "Query condition missed key schema element: pk".to_owned(),
            json!({"KeyConditionExpression": "pk = :v"}),
        ),
        (
            not_scalar("pk").replace("IndexKey", "Key"),
            json!({"ProjectionExpression": null, "Select": null}),
        ),
        (
            "Filter Expression can only contain non-primary key attributes: Primary key attribute: \
             sk"
                .to_owned(),
            json!({"FilterExpression": "lsiSk.a = :v"}),
        ),
        (not_scalar("lsiSk"), json!({"FilterExpression": "x = :v"})),
    ];
    check("Query", faulty, &steps).await;
}

#[tokio::test]
async fn scan_tells_a_misused_conditional_operator_before_values() {
    let harness = tables().await;
    let request = json!({"TableName": ABSENT, "ConditionalOperator": "AND", "ScanFilter": {"a":
        {"ComparisonOperator": "EQ", "AttributeValueList": [super::support::nested(40)]}}});
    let text =
        "ConditionalOperator can only be used when Filter or Expected has two or more elements";
    harness.refuses("Scan", request, text).await;
}
