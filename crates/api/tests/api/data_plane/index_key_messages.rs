//! Index keys: checked on every write like the keys of the table.

use serde_json::{Value, json};

use super::support::{BYTES, PAIRS, PLAIN, invalid, tables};
use crate::harness::Harness;

const UNSUPPORTED: &str =
    "The update expression attempted to update the secondary index key to unsupported type";

fn mismatch(name: &str, kind: &str, index: &str) -> String {
    invalid(&format!(
        "Type mismatch for Index Key {name} Expected: S Actual: {kind} IndexName: {index}"
    ))
}

fn empty_in_item(kind: &str, index: &str, name: &str) -> String {
    format!(
        "One or more parameter values are not valid. A value specified for a secondary index key \
         is not supported. The AttributeValue for a key attribute cannot contain an empty {kind} \
         value. IndexName: {index}, IndexKey: {name}"
    )
}

fn empty_in_update(kind: &str) -> String {
    format!(
        "One or more parameter values are not valid. The update expression attempted to update a \
         secondary index key to a value that is not supported. The AttributeValue for a key \
         attribute cannot contain an empty {kind} value."
    )
}

fn update(expression: &str, value: &Value) -> Value {
    json!({"TableName": PAIRS, "Key": {"pk": {"S": "a"}, "sk": {"S": "b"}},
        "UpdateExpression": expression, "ExpressionAttributeValues": {":v": value}})
}

#[tokio::test]
async fn a_put_item_has_index_keys_of_their_types_that_are_not_empty() {
    let harness = tables().await;
    let cases = [
        (json!({"gsiPk": {"N": "1"}}), mismatch("gsiPk", "N", "by-gsi")),
        (json!({"lsiSk": {"L": []}}), mismatch("lsiSk", "L", "by-lsi")),
        (json!({"gsiPk": {"S": ""}}), empty_in_item("string", "by-gsi", "gsiPk")),
        // Of several indexes the first by name is reported.
        (json!({"lsiSk": {"S": ""}, "gsiPk": {"N": "1"}}), mismatch("gsiPk", "N", "by-gsi")),
    ];
    for (more, text) in cases {
        let item = super::support::with(json!({"pk": {"S": "a"}, "sk": {"S": "b"}}), more);
        harness.refuses("PutItem", json!({"TableName": PAIRS, "Item": item}), &text).await;
        let request = json!({"RequestItems": {PAIRS: [{"PutRequest": {"Item": item}}]}});
        harness.refuses("BatchWriteItem", request, &text).await;
    }
    let item = json!({"pk": {"B": "AA=="}, "bin": {"B": ""}});
    let text = empty_in_item("binary", "by-bin", "bin");
    harness.refuses("PutItem", json!({"TableName": BYTES, "Item": item}), &text).await;
}

#[tokio::test]
async fn an_update_with_a_value_of_the_request_is_refused_before_the_item_is_read() {
    let harness = tables().await;
    let never = json!({"ConditionExpression": "attribute_exists(nothing)"});
    let request = super::support::with(update("SET gsiPk = :v", &json!({"N": "1"})), never.clone());
    harness.refuses("UpdateItem", request, &mismatch("gsiPk", "N", "by-gsi")).await;
    let request = super::support::with(update("SET gsiPk = :v", &json!({"S": ""})), never);
    harness.refuses("UpdateItem", request, &empty_in_update("string")).await;
    let request = json!({"TableName": PAIRS, "Key": {"pk": {"S": "a"}, "sk": {"S": "b"}},
        "AttributeUpdates": {"lsiSk": {"Action": "PUT", "Value": {"BOOL": true}}}});
    harness.refuses("UpdateItem", request, &mismatch("lsiSk", "BOOL", "by-lsi")).await;
    let request = json!({"TableName": BYTES, "Key": {"pk": {"B": "AA=="}},
        "UpdateExpression": "SET bin = :v", "ExpressionAttributeValues": {":v": {"B": ""}}});
    harness.refuses("UpdateItem", request, &empty_in_update("binary")).await;
}

#[tokio::test]
async fn an_update_with_a_computed_value_is_refused_when_the_item_is_read() {
    let harness = tables().await;
    let item = json!({"pk": {"S": "a"}, "sk": {"S": "b"}, "n": {"N": "1"}, "e": {"S": ""}});
    harness.put(PAIRS, item).await;
    let request = update("SET gsiPk = n, x = :v", &json!({"N": "1"}));
    harness.refuses("UpdateItem", request, UNSUPPORTED).await;
    let request = update("SET gsiPk = e, x = :v", &json!({"N": "1"}));
    harness.refuses("UpdateItem", request, &empty_in_update("string")).await;
    let request = update("ADD gsiPk :v", &json!({"N": "1"}));
    harness.refuses("UpdateItem", request, UNSUPPORTED).await;
}

#[tokio::test]
async fn a_transaction_is_cancelled_by_a_wrong_type_and_refused_for_an_empty_value() {
    let harness = tables().await;
    let item = |value: Value| json!({"pk": {"S": "a"}, "sk": {"S": "b"}, "gsiPk": value});
    let put = |value: Value| json!({"Put": {"TableName": PAIRS, "Item": item(value)}});
    let set = |value: Value| json!({"Update": update("SET gsiPk = :v", &value)});
    let wrong = mismatch("gsiPk", "N", "by-gsi");
    for action in [put(json!({"N": "1"})), set(json!({"N": "1"}))] {
        assert_eq!(
            reason(&harness, action).await,
            json!({"Code": "ValidationError", "Message": wrong})
        );
    }
    let request = json!({"TransactItems": [put(json!({"S": ""}))]});
    let text = empty_in_item("string", "by-gsi", "gsiPk");
    harness.refuses("TransactWriteItems", request, &text).await;
    let request = json!({"TransactItems": [set(json!({"S": ""}))]});
    harness.refuses("TransactWriteItems", request, &empty_in_update("string")).await;
}

async fn reason(harness: &Harness, action: Value) -> Value {
    let request = json!({"TransactItems": [action]});
    harness.error_body("TransactWriteItems", request).await["CancellationReasons"][0].clone()
}

#[tokio::test]
async fn an_item_from_before_the_index_can_still_be_changed_elsewhere() {
    let harness = tables().await;
    harness.put(PLAIN, json!({"pk": {"S": "a"}, "late": {"N": "1"}})).await;
    let index = json!({"TableName": PLAIN,
        "AttributeDefinitions": [{"AttributeName": "late", "AttributeType": "S"}],
        "GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "by-late",
            "KeySchema": [{"AttributeName": "late", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"}}}]});
    harness.call("UpdateTable", index).await;
    let request = |expression: &str| {
        json!({"TableName": PLAIN, "Key": {"pk": {"S": "a"}}, "UpdateExpression": expression,
            "ExpressionAttributeValues": {":v": {"N": "2"}}})
    };
    harness.call("UpdateItem", request("SET extra = :v")).await;
    harness.refuses("UpdateItem", request("ADD late :v"), UNSUPPORTED).await;
}
