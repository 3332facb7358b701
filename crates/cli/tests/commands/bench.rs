//! Load on an endpoint: what it finds, and that it leaves nothing behind.

use crate::guarded::Guarded;
use crate::support::{Server, run, run_to_error};
use serde_json::{Value, json};

fn endpoint(server: &Server) -> String {
    format!("http://{}", server.address())
}

/// Runs a short `monotable bench` on a server; gives what it prints.
#[track_caller]
fn bench(server: &Server, arguments: &[&str]) -> String {
    let endpoint = endpoint(server);
    let short = ["bench", "--endpoint", &endpoint, "--seconds", "0.05", "--items", "100"];
    let output = run(&[&short, arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn tables(server: &Server) -> Value {
    server.call("ListTables", &json!({}))["TableNames"].clone()
}

#[test]
fn every_workload_is_measured_and_the_tables_are_deleted() {
    let server = Server::in_memory();
    let workloads = "get-item,scan,batch-get-item,mixed,put-item-stream,put-item-indexes";
    let text =
        bench(&server, &["--workload", workloads, "--connections", "1,2", "--output", "json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let results = report["results"].as_array().unwrap();
    assert_eq!(results.len(), 12);
    assert!(results.iter().all(|result| result["requests"].as_u64().unwrap() > 0), "{text}");
    assert_eq!(tables(&server), json!([]));
}

#[test]
fn at_a_rate_the_table_says_what_was_asked_and_achieved() {
    let server = Server::in_memory();
    let text = bench(&server, &["--workload", "get-item", "--rate", "100,200"]);
    assert!(text.contains("asked/s") && text.contains("achieved/s"), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("GetItem")).count(), 2, "{text}");
}

#[test]
fn tables_that_are_kept_are_never_written_over() {
    let server = Server::in_memory();
    bench(&server, &["--workload", "get-item", "--keep"]);
    assert_eq!(tables(&server), json!(["monotable-bench"]));
    let endpoint = endpoint(&server);
    let error = run_to_error(&["bench", "--endpoint", &endpoint, "--workload", "get-item"]);
    assert!(error.contains("there is a table monotable-bench already"), "{error}");
    assert_eq!(tables(&server), json!(["monotable-bench"]));
    bench(&server, &["--workload", "get-item", "--table-prefix", "other-"]);
}

#[test]
fn endpoints_that_cannot_be_measured_are_refused() {
    let error = run_to_error(&["bench", "--endpoint", "http://127.0.0.1:1"]);
    assert!(error.contains("cannot connect to 127.0.0.1:1"), "{error}");
}

#[test]
fn a_server_that_encrypts_and_verifies_signatures_can_be_measured() {
    let server = Guarded::start(&["--policy", "AmazonDynamoDBFullAccess"]);
    let short = ["bench", "--seconds", "0.05", "--items", "25", "--workload", "get-item"];
    let signed = server.command_with_key(&short).arg("--sign").output().unwrap();
    assert_eq!(signed.status.code(), Some(0), "{signed:?}");
    let unsigned = server.command_with_key(&short).output().unwrap();
    assert_eq!(unsigned.status.code(), Some(2), "{unsigned:?}");
    let without_key = server.command(&short).arg("--sign").output().unwrap();
    let error = String::from_utf8(without_key.stderr).unwrap();
    assert!(error.contains("--sign needs credentials"), "{error}");
}
