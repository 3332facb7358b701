//! Checking a request takes time in proportion to what it names.
//!
//! The time is that of the thread on its processor, so that other work on the machine does not
//! count. Comparing each name with each takes sixty-four times as long for eight times as many
//! names.

use crate::harness::Harness;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

/// How many names the short list has, and how many times as many the long one.
const NAMES: usize = 1_500;
const TIMES: usize = 8;
/// A list that is so many times longer may take so many times as long.
const FACTOR_MAX: f64 = 3.0 * TIMES as f64;

fn thread_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The shortest time that a refusal took, and its text.
async fn refusal(harness: &Harness, operation: &str, request: &Value) -> (f64, String) {
    let mut shortest = f64::MAX;
    let mut text = String::new();
    for _ in 0..3 {
        let request = request.clone();
        let start = thread_seconds();
        text = harness.error(operation, request).await.1;
        shortest = shortest.min(thread_seconds() - start);
    }
    (shortest, text)
}

/// Checks that a request with a list of this many names is refused with this text, and in
/// proportion.
#[track_caller]
fn check(operation: &str, request: impl Fn(usize) -> Value, expected: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let harness = Harness::new().await;
        harness.call("CreateTable", table(json!({}))).await;
        let (short, text) = refusal(&harness, operation, &request(NAMES)).await;
        assert!(text.contains(expected), "{text:.300}");
        let (long, text) = refusal(&harness, operation, &request(NAMES * TIMES)).await;
        assert!(text.contains(expected), "{text:.300}");
        assert!(long < short * FACTOR_MAX, "{TIMES} times as many took {:.1} times", long / short);
    });
}

fn element(name: &str, role: &str) -> Value {
    json!({"AttributeName": name, "KeyType": role})
}

fn definition(name: &str) -> Value {
    json!({"AttributeName": name, "AttributeType": "S"})
}

fn table(mut changes: Value) -> Value {
    let mut request = json!({
        "TableName": "table",
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [definition("a"), definition("b")],
        "KeySchema": [element("a", "HASH"), element("b", "RANGE")],
    });
    request.as_object_mut().unwrap().append(changes.as_object_mut().unwrap());
    request
}

fn index(number: usize, attribute: &str) -> Value {
    json!({
        "IndexName": format!("index{number}"),
        "KeySchema": [element("a", "HASH"), element(attribute, "RANGE")],
        "Projection": {"ProjectionType": "ALL"},
    })
}

fn indexes(count: usize) -> Vec<Value> {
    (0..count).map(|number| index(number, "b")).collect()
}

fn definitions(count: usize) -> Vec<Value> {
    let names = ["a".to_owned(), "b".to_owned()].into_iter();
    names
        .chain((0..count).map(|number| format!("c{number}")))
        .map(|name| definition(&name))
        .collect()
}

#[test]
fn the_count_of_global_indexes_is_told() {
    let request = |count| table(json!({"GlobalSecondaryIndexes": indexes(count)}));
    check("CreateTable", request, "GlobalSecondaryIndex count exceeds the per-table limit of 20");
}

#[test]
fn the_count_of_local_indexes_is_told() {
    let request = |count| table(json!({"LocalSecondaryIndexes": indexes(count)}));
    check("CreateTable", request, "Number of LocalSecondaryIndexes exceeds per-table limit of 5");
}

#[test]
fn indexes_with_keys_of_their_own_are_told() {
    let indexes = |count| -> Vec<Value> {
        (0..count).map(|number| index(number, &format!("c{number}"))).collect()
    };
    let request = |count| {
        let definitions = definitions(count);
        table(json!({
            "GlobalSecondaryIndexes": indexes(count),
            "AttributeDefinitions": definitions,
        }))
    };
    check("CreateTable", request, "GlobalSecondaryIndex count exceeds the per-table limit of 20");
}

#[test]
fn definitions_that_no_key_uses_are_told() {
    let request = |count| table(json!({"AttributeDefinitions": definitions(count)}));
    check("CreateTable", request, "does not exactly match number of attributes");
    let request = |count| {
        let definitions = definitions(count);
        table(json!({"GlobalSecondaryIndexes": indexes(1), "AttributeDefinitions": definitions}))
    };
    check("CreateTable", request, "Some AttributeDefinitions are not used");
}

#[test]
fn the_count_of_tags_is_told() {
    let tag = |number| json!({"Key": format!("key{number}"), "Value": ""});
    let request = |count| {
        let tags: Vec<Value> = (0..count).map(tag).collect();
        let mut request = table(json!({"Tags": tags}));
        request["TableName"] = "other".into();
        request
    };
    check("CreateTable", request, "Number of Tags exceed the current limit");
}

#[test]
fn deletions_of_many_indexes_are_told() {
    let delete = |number| json!({"Delete": {"IndexName": format!("index{number}")}});
    let request = |count| {
        let updates: Vec<Value> = (0..count).map(delete).collect();
        json!({"TableName": "table", "GlobalSecondaryIndexUpdates": updates})
    };
    check("UpdateTable", request, "Only 1 online index can be created or deleted simultaneously");
}

#[test]
fn copies_that_do_not_fit_are_not_made() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let harness = Harness::new().await;
        harness.call("CreateTable", table(json!({}))).await;
        let list: Vec<Value> = (0..20_000).map(|at| json!({"N": at.to_string()})).collect();
        let key = json!({"a": {"S": "a"}, "b": {"S": "b"}});
        let item = json!({"a": {"S": "a"}, "b": {"S": "b"}, "x": {"L": list}});
        harness.call("PutItem", json!({"TableName": "table", "Item": item})).await;
        let update = |source: &str, count: usize| {
            let copies: Vec<String> = (0..count).map(|at| format!("y{at} = {source}")).collect();
            let text = format!("SET {}", copies.join(", "));
            json!({"TableName": "table", "Key": key, "UpdateExpression": text})
        };
        for source in ["x", "list_append(x, x)", "if_not_exists(x, x2)"] {
            let few = refusal(&harness, "UpdateItem", &update(source, 10)).await;
            let many = refusal(&harness, "UpdateItem", &update(source, 130)).await;
            assert_eq!(many.1, "Item size to update has exceeded the maximum allowed size");
            assert_eq!(few.1, many.1);
            assert!(many.0 < few.0 * 4.0, "{source}: {} s and {} s", few.0, many.0);
        }
    });
}
