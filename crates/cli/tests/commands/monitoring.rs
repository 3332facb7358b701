//! What a server that runs logs, audits, counts and traces, and what none of that ever shows.
use crate::support;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{ChildStderr, Command, Stdio};

use crate::collector::Collector;
use crate::support::{Server, monotable, run_to_error};
use serde_json::{Value, json};

fn command(arguments: &[&str]) -> Command {
    monotable(&[&["serve", "--port", "0", "--in-memory"], arguments].concat())
}

fn start_with_log(mut command: Command) -> (Server, ChildStderr) {
    let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let log = process.stderr.take().unwrap();
    (Server::of(process), log)
}

/// Stops a server, and gives what it logged.
fn stop(server: Server, mut log: ChildStderr) -> String {
    server.signal("TERM");
    assert!(server.wait().0.success());
    let mut text = String::new();
    log.read_to_string(&mut text).unwrap();
    text
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn audit_lines(file: &Path) -> Vec<Value> {
    lines(&fs::read_to_string(file).unwrap())
}

fn put(server: &Server, id: &str) {
    let item = json!({ "id": { "S": id }, "text": { "S": "secret-value" } });
    server.call("PutItem", &json!({ "TableName": "posts", "Item": item }));
}

#[test]
fn slow_requests_are_logged_as_json_with_names_and_numbers() {
    let arguments = ["--slow-requests", "1ns", "--log-format", "json"];
    let (server, log) = start_with_log(command(&arguments));
    server.create_table("posts", &json!({}));
    put(&server, "1");
    let log = lines(&stop(server, log));
    let is_put = |line: &&Value| line["operation"] == "PutItem";
    let line = log.iter().find(is_put).expect("the call is slow");
    assert_eq!((&line["level"], &line["message"]), (&json!("WARN"), &json!("a slow request")));
    assert_eq!((&line["tables"], &line["units"]), (&json!("posts"), &json!(1.0)));
    assert_eq!(line["status"], 200);
    assert_eq!(line["request_id"].as_str().unwrap().len(), 52);
    assert!(line["milliseconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn every_call_is_a_line_of_the_audit_log_with_who_what_and_whether_it_was_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("audit.jsonl");
    let (server, log) =
        start_with_log(command(&["--audit", file.to_str().unwrap(), "--audit-keys"]));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    server.create_table("posts", &json!({}));
    put(&server, "1");
    let absent = json!({ "TableName": "absent", "Key": { "id": { "S": "1" } } });
    assert_eq!(server.try_call("GetItem", &absent.to_string()).0, 400);
    stop(server, log);
    let lines = audit_lines(&file);
    let line = lines.iter().find(|line| line["action"] == "dynamodb:PutItem").unwrap();
    assert_eq!((&line["outcome"], &line["status"]), (&json!("allowed"), &json!(200)));
    assert_eq!(line["tables"], json!(["posts"]));
    assert_eq!(line["keys"], json!([{ "table": "posts", "key": { "id": { "S": "1" } } }]));
    assert!(line["source"].as_str().unwrap().starts_with("127.0.0.1:"));
    let line = lines.iter().find(|line| line["action"] == "dynamodb:GetItem").unwrap();
    assert_eq!((&line["outcome"], &line["status"]), (&json!("refused"), &json!(400)));
    assert_eq!(line["error"], "ResourceNotFoundException");
    // Of a table that is not there nobody knows what its key is.
    assert_eq!((&line["tables"], line.get("keys")), (&json!(["absent"]), None));
}

#[test]
fn the_audit_log_goes_on_in_a_new_file_after_sighup() {
    let directory = tempfile::tempdir().unwrap();
    let (file, moved) = (directory.path().join("audit.jsonl"), directory.path().join("old.jsonl"));
    let server = Server::start(command(&["--audit", file.to_str().unwrap()]));
    server.create_table("first", &json!({}));
    fs::rename(&file, &moved).unwrap();
    server.signal("HUP");
    while !file.exists() {}
    server.call("DescribeTable", &json!({ "TableName": "first" }));
    server.signal("TERM");
    assert!(server.wait().0.success());
    assert!(audit_lines(&moved).iter().any(|line| line["action"] == "dynamodb:CreateTable"));
    let actions: Vec<Value> =
        audit_lines(&file).into_iter().map(|line| line["action"].clone()).collect();
    assert_eq!(actions, ["dynamodb:DescribeTable"]);
}

#[test]
fn the_audit_log_can_be_standard_output() {
    let server = Server::start(command(&["--audit", "-"]));
    server.call("ListTables", &json!({}));
    server.signal("TERM");
    let (status, printed) = server.wait();
    assert!(status.success());
    let line: Value = serde_json::from_str(printed.lines().next().unwrap()).unwrap();
    assert_eq!(line["action"], "dynamodb:ListTables");
}

#[cfg(target_os = "linux")]
#[test]
fn calls_are_refused_while_a_required_audit_log_cannot_be_written() {
    // A file that never has room.
    let server = Server::start(command(&["--audit", "/dev/full", "--audit-required"]));
    let listed = || server.try_call("ListTables", "{}");
    let refused = std::iter::repeat_with(listed).find(|(status, _)| *status != 200).unwrap();
    assert_eq!(refused.0, 503, "{}", refused.1);
    assert_eq!(listed().0, 503);
    let lenient = Server::start(command(&["--audit", "/dev/full"]));
    assert!((0..50).all(|_| lenient.try_call("ListTables", "{}").0 == 200));
}

#[test]
fn an_audit_log_that_cannot_be_opened_is_an_error_at_the_start() {
    let error = run_to_error(&[
        "serve",
        "--port",
        "0",
        "--in-memory",
        "--audit",
        "/nonexistent/audit.jsonl",
    ]);
    assert!(error.contains("/nonexistent/audit.jsonl"), "{error}");
}

#[test]
fn spans_are_sent_to_the_collector() {
    let collector = Collector::start();
    let url = collector.url();
    let server = Server::start(command(&["--traces", &url, "--trace-sample", "1"]));
    server.call("ListTables", &json!({}));
    let (line, body) = collector.next();
    assert_eq!(line, "POST /v1/traces HTTP/1.1");
    let body: Value = serde_json::from_str(&body).unwrap();
    let span = &body["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
    assert_eq!((&span["name"], &span["kind"]), (&json!("DynamoDB.ListTables"), &json!(2)));
    assert_eq!(span["traceId"].as_str().unwrap().len(), 32);
    let sent = "monotable_trace_spans_sent_total 1";
    while !server.get("/_monotable/metrics").1.contains(sent) {}
}

#[test]
fn a_collector_that_is_not_there_costs_nothing_but_its_spans() {
    let arguments = ["--traces", "http://127.0.0.1:9", "--trace-sample", "1"];
    let (server, log) = start_with_log(command(&arguments));
    server.call("ListTables", &json!({}));
    let dropped = "monotable_trace_spans_dropped_total 1";
    while !server.get("/_monotable/metrics").1.contains(dropped) {}
    assert!(stop(server, log).contains("traces cannot be sent"));
}

#[test]
fn a_server_with_data_on_disk_tells_how_its_store_is_doing() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = monotable(&["serve", "--port", "0", "--disk-reserve", "1kB", "--data"]);
    command.arg(directory.path());
    let server = Server::start(command);
    server.create_table("posts", &json!({}));
    put(&server, "1");
    let (status, page) = server.get("/_monotable/metrics");
    assert_eq!(status, 200);
    for part in [
        "monotable_storage_writable 1\n",
        "monotable_storage_disk_reserve_bytes 1000\n",
        "monotable_journal_sync_duration_seconds_count ",
        "monotable_journal_group_size_count ",
        "process_resident_memory_bytes ",
    ] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
}

#[test]
fn writes_are_refused_before_the_disk_is_full_and_the_server_says_so() {
    let directory = tempfile::tempdir().unwrap();
    // No disk has as much room as is to be left free here.
    let mut command = monotable(&["serve", "--port", "0", "--disk-reserve", "9999999TB", "--data"]);
    command.arg(directory.path());
    let (server, log) = start_with_log(command);
    let table = json!({
        "TableName": "posts",
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{ "AttributeName": "id", "AttributeType": "S" }],
        "KeySchema": [{ "AttributeName": "id", "KeyType": "HASH" }],
    });
    let (status, answer) = server.try_call("CreateTable", &table.to_string());
    assert_eq!(status, 503, "{answer}");
    let (status, answer) = server.get("/_monotable/ready");
    assert_eq!(status, 503);
    assert!(answer.contains("refuses-writes") && answer.contains("--disk-reserve"), "{answer}");
    assert_eq!(server.get("/_monotable/health").0, 200);
    assert!(server.get("/_monotable/metrics").1.contains("monotable_storage_writable 0\n"));
    server.call("ListTables", &json!({}));
    let endpoint = format!("http://{}", server.address());
    let check = support::run(&["healthcheck", "--ready", "--endpoint", &endpoint]);
    assert_eq!(check.status.code(), Some(1), "{check:?}");
    assert!(stop(server, log).contains("the disk is nearly full"));
}

/// A marker in every place where a client can put a value. None of it may be shown anywhere.
#[test]
fn no_value_is_ever_shown() {
    const MARKER: &str = "zebra-marker-4711";
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("audit.jsonl");
    let collector = Collector::start();
    let url = collector.url();
    let (server, log) = start_with_log(command(&[
        "--log",
        "trace",
        "--log-format",
        "json",
        "--slow-requests",
        "1ns",
        "--audit",
        file.to_str().unwrap(),
        "--audit-keys",
        "--traces",
        &url,
        "--trace-sample",
        "1",
    ]));
    server.create_table("posts", &json!({}));
    let key = json!({ "id": { "S": "1" } });
    let item = json!({ "id": { "S": "1" }, "text": { "S": MARKER } });
    let values = json!({ ":v": { "S": MARKER } });
    for (operation, body) in [
        ("PutItem", json!({ "TableName": "posts", "Item": item })),
        ("PutItem", json!({ "TableName": "posts", "Item": { "text": { "S": MARKER } } })),
        (
            "PutItem",
            json!({ "TableName": "posts", "Item": item,
            "ConditionExpression": "text <> :v", "ExpressionAttributeValues": values }),
        ),
        (
            "GetItem",
            json!({ "TableName": "posts", "Key": { "id": { "S": "1" }, "text": { "S": MARKER } } }),
        ),
        ("GetItem", json!({ "TableName": "posts", "Key": key })),
        (
            "UpdateItem",
            json!({ "TableName": "posts", "Key": key,
            "UpdateExpression": "SET text = :v", "ExpressionAttributeValues": values }),
        ),
        (
            "Query",
            json!({ "TableName": "posts", "KeyConditionExpression": "id = :v",
            "ExpressionAttributeValues": values }),
        ),
        (
            "Scan",
            json!({ "TableName": "posts", "FilterExpression": "text = :v",
            "ExpressionAttributeValues": values }),
        ),
        (
            "BatchWriteItem",
            json!({ "RequestItems": { "posts": [{ "PutRequest": { "Item": item } }] } }),
        ),
        (
            "TransactWriteItems",
            json!({ "TransactItems": [
            { "Put": { "TableName": "posts", "Item": item } },
            { "ConditionCheck": { "TableName": "posts", "Key": { "id": { "S": "2" } },
                "ConditionExpression": "text = :v", "ExpressionAttributeValues": values } },
        ] }),
        ),
        ("PutItem", json!({ "TableName": "absent", "Item": item })),
    ] {
        server.try_call(operation, &body.to_string());
    }
    server.try_call("PutItem", &format!("{{\"TableName\":\"posts\",\"Item\":\"{MARKER}"));
    let metrics = server.get("/_monotable/metrics").1;
    let mut traces = String::new();
    while traces.matches("aws.request_id").count() < 13 {
        traces.push_str(&collector.next().1);
    }
    let log = stop(server, log);
    let audit = fs::read_to_string(&file).unwrap();
    assert!(audit_lines(&file).len() >= 13 && log.contains("a slow request"));
    for (name, text) in [("metrics", metrics), ("log", log), ("audit", audit), ("traces", traces)] {
        assert!(!text.contains(MARKER), "the {name} has a value: {text}");
    }
}
