//! `monotable model diff`: what a change of a model means for stored items.

use std::path::Path;

use crate::support::{run, run_to_error};
use serde_json::Value;

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models");
    folder.join(name).display().to_string()
}

/// Runs the comparison of two examples, which must end with this code, and gives what it prints.
#[track_caller]
fn printed(code: i32, old: &str, new: &str, more: &[&str]) -> String {
    let (old, new) = (example(old), example(new));
    let output = run(&[&["model", "diff", &old, &new], more].concat());
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn models_that_are_equal_end_with_zero() {
    let answer = printed(0, "e-commerce.toml", "e-commerce.toml", &[]);
    assert_eq!(answer, "no change of tables, entities or access patterns\n");
}

#[test]
fn a_migration_that_writes_items_ends_with_one_and_has_a_plan() {
    let answer = printed(1, "github-backend.toml", "github-migrations.toml", &[]);
    assert!(answer.contains("entities.Issue.indexes.GSI4"), "{answer}");
    assert!(answer.contains("Plan:\n"), "{answer}");
    assert!(answer.contains("backfill Issue that is ClosedIssue: set GSI4PK, GSI4SK"), "{answer}");
}

#[test]
fn the_same_is_json_for_programs() {
    let answer = printed(1, "github-backend.toml", "github-migrations.toml", &["--output", "json"]);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["class"], "decorate");
    assert_eq!(answer["touches_items"], true);
    let migrations = answer["migrations"].as_array().unwrap();
    assert!(migrations.iter().any(|one| one["entity"] == "ClosedIssue" && one["was"] == "Issue"));
    let is_index = |change: &&Value| change["path"] == "tables.GitHubTable.global_indexes.GSI4";
    let changes = answer["changes"].as_array().unwrap();
    let index = changes.iter().find(is_index).unwrap();
    assert_eq!((&index["mark"], &index["class"]), (&"added".into(), &"table change".into()));
}

#[test]
fn a_file_that_is_not_there_is_an_error() {
    let error = run_to_error(&["model", "diff", "nowhere.toml", &example("e-commerce.toml")]);
    assert!(error.contains("cannot read nowhere.toml"), "{error}");
}
