//! Key conditions of a Query: their form, which needs no table, and whether they fit the key
//! schema.

use serde_json::{Value, json};

use super::support::{ABSENT, EMPTY_PK, MANY, PAIRS, PLAIN, invalid, tables};
use crate::harness::Harness;

fn query(table: &str, condition: &str, values: &Value) -> Value {
    json!({"TableName": table, "KeyConditionExpression": condition,
        "ExpressionAttributeValues": values})
}

fn values(count: usize) -> Value {
    let value = |letter: char| (format!(":{letter}"), json!({"S": letter.to_string()}));
    ('a'..='z').take(count).map(value).collect()
}

#[tokio::test]
async fn a_key_condition_is_there() {
    let harness = Harness::new().await;
    let text = "Either the KeyConditions or KeyConditionExpression parameter must be specified in \
                the request.";
    harness.refuses("Query", json!({"TableName": ABSENT}), text).await;
}

#[tokio::test]
async fn the_form_is_checked_before_the_table() {
    let harness = Harness::new().await;
    let operator = |name: &str| format!("Invalid operator used in KeyConditionExpression: {name}");
    let condition = |text: &str| format!("Invalid condition in KeyConditionExpression: {text}");
    let cases = [
        ("x = :a OR y = :b", 2, operator("OR")),
        ("NOT x = :a", 1, operator("NOT")),
        ("x IN (:a, :b)", 2, operator("IN")),
        ("x <> :a", 1, operator("<>")),
        ("x = :a AND attribute_exists(y)", 1, operator("attribute_exists")),
        ("attribute_not_exists(y)", 0, operator("attribute_not_exists")),
        ("contains(y, :a)", 1, operator("contains")),
        (
            "x = :a AND size(y) = :b",
            2,
            "KeyConditionExpressions cannot contain nested operations".to_owned(),
        ),
        (
            ":a BETWEEN y AND :b",
            2,
            condition("BETWEEN operator must have the key attribute as its first operand"),
        ),
        (
            "begins_with(:a, y)",
            1,
            condition("begins_with operator must have the key attribute as its first operand"),
        ),
        ("x = y", 0, condition("Multiple attribute names used in one condition")),
        (
            "x.y = :a",
            1,
            "KeyConditionExpressions cannot have conditions on nested attributes".to_owned(),
        ),
        (":a = :b", 2, condition("No key attribute specified")),
        (
            "x = :a AND x = :b",
            2,
            "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one \
             condition per key"
                .to_owned(),
        ),
    ];
    for (expression, count, text) in cases {
        let given = if count == 0 { Value::Null } else { values(count) };
        harness.refuses("Query", query(ABSENT, expression, &given), &text).await;
    }
    harness.finds_no_table("Query", query(ABSENT, "(:a = x) AND (y > :b)", &values(2))).await;
}

#[tokio::test]
async fn clauses_are_checked_one_after_the_other_in_the_order_of_the_text() {
    let harness = tables().await;
    let operand = "Invalid KeyConditionExpression: Incorrect operand type for operator or \
                   function; operator or function: begins_with, operand type: N";
    let undefined = "Invalid KeyConditionExpression: An expression attribute value used in \
                     expression is not defined; attribute value: :missing";
    let number = json!({":n": {"N": "1"}});
    let cases = [
        ("pk = :missing AND begins_with(sk, :n)", undefined),
        ("begins_with(sk, :n) AND pk = :missing", operand),
    ];
    for table in [PAIRS, ABSENT] {
        for (expression, text) in cases {
            harness.refuses("Query", query(table, expression, &number), text).await;
        }
    }
    let three = json!({":p": {"S": "p"}, ":n": {"N": "1"}, ":s": {"S": "s"}});
    let request = query(PAIRS, "pk = :p AND begins_with(sk, :n) AND x > :s", &three);
    harness.refuses("Query", request, operand).await;
}

#[tokio::test]
async fn an_operand_that_no_key_can_have_is_told_by_its_operator() {
    let harness = tables().await;
    let operand = |operator: &str, kind: &str| {
        format!(
            "Invalid KeyConditionExpression: Incorrect operand type for operator or function; \
             operator or function: {operator}, operand type: {kind}"
        )
    };
    let schema = invalid("Condition parameter type does not match schema type");
    let truth = json!({":p": {"S": "q"}, ":v": {"BOOL": true}});
    let cases = [
        ("pk = :p AND begins_with(sk, :v)", operand("begins_with", "BOOL")),
        ("pk = :p AND sk < :v", operand("<", "BOOL")),
        ("pk = :p AND :v >= sk", operand(">=", "BOOL")),
        ("pk = :p AND sk BETWEEN :v AND :v", operand("BETWEEN", "BOOL")),
        ("pk = :p AND sk = :v", schema),
    ];
    for (expression, text) in cases {
        harness.refuses("Query", query(PAIRS, expression, &truth), &text).await;
    }
}

