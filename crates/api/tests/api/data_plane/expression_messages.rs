//! Expressions that are refused, in the words of their operation.

use serde_json::{Value, json};

use super::support::{ABSENT, MIXING, one, with};
use crate::harness::Harness;

/// A condition that is refused, with the names and values it comes with, and why.
fn conditions() -> Vec<(&'static str, Value, Value, &'static str)> {
    let no = || json!(null);
    let v = || json!({":v": {"S": "a"}});
    vec![
        ("", no(), no(), "The expression can not be empty;"),
        ("a = = b", no(), no(), "Syntax error; token: \"=\", near: \"= = b\""),
        ("attribute_not_exists(", no(), no(), "Syntax error; token: \"<EOF>\", near: \"(\""),
        ("a", no(), no(), "Syntax error; token: \"<EOF>\", near: \"a\""),
        ("((attribute_exists(a)))", no(), no(), "The expression has redundant parentheses;"),
        ("whatever(a)", no(), no(), "Invalid function name; function: whatever"),
        (
            "if_not_exists(a, :v)",
            no(),
            v(),
            "The function is not allowed in a condition expression; function: if_not_exists",
        ),
        (
            "size(a)",
            no(),
            no(),
            "The function is not allowed to be used this way in an expression; function: size",
        ),
        (
            "a.abOrT = :v",
            no(),
            v(),
            "Attribute name is a reserved keyword; reserved keyword: abOrT",
        ),
        (
            "attribute_exists(a, b)",
            no(),
            no(),
            "Incorrect number of operands for operator or function; operator or function: \
             attribute_exists, number of operands: 2",
        ),
        (
            "#P = :v",
            no(),
            v(),
            "An expression attribute name used in the document path is not defined; attribute \
             name: #P",
        ),
        (
            "a = :hello",
            no(),
            no(),
            "An expression attribute value used in expression is not defined; attribute value: \
             :hello",
        ),
        (
            "#a.b[1] = #a.b[1]",
            json!({"#a": "ab"}),
            no(),
            "The first operand must be distinct from the remaining operands for this operator or \
             function; operator: =, first operand: [ab, b, [1]]",
        ),
        (
            "contains(#a, #a)",
            json!({"#a": "data"}),
            no(),
            "The first operand must be distinct from the remaining operands for this operator or \
             function; operator: contains, first operand: [data]",
        ),
        (
            "attribute_exists(:v)",
            no(),
            v(),
            "Operator or function requires a document path; operator or function: attribute_exists",
        ),
        (
            "begins_with(a, :n)",
            no(),
            json!({":n": {"N": "1"}}),
            "Incorrect operand type for operator or function; operator or function: begins_with, \
             operand type: N",
        ),
        (
            "a < :b",
            no(),
            json!({":b": {"BOOL": true}}),
            "Incorrect operand type for operator or function; operator or function: <, operand \
             type: BOOL",
        ),
        (
            "attribute_type(a, :v)",
            no(),
            json!({":v": {"S": "DOG"}}),
            "Invalid attribute type name found; type: DOG, valid types: \
             {B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
        ),
        (
            "a BETWEEN :n AND :v",
            no(),
            json!({":n": {"N": "1"}, ":v": {"S": "a"}}),
            "The BETWEEN operator requires same data type for lower and upper bounds; lower bound \
             operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}",
        ),
        (
            "a BETWEEN :b AND :a",
            no(),
            json!({":a": {"S": "a"}, ":b": {"S": "b"}}),
            "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; \
             lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: \
             {S:a}",
        ),
    ]
}

/// An operation's request for a condition, by parameter, and whether it answers inside the
/// envelope.
fn places() -> Vec<(&'static str, Value, &'static str, bool)> {
    let key = json!({"pk": {"S": "a"}});
    vec![
        ("PutItem", json!({"TableName": ABSENT, "Item": key}), "ConditionExpression", true),
        ("DeleteItem", json!({"TableName": ABSENT, "Key": key}), "ConditionExpression", true),
        ("UpdateItem", json!({"TableName": ABSENT, "Key": key}), "ConditionExpression", true),
        ("Scan", json!({"TableName": ABSENT}), "FilterExpression", false),
        ("Query", json!({"TableName": ABSENT}), "KeyConditionExpression", false),
    ]
}

