//! Models with a table for each period, at a server.

use std::path::{Path, PathBuf};

use crate::support::{Server, run};
use serde_json::json;

const BOTH: [&str; 2] = ["from=2026-01-31T00:00:00Z", "to=2026-03-31T00:00:00Z"];

fn events() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/period-tables/events.toml")
}

/// The exit code, what was printed, and what was said besides.
fn model(server: &Server, command: &str, file: &Path, more: &[&str]) -> (i32, String, String) {
    let endpoint = format!("http://{}", server.address());
    let mut arguments = vec!["model", command, file.to_str().unwrap()];
    arguments.extend(more);
    arguments.extend(["--endpoint", &endpoint]);
    let output = run(&arguments);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn events_of_ann(server: &Server) -> (i32, String, String) {
    let arguments = ["events of a user", "user=ann", BOTH[0], BOTH[1]];
    model(server, "run", &events(), &arguments)
}

#[test]
fn seeding_makes_the_tables_of_the_periods_that_its_items_are_in() {
    let server = Server::in_memory();
    let (code, said, _) = model(&server, "seed", &events(), &["--samples"]);
    assert_eq!(code, 0);
    assert!(said.contains("made audit_2026-01, audit_2026-02, audit_2026-03"), "{said}");
    let names = server.call("ListTables", &json!({}))["TableNames"].clone();
    assert_eq!(names, json!(["audit_2026-01", "audit_2026-02", "audit_2026-03"]));
    let (code, said, _) = model(&server, "seed", &events(), &["--samples"]);
    assert_eq!(code, 0);
    assert!(!said.contains("made"), "{said}");
}

#[test]
fn a_table_of_a_range_that_is_not_there_has_no_rows() {
    let server = Server::in_memory();
    let (code, _, said) = events_of_ann(&server);
    assert_eq!(code, 2, "no table of the range is there");
    assert!(said.contains("monotable model apply"), "{said}");
    model(&server, "seed", &events(), &["--samples"]);
    server.call("DeleteTable", &json!({ "TableName": "audit_2026-02" }));
    let (code, printed, said) = events_of_ann(&server);
    assert_eq!(code, 0, "{said}");
    assert!(printed.contains("audit_2026-03") && printed.contains("audit_2026-01"), "{printed}");
    assert!(!printed.contains("payment"), "{printed}");
}

#[test]
fn tables_are_made_for_the_periods_that_are_said() {
    let server = Server::in_memory();
    let range = ["--from", "2025-12-31", "--to", "2026-02-01", "--yes"];
    assert_eq!(model(&server, "apply", &events(), &range).0, 0);
    let names = server.call("ListTables", &json!({}))["TableNames"].clone();
    assert_eq!(names, json!(["audit_2025-12", "audit_2026-01", "audit_2026-02"]));
    let backwards = ["--from", "2026-02-01", "--to", "2026-01-01"];
    let (code, _, said) = model(&server, "apply", &events(), &backwards);
    assert_eq!(code, 2);
    assert!(said.contains("ends before it begins"), "{said}");
    let shop = events().with_file_name("../models/e-commerce.toml");
    let (code, _, said) = model(&server, "apply", &shop, &range);
    assert_eq!(code, 2);
    assert!(said.contains("one for each period"), "{said}");
}

#[test]
fn what_an_index_lacks_is_fetched_from_the_table_of_each_row() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("events.toml");
    let text = std::fs::read_to_string(events()).unwrap();
    let index = "sort_key = \"GSI1SK\"\n";
    std::fs::write(&file, text.replace(index, &format!("{index}projection = \"keys-only\"\n")))
        .unwrap();
    let output = run(&["model", "test", file.to_str().unwrap()]);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("3 passed, 0 failed"), "{printed}");
}

#[test]
fn a_live_table_is_named_as_the_service_calls_it() {
    let server = Server::in_memory();
    model(&server, "seed", &events(), &["--samples"]);
    let (code, printed, _) =
        model(&server, "chart", &events(), &["--data", "dynamodb://audit_2026-02"]);
    assert_eq!(code, 0);
    assert!(printed.contains("payment"), "{printed}");
    let (code, _, said) = model(&server, "chart", &events(), &["--data", "dynamodb://Events"]);
    assert_eq!(code, 2);
    assert!(said.contains("Events is a table for each month"), "{said}");
}