#[tokio::test]
async fn conditions_fit_the_key_schema() {
    let harness = tables().await;
    let missed = |name: &str| format!("Query condition missed key schema element: {name}");
    let unsupported = "Query key condition not supported".to_owned();
    let too_many = |given: usize, allowed: usize| {
        format!(
            "The number of query conditions ({given}) exceeds the number of key attributes defined \
             in the schema ({allowed})"
        )
    };
    let cases = [
        (PAIRS, "sk = :a", 1, missed("pk")),
        (PAIRS, "pk = :a AND x = :b", 2, missed("sk")),
        (PAIRS, "pk > :a", 1, unsupported.clone()),
        (PAIRS, "pk = :a AND sk = :b AND x = :c", 3, too_many(3, 2)),
        (PLAIN, "pk = :a AND x = :b", 2, too_many(2, 1)),
    ];
    for (table, expression, count, text) in cases {
        harness.refuses("Query", query(table, expression, &values(count)), &text).await;
    }
    let wrong = invalid("Condition parameter type does not match schema type");
    let request = query(PAIRS, "pk = :n", &json!({":n": {"N": "1"}}));
    harness.refuses("Query", request, &wrong).await;
    let request = query(PAIRS, "pk = :p AND sk < :n", &json!({":p": {"S": "p"}, ":n": {"N": "1"}}));
    harness.refuses("Query", request, &wrong).await;
    let request = query(PAIRS, "pk = :e", &json!({":e": {"S": ""}}));
    harness.refuses("Query", request, EMPTY_PK).await;
}

#[tokio::test]
async fn a_key_of_many_attributes_is_given_from_the_left() {
    let harness = tables().await;
    let many = |condition: &str, count: usize| {
        let request = query(MANY, condition, &values(count));
        super::support::with(request, json!({"IndexName": "by-many"}))
    };
    let text = "Query condition missed key schema element: h2";
    harness.refuses("Query", many("h1 = :a", 1), text).await;
    let gap = |missing: &str, last: &str| {
        format!(
            "RANGE key attributes {missing} must have equality conditions specified in the query \
             because a condition is present on key attribute {last}"
        )
    };
    let request = many("h1 = :a AND h2 = :b AND a = :c AND c = :d", 4);
    harness.refuses("Query", request, &gap("b", "c")).await;
    let request = many("h1 = :a AND h2 = :b AND a > :c AND b = :d", 4);
    harness.refuses("Query", request, &gap("a", "b")).await;
    let item = json!({"pk": {"S": "k"}, "h1": {"S": "a"}, "h2": {"S": "b"}, "a": {"S": "c"},
        "b": {"S": "e"}, "c": {"S": "x"}});
    harness.put(MANY, item).await;
    let found = harness.call("Query", many("h1 = :a AND h2 = :b AND a = :c AND b > :d", 4)).await;
    assert_eq!(found["Count"], 1);
    let found = harness.call("Query", many("h1 = :a AND h2 = :b", 2)).await;
    assert_eq!(found["Count"], 1);
}

#[tokio::test]
async fn a_filter_does_not_look_at_the_keys_of_what_is_queried() {
    let harness = tables().await;
    let text = |name: &str| {
        format!(
            "Filter Expression can only contain non-primary key attributes: Primary key attribute: \
             {name}"
        )
    };
    let filtered = |index: Value, condition: &str, filter: &str| {
        super::support::with(
            query(PAIRS, condition, &values(2)),
            json!({"IndexName": index, "FilterExpression": filter}),
        )
    };
    let request = filtered(Value::Null, "pk = :a", "sk = :b");
    harness.refuses("Query", request, &text("sk")).await;
    let request = filtered(json!("by-gsi"), "gsiPk = :a", "gsiPk = :b");
    harness.refuses("Query", request, &text("gsiPk")).await;
    // The table's own keys may be filtered when an index is queried.
    harness.call("Query", filtered(json!("by-gsi"), "gsiPk = :a", "sk = :b")).await;
}

#[tokio::test]
async fn older_key_conditions_go_with_a_filter_expression() {
    let harness = tables().await;
    harness.put(PAIRS, json!({"pk": {"S": "a"}, "sk": {"S": "s"}, "x": {"S": "a"}})).await;
    let condition = json!({"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]});
    let request = json!({"TableName": PAIRS, "KeyConditions": {"pk": condition},
        "FilterExpression": "x = :a", "ExpressionAttributeValues": values(1)});
    assert_eq!(harness.call("Query", request).await["Count"], 1);
}
