//! A quick run: every workload on every server, checked but not timed.

use std::process::Command;

use serde_json::Value;

const WORKLOADS: [&str; 12] = [
    "get-item",
    "query",
    "index-query",
    "scan",
    "batch-get-item",
    "update-item",
    "put-item",
    "transact-write-items",
    "batch-write-item",
    "mixed",
    "put-item-stream",
    "put-item-indexes",
];
const CASES: [&str; 9] = [
    "queue",
    "queue-bursts",
    "table-delete",
    "ttl",
    "sparse-index",
    "stream",
    "index-change",
    "large-items",
    "bad-requests",
];
const SERVERS: [&str; 4] = ["fixed", "parsing", "memory", "durable"];

fn bench(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_monotable-bench-compare"))
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_workload_runs_on_every_server() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap();
    let saved = tempfile::tempdir().unwrap();
    let save = saved.path().to_str().unwrap();
    let text = bench(&["--quick", "--output", "json", "--data", data, "--save", save]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let results = report["results"].as_array().unwrap();
    for workload in WORKLOADS {
        // Only ours has to show what streams and indexes cost.
        let is_ours = |server: &&str| ["memory", "durable"].contains(server);
        let is_plain = !["put-item-stream", "put-item-indexes"].contains(&workload);
        for server in SERVERS.iter().filter(|server| is_plain || is_ours(server)) {
            let is_asked =
                |result: &&Value| result["workload"] == workload && result["server"] == *server;
            let found = results.iter().filter(is_asked).count();
            assert_eq!(found, 1, "{workload}, {server}");
        }
    }
    let is_bare = |result: &&Value| result["server"] == "bare" && result["workload"] == "put-item";
    assert_eq!(results.iter().filter(is_bare).count(), 1);
    assert!(report["goals"].as_array().unwrap().len() > 20);
    for name in ["results.txt", "results.json", "results.md", "requests-16.svg"] {
        assert!(saved.path().join(name).is_file(), "{name} is not saved");
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
    let rows = table.lines().skip_while(|line| *line != "GetItem, 2 connections").skip(2);
    let rows: Vec<&str> = rows.take_while(|line| !line.is_empty()).collect();
    let names: Vec<&str> = rows.iter().filter_map(|row| row.trim().split("  ").next()).collect();
    assert_eq!(names, ["reference, parsing", "monotable, in memory"], "{table}");
}

#[test]
fn latency_is_measured_at_fixed_rates() {
    let saved = tempfile::tempdir().unwrap();
    let save = saved.path().to_str().unwrap();
    let mut arguments = vec!["--quick", "--rate", "200,400", "--output", "json", "--save", save];
    arguments.extend(["--workload", "mixed", "--server", "memory", "--connections", "4"]);
    let report: Value = serde_json::from_str(&bench(&arguments)).unwrap();
    let asked = |result: &Value| result["asked_per_second"].as_f64().unwrap();
    let rates: Vec<f64> = report["results"].as_array().unwrap().iter().map(asked).collect();
    assert_eq!(rates, [200.0, 400.0]);
    assert!(saved.path().join("latency-mixed.svg").is_file());
}

#[test]
fn growth_measures_every_part() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap();
    let text = bench(&["growth", "--quick", "--fresh", "--output", "json", "--data", data]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let growth = &report["growth"];
    assert_eq!(growth["sizes"].as_array().unwrap().len(), 2);
    let fresh = |size: usize| growth["sizes"][size]["fresh"].is_object();
    assert_eq!([fresh(0), fresh(1)], [false, true], "the smallest is what others are held against");
    assert_eq!(growth["indexes"].as_array().unwrap().len(), 4);
    assert_eq!(growth["tables"]["tables"], 50);
    assert_eq!(growth["partition"]["items"], 1000);
    for kind in ["batch_write_item", "put_item", "get_item"] {
        assert!(growth["burst"][kind][0]["requests"].as_u64().unwrap() > 0, "{kind}");
    }
    assert_eq!(std::fs::read_dir(data).unwrap().count(), 0, "the servers' data is removed");
}

#[test]
fn every_case_of_churn_is_measured() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap();
    let saved = tempfile::tempdir().unwrap();
    let save = saved.path().to_str().unwrap();
    let text = bench(&["churn", "--quick", "--output", "json", "--data", data, "--save", save]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let cases = report["cases"].as_array().unwrap();
    let names: Vec<&str> = cases.iter().map(|case| case["case"].as_str().unwrap()).collect();
    assert_eq!(names, CASES);
    for case in cases {
        assert!(case["failure"].is_null(), "{case}");
        assert!(!case["rounds"][0]["figures"].as_array().unwrap().is_empty(), "{case}");
    }
    for name in ["results.md", "queue-latency.svg", "table-delete-disk.svg", "ttl-memory.svg"] {
        assert!(saved.path().join(name).is_file(), "{name} is not saved");
    }
    assert_eq!(std::fs::read_dir(data).unwrap().count(), 0, "the servers' data is removed");
}

#[test]
fn tails_are_measured_at_shares_of_the_peak() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap();
    let mut arguments = vec!["tails", "--quick", "--no-redis", "--output", "json", "--data", data];
    arguments.extend(["--medium", "disk", "--case", "put-item,get-item,mixed"]);
    let report: Value = serde_json::from_str(&bench(&arguments)).unwrap();
    let tails = report["tails"].as_array().unwrap();
    let shares: Vec<f64> =
        tails.iter().map(|tail| tail["share_percent"].as_f64().unwrap()).collect();
    assert_eq!(shares, [20.0, 50.0, 80.0].repeat(3));
    assert_eq!(report["peaks"].as_array().unwrap().len(), 3);
    assert!(report["syncs_alone"]["count"].as_u64().unwrap() > 0);
    assert!(tails.iter().all(|tail| tail["syncs"]["count"].as_u64().unwrap() > 0));
    assert_eq!(std::fs::read_dir(data).unwrap().count(), 0, "the servers' data is removed");
}

#[test]
fn writes_are_compared_without_and_with_a_stream() {
    let text = bench(&["stream", "--quick", "--server", "memory", "--connections", "2"]);
    let workloads = ["PutItem", "UpdateItem with condition"];
    for workload in workloads {
        let heading = format!("{workload}, 2 connections, monotable, in memory");
        assert!(text.lines().any(|line| line == heading), "{text}");
    }
    assert_eq!(text.matches("\n  with a stream, of without ").count(), workloads.len(), "{text}");
}

#[test]
fn a_sweep_removes_what_is_due_beside_a_load() {
    let text = bench(&["ttl-sweep", "--quick", "--due-interval", "4"]);
    assert_eq!(text.matches(": 500 items removed in ").count(), 2, "{text}");
    for row in ["GetItem before", "GetItem during", "PutItem during", "PutItem after"] {
        assert_eq!(text.matches(row).count(), 2, "{text}");
    }
}

#[test]
fn the_engine_on_postgresql_is_measured_beside_pgbench() {
    let directory = std::path::Path::new("/usr/lib/postgresql");
    if !directory.is_dir() {
        // Only the suite for PostgreSQL installs it.
        return;
    }
    let table = bench(&["scale-out", "--quick"]);
    for row in ["PutItem, 1,000 rows", "GetItem, 1,000 rows", "1 engine", "2 engines", "naive"] {
        assert!(table.contains(row), "{row} is missing:\n{table}");
    }
}
