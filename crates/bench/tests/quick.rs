//! A quick run: every workload on every server, checked but not timed.

use std::process::Command;

use serde_json::Value;

const WORKLOADS: [&str; 8] = [
    "get-item",
    "query",
    "index-query",
    "scan",
    "update-item",
    "put-item",
    "transact-write-items",
    "batch-write-item",
];
const SERVERS: [&str; 4] = ["fixed", "parsing", "memory", "durable"];

fn bench(arguments: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_monotable-bench")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_workload_runs_on_every_server() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap();
    let text = bench(&["--quick", "--output", "json", "--data", data]);
    let report: Value = serde_json::from_str(&text).unwrap();
    for workload in WORKLOADS {
        for connections in [1, 16] {
            for server in SERVERS {
                let is_asked = |result: &&Value| {
                    result["workload"] == workload
                        && result["connections"] == connections
                        && result["server"] == server
                };
                let found = report["results"].as_array().unwrap().iter().filter(is_asked).count();
                assert_eq!(found, 1, "{workload}, {connections}, {server}");
            }
        }
    }
    assert!(report["footprint"]["start_ms"]["median"].as_f64().unwrap() > 0.0);
    assert!(report["footprint"]["binary_mb"].as_f64().unwrap() > 0.0);
    assert_eq!(std::fs::read_dir(data).unwrap().count(), 0, "the servers' data is removed");
}

#[test]
fn the_table_holds_what_was_asked_for_and_no_more() {
    let table = bench(&[
        "--quick",
        "--workload",
        "get-item",
        "--connections",
        "2",
        "--server",
        "parsing,memory",
    ]);
    let rows: Vec<&str> =
        table.lines().skip_while(|line| *line != "GetItem, 2 connections").skip(2).collect();
    let names: Vec<&str> = rows.iter().filter_map(|row| row.trim().split("  ").next()).collect();
    assert_eq!(names, ["reference, parsing", "monotable, in memory"], "{table}");
}

#[test]
fn writes_are_compared_without_and_with_a_stream() {
    let text = bench(&["stream", "--quick", "--server", "memory", "--connections", "2"]);
    let workloads = ["PutItem", "UpdateItem with condition"];
    for workload in workloads {
        let heading = format!("{workload}, 2 connections, monotable, in memory");
        assert!(text.lines().any(|line| line == heading), "{text}");
    }
    assert_eq!(text.matches("\n  with a stream, of without: ").count(), workloads.len(), "{text}");
}

#[test]
fn a_sweep_removes_what_is_due_beside_a_load() {
    let text = bench(&["ttl-sweep", "--quick", "--due-interval", "4"]);
    assert_eq!(text.matches(": 500 items removed in ").count(), 2, "{text}");
    for row in ["GetItem before", "GetItem during", "PutItem during", "PutItem after"] {
        assert_eq!(text.matches(row).count(), 2, "{text}");
    }
}
