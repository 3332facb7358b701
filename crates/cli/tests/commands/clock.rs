//! A clock that users move: what takes a week takes a second.

use crate::support::{Server, monotable, run, run_to_error};
use serde_json::{Value, json};

const START: &str = "2026-01-01T00:00:00Z";
const START_SECS: u64 = 1_767_225_600;
const DAY_SECS: u64 = 24 * 60 * 60;

fn start() -> Server {
    let arguments =
        ["serve", "--port", "0", "--in-memory", "--clock", "manual", "--clock-start", START];
    Server::start(monotable(&arguments))
}

/// Runs `monotable clock` on a server; gives what it prints.
#[track_caller]
fn clock(server: &Server, arguments: &[&str]) -> String {
    let endpoint = format!("http://{}", server.address());
    let output = run(&[&["clock", "--endpoint", &endpoint], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn put(server: &Server, id: &str, expires_secs: u64) {
    let item = json!({ "id": { "S": id }, "expires": { "N": expires_secs.to_string() } });
    server.call("PutItem", &json!({ "TableName": "sessions", "Item": item }));
}

fn ids(server: &Server) -> Vec<String> {
    let answer = server.call("Scan", &json!({ "TableName": "sessions" }));
    let id = |item: &Value| item["id"]["S"].as_str().unwrap().to_owned();
    let mut ids: Vec<String> = answer["Items"].as_array().unwrap().iter().map(id).collect();
    ids.sort();
    ids
}

#[test]
fn a_week_of_expiry_has_passed_when_the_clock_has_been_advanced() {
    let server = start();
    server.create_table("sessions", &json!({}));
    let ttl = json!({ "Enabled": true, "AttributeName": "expires" });
    let request = json!({ "TableName": "sessions", "TimeToLiveSpecification": ttl });
    server.call("UpdateTimeToLive", &request);
    for day in 1..=7 {
        put(&server, &format!("day {day}"), START_SECS + day * DAY_SECS);
    }
    put(&server, "next week", START_SECS + 8 * DAY_SECS);
    clock(&server, &["advance", "23h"]);
    assert_eq!(ids(&server).len(), 8, "nothing is due before a day has passed");
    clock(&server, &["advance", "1h"]);
    assert!(!ids(&server).contains(&"day 1".to_owned()));
    clock(&server, &["advance", "6d"]);
    assert_eq!(ids(&server), ["next week"]);
}

#[test]
fn request_tokens_are_forgotten_by_the_clock() {
    let server = start();
    server.create_table("sessions", &json!({}));
    let put = |id: &str| {
        let item = json!({ "id": { "S": id } });
        let body = json!({
            "ClientRequestToken": "token",
            "TransactItems": [{ "Put": { "TableName": "sessions", "Item": item } }],
        });
        server.try_call("TransactWriteItems", &body.to_string())
    };
    assert_eq!(put("a").0, 200);
    assert!(put("b").1.contains("IdempotentParameterMismatch"));
    clock(&server, &["advance", "11m"]);
    assert_eq!(put("b").0, 200);
}

#[test]
fn the_clock_stands_still_until_it_is_moved() {
    let server = start();
    assert_eq!(clock(&server, &[]), "2026-01-01T00:00:00.000Z (manual)\n");
    assert_eq!(clock(&server, &["get"]), "2026-01-01T00:00:00.000Z (manual)\n");
    assert_eq!(clock(&server, &["advance", "1h 30m"]), "2026-01-01T01:30:00.000Z (manual)\n");
    assert_eq!(clock(&server, &["set", "1767312000"]), "2026-01-02T00:00:00.000Z (manual)\n");
    let endpoint = format!("http://{}", server.address());
    let error = run_to_error(&["clock", "set", START, "--endpoint", &endpoint]);
    assert!(error.contains("cannot go back"), "{error}");
}

#[test]
fn the_time_of_the_machine_is_shown_but_not_moved() {
    let server = Server::in_memory();
    assert!(clock(&server, &[]).ends_with("Z (system)\n"));
    let endpoint = format!("http://{}", server.address());
    let error = run_to_error(&["clock", "advance", "1d", "--endpoint", &endpoint]);
    assert!(error.contains("--clock manual"), "{error}");
}

#[test]
fn times_and_durations_that_make_no_sense_are_refused() {
    for (arguments, said) in [
        (&["serve", "--in-memory", "--clock-start", START][..], "needs --clock manual"),
        (&["serve", "--clock", "manual", "--clock-start", "soon"], "such as 2026-01-01T00:00:00Z"),
        (&["serve", "--ttl-interval", "0s"], "longer than nothing"),
        (&["serve", "--stream-shards", "0"], "0 is not in 1..=64"),
        (&["serve", "--stream-shard-age", "long"], "such as 250ms, 1s, 4h or 7d"),
        (&["clock", "advance", "soon"], "such as 250ms, 1s, 4h or 7d"),
        (&["clock", "--endpoint", "http://127.0.0.1:1"], "does not answer"),
    ] {
        let error = run_to_error(arguments);
        assert!(error.contains(said), "{arguments:?}: {error}");
    }
}
