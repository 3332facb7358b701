//! What writes consume: the larger of the old and the new item, and indexes by what changed in
//! them.

use serde_json::{Value, json};

use super::support::{PAIRS, PLAIN, tables, text, with};
use crate::harness::Harness;

const KEY: [(&str, &str); 2] = [("pk", "p"), ("sk", "s")];

fn key() -> Value {
    KEY.iter().map(|(name, value)| ((*name).to_owned(), json!({"S": value}))).collect()
}

/// The capacity of a call under `INDEXES`: the total, the table, the global and the local index.
async fn consumed(harness: &Harness, operation: &str, request: Value) -> [f64; 4] {
    let request = with(request, json!({"ReturnConsumedCapacity": "INDEXES"}));
    let answer = harness.call(operation, request).await;
    let capacity = match &answer["ConsumedCapacity"] {
        Value::Array(tables) => tables[0].clone(),
        single => single.clone(),
    };
    let units = |capacity: &Value| capacity["CapacityUnits"].as_f64();
    let arm = |kind: &str, index: &str| units(&capacity[kind][index]).unwrap_or(0.0);
    assert!(capacity.get("ReadCapacityUnits").is_none());
    [
        units(&capacity).unwrap(),
        units(&capacity["Table"]).unwrap(),
        arm("GlobalSecondaryIndexes", "by-gsi"),
        arm("LocalSecondaryIndexes", "by-lsi"),
    ]
}

fn put(more: Value) -> Value {
    json!({"TableName": PAIRS, "Item": with(key(), more)})
}

fn set(expression: &str) -> Value {
    let base = json!({"TableName": PAIRS, "Key": key(), "UpdateExpression": expression});
    if expression.starts_with("SET") {
        with(base, json!({"ExpressionAttributeValues": {":v": {"S": "new"}}}))
    } else {
        base
    }
}

#[tokio::test]
async fn indexes_are_charged_for_what_changes_in_them() {
    let harness = tables().await;
    let full = json!({"gsiPk": {"S": "g"}, "lsiSk": {"S": "l"}, "proj": {"S": "p"},
        "extra": {"S": "o"}});
    let steps = [
        ("PutItem", put(json!({})), [1.0, 1.0, 0.0, 0.0]),
        ("PutItem", put(json!({"gsiPk": {"S": "g"}})), [2.0, 1.0, 1.0, 0.0]),
        ("PutItem", put(full.clone()), [3.0, 1.0, 1.0, 1.0]),
        ("PutItem", put(full), [1.0, 1.0, 0.0, 0.0]),
        ("UpdateItem", set("SET extra = :v"), [2.0, 1.0, 0.0, 1.0]),
        ("UpdateItem", set("SET proj = :v"), [3.0, 1.0, 1.0, 1.0]),
        ("UpdateItem", set("SET gsiPk = :v"), [4.0, 1.0, 2.0, 1.0]),
        ("UpdateItem", set("SET lsiSk = :v"), [3.0, 1.0, 0.0, 2.0]),
        ("UpdateItem", set("SET lsiSk = :v"), [1.0, 1.0, 0.0, 0.0]),
        ("UpdateItem", set("REMOVE gsiPk"), [3.0, 1.0, 1.0, 1.0]),
        ("DeleteItem", json!({"TableName": PAIRS, "Key": key()}), [2.0, 1.0, 0.0, 1.0]),
        ("DeleteItem", json!({"TableName": PAIRS, "Key": key()}), [1.0, 1.0, 0.0, 0.0]),
    ];
    for (operation, request, expected) in steps {
        let context = request.to_string();
        assert_eq!(consumed(&harness, operation, request).await, expected, "{operation} {context}");
    }
}

