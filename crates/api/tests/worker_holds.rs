//! Large requests of every operation do not hold a worker of the runtime.
//!
//! A hold is the time that a call works on its worker before it waits, ends or moves elsewhere:
//! that of the thread on its processor, so that other work on the machine does not count. Each of
//! these calls would hold its worker for tens of milliseconds to seconds if it did not move.
//!
//! Once, on a busy machine, a call of half a millisecond was measured with 43; 28,800 such calls
//! beside other load took 4.7 at most, and the cause is not known. So one call of a test may be
//! made again. What is in a call shows each time; a hold that comes now and then ends the test with
//! its second.
//!
//! Bodies of sixteen megabytes, which are the largest, go to every operation; the others are about
//! the largest items, pages and lists.

mod harness;

use std::cell::Cell;
use std::time::Duration;

use harness::Harness;
use monotable_database::off_worker::{longest_hold, watch_holds};
use monotable_workload::seeds::seeds;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Map, Value, json};

/// How long a call may hold its worker. Code that is not optimised takes some ten times as long.
const HOLD_MAX: Duration =
    if cfg!(debug_assertions) { Duration::from_millis(25) } else { Duration::from_millis(10) };

fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The API with a table that has an index and a stream, on a runtime with several threads.
struct Server {
    runtime: tokio::runtime::Runtime,
    harness: Harness,
    /// Whether a call has been made again.
    has_repeated: Cell<bool>,
}

impl Server {
    fn new() -> Server {
        watch_holds(thread_time);
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
        let harness = runtime.block_on(Harness::new());
        let server = Server { runtime, harness, has_repeated: Cell::new(false) };
        server.call("CreateTable", &table("table"));
        server
    }

    /// Makes a call, which must not hold its worker, whether it is refused or not.
    #[track_caller]
    fn watch<T, F: Future<Output = T>>(&self, operation: &str, call: impl Fn() -> F) -> T {
        let (mut answer, mut hold) = self.held(call());
        if hold > HOLD_MAX && !self.has_repeated.replace(true) {
            eprintln!("{operation} held its worker for {hold:?} and is made again");
            (answer, hold) = self.held(call());
        }
        assert!(hold <= HOLD_MAX, "{operation} held its worker for {hold:?}");
        answer
    }

    /// The answer to a call, and how long it held its worker.
    fn held<T>(&self, call: impl Future<Output = T>) -> (T, Duration) {
        longest_hold();
        let answer = self.runtime.block_on(call);
        (answer, longest_hold())
    }

    #[track_caller]
    fn call(&self, operation: &str, request: &Value) -> Value {
        self.watch(operation, || self.harness.call(operation, request.clone()))
    }

    #[track_caller]
    fn refuse(&self, operation: &str, request: &Value, text: &str) {
        let (code, message) =
            self.watch(operation, || self.harness.error(operation, request.clone()));
        assert!(code.contains(text) || message.contains(text), "{message:.300}");
    }
}

/// The longest body that the server takes.
const BODY_BYTES: usize = 16 << 20;

/// Bodies of this length are about as long.
const LARGE_BYTES: usize = 15 << 20;

