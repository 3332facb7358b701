//! Requests on a few tables, one after the other: mostly valid, some spoiled.
//!
//! The universe is small, so that requests meet: two tables, two partitions of four items, a
//! handful of attributes. Calls do not depend on answers, so any part of a history can be played by
//! itself.

use serde_json::{Map, Value, json};

use crate::Call;
use crate::expression;
use crate::legacy;
use crate::mutation;
use crate::random::Random;
use crate::statement;
use crate::value;

/// A table with a sort key, a global index and a local one.
pub const PAIR: &str = "table-pair";
/// A table with a partition key alone.
pub const PLAIN: &str = "table-plain";

/// One in this many calls that could have an expression has the parameters from before expressions.
const LEGACY_IN: usize = 8;

/// An action of the generator and how often it comes.
type Weighted = (usize, fn(&mut Random) -> Call);

const ACTIONS: &[Weighted] = &[
    (24, put_item),
    (20, update_item),
    (6, delete_item),
    (12, get_item),
    (18, query),
    (6, scan),
    (4, batch_write_item),
    (4, batch_get_item),
    (6, transact_write_items),
    (3, transact_get_items),
    (12, statement::execute_statement),
    (2, statement::batch_execute_statement),
    (2, statement::execute_transaction),
    (2, describe_table),
    (1, create_table),
    (1, update_table),
];

/// Makes the calls of a history.
#[derive(Debug)]
pub struct History {
    random: Random,
    /// One in this many calls is spoiled; none if 0.
    spoiled_in: usize,
}

impl History {
    /// The history of a seed, in which one in this many calls is spoiled; none if 0.
    pub fn new(seed: u64, spoiled_in: usize) -> History {
        History { random: Random::new(seed), spoiled_in }
    }

    /// The calls that make the tables, and so many on them.
    pub fn calls(mut self, count: usize) -> Vec<Call> {
        let mut calls = vec![create_pair(), create_plain()];
        calls.extend((0..count).map(|_| self.next_call()));
        calls
    }

    /// The next call.
    pub fn next_call(&mut self) -> Call {
        let random = &mut self.random;
        let mut call = any_call(random);
        if self.spoiled_in > 0 && random.one_in(self.spoiled_in) {
            let donor = any_call(random);
            mutation::mutate(&mut call.request, &[&donor.request], random);
        }
        call
    }
}

fn any_call(random: &mut Random) -> Call {
    let total: usize = ACTIONS.iter().map(|(weight, _)| weight).sum();
    let mut left = random.below(total);
    for (weight, make) in ACTIONS {
        match left.checked_sub(*weight) {
            Some(rest) => left = rest,
            None => return make(random),
        }
    }
    describe_table(random)
}

fn key_part(name: &str, role: &str) -> Value {
    json!({"AttributeName": name, "KeyType": role})
}

fn definitions(types: &[(&str, &str)]) -> Value {
    types.iter().map(|(name, kind)| json!({"AttributeName": name, "AttributeType": kind})).collect()
}

/// Makes the table with a sort key.
pub fn create_pair() -> Call {
    let all = json!({"ProjectionType": "ALL"});
    Call::new(
        "CreateTable",
        json!({
            "TableName": PAIR,
            "AttributeDefinitions": definitions(&[("pk", "S"), ("sk", "N"), ("g", "S"),
                ("h", "N")]),
            "KeySchema": [key_part("pk", "HASH"), key_part("sk", "RANGE")],
            "GlobalSecondaryIndexes": [{"IndexName": "by-g", "Projection": all,
                "KeySchema": [key_part("g", "HASH"), key_part("h", "RANGE")]}],
            "LocalSecondaryIndexes": [{"IndexName": "by-h",
                "Projection": {"ProjectionType": "KEYS_ONLY"},
                "KeySchema": [key_part("pk", "HASH"), key_part("h", "RANGE")]}],
            "BillingMode": "PAY_PER_REQUEST",
        }),
    )
}