#[tokio::test]
async fn conditions_are_refused_by_their_parameter() {
    let harness = Harness::new().await;
    for (condition, names, values, text) in conditions() {
        for (operation, request, parameter, is_enveloped) in places() {
            let more = json!({parameter: condition, "ExpressionAttributeNames": names,
                "ExpressionAttributeValues": values});
            let text = format!("Invalid {parameter}: {text}");
            let text = if is_enveloped { one(&text) } else { text };
            harness.refuses(operation, with(request, more), &text).await;
        }
        let check = json!({"TableName": ABSENT, "Key": {"pk": {"S": "a"}},
            "ConditionExpression": condition, "ExpressionAttributeNames": names,
            "ExpressionAttributeValues": values});
        let request = json!({"TransactItems": [{"ConditionCheck": check}]});
        let text = format!("Invalid ConditionExpression: {text}");
        harness.refuses("TransactWriteItems", request, &text).await;
    }
}

#[tokio::test]
async fn expressions_have_at_most_4096_bytes_before_names_are_replaced() {
    let harness = Harness::new().await;
    let text = "Expression size has exceeded the maximum allowed size; expression size: 4097";
    let sized = |bytes: usize| format!("{} = :v", "a".repeat(bytes - 5));
    for (operation, request, parameter, is_enveloped) in places() {
        let request = |bytes: usize| {
            let more = json!({parameter: sized(bytes),
                "ExpressionAttributeValues": {":v": {"S": "a"}}});
            with(request.clone(), more)
        };
        let text = format!("Invalid {parameter}: {text}");
        let text = if is_enveloped { one(&text) } else { text };
        harness.finds_no_table(operation, request(4096)).await;
        harness.refuses(operation, request(4097), &text).await;
    }
    let update = json!({"TableName": ABSENT, "Key": {"pk": {"S": "a"}},
        "UpdateExpression": format!("SET {}", sized(4093)),
        "ExpressionAttributeValues": {":v": {"S": "a"}}});
    let text = "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;";
    harness.refuses("UpdateItem", update.clone(), &one(text)).await;
    let request = json!({"TransactItems": [{"Update": update}]});
    harness.refuses("TransactWriteItems", request, text).await;
}

#[tokio::test]
async fn expressions_have_at_most_300_operators() {
    let harness = Harness::new().await;
    let condition = |comparisons: usize| {
        let condition = vec!["a = :v"; comparisons].join(" AND ");
        json!({"TableName": ABSENT, "FilterExpression": condition,
            "ExpressionAttributeValues": {":v": {"S": "a"}}})
    };
    harness.finds_no_table("Scan", condition(150)).await;
    let text = "Invalid FilterExpression: The expression contains too many operators; operator \
                count: 301";
    harness.refuses("Scan", condition(151), text).await;
}

#[tokio::test]
async fn updates_are_refused() {
    let harness = Harness::new().await;
    let cases = [
        ("", "The expression can not be empty;"),
        ("INVALID SYNTAX HERE", "Syntax error; token: \"INVALID\", near: \"INVALID SYNTAX\""),
        ("ADD numx", "Syntax error; token: \"<EOF>\", near: \"numx\""),
        (
            "SET a = :v SET b = :v",
            "The \"SET\" section can only be used once in an update expression;",
        ),
        (
            "SET a = contains(b, :v)",
            "The function is not allowed in an update expression; function: contains",
        ),
        (
            "SET a = :w",
            "An expression attribute value used in expression is not defined; attribute value: :w",
        ),
        (
            "SET m = :v, m.num = :v",
            "Two document paths overlap with each other; must remove or rewrite one of these \
             paths; path one: [m], path two: [m, num]",
        ),
        (
            "SET m.a = :v REMOVE m[1]",
            "Two document paths conflict with each other; must remove or rewrite one of these \
             paths; path one: [m, a], path two: [m, [1]]",
        ),
        (
            "ADD a :v",
            "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, \
             typeSet: ALLOWED_FOR_ADD_OPERAND",
        ),
        (
            "DELETE a :v",
            "Incorrect operand type for operator or function; operator: DELETE, operand type: \
             STRING, typeSet: ALLOWED_FOR_DELETE_OPERAND",
        ),
        (
            "SET a = list_append(b, :v)",
            "Incorrect operand type for operator or function; operator or function: list_append, \
             operand type: S",
        ),
        (
            "SET a = b + :v",
            "Incorrect operand type for operator or function; operator or function: +, operand \
             type: S",
        ),
        (
            "SET a = if_not_exists(:v, :v)",
            "Operator or function requires a document path; operator or function: if_not_exists",
        ),
        (
            "SET a = if_not_exists(b)",
            "Incorrect number of operands for operator or function; operator or function: \
             if_not_exists, number of operands: 1",
        ),
    ];
    for (expression, text) in cases {
        let update = json!({"TableName": ABSENT, "Key": {"pk": {"S": "a"}},
            "UpdateExpression": expression, "ExpressionAttributeValues": {":v": {"S": "a"}}});
        let text = format!("Invalid UpdateExpression: {text}");
        harness.refuses("UpdateItem", update.clone(), &one(&text)).await;
        let request = json!({"TransactItems": [{"Update": update}]});
        harness.refuses("TransactWriteItems", request, &text).await;
    }
}