fn table(name: &str) -> Value {
    json!({
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": "p", "AttributeType": "S"},
            {"AttributeName": "s", "AttributeType": "N"},
        ],
        "KeySchema": [
            {"AttributeName": "p", "KeyType": "HASH"},
            {"AttributeName": "s", "KeyType": "RANGE"},
        ],
        "GlobalSecondaryIndexes": [{
            "IndexName": "index",
            "KeySchema": [{"AttributeName": "s", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a00007"]},
        }],
        "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    })
}

fn key(number: usize) -> Value {
    json!({"p": {"S": "p"}, "s": {"N": number.to_string()}})
}

/// So many members with names and numbers of their own.
fn members(count: usize) -> Map<String, Value> {
    (0..count).map(|at| (format!("a{at:05}"), json!({"N": at.to_string()}))).collect()
}

/// An item of 30,000 attributes, which is about the largest.
fn wide_item(number: usize) -> Value {
    with_key(number, members(30_000))
}

fn with_key(number: usize, mut attributes: Map<String, Value>) -> Value {
    attributes.append(key(number).as_object_mut().unwrap());
    Value::Object(attributes)
}

/// An item with a list of 50,000 elements, which is about the longest.
fn long_item(number: usize) -> Value {
    let list: Vec<Value> = (0..50_000).map(|at| json!({"N": at.to_string()})).collect();
    with_key(number, Map::from_iter([("x".to_owned(), json!({"L": list}))]))
}

fn put(item: &Value) -> Value {
    json!({"TableName": "table", "Item": item})
}

fn update(number: usize, mut changes: Value) -> Value {
    let mut request = json!({"TableName": "table", "Key": key(number)});
    request.as_object_mut().unwrap().append(changes.as_object_mut().unwrap());
    request
}

#[test]
fn writes_of_large_items() {
    let server = Server::new();
    server.call("PutItem", &put(&wide_item(1)));
    server.call("PutItem", &put(&long_item(2)));
    let one = json!({":v": {"N": "1"}});
    let set = |text: &str, returned: &str| {
        let values = if text.contains(":v") { one.clone() } else { Value::Null };
        json!({
            "UpdateExpression": text,
            "ExpressionAttributeValues": values,
            "ReturnValues": returned,
        })
    };
    for returned in ["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_NEW"] {
        server.call("UpdateItem", &update(1, set("SET q = :v", returned)));
        server.call("UpdateItem", &update(2, set("SET x[7] = :v REMOVE x[9]", returned)));
    }
    let copies: Vec<String> = (0..290).map(|at| format!("y{at} = x")).collect();
    let copies = set(&format!("SET {}", copies.join(", ")), "NONE");
    server.refuse("UpdateItem", &update(2, copies), "Item size to update has exceeded");
    let condition = vec!["contains(x, :w)"; 150].join(" OR ");
    let mut conditional = set("SET q = :v", "NONE");
    conditional["ConditionExpression"] = condition.into();
    conditional["ExpressionAttributeValues"] = json!({":v": {"N": "1"}, ":w": {"N": "-1"}});
    server.refuse("UpdateItem", &update(2, conditional), "ConditionalCheckFailed");
    server.call(
        "DeleteItem",
        &json!({"TableName": "table", "Key": key(1), "ReturnValues": "ALL_OLD"}),
    );
}

#[test]
fn writes_of_many_items() {
    let server = Server::new();
    let item = |number| with_key(number, members(4_000));
    let puts: Vec<Value> =
        (0..25).map(|number| json!({"PutRequest": {"Item": item(number)}})).collect();
    server.call("BatchWriteItem", &json!({"RequestItems": {"table": puts}}));
    let puts: Vec<Value> =
        (0..15).map(|at| json!({"Put": {"TableName": "table", "Item": item(100 + at)}})).collect();
    server.call("TransactWriteItems", &json!({"TransactItems": puts}));
    let change = |number: usize| {
        let mut change = update(number, json!({"UpdateExpression": "SET q = a00001"}));
        change["TableName"] = "table".into();
        json!({"Update": change})
    };
    let changes: Vec<Value> = (0..25).map(change).collect();
    server.call("TransactWriteItems", &json!({"TransactItems": changes}));
    let many: Vec<Value> =
        (0..10_000).map(|at| json!({"Delete": {"TableName": "table", "Key": key(at)}})).collect();
    server.refuse(
        "TransactWriteItems",
        &json!({"TransactItems": many}),
        "less than or equal to 100",
    );
}

#[test]
fn reads_of_large_items() {
    let server = Server::new();
    for number in 0..6 {
        server.call("PutItem", &put(&wide_item(number)));
    }
    server.call("PutItem", &put(&long_item(6)));
    server.call("GetItem", &json!({"TableName": "table", "Key": key(1)}));
    let paths: Vec<String> = (0..400).map(|at| format!("x[{}]", at * 100)).collect();
    let projected =
        json!({"TableName": "table", "Key": key(6), "ProjectionExpression": paths.join(",")});
    server.call("GetItem", &projected);
    let keys: Vec<Value> = (0..6).map(key).collect();
    server.call("BatchGetItem", &json!({"RequestItems": {"table": {"Keys": keys}}}));
    let gets: Vec<Value> =
        (0..6).map(|number| json!({"Get": {"TableName": "table", "Key": key(number)}})).collect();
    server.call("TransactGetItems", &json!({"TransactItems": gets}));
    let names: Vec<String> = (0..50_000).map(|at| format!("a{at}")).collect();
    server.call("GetItem", &json!({"TableName": "table", "Key": key(1), "AttributesToGet": names}));
    let filter = vec!["contains(a00001, :v)"; 100].join(" OR ");
    let page = json!({
        "TableName": "table",
        "FilterExpression": filter,
        "ExpressionAttributeValues": {":v": {"S": "-"}},
    });
    server.call("Scan", &page);
    server.call("Scan", &json!({"TableName": "table"}));
}

#[test]
fn the_largest_bodies() {
    let server = Server::new();
    let strings = vec![r#""a string","#; BODY_BYTES / 11].concat();
    let list = format!(r#""Unknown":[{}0]"#, strings.get(..BODY_BYTES / 11 * 11 - 11_000).unwrap());
    let long = format!(r#""Unknown":"{}""#, "x".repeat(BODY_BYTES - 10_000));
    let seeds = seeds();
    for seed in seeds.iter().filter(|seed| seed.action == "CreateTable") {
        server.call(&seed.action, &seed.request);
    }
    let mut targets: Vec<String> = monotable_api::targets().collect();
    // The tables of the others are there until the end.
    targets.sort_by_key(|target| target.ends_with(".DeleteTable"));
    for target in targets {
        let seed = seeds.iter().find(|seed| target.ends_with(&format!(".{}", seed.action)));
        let seed = seed.unwrap_or_else(|| panic!("crates/workload/seeds.json has no {target}"));
        let request = seed.request.to_string();
        let members = request.strip_suffix('}').unwrap();
        let comma = if members == "{" { "" } else { "," };
        for unknown in [&list, &long] {
            let body = format!("{members}{comma}{unknown}}}");
            assert!((LARGE_BYTES..=BODY_BYTES).contains(&body.len()), "{} bytes", body.len());
            // Refused or not, it was read to its end.
            drop(server.watch(&target, || server.harness.send(&target, body.as_bytes())));
        }
    }
}

#[test]
fn pages_of_streams() {
    let server = Server::new();
    for number in 0..4 {
        server.call("PutItem", &put(&wide_item(number)));
        server.call("PutItem", &put(&with_key(number, members(20_000))));
    }
    for start in (0..1_000).step_by(25) {
        let puts: Vec<Value> =
            (start..start + 25).map(|at| json!({"PutRequest": {"Item": key(100 + at)}})).collect();
        server.call("BatchWriteItem", &json!({"RequestItems": {"table": puts}}));
    }
    let streams = |operation: &str| format!("DynamoDBStreams_20120810.{operation}");
    let listed = server.call(&streams("ListStreams"), &json!({"TableName": "table"}));
    let arn = &listed["Streams"][0]["StreamArn"];
    let described = server.call(&streams("DescribeStream"), &json!({"StreamArn": arn}));
    let mut records = 0;
    for shard in described["StreamDescription"]["Shards"].as_array().unwrap() {
        let start = json!({
            "StreamArn": arn,
            "ShardId": shard["ShardId"],
            "ShardIteratorType": "TRIM_HORIZON",
        });
        let mut iterator =
            server.call(&streams("GetShardIterator"), &start)["ShardIterator"].clone();
        loop {
            let page = server.call(&streams("GetRecords"), &json!({"ShardIterator": iterator}));
            let found = page["Records"].as_array().unwrap().len();
            records += found;
            iterator = page["NextShardIterator"].clone();
            if found == 0 {
                break;
            }
        }
    }
    assert_eq!(records, 1_008);
}

#[test]
fn pages_of_many_small_items() {
    let server = Server::new();
    for start in (0..6_000).step_by(25) {
        let puts: Vec<Value> =
            (start..start + 25).map(|at| json!({"PutRequest": {"Item": key(at)}})).collect();
        server.call("BatchWriteItem", &json!({"RequestItems": {"table": puts}}));
    }
    let query = |mut changes: Value| {
        let mut request = json!({
            "TableName": "table",
            "KeyConditionExpression": "p = :p",
            "ExpressionAttributeValues": {":p": {"S": "p"}},
        });
        request.as_object_mut().unwrap().append(changes.as_object_mut().unwrap());
        request
    };
    assert_eq!(server.call("Query", &query(json!({})))["Count"], 6_000);
    let counted = query(json!({"Select": "COUNT", "ScanIndexForward": false}));
    assert_eq!(server.call("Query", &counted)["Count"], 6_000);
    let filter = vec!["q = :p"; 100].join(" OR ");
    assert_eq!(server.call("Query", &query(json!({"FilterExpression": filter})))["Count"], 0);
    let index = json!({"TableName": "table", "IndexName": "index"});
    assert_eq!(server.call("Scan", &index)["Count"], 6_000);
}

#[test]
fn definitions_of_tables() {
    let server = Server::new();
    let mut request = table("other");
    let index = |number: usize| {
        json!({
            "IndexName": format!("index{number}"),
            "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        })
    };
    request["GlobalSecondaryIndexes"] = (0..10_000).map(index).collect();
    server.refuse("CreateTable", &request, "count exceeds the per-table limit of 20");
    let delete = |number| json!({"Delete": {"IndexName": format!("index{number}")}});
    let updates: Vec<Value> = (0..10_000).map(delete).collect();
    let request = json!({"TableName": "table", "GlobalSecondaryIndexUpdates": updates});
    server.refuse("UpdateTable", &request, "Only 1 online index can be created or deleted");
    let inner = vec![json!({"IndexName": "ab"}); 1_000];
    let region = json!({"RegionName": "r", "ReplicaGlobalSecondaryIndexSettingsUpdate": inner});
    let request = json!({"GlobalTableName": "table", "ReplicaSettingsUpdate": vec![region; 100]});
    server.refuse("UpdateGlobalTableSettings", &request, "10 validation errors detected");
    let headers = vec!["a"; 1_000_000];
    let request = json!({"InputFormatOptions": {"Csv": {"HeaderList": headers}}});
    server.refuse("ImportTable", &request, "validation errors detected");
    let long = "a".repeat(4_000_000);
    for (operation, member) in [
        ("DescribeTable", "TableName"),
        ("DeleteTable", "TableName"),
        ("ListTables", "ExclusiveStartTableName"),
        ("DescribeTimeToLive", "TableName"),
        ("UpdateTimeToLive", "TableName"),
        ("NoOperation", "TableName"),
    ] {
        server.refuse(operation, &json!({member: long}), "");
    }
}

/// Fifty alternatives, each of which must go with everything else that is asked of the sort key.
#[test]
fn a_statement_with_many_comparisons_of_the_sort_key_is_planned_at_once() {
    let server = Server::new();
    let numbers: Vec<String> = (0..50).map(|number| number.to_string()).collect();
    let comparisons: String = (1..145).map(|number| format!(" AND s > -{number}")).collect();
    let statement = format!(
        "SELECT * FROM \"table\" WHERE p = 'p' AND s IN [{}]{comparisons}",
        numbers.join(", ")
    );
    server.call("ExecuteStatement", &json!({"Statement": statement}));
}