/// Makes the table with a partition key alone.
pub fn create_plain() -> Call {
    Call::new(
        "CreateTable",
        json!({
            "TableName": PLAIN,
            "AttributeDefinitions": definitions(&[("pk", "S")]),
            "KeySchema": [key_part("pk", "HASH")],
            "BillingMode": "PAY_PER_REQUEST",
        }),
    )
}

pub(crate) fn table(random: &mut Random) -> &'static str {
    if random.one_in(4) { PLAIN } else { PAIR }
}

pub(crate) fn partition(random: &mut Random) -> Value {
    json!({"S": random.pick(&["a", "a", "b"])})
}

pub(crate) fn sort(random: &mut Random) -> Value {
    json!({"N": random.pick(&["1", "2", "3", "4.0"])})
}

pub(crate) fn key(random: &mut Random, table: &str) -> Map<String, Value> {
    let mut key = Map::new();
    key.insert("pk".to_owned(), partition(random));
    if table == PAIR {
        key.insert("sk".to_owned(), sort(random));
    }
    key
}

pub(crate) fn item(random: &mut Random, table: &str) -> Value {
    let mut item = key(random, table);
    for name in ["a", "b", "m", "l", "n", "s"] {
        if random.one_in(2) {
            let value = match name {
                "m" => json!({"M": {"a": value::value(random, 2), "x": {"N": "1"}}}),
                "l" => json!({"L": [{"S": "a"}, value::value(random, 2)]}),
                "n" => json!({"N": random.pick(&["0", "1", "2", "10"])}),
                "s" => value::set(random),
                _ => value::value(random, 0),
            };
            item.insert(name.to_owned(), value);
        }
    }
    if random.one_in(2) {
        item.insert("g".to_owned(), json!({"S": random.pick(&["x", "y"])}));
    }
    if random.one_in(2) {
        item.insert("h".to_owned(), sort(random));
    }
    Value::Object(item)
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// Finishes a request: placeholders, and sometimes what is returned besides.
pub(crate) fn finished(
    random: &mut Random,
    action: &str,
    request: Value,
    returns: &[&str],
) -> Call {
    let mut request = object(request);
    if !returns.is_empty() && random.one_in(3) {
        request.insert("ReturnValues".to_owned(), json!(random.pick(returns)));
    }
    if random.one_in(6) {
        let mode = random.pick(&["TOTAL", "INDEXES", "NONE"]);
        request.insert("ReturnConsumedCapacity".to_owned(), json!(mode));
    }
    expression::add_placeholders(random, &mut request);
    Call::new(action, Value::Object(request))
}

fn with_condition(random: &mut Random, request: &mut Value) {
    if random.one_in(5) {
        set(request, "ConditionExpression", json!(expression::condition(random, 0)));
        if random.one_in(3) {
            set(request, "ReturnValuesOnConditionCheckFailure", json!("ALL_OLD"));
        }
    }
}

fn put(random: &mut Random) -> Value {
    let table = table(random);
    let mut request = json!({"TableName": table, "Item": item(random, table)});
    with_condition(random, &mut request);
    request
}

fn update(random: &mut Random) -> Value {
    let table = table(random);
    let update = expression::update(random);
    let mut request =
        json!({"TableName": table, "Key": key(random, table), "UpdateExpression": update});
    with_condition(random, &mut request);
    request
}

fn delete(random: &mut Random) -> Value {
    let table = table(random);
    let mut request = json!({"TableName": table, "Key": key(random, table)});
    with_condition(random, &mut request);
    request
}

fn put_item(random: &mut Random) -> Call {
    if random.one_in(LEGACY_IN) {
        return legacy::put_item(random);
    }
    let request = put(random);
    finished(random, "PutItem", request, &["NONE", "ALL_OLD"])
}

fn update_item(random: &mut Random) -> Call {
    if random.one_in(LEGACY_IN) {
        return legacy::update_item(random);
    }
    let request = update(random);
    let returns = ["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"];
    finished(random, "UpdateItem", request, &returns)
}

fn delete_item(random: &mut Random) -> Call {
    if random.one_in(LEGACY_IN) {
        return legacy::delete_item(random);
    }
    let request = delete(random);
    finished(random, "DeleteItem", request, &["NONE", "ALL_OLD"])
}

fn with_projection(random: &mut Random, request: &mut Value) {
    if random.one_in(6) {
        set(request, "ProjectionExpression", json!(expression::projection(random)));
    }
}

fn get_item(random: &mut Random) -> Call {
    if random.one_in(LEGACY_IN) {
        return legacy::get_item(random);
    }
    let table = table(random);
    let mut request =
        json!({"TableName": table, "Key": key(random, table), "ConsistentRead": true});
    with_projection(random, &mut request);
    finished(random, "GetItem", request, &[])
}

fn query(random: &mut Random) -> Call {
    if random.one_in(LEGACY_IN) {
        return legacy::query(random);
    }
    let table = table(random);
    let index = (table == PAIR && random.one_in(3)).then(|| *random.pick(&["by-g", "by-h"]));
    let (hash, range) = match index {
        Some("by-g") => ("g", Some("h")),
        Some(_) => ("pk", Some("h")),
        None => ("pk", (table == PAIR).then_some("sk")),
    };
    let condition = expression::key_condition(random, hash, range);
    let value =
        if hash == "g" { json!({"S": random.pick(&["x", "y"])}) } else { partition(random) };
    let mut values = Map::from_iter([(":p".to_owned(), value)]);
    for name in [":q", ":r"] {
        if condition.contains(name) {
            values.insert(name.to_owned(), sort(random));
        }
    }
    let mut request = json!({"TableName": table, "KeyConditionExpression": condition,
        "ExpressionAttributeValues": values});
    if let Some(index) = index {
        set(&mut request, "IndexName", json!(index));
    } else {
        set(&mut request, "ConsistentRead", json!(true));
        if random.one_in(3) {
            set(&mut request, "Limit", json!(1 + random.below(3)));
        }
    }
    if random.one_in(3) {
        set(&mut request, "ScanIndexForward", json!(random.one_in(2)));
    }
    if random.one_in(6) {
        set(&mut request, "FilterExpression", json!(expression::condition(random, 0)));
    }
    if random.one_in(8) {
        set(&mut request, "Select", json!("COUNT"));
    } else {
        with_projection(random, &mut request);
    }
    finished(random, "Query", request, &[])
}

pub(crate) fn set(request: &mut Value, member: &str, value: Value) {
    if let Some(members) = request.as_object_mut() {
        members.insert(member.to_owned(), value);
    }
}

fn scan(random: &mut Random) -> Call {
    if random.one_in(LEGACY_IN) {
        return legacy::scan(random);
    }
    let mut request = json!({"TableName": table(random), "ConsistentRead": true});
    if random.one_in(2) {
        set(&mut request, "FilterExpression", json!(expression::condition(random, 0)));
    }
    with_projection(random, &mut request);
    finished(random, "Scan", request, &[])
}

fn batch_write_item(random: &mut Random) -> Call {
    let table = table(random);
    let writes: Value = (0..1 + random.below(4))
        .map(|_| {
            if random.one_in(3) {
                json!({"DeleteRequest": {"Key": key(random, table)}})
            } else {
                json!({"PutRequest": {"Item": item(random, table)}})
            }
        })
        .collect();
    Call::new("BatchWriteItem", json!({"RequestItems": {table: writes}}))
}

fn batch_get_item(random: &mut Random) -> Call {
    let table = table(random);
    let keys: Value = (0..1 + random.below(4)).map(|_| Value::Object(key(random, table))).collect();
    let request = json!({"RequestItems": {table: {"Keys": keys, "ConsistentRead": true}}});
    Call::new("BatchGetItem", request)
}

fn transact_write_items(random: &mut Random) -> Call {
    let actions: Value = (0..1 + random.below(3))
        .map(|_| {
            let (kind, request) = match random.below(4) {
                0 => ("Put", put(random)),
                1 => ("Update", update(random)),
                2 => ("Delete", delete(random)),
                _ => {
                    let mut check = delete(random);
                    set(&mut check, "ConditionExpression", json!(expression::condition(random, 0)));
                    ("ConditionCheck", check)
                }
            };
            let mut request = object(request);
            expression::add_placeholders(random, &mut request);
            json!({kind: request})
        })
        .collect();
    Call::new("TransactWriteItems", json!({"TransactItems": actions}))
}

fn transact_get_items(random: &mut Random) -> Call {
    let gets: Value = (0..1 + random.below(3))
        .map(|_| {
            let table = table(random);
            let mut get = json!({"TableName": table, "Key": key(random, table)});
            with_projection(random, &mut get);
            let mut get = object(get);
            expression::add_placeholders(random, &mut get);
            json!({"Get": get})
        })
        .collect();
    Call::new("TransactGetItems", json!({"TransactItems": gets}))
}

fn describe_table(random: &mut Random) -> Call {
    Call::new("DescribeTable", json!({"TableName": table(random)}))
}

/// A table that is there already, or whose definition is spoiled.
fn create_table(random: &mut Random) -> Call {
    let mut call = if random.one_in(2) { create_pair() } else { create_plain() };
    if !random.one_in(3) {
        mutation::mutate(&mut call.request, &[], random);
        // It must not become a third table, which nobody would delete.
        if let Value::Object(request) = &mut call.request {
            request.insert("TableName".to_owned(), json!(table(random)));
        }
    }
    call
}

fn update_table(random: &mut Random) -> Call {
    let change = match random.below(4) {
        0 => json!({"BillingMode": "PAY_PER_REQUEST"}),
        1 => json!({"DeletionProtectionEnabled": false}),
        2 => json!({"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "missing"}}]}),
        _ => json!({}),
    };
    let mut request = object(change);
    request.insert("TableName".to_owned(), json!(table(random)));
    Call::new("UpdateTable", Value::Object(request))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_seed_makes_the_same_history_again() {
        assert_eq!(History::new(7, 5).calls(50), History::new(7, 5).calls(50));
        assert_ne!(History::new(7, 5).calls(50), History::new(8, 5).calls(50));
    }

    #[test]
    fn every_action_of_the_generator_comes() {
        let calls = History::new(1, 0).calls(2000);
        let actions: BTreeSet<&str> = calls.iter().map(|call| call.action.as_str()).collect();
        assert_eq!(actions.len(), ACTIONS.len());
    }

    #[test]
    fn every_parameter_from_before_expressions_comes() {
        let calls = History::new(1, 0).calls(2000);
        for parameter in [
            "AttributesToGet",
            "AttributeUpdates",
            "ConditionalOperator",
            "Expected",
            "KeyConditions",
            "QueryFilter",
            "ScanFilter",
        ] {
            let has = |call: &&Call| call.request.get(parameter).is_some();
            assert!(calls.iter().filter(has).count() > 3, "{parameter}");
        }
    }

    #[test]
    fn statements_of_every_kind_come_with_a_parameter_for_each_question_mark() {
        let calls = History::new(1, 0).calls(2000);
        let statements: Vec<&Value> = calls
            .iter()
            .filter(|call| call.action == "ExecuteStatement")
            .map(|call| &call.request)
            .collect();
        for kind in ["SELECT", "INSERT", "UPDATE", "DELETE"] {
            let is_of_kind = |it: &&&Value| it["Statement"].as_str().unwrap().starts_with(kind);
            assert!(statements.iter().filter(is_of_kind).count() > 10, "{kind}");
        }
        for statement in statements {
            let marks = statement["Statement"].as_str().unwrap().matches('?').count();
            let parameters =
                statement.get("Parameters").map_or(0, |it| it.as_array().unwrap().len());
            assert_eq!(marks, parameters, "{statement}");
        }
    }
}
