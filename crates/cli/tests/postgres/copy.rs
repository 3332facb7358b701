//! Stores are copied from a directory into PostgreSQL and back, whole.

use std::path::Path;

use serde_json::{Value, json};

use crate::session::{Session, schema_of};
use crate::support::{Server, monotable, run, run_to_error, stream_of};
use crate::{new_store, run_for_json, serve, stop};

const ITEMS: usize = 30;

/// Makes a table with a stream and items.
fn fill(server: &Server) {
    server.create_table("orders", &stream_of("NEW_AND_OLD_IMAGES"));
    for number in 0..ITEMS {
        put(server, number);
    }
}

fn put(server: &Server, number: usize) {
    let item = json!({ "id": { "S": number.to_string() }, "text": { "S": "x".repeat(number) } });
    server.call("PutItem", &json!({ "TableName": "orders", "Item": item }));
}

fn scan(server: &Server) -> Value {
    server.call("Scan", &json!({ "TableName": "orders", "ConsistentRead": true }))
}

/// The sequence numbers of all records of the stream, in order.
fn sequence_numbers(server: &Server) -> Vec<String> {
    let table = server.call("DescribeTable", &json!({ "TableName": "orders" }));
    let arn = &table["Table"]["LatestStreamArn"];
    let call = |operation: &str, body: Value| {
        let (status, answer) = server.try_call_stream(operation, &body.to_string());
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str::<Value>(&answer).unwrap()
    };
    let described = call("DescribeStream", json!({ "StreamArn": arn }));
    let shards = described["StreamDescription"]["Shards"].as_array().unwrap().clone();
    let mut numbers = Vec::new();
    for shard in shards {
        let iterator = call(
            "GetShardIterator",
            json!({ "StreamArn": arn, "ShardId": shard["ShardId"],
                    "ShardIteratorType": "TRIM_HORIZON" }),
        );
        let records = call("GetRecords", json!({ "ShardIterator": iterator["ShardIterator"] }));
        for record in records["Records"].as_array().unwrap() {
            numbers.push(record["dynamodb"]["SequenceNumber"].as_str().unwrap().to_owned());
        }
    }
    numbers.sort_unstable();
    numbers
}

fn copy(from: &str, to: &str) -> Value {
    let copied = run_for_json(&["store", "copy", from, to]);
    assert_eq!((&copied["same"], &copied["from"]), (&json!(true), &copied["to"]));
    copied
}

fn path(directory: &Path) -> &str {
    directory.to_str().unwrap()
}

#[test]
fn a_store_moves_into_postgresql_and_back_with_everything_in_it() {
    let directory = tempfile::tempdir().unwrap();
    let (first, second) = (directory.path().join("first"), directory.path().join("second"));
    let server = Server::on(&first);
    fill(&server);
    let (items, numbers) = (scan(&server), sequence_numbers(&server));
    assert_eq!(numbers.len(), ITEMS);
    stop(server);

    let address = new_store();
    let copied = copy(path(&first), &address);
    assert!(copied["from"]["entries"]["count"].as_u64().unwrap() > ITEMS as u64);
    assert_eq!(copied["from"]["logEntries"]["count"], ITEMS);
    assert_eq!(run_for_json(&["store", "check", &address])["sound"], true);
    let server = serve(&address);
    assert_eq!(scan(&server)["Count"], items["Count"]);
    assert_eq!(sequence_numbers(&server), numbers);
    // What comes later comes later in the stream too.
    put(&server, ITEMS);
    let more = sequence_numbers(&server);
    assert!(more.len() == ITEMS + 1 && more.last() > numbers.last(), "{more:?}");
    stop(server);

    copy(&address, path(&second));
    assert_eq!(run_for_json(&["check", path(&second)])["sound"], true);
    let server = Server::on(&second);
    assert_eq!(sequence_numbers(&server), more);
    put(&server, ITEMS + 1);
    let most = sequence_numbers(&server);
    assert!(most.len() == ITEMS + 2 && most.last() > more.last(), "{most:?}");
}

