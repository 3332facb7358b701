//! In which order transactions find what is wrong: members, then action by action, then tables.

use serde_json::{Value, json};

use super::support::{
    ABSENT, NESTING, PLAIN, nested, null, old, one, tables, text, wrong_capacity,
};

const SYNTAX: &str = "Invalid ConditionExpression: Syntax error; token: \"=\", near: \"= = b\"";
const UNUSED: &str =
    "Value provided in ExpressionAttributeValues unused in expressions: keys: {:u}";
const EMPTY_NAME: &str = "Empty attribute name";
const DUPLICATE: &str = "Transaction request cannot include multiple operations on one item";

fn new(path: &str, constraint: &str) -> String {
    one(&format!(
        "Value at '{path}' failed to satisfy constraint: Member must have length {constraint}"
    ))
}

fn put(table: &str, item: &Value) -> Value {
    json!({"Put": {"TableName": table, "Item": item}})
}

fn plain_put(pk: &str) -> Value {
    put(PLAIN, &json!({"pk": {"S": pk}}))
}

fn check(table: &str, pk: &Value, condition: &str, values: &Value) -> Value {
    json!({"ConditionCheck": {"TableName": table, "Key": {"pk": pk},
        "ConditionExpression": condition,
        "ExpressionAttributeValues": values}})
}

fn unused() -> Value {
    check(PLAIN, &json!({"S": "a"}), "attribute_exists(x)", &json!({":u": {"S": "x"}}))
}

#[tokio::test]
async fn there_are_1_to_100_actions() {
    let harness = tables().await;
    for operation in ["TransactWriteItems", "TransactGetItems"] {
        harness.refuses(operation, json!({}), &one(&null("transactItems"))).await;
        let text = new("TransactItems", "greater than or equal to 1");
        harness.refuses(operation, json!({"TransactItems": []}), &text).await;
        let many: Vec<Value> = (0..101).map(|_| json!({})).collect();
        let text = new("TransactItems", "less than or equal to 100");
        harness.refuses(operation, json!({"TransactItems": many}), &text).await;
    }
    let hundred: Vec<Value> = (0..100).map(|number| plain_put(&number.to_string())).collect();
    harness.call("TransactWriteItems", json!({"TransactItems": hundred})).await;
}

#[tokio::test]
async fn the_token_is_told_alone_and_first_and_the_enums_together() {
    let harness = tables().await;
    let request = |token: &str| {
        json!({"TransactItems": [plain_put("a")], "ClientRequestToken": token,
            "ReturnConsumedCapacity": "BOGUS", "ReturnItemCollectionMetrics": "BOGUS2"})
    };
    let text = new("ClientRequestToken", "less than or equal to 36");
    harness.refuses("TransactWriteItems", request(&"x".repeat(37)), &text).await;
    let text = new("ClientRequestToken", "greater than or equal to 1");
    harness.refuses("TransactWriteItems", request(""), &text).await;
    let metrics = old(
        "BOGUS2",
        "returnItemCollectionMetrics",
        "Member must satisfy enum value set: [SIZE, NONE]",
    );
    let text = format!("2 validation errors detected: {}; {metrics}", wrong_capacity("BOGUS"));
    harness.refuses("TransactWriteItems", request(&"x".repeat(36)), &text).await;
}

#[tokio::test]
async fn members_come_before_tables_and_equal_keys() {
    let harness = tables().await;
    let wrong = one(&wrong_capacity("BOGUS"));
    for items in [json!([put(ABSENT, &json!({}))]), json!([plain_put("a"), plain_put("a")])] {
        let request = json!({"TransactItems": items, "ReturnConsumedCapacity": "BOGUS"});
        harness.refuses("TransactWriteItems", request, &wrong).await;
    }
    let get = json!({"Get": {"TableName": PLAIN, "Key": {"pk": {"S": "a"}}}});
    let request = json!({"TransactItems": [get, get], "ReturnConsumedCapacity": "BOGUS"});
    harness.refuses("TransactGetItems", request, &wrong).await;
}

