//! `monotable tail` prints changes as they happen.
use crate::support;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Stdio};

use crate::support::{Server, monotable, run_to_error};
use serde_json::{Value, json};

/// A tail under way. It is killed when this is dropped.
struct Tail {
    process: Child,
    lines: BufReader<ChildStdout>,
}

impl Tail {
    fn start(server: &Server, arguments: &[&str]) -> Tail {
        let endpoint = format!("http://{}", server.address());
        let mut command =
            monotable(&[&["tail", "likes", "--endpoint", &endpoint], arguments].concat());
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap());
        Tail { process, lines }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line
    }

    fn signal(&self, name: &str) {
        support::signal(&self.process, name);
    }
}

impl Drop for Tail {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn server() -> Server {
    let start = "2026-01-01T00:00:00Z";
    let server = Server::start(monotable(&[
        "serve",
        "--port",
        "0",
        "--in-memory",
        "--clock",
        "manual",
        "--clock-start",
        start,
    ]));
    server.create_table("likes", &support::stream_of("NEW_AND_OLD_IMAGES"));
    server
}

fn put(server: &Server, id: &str, likes: u32) {
    let item = json!({ "id": { "S": id }, "likes": { "N": likes.to_string() } });
    server.call("PutItem", &json!({ "TableName": "likes", "Item": item }));
}

fn delete(server: &Server, id: &str) {
    server.call("DeleteItem", &json!({ "TableName": "likes", "Key": { "id": { "S": id } } }));
}

#[test]
fn changes_are_lines_that_show_what_changed() {
    let server = server();
    put(&server, "a", 1);
    let mut tail = Tail::start(&server, &["--from", "trim-horizon"]);
    assert_eq!(tail.line(), "2026-01-01T00:00:00Z INSERT id=\"a\" | likes=1\n");
    put(&server, "a", 2);
    assert_eq!(tail.line(), "2026-01-01T00:00:00Z MODIFY id=\"a\" | likes: 1 → 2\n");
    delete(&server, "a");
    assert_eq!(tail.line(), "2026-01-01T00:00:00Z REMOVE id=\"a\" | likes=2\n");
}

#[test]
fn json_lines_have_the_form_that_lambda_functions_receive() {
    let server = server();
    put(&server, "a", 1);
    let mut tail = Tail::start(&server, &["--from", "trim-horizon", "--output", "json"]);
    let record: Value = serde_json::from_str(&tail.line()).unwrap();
    assert_eq!(record["eventName"], "INSERT");
    assert_eq!(record["eventSource"], "aws:dynamodb");
    assert_eq!(record["dynamodb"]["NewImage"]["likes"], json!({ "N": "1" }));
    let arn = record["eventSourceARN"].as_str().unwrap();
    assert!(arn.contains(":table/likes/stream/"), "{arn}");
}

#[test]
fn a_filter_leaves_out_what_does_not_match() {
    let server = server();
    for likes in 1..=3 {
        put(&server, "a", likes);
    }
    let pattern = r#"{"dynamodb":{"NewImage":{"likes":{"N":[{"numeric":[">",2]}]}}}}"#;
    let mut tail = Tail::start(&server, &["--from", "trim-horizon", "--filter", pattern]);
    assert!(tail.line().contains("likes: 2 → 3"));
}

#[test]
fn from_latest_leaves_out_what_was_there_before() {
    let server = server();
    put(&server, "before", 1);
    let mut tail = Tail::start(&server, &["--output", "json"]);
    // Nobody outside can see when the tail has begun, so changes go on until it prints one.
    let address = server.address();
    let writer = std::thread::spawn(move || {
        let mut likes = 0;
        while support::try_put(address, "likes", "after", likes) {
            likes += 1;
        }
    });
    assert!(tail.line().contains("after"));
    drop(tail);
    drop(server);
    writer.join().unwrap();
}

/// A manual clock that jumps a week makes every iterator expire; the tail finds its place again.
#[test]
fn a_tail_goes_on_when_its_iterators_have_expired() {
    let server = server();
    put(&server, "a", 1);
    let mut tail = Tail::start(&server, &["--from", "trim-horizon"]);
    assert!(tail.line().contains("INSERT"));
    server.advance_clock("7d");
    put(&server, "a", 2);
    assert_eq!(tail.line(), "2026-01-08T00:00:00Z MODIFY id=\"a\" | likes: 1 → 2\n");
}

#[test]
fn ctrl_c_ends_a_tail_cleanly() {
    let server = server();
    put(&server, "a", 1);
    let mut tail = Tail::start(&server, &["--from", "trim-horizon"]);
    tail.line();
    tail.signal("INT");
    assert_eq!(tail.process.wait().unwrap().code(), Some(0));
}

#[test]
fn a_closed_pipe_ends_a_tail_cleanly() {
    let server = server();
    let endpoint = format!("http://{}", server.address());
    let mut command =
        monotable(&["tail", "likes", "--from", "trim-horizon", "--endpoint", &endpoint]);
    let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(process.stdout.take());
    put(&server, "a", 1);
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn what_cannot_be_followed_is_said_with_what_to_do() {
    let server = server();
    server.create_table("silent", &json!({}));
    let endpoint = format!("http://{}", server.address());
    for (arguments, said) in [
        (["tail", "silent", "--endpoint", &endpoint], "update-table --table-name silent"),
        (["tail", "missing", "--endpoint", &endpoint], "there must be a table missing"),
        (["tail", "likes", "--endpoint", "http://127.0.0.1:1"], "monotable serve"),
        (["tail", "likes", "--endpoint", "127.0.0.1"], "is not an address"),
        (["tail", "likes", "--filter", "{}"], "the pattern is empty"),
    ] {
        let error = run_to_error(&arguments);
        assert!(error.contains(said), "{arguments:?}: {error}");
    }
}