#[test]
fn a_copy_goes_into_an_empty_store_only_and_comes_from_one_that_is_there() {
    let directory = tempfile::tempdir().unwrap();
    let first = directory.path().join("first");
    let server = Server::on(&first);
    server.create_table("orders", &json!({}));
    let address = new_store();
    let error = run_to_error(&["store", "copy", path(&first), &address]);
    assert!(error.contains("stop the server that uses it"), "{error}");
    stop(server);
    let nowhere = directory.path().join("nowhere");
    let error = run_to_error(&["store", "copy", path(&nowhere), &address]);
    assert!(error.contains("is no data directory of monotable"), "{error}");
    assert!(!nowhere.exists());
    let error = run_to_error(&["store", "copy", &address, path(&first)]);
    assert!(error.contains("is not empty; give a new or an empty directory"), "{error}");
    let output = run(&["store", "copy", path(&first), &address]);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.ends_with("the copy is the same\n"), "{printed}");
    let error = run_to_error(&["store", "copy", path(&first), &address]);
    assert!(error.contains("the store to copy into is not empty"), "{error}");
}

/// A copy that is killed as soon as something is so, at the latest when it waits.
fn kill_copy_when(is_so: impl Fn() -> bool, from: &str, to: &str) {
    let mut copying = monotable(&["store", "copy", from, to]).spawn().unwrap();
    while !is_so() {
        assert_eq!(copying.try_wait().unwrap(), None, "it waits");
    }
    copying.kill().unwrap();
    copying.wait().unwrap();
}

#[test]
fn a_copy_into_postgresql_that_is_interrupted_is_no_store() {
    let directory = tempfile::tempdir().unwrap();
    let first = directory.path().join("first");
    let server = Server::on(&first);
    fill(&server);
    stop(server);
    let address = new_store();
    let session = Session::of(&address);
    // Whoever writes an entry waits, so the copy begins and does not end.
    let blocker = Session::of(&address);
    blocker.ask(
        "select pg_advisory_lock(42); \
         create function wait() returns trigger language plpgsql as \
         $$ begin perform pg_advisory_xact_lock(42); return new; end $$; \
         create trigger wait before insert on kv for each row execute function wait()",
    );
    let is_marked = || session.ask("select floor > 1000 from format") == "t";
    kill_copy_when(is_marked, path(&first), &address);
    drop(blocker);
    assert_eq!(run_for_json(&["store", "status", &address])["unfinished"], true);
    let schema = schema_of(&address);
    for command in [
        &["serve", "--port", "0", "--store", &address][..],
        &["store", "check", &address],
        &["store", "copy", path(&first), &address],
    ] {
        let error = run_to_error(command);
        let expected = format!("not finished; remove it with drop schema {schema} cascade, make");
        assert!(error.contains(&expected), "{error}");
    }
    session.ask(&format!("drop schema {schema} cascade"));
    assert!(run(&["store", "init", &address]).status.success());
    copy(path(&first), &address);
    assert_eq!(run_for_json(&["store", "status", &address])["unfinished"], false);
    stop(serve(&address));
}

#[test]
fn a_copy_into_a_directory_that_is_interrupted_is_no_store() {
    let directory = tempfile::tempdir().unwrap();
    let second = directory.path().join("second");
    let unfinished = directory.path().join("second.unfinished");
    let address = new_store();
    let server = serve(&address);
    fill(&server);
    stop(server);
    // The store opens, since its statements can be prepared, and whoever reads an entry waits.
    let blocker = Session::of(&address);
    blocker.ask(
        "select pg_advisory_lock(42); \
         create function wait() returns boolean language plpgsql as \
         $$ begin perform pg_advisory_xact_lock_shared(42); return true; end $$; \
         alter table kv rename to kv_held; \
         create view kv as select * from kv_held where wait()",
    );
    std::fs::create_dir(&second).unwrap();
    let has_begun = || unfinished.read_dir().is_ok_and(|mut entries| entries.next().is_some());
    kill_copy_when(has_begun, &address, path(&second));
    drop(blocker);
    assert!(!second.exists());
    let error = run_to_error(&["store", "copy", &address, path(&second)]);
    assert!(error.contains("second.unfinished is left of a copy that was interrupted"), "{error}");
    std::fs::remove_dir_all(&unfinished).unwrap();
    copy(&address, path(&second));
    assert!(second.exists() && !unfinished.exists());
    stop(Server::on(&second));
}