#[tokio::test]
async fn actions_are_checked_one_after_the_other_and_before_any_table() {
    let harness = tables().await;
    let s = |value: &str| json!({"S": value});
    let values = |levels: usize| json!({":deep": nested(levels)});
    let deep_put = put(ABSENT, &json!({"pk": {"S": "b"}, "d": nested(40)}));
    let empty_name = put(ABSENT, &json!({"pk": {"S": "a"}, "": {"S": "x"}}));
    let both = put(ABSENT, &json!({"pk": {"S": "a"}, "": {"S": "x"}, "d": nested(100)}));
    let syntax = check(ABSENT, &s("a"), "a = = b", &Value::Null);
    let deep_value = check(ABSENT, &s("b"), "d = :deep", &values(40));
    let deep_key = check(ABSENT, &nested(40), "attribute_exists(a)", &Value::Null);
    let broken_deep_key = check(ABSENT, &nested(100), "a = = b", &Value::Null);
    let large = put(ABSENT, &json!({"pk": {"S": "a"}, "d": text(409_600)}));
    let too_large = "Item size has exceeded the maximum allowed size";
    let cases = [
        (vec![&deep_put, &empty_name], NESTING),
        (vec![&empty_name, &deep_put], EMPTY_NAME),
        (vec![&both], EMPTY_NAME),
        (vec![&empty_name, &deep_value], EMPTY_NAME),
        (vec![&deep_value, &empty_name], NESTING),
        (vec![&deep_key, &syntax], NESTING),
        (vec![&syntax, &deep_key], SYNTAX),
        (vec![&broken_deep_key], SYNTAX),
        (vec![&syntax, &deep_put], SYNTAX),
        (vec![&deep_put, &syntax], NESTING),
        (vec![&large, &syntax], too_large),
        (vec![&syntax, &large], SYNTAX),
    ];
    for (actions, text) in cases {
        let request = json!({"TransactItems": actions});
        harness.refuses("TransactWriteItems", request, text).await;
    }
}

#[tokio::test]
async fn an_unused_value_comes_before_a_missing_table_and_equal_keys() {
    let harness = tables().await;
    let absent = put(ABSENT, &json!({"pk": {"S": "a"}}));
    for actions in [[&absent, &unused()], [&unused(), &absent], [&plain_put("a"), &unused()]] {
        let request = json!({"TransactItems": actions});
        harness.refuses("TransactWriteItems", request, UNUSED).await;
    }
}

#[tokio::test]
async fn an_oversized_expression_is_not_even_valid() {
    let harness = tables().await;
    let condition = format!("a = :v{}", " AND a = :v".repeat(373));
    let delete = json!({"Delete": {"TableName": ABSENT, "Key": {"pk": nested(100)},
        "ConditionExpression": condition, "ExpressionAttributeValues": {":v": {"S": "x"}}}});
    let request = json!({"TransactItems": [delete]});
    let text = "Invalid ConditionExpression: Expression size has exceeded the maximum allowed \
                size; expression size: 4109";
    harness.refuses("TransactWriteItems", request, text).await;
}

#[tokio::test]
async fn an_element_names_one_action() {
    let harness = tables().await;
    let text =
        "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request";
    harness.refuses("TransactWriteItems", json!({"TransactItems": [{}]}), text).await;
    let both = json!({"Put": {"TableName": ABSENT, "Item": {}},
        "Delete": {"TableName": ABSENT, "Key": {}}});
    let text = "TransactItems can only contain one of Check, Put, Update or Delete";
    harness.refuses("TransactWriteItems", json!({"TransactItems": [both]}), text).await;
}

#[tokio::test]
async fn a_missing_table_comes_before_equal_keys_and_those_before_a_cancellation() {
    let harness = tables().await;
    let absent = put(ABSENT, &json!({"pk": {"S": "a"}}));
    let wrong = put(PLAIN, &json!({"pk": {"N": "1"}}));
    let request = json!({"TransactItems": [plain_put("a"), plain_put("a"), absent]});
    harness.finds_no_table("TransactWriteItems", request).await;
    let delete = json!({"Delete": {"TableName": PLAIN, "Key": {"pk": {"S": "a"}}}});
    let request = json!({"TransactItems": [plain_put("a"), wrong, delete]});
    harness.refuses("TransactWriteItems", request, DUPLICATE).await;
    let get = |table: &str| json!({"Get": {"TableName": table, "Key": {"pk": {"S": "a"}}}});
    let request = json!({"TransactItems": [get(PLAIN), get(PLAIN)]});
    harness.refuses("TransactGetItems", request, DUPLICATE).await;
    let request = json!({"TransactItems": [get(PLAIN), get(ABSENT)]});
    harness.finds_no_table("TransactGetItems", request).await;
}

#[tokio::test]
async fn a_transaction_has_at_most_4_megabytes() {
    let harness = tables().await;
    let puts = |count: usize| {
        let put =
            |number| put(PLAIN, &json!({"pk": {"S": format!("{number}")}, "d": text(350 * 1024)}));
        json!({"TransactItems": (0..count).map(put).collect::<Vec<_>>()})
    };
    harness.call("TransactWriteItems", puts(10)).await;
    // Only that it is refused has been measured; the text is ours.
    let too_large = "Transaction request cannot include more than 4 MB of data";
    harness.refuses("TransactWriteItems", puts(12), too_large).await;
    for number in 10..12 {
        harness.put(PLAIN, json!({"pk": {"S": format!("{number}")}, "d": text(350 * 1024)})).await;
    }
    let get =
        |number| json!({"Get": {"TableName": PLAIN, "Key": {"pk": {"S": format!("{number}")}}}});
    let request = json!({"TransactItems": (0..12).map(get).collect::<Vec<_>>()});
    harness.refuses("TransactGetItems", request, too_large).await;
}
