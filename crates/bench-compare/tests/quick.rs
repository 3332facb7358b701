//! A quick run: every workload on every server, checked but not timed.

use std::process::Command;

use serde_json::Value;

const WORKLOADS: [&str; 10] = [
    "GetItem",
    "Query, 25 items",
    "Query of the global index, 25 items",
    "Scan, page of 1 MB",
    "BatchGetItem, 25 items",
    "UpdateItem with condition",
    "PutItem",
    "TransactWriteItems, 4 items",
    "BatchWriteItem, 25 items",
    "Mixed, 70 % reads",
];
/// What streams and indexes cost, which only ours has to show.
const COSTS: [&str; 2] = ["PutItem with a stream", "PutItem with 3 indexes"];
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
const REFERENCES: [&str; 2] = ["reference, fixed text", "reference, parsing"];
const OURS: [&str; 2] = ["monotable, in memory", "monotable, durable"];

/// The rows of a table by its title.
#[track_caller]
fn rows<'a>(report: &'a Value, title: &str) -> &'a [Value] {
    let tables = report["tables"].as_array().unwrap();
    let table = tables.iter().find(|table| table["title"] == title);
    table.unwrap_or_else(|| panic!("no table {title:?} in {report:#}"))["rows"].as_array().unwrap()
}

/// What a column of a table says.
#[track_caller]
fn column<'a>(report: &'a Value, title: &str, heading: &str) -> Vec<&'a Value> {
    rows(report, title).iter().map(|row| &row[heading]).collect()
}

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
    let servers = |workload: &str| {
        column(&report, &format!("{workload}, 16 connections"), "server")
            .into_iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
    };
    for workload in WORKLOADS {
        let bare = ["bare engine, synced"].into_iter().filter(|_| workload == "PutItem");
        let expected: Vec<&str> = REFERENCES.into_iter().chain(OURS).chain(bare).collect();
        assert_eq!(servers(workload), expected, "{workload}");
    }
    for workload in COSTS {
        assert_eq!(servers(workload), OURS, "{workload}");
    }
    let rates = column(&report, "GetItem, 16 connections", "requests/s");
    assert!(rates.iter().all(|rate| rate["rounds"][0].as_f64().unwrap() > 0.0), "{rates:?}");
    let tables = report["tables"].as_array().unwrap();
    assert!(tables.last().unwrap()["rows"].as_array().unwrap().len() > 20, "the goals");
    for name in ["results.txt", "results.json", "results.md", "requests-put-item.svg"] {
        assert!(saved.path().join(name).is_file(), "{name} is not saved");
    }
    let footprint = &rows(&report, "monotable on an empty directory")[0];
    assert!(footprint["start to first answer ms"].as_f64().unwrap() > 0.0);
    assert!(footprint["binary MB"].as_f64().unwrap() > 0.0);
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
    let rates = column(&report, "Mixed, 70 % reads, 4 connections", "asked/s");
    let rates: Vec<f64> = rates.iter().map(|rate| rate["median"].as_f64().unwrap()).collect();
    assert_eq!(rates, [200.0, 400.0]);
    assert!(saved.path().join("latency-mixed.svg").is_file());
}

#[test]
fn growth_measures_every_part() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap();
    let text = bench(&["growth", "--quick", "--fresh", "--output", "json", "--data", data]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let sizes = "Space, memory of its own and of mapped files, restarts";
    assert_eq!(rows(&report, sizes).len(), 2);
    let fresh = "Reads right after a load, while it is merged, and of the smallest";
    let fresh = column(&report, fresh, "items");
    assert_eq!(fresh, ["GetItem, 2,000", "Query, 25 items, 2,000"], "held against the smallest");
    assert_eq!(rows(&report, "What each further index costs a put").len(), 4);
    assert_eq!(column(&report, "Many tables", "tables"), [50.0]);
    assert_eq!(rows(&report, "One partition key with 1,000 items").len(), 3);
    let kinds = column(&report, "What is felt of the burst", "requests");
    assert_eq!(kinds, ["BatchWriteItem", "PutItem", "GetItem"]);
    for rate in column(&report, "What is felt of the burst", "requests/s") {
        assert!(rate.as_f64().unwrap() > 0.0, "{report:#}");
    }
    assert_eq!(std::fs::read_dir(data).unwrap().count(), 0, "the servers' data is removed");
}

#[test]
fn every_case_of_churn_is_measured() {
    // Cases wait most of the time, so they are run beside one another.
    std::thread::scope(|scope| {
        for case in CASES {
            scope.spawn(move || measure_case(case));
        }
    });
}

fn measure_case(case: &str) {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap();
    let saved = tempfile::tempdir().unwrap();
    let save = saved.path().to_str().unwrap();
    let mut arguments = vec!["churn", "--quick", "--output", "json", "--case", case];
    arguments.extend(["--data", data, "--save", save]);
    let report: Value = serde_json::from_str(&bench(&arguments)).unwrap();
    assert!(report["notes"].as_array().unwrap().is_empty(), "{report:#}");
    assert!(!report["tables"][0]["rows"].as_array().unwrap().is_empty(), "{report:#}");
    // These two have figures alone.
    let is_drawn = !["queue-bursts", "bad-requests"].contains(&case);
    let plots: &[&str] =
        if is_drawn { &["latency", "cpu", "memory", "files", "disk"] } else { &[] };
    let mut names: Vec<String> = plots.iter().map(|plot| format!("{case}-{plot}.svg")).collect();
    names.push("results.md".to_owned());
    for name in names {
        assert!(saved.path().join(&name).is_file(), "{name} is not saved");
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
    for workload in ["PutItem", "GetItem", "Mixed, 70 % reads"] {
        let title = format!("{workload} on disk, at shares of the peak");
        let servers = column(&report, &title, "server");
        assert_eq!(servers, ["monotable, 20 %", "monotable, 50 %", "monotable, 80 %"]);
        assert!(column(&report, &title, "sync p99 ms").iter().all(|sync| sync.is_f64()));
    }
    assert_eq!(rows(&report, "The peak: a closed loop of 16 connections").len(), 3);
    let syncs = column(&report, "The disk: 4 KB written over and synced", "count");
    assert!(syncs[0].as_f64().unwrap() > 0.0);
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
    assert_eq!(text.matches(" of without  ").count(), workloads.len(), "{text}");
}

#[test]
fn a_sweep_removes_what_is_due_beside_a_load() {
    let text = bench(&["ttl-sweep", "--quick", "--due-interval", "4"]);
    let removed = |line: &&str| line.starts_with("  monotable, ") && line.contains("  500  ");
    assert_eq!(text.lines().filter(removed).count(), 2, "{text}");
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
