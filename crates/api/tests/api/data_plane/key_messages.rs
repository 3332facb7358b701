//! Keys that do not fit the schema of their table.

use serde_json::{Value, json};

use super::support::{BYTES, EMPTY_PK, KEY_MISMATCH, PAIRS, PLAIN, invalid, tables, text};

/// A lookup by a key, on every operation that looks up and is not a transaction.
fn lookups(table: &str, key: &Value) -> Vec<(&'static str, Value)> {
    vec![
        ("GetItem", json!({"TableName": table, "Key": key})),
        ("UpdateItem", json!({"TableName": table, "Key": key})),
        ("DeleteItem", json!({"TableName": table, "Key": key})),
        ("BatchGetItem", json!({"RequestItems": {table: {"Keys": [key]}}})),
        ("BatchWriteItem", json!({"RequestItems": {table: [{"DeleteRequest": {"Key": key}}]}})),
    ]
}

#[tokio::test]
async fn a_lookup_key_has_the_key_attributes_of_their_types_and_no_others() {
    let harness = tables().await;
    let keys = [
        json!({}),
        json!({"pk": {"S": "a"}}),
        json!({"pk": {"S": "a"}, "sk": {"N": "1"}}),
        json!({"pk": {"L": []}, "sk": {"S": "b"}}),
        json!({"pk": {"S": "a"}, "sk": {"S": "b"}, "c": {"S": "c"}}),
        json!({"pk": {"S": "a"}, "c": {"S": "c"}}),
        // A wrong type comes before an empty value.
        json!({"pk": {"S": ""}, "sk": {"N": "1"}}),
    ];
    for key in keys {
        for (operation, request) in lookups(PAIRS, &key) {
            harness.refuses(operation, request, KEY_MISMATCH).await;
        }
    }
}

#[tokio::test]
async fn a_key_is_not_empty() {
    let harness = tables().await;
    let key = json!({"pk": {"S": ""}});
    for (operation, request) in lookups(PLAIN, &key) {
        harness.refuses(operation, request, EMPTY_PK).await;
    }
    let puts = [
        ("PutItem", json!({"TableName": PLAIN, "Item": key})),
        ("BatchWriteItem", json!({"RequestItems": {PLAIN: [{"PutRequest": {"Item": key}}]}})),
    ];
    for (operation, request) in puts {
        harness.refuses(operation, request, EMPTY_PK).await;
    }
    let key = json!({"pk": {"B": ""}});
    let binary = EMPTY_PK.replace("string", "binary");
    for (operation, request) in lookups(BYTES, &key) {
        harness.refuses(operation, request, &binary).await;
    }
    harness.refuses("PutItem", json!({"TableName": BYTES, "Item": key}), &binary).await;
}

#[tokio::test]
async fn keys_have_at_most_2048_and_1024_bytes() {
    let harness = tables().await;
    let key = |pk: usize, sk: usize| json!({"pk": text(pk), "sk": text(sk)});
    let partition = invalid("Size of hashkey has exceeded the maximum size limit of2048 bytes");
    let sort =
        invalid("Aggregated size of all range keys has exceeded the size limit of 1024 bytes");
    harness.put(PAIRS, key(2048, 1024)).await;
    for (key, text) in [(key(2049, 1), partition), (key(1, 1025), sort)] {
        for (operation, request) in lookups(PAIRS, &key) {
            harness.refuses(operation, request, &text).await;
        }
        harness.refuses("PutItem", json!({"TableName": PAIRS, "Item": key}), &text).await;
    }
}

#[tokio::test]
async fn a_put_item_has_its_keys_each_checked_before_the_next() {
    let harness = tables().await;
    let mismatch = |name: &str, kind: &str| {
        invalid(&format!("Type mismatch for key {name} expected: S actual: {kind}"))
    };
    let cases = [
        (json!({}), invalid("Missing the key pk in the item")),
        (json!({"pk": {"S": "a"}}), invalid("Missing the key sk in the item")),
        (json!({"pk": {"N": "5"}}), mismatch("pk", "N")),
        (json!({"pk": {"S": "a"}, "sk": {"L": [{"S": "x"}]}}), mismatch("sk", "L")),
        (json!({"pk": {"S": ""}, "sk": {"N": "1"}}), EMPTY_PK.to_owned()),
    ];
    for (item, text) in cases {
        harness.refuses("PutItem", json!({"TableName": PAIRS, "Item": item}), &text).await;
    }
}

#[tokio::test]
async fn a_batch_says_of_a_put_item_what_is_said_of_a_lookup() {
    let harness = tables().await;
    for item in [json!({"sk": {"S": "b"}}), json!({"pk": {"N": "5"}, "sk": {"S": "b"}})] {
        let request = json!({"RequestItems": {PAIRS: [{"PutRequest": {"Item": item}}]}});
        harness.refuses("BatchWriteItem", request, KEY_MISMATCH).await;
    }
}

#[tokio::test]
async fn no_expression_looks_inside_a_key() {
    let harness = tables().await;
    let text = |kind: &str, name: &str| {
        format!(
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not \
             allowed: {kind}: {name}"
        )
    };
    let key = json!({"pk": {"S": "a"}, "sk": {"S": "b"}});
    let values = json!({":v": {"S": "x"}});
    let conditional = |condition: &str| {
        json!({"TableName": PAIRS, "Key": key, "Item": key, "ConditionExpression": condition,
            "ExpressionAttributeValues": values})
    };
    for operation in ["PutItem", "UpdateItem", "DeleteItem"] {
        harness.refuses(operation, conditional("pk.a = :v"), &text("Key", "pk")).await;
        harness.refuses(operation, conditional("gsiPk[0] = :v"), &text("IndexKey", "gsiPk")).await;
    }
    let update = json!({"TableName": PAIRS, "Key": key,
        "UpdateExpression": "SET x = lsiSk.a, y = :v", "ExpressionAttributeValues": values});
    harness.refuses("UpdateItem", update, &text("IndexKey", "lsiSk")).await;
    let get = json!({"TableName": PAIRS, "Key": key, "ProjectionExpression": "x, sk[1]"});
    harness.refuses("GetItem", get, &text("Key", "sk")).await;
    let scan = json!({"TableName": PAIRS, "FilterExpression": "sk.a = :v",
        "ExpressionAttributeValues": values});
    harness.refuses("Scan", scan, &text("Key", "sk")).await;
    let scan = json!({"TableName": PAIRS, "ProjectionExpression": "sk.a"});
    harness.refuses("Scan", scan, &text("Key", "sk")).await;
    let query = json!({"TableName": PAIRS, "KeyConditionExpression": "pk = :v",
        "FilterExpression": "lsiSk.a = :v", "ExpressionAttributeValues": values});
    harness.refuses("Query", query, &text("IndexKey", "lsiSk")).await;
    let batch = json!({"RequestItems": {PAIRS: {"Keys": [key], "ProjectionExpression": "pk.a"}}});
    harness.refuses("BatchGetItem", batch, &text("Key", "pk")).await;
}