#[tokio::test]
async fn projections_are_refused_on_every_read() {
    let harness = Harness::new().await;
    let key = json!({"pk": {"S": "a"}});
    let cases = [
        ("", "The expression can not be empty;"),
        ("a, , b", "Syntax error; token: \",\", near: \", , b\""),
        ("a, status", "Attribute name is a reserved keyword; reserved keyword: status"),
        (
            "#x",
            "An expression attribute name used in the document path is not defined; attribute \
             name: #x",
        ),
        (
            "a, a",
            "Two document paths overlap with each other; must remove or rewrite one of these \
             paths; path one: [a], path two: [a]",
        ),
        (
            "a.b[0], a.b",
            "Two document paths overlap with each other; must remove or rewrite one of these \
             paths; path one: [a, b, [0]], path two: [a, b]",
        ),
        (
            "a.b, a[1]",
            "Two document paths conflict with each other; must remove or rewrite one of these \
             paths; path one: [a, b], path two: [a, [1]]",
        ),
    ];
    for (projection, text) in cases {
        let text = format!("Invalid ProjectionExpression: {text}");
        let requests = [
            (
                "GetItem",
                json!({"TableName": ABSENT, "Key": key, "ProjectionExpression": projection}),
            ),
            (
                "Query",
                json!({"TableName": ABSENT, "KeyConditionExpression": "pk = :p",
                "ExpressionAttributeValues": {":p": {"S": "a"}},
                "ProjectionExpression": projection}),
            ),
            ("Scan", json!({"TableName": ABSENT, "ProjectionExpression": projection})),
            (
                "BatchGetItem",
                json!({"RequestItems":
                {ABSENT: {"Keys": [key], "ProjectionExpression": projection}}}),
            ),
            (
                "TransactGetItems",
                json!({"TransactItems":
                [{"Get": {"TableName": ABSENT, "Key": key, "ProjectionExpression": projection}}]}),
            ),
        ];
        for (operation, request) in requests {
            harness.refuses(operation, request, &text).await;
        }
    }
}

#[tokio::test]
async fn names_and_values_need_an_expression() {
    let harness = Harness::new().await;
    let key = json!({"pk": {"S": "a"}});
    let names = "ExpressionAttributeNames can only be specified when using expressions";
    let values = "ExpressionAttributeValues can only be specified when using expressions";
    let base = json!({"TableName": ABSENT, "Item": key, "Key": key});
    let with_names = json!({"ExpressionAttributeNames": {"#a": "a"}});
    let with_values = json!({"ExpressionAttributeValues": {":v": {"S": "a"}}});
    for operation in ["PutItem", "UpdateItem", "DeleteItem"] {
        let request = with(base.clone(), with_names.clone());
        harness.refuses(operation, request, &one(names)).await;
        let request = with(base.clone(), with_values.clone());
        harness.refuses(operation, request, &one(values)).await;
    }
    for operation in ["GetItem", "Query", "Scan"] {
        harness.refuses(operation, with(base.clone(), with_names.clone()), names).await;
    }
    let text = format!("{values}: FilterExpression is null");
    harness.refuses("Scan", with(base.clone(), with_values.clone()), &text).await;
    let text = format!("{values}: FilterExpression and KeyConditionExpression are null");
    harness.refuses("Query", with(base, with_values), &text).await;
}

#[tokio::test]
async fn names_and_values_need_an_expression_in_a_transaction_too() {
    let harness = Harness::new().await;
    let text = "ExpressionAttributeValues can only be specified when using expressions: \
                ConditionExpression is null";
    let cases = [
        (
            json!({"ExpressionAttributeNames": {"#a": "a"}}),
            "ExpressionAttributeNames can only be specified when using expressions",
        ),
        (json!({"ExpressionAttributeValues": {":v": {"S": "a"}}}), text),
    ];
    for (more, text) in cases {
        let put = with(json!({"TableName": ABSENT, "Item": {"pk": {"S": "a"}}}), more);
        let request = json!({"TransactItems": [{"Put": put}]});
        harness.refuses("TransactWriteItems", request, text).await;
    }
}

