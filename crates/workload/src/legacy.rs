//! Requests with the parameters from before expressions.

use serde_json::{Map, Value, json};

use crate::Call;
use crate::history::{PAIR, finished, item, key, partition, set, sort, table};
use crate::random::Random;
use crate::value;

const NAMES: &[&str] = &["a", "b", "m", "l", "n", "s", "missing"];
/// Comparison operators with how many values they take.
const OPERATORS: &[(&str, usize)] = &[
    ("EQ", 1),
    ("NE", 1),
    ("LT", 1),
    ("LE", 1),
    ("GT", 1),
    ("GE", 1),
    ("NULL", 0),
    ("NOT_NULL", 0),
    ("CONTAINS", 1),
    ("NOT_CONTAINS", 1),
    ("BEGINS_WITH", 1),
    ("IN", 2),
    ("BETWEEN", 2),
];

/// Puts an item, if what is there is as expected.
pub(crate) fn put_item(random: &mut Random) -> Call {
    let table = table(random);
    let mut request = json!({"TableName": table, "Item": item(random, table)});
    add_expected(random, &mut request);
    finished(random, "PutItem", request, &["NONE", "ALL_OLD"])
}

/// Deletes an item, if it is as expected.
pub(crate) fn delete_item(random: &mut Random) -> Call {
    let table = table(random);
    let mut request = json!({"TableName": table, "Key": key(random, table)});
    add_expected(random, &mut request);
    finished(random, "DeleteItem", request, &["NONE", "ALL_OLD"])
}

/// Changes attributes of an item.
pub(crate) fn update_item(random: &mut Random) -> Call {
    let table = table(random);
    let updates: Map<String, Value> =
        names(random).into_iter().map(|name| (name.to_owned(), attribute_update(random))).collect();
    let mut request =
        json!({"TableName": table, "Key": key(random, table), "AttributeUpdates": updates});
    if random.one_in(3) {
        add_expected(random, &mut request);
    }
    let returns = ["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"];
    finished(random, "UpdateItem", request, &returns)
}

/// Reads attributes of an item.
pub(crate) fn get_item(random: &mut Random) -> Call {
    let table = table(random);
    let request = json!({"TableName": table, "Key": key(random, table), "ConsistentRead": true,
        "AttributesToGet": names(random)});
    finished(random, "GetItem", request, &[])
}

/// Reads a part of a partition.
pub(crate) fn query(random: &mut Random) -> Call {
    let table = table(random);
    let equal = json!({"ComparisonOperator": "EQ", "AttributeValueList": [partition(random)]});
    let mut conditions = Map::from_iter([("pk".to_owned(), equal)]);
    if table == PAIR && random.one_in(2) {
        let operators = [("EQ", 1), ("LE", 1), ("GT", 1), ("BETWEEN", 2), ("NE", 1)];
        let (operator, count) = *random.pick(&operators);
        let values: Value = (0..count).map(|_| sort(random)).collect();
        let condition = json!({"ComparisonOperator": operator, "AttributeValueList": values});
        conditions.insert("sk".to_owned(), condition);
    }
    let mut request =
        json!({"TableName": table, "KeyConditions": conditions, "ConsistentRead": true});
    if random.one_in(3) {
        set(&mut request, "QueryFilter", json!(conditions_of(random, comparison)));
        add_operator(random, &mut request);
    }
    if random.one_in(4) {
        set(&mut request, "AttributesToGet", json!(names(random)));
    }
    finished(random, "Query", request, &[])
}

/// Reads a table.
pub(crate) fn scan(random: &mut Random) -> Call {
    let mut request = json!({"TableName": table(random), "ConsistentRead": true,
        "ScanFilter": conditions_of(random, comparison)});
    add_operator(random, &mut request);
    finished(random, "Scan", request, &[])
}

fn names(random: &mut Random) -> Vec<&'static str> {
    let count = 1 + random.below(2);
    let start = random.below(NAMES.len() - count);
    NAMES.iter().skip(start).take(count).copied().collect()
}

fn conditions_of(random: &mut Random, make: fn(&mut Random) -> Value) -> Map<String, Value> {
    names(random).into_iter().map(|name| (name.to_owned(), make(random))).collect()
}

fn add_expected(random: &mut Random, request: &mut Value) {
    set(request, "Expected", json!(conditions_of(random, expectation)));
    add_operator(random, request);
}

fn add_operator(random: &mut Random, request: &mut Value) {
    if random.one_in(3) {
        set(request, "ConditionalOperator", json!(random.pick(&["AND", "OR"])));
    }
}

/// What an attribute is expected to be, in either of the two forms.
fn expectation(random: &mut Random) -> Value {
    match random.below(4) {
        0 => json!({"Exists": false}),
        1 => json!({"Value": value::value(random, 2)}),
        _ => comparison(random),
    }
}

/// A comparison; now and then with another number of values than it takes.
fn comparison(random: &mut Random) -> Value {
    let (operator, count) = *random.pick(OPERATORS);
    let count = if random.one_in(3) { random.below(3) } else { count };
    let values: Vec<Value> = (0..count).map(|_| compared(random)).collect();
    let mut comparison = json!({"ComparisonOperator": operator});
    if !values.is_empty() {
        set(&mut comparison, "AttributeValueList", Value::Array(values));
    }
    comparison
}

fn compared(random: &mut Random) -> Value {
    match random.below(3) {
        0 => json!({"N": random.pick(&["0", "1", "2", "10"])}),
        1 => json!({"S": random.pick(&["a", "b", "ab"])}),
        _ => value::value(random, 2),
    }
}

fn attribute_update(random: &mut Random) -> Value {
    match random.below(6) {
        0 => json!({"Action": "DELETE"}),
        1 => json!({"Action": "DELETE", "Value": value::set(random)}),
        2 => json!({"Action": "ADD", "Value": value::set(random)}),
        3 => json!({"Action": "ADD", "Value": {"N": random.pick(&["1", "-2", "0.5"])}}),
        4 => json!({"Value": value::value(random, 2)}),
        _ => json!({"Action": "PUT", "Value": value::value(random, 2)}),
    }
}