#[tokio::test]
async fn the_larger_item_is_charged_by_the_kilobyte() {
    let harness = tables().await;
    let sized = |bytes: usize| {
        json!({"TableName": PLAIN,
        "Item": {"pk": {"S": "k"}, "d": text(bytes - 4)}})
    };
    let steps = [
        ("PutItem", sized(1024), 1.0),
        ("PutItem", sized(1025), 2.0),
        ("PutItem", sized(5000), 5.0),
        ("PutItem", sized(10), 5.0),
        ("PutItem", sized(3000), 3.0),
        ("DeleteItem", json!({"TableName": PLAIN, "Key": {"pk": {"S": "k"}}}), 3.0),
        ("DeleteItem", json!({"TableName": PLAIN, "Key": {"pk": {"S": "k"}}}), 1.0),
        ("UpdateItem", json!({"TableName": PLAIN, "Key": {"pk": {"S": "k"}}}), 1.0),
    ];
    for (operation, request, expected) in steps {
        assert_eq!(consumed(&harness, operation, request).await[0], expected);
    }
}

#[tokio::test]
async fn numbers_cost_a_byte_and_one_for_every_two_digits() {
    let harness = tables().await;
    // The item has 1024 bytes but for the number, so what is above 0 is charged as a second unit.
    let sizes = [("3.14159", 5), ("123456", 4), ("1E125", 2), ("-1", 3), ("0", 1)];
    for (number, bytes) in sizes {
        let item = |room: usize| {
            json!({"TableName": PLAIN, "Item": {"pk": {"S": number}, "n": {"N": number},
                "d": text(1024 - 2 - number.len() - 1 - 1 - room)}})
        };
        assert_eq!(consumed(&harness, "PutItem", item(bytes)).await[0], 1.0, "{number}");
        assert_eq!(consumed(&harness, "PutItem", item(bytes - 1)).await[0], 2.0, "{number}");
    }
}

#[tokio::test]
async fn batches_add_up_by_table() {
    let harness = tables().await;
    let other = json!({"pk": {"S": "p"}, "sk": {"S": "t"}});
    let indexed = with(key(), json!({"gsiPk": {"S": "g"}}));
    let request = json!({"RequestItems": {PAIRS: [
        {"PutRequest": {"Item": indexed}}, {"PutRequest": {"Item": other}}]}});
    assert_eq!(consumed(&harness, "BatchWriteItem", request).await, [3.0, 2.0, 1.0, 0.0]);
}

#[tokio::test]
async fn transactions_double_the_table_and_not_its_indexes_and_split_the_units() {
    let harness = tables().await;
    let indexed = with(key(), json!({"gsiPk": {"S": "g"}, "d": text(1500)}));
    let check = json!({"TableName": PLAIN, "Key": {"pk": {"S": "k"}},
        "ConditionExpression": "attribute_not_exists(pk)"});
    let request = json!({"TransactItems": [
        {"Put": {"TableName": PAIRS, "Item": indexed}}, {"ConditionCheck": check}],
        "ReturnConsumedCapacity": "INDEXES"});
    let answer = harness.call("TransactWriteItems", request).await;
    let both = |units: f64| json!({"CapacityUnits": units, "WriteCapacityUnits": units});
    let expected = json!([
        with(
            json!({"TableName": PAIRS, "Table": both(4.0),
            "GlobalSecondaryIndexes": {"by-gsi": both(1.0)}}),
            both(5.0)
        ),
        with(json!({"TableName": PLAIN, "Table": both(2.0)}), both(2.0)),
    ]);
    assert_eq!(answer["ConsumedCapacity"], expected);
}

#[tokio::test]
async fn a_total_names_no_parts_and_none_is_no_member() {
    let harness = tables().await;
    let request = |wanted: &str| {
        with(put(json!({"gsiPk": {"S": wanted}})), json!({"ReturnConsumedCapacity": wanted}))
    };
    let answer = harness.call("PutItem", request("TOTAL")).await;
    assert_eq!(answer, json!({"ConsumedCapacity": {"TableName": PAIRS, "CapacityUnits": 2.0}}));
    assert_eq!(harness.call("PutItem", request("NONE")).await, json!({}));
}