#[tokio::test]
async fn names_and_values_are_well_formed_and_used() {
    let harness = Harness::new().await;
    let put = |more: Value| {
        let condition = json!({"TableName": ABSENT, "Item": {"pk": {"S": "a"}},
            "ConditionExpression": "#a = :v"});
        with(condition, more)
    };
    let v = json!({":v": {"S": "a"}});
    let cases = [
        (json!({"ExpressionAttributeNames": {}}), "ExpressionAttributeNames must not be empty"),
        (
            json!({"ExpressionAttributeNames": {"a": "a"}}),
            "ExpressionAttributeNames contains invalid key: Syntax error; key: \"a\"",
        ),
        (
            json!({"ExpressionAttributeNames": {"#a!": "a"}}),
            "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#a!\"",
        ),
        (json!({"ExpressionAttributeValues": {}}), "ExpressionAttributeValues must not be empty"),
        (
            json!({"ExpressionAttributeValues": {"v": {"S": "a"}}}),
            "ExpressionAttributeValues contains invalid key: Syntax error; key: \"v\"",
        ),
        (
            json!({"ExpressionAttributeNames": {"#a": "a", "#unused": "b"},
                "ExpressionAttributeValues": v}),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}",
        ),
        (
            json!({"ExpressionAttributeNames": {"#a": "a"},
                "ExpressionAttributeValues": {":v": {"S": "a"}, ":unused": {"S": "b"}}}),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}",
        ),
        // Names come before values, and several are listed in the order of a Java hash map.
        (
            json!({"ExpressionAttributeNames": {"#a": "a", "#b": "b", "#c": "c", "#p": "p"},
                "ExpressionAttributeValues": {":v": {"S": "a"}, ":w": {"S": "b"}}}),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#c, #p, #b}",
        ),
    ];
    for (more, text) in cases {
        harness.refuses("PutItem", put(more), &one(text)).await;
    }
}

#[tokio::test]
async fn expressions_do_not_go_with_older_parameters() {
    let harness = Harness::new().await;
    let key = json!({"pk": {"S": "a"}});
    let exists = json!({"a": {"Exists": false}});
    let names = |older: &str, newer: &str| {
        format!("{MIXING}Non-expression parameters: {{{older}}} Expression parameters: {{{newer}}}")
    };
    let request = json!({"TableName": ABSENT, "Item": key, "Key": key, "Expected": exists,
        "ConditionExpression": "attribute_exists(a)"});
    let text = one(&names("Expected", "ConditionExpression"));
    harness.refuses("PutItem", request.clone(), &text).await;
    harness.refuses("DeleteItem", request.clone(), &text).await;
    let more = json!({"AttributeUpdates": {}, "UpdateExpression": "REMOVE a"});
    let text = one(&names("AttributeUpdates, Expected", "UpdateExpression, ConditionExpression"));
    harness.refuses("UpdateItem", with(request, more), &text).await;
    let projected = json!({"AttributesToGet": ["a"], "ProjectionExpression": "a"});
    let text = names("AttributesToGet", "ProjectionExpression");
    let request = with(json!({"TableName": ABSENT, "Key": key}), projected.clone());
    harness.refuses("GetItem", request, &text).await;
    let request = json!({"RequestItems": {
        "first": {"Keys": [key], "AttributesToGet": ["a"]},
        "second": {"Keys": [key], "ProjectionExpression": "a"}}});
    harness.refuses("BatchGetItem", request, &text).await;
    let condition = json!({"a": {"ComparisonOperator": "NULL"}});
    let older = json!({"QueryFilter": condition, "ScanFilter": condition,
        "ConditionalOperator": "AND", "KeyConditions": condition,
        "FilterExpression": "attribute_exists(a)", "KeyConditionExpression": "a = :a"});
    let request = with(with(json!({"TableName": ABSENT}), projected), older);
    let text = names(
        "AttributesToGet, QueryFilter, ConditionalOperator, KeyConditions",
        "ProjectionExpression, FilterExpression, KeyConditionExpression",
    );
    harness.refuses("Query", request.clone(), &text).await;
    let text = names(
        "AttributesToGet, ScanFilter, ConditionalOperator",
        "ProjectionExpression, FilterExpression",
    );
    harness.refuses("Scan", request, &text).await;
}
