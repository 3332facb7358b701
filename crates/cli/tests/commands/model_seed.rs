//! `monotable model seed` and what patterns find in it; `monotable model suggest`.

use std::path::{Path, PathBuf};

use crate::support::{Server, run, run_to_error};
use serde_json::{Value, json};

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models").join(name)
}

fn on(server: &Server, arguments: &[&str]) -> (i32, String, String) {
    let endpoint = format!("http://{}", server.address());
    let output = run(&[arguments, &["--endpoint", &endpoint]].concat());
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn count(server: &Server, table: &str) -> u64 {
    let (mut total, mut start) = (0, Value::Null);
    loop {
        let request = json!({ "TableName": table, "Select": "COUNT", "ExclusiveStartKey": start });
        let answer = server.call("Scan", &request);
        total += answer["Count"].as_u64().unwrap();
        start = answer["LastEvaluatedKey"].clone();
        if start.is_null() {
            return total;
        }
    }
}

#[test]
fn the_items_that_were_asked_for_are_written() {
    let server = Server::in_memory();
    let file = model("e-commerce.toml");
    let file = file.to_str().unwrap();
    assert_eq!(on(&server, &["model", "apply", file, "--yes"]).0, 0);
    let seed = ["model", "seed", file, "--count", "Customer=5", "--output", "json"];
    let (code, stdout, stderr) = on(&server, &seed);
    assert_eq!(code, 0, "{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(
        (&report["entities"]["Customer"], &report["entities"]["CustomerEmail"]),
        (&json!(5), &json!(5))
    );
    assert_eq!(report["written"], count(&server, "EcommerceTable"));
    // The same seed writes the same items over themselves.
    assert_eq!(on(&server, &seed).1, stdout);
    assert_eq!(report["written"], count(&server, "EcommerceTable"));
}

#[test]
fn items_are_shown_instead_of_written() {
    let file = model("session-store.toml");
    let file = file.to_str().unwrap();
    let dry = |seed| {
        run(&["model", "seed", file, "--dry-run", "--output", "json", "--seed", seed]).stdout
    };
    assert_eq!(dry("1"), dry("1"));
    assert_ne!(dry("1"), dry("2"));
    let items: Value = serde_json::from_slice(&dry("1")).unwrap();
    assert_eq!(items["items"][0]["entity"], "Session");
}

#[test]
fn a_table_that_is_missing_and_an_entity_that_is_not_there_are_said() {
    let server = Server::in_memory();
    let file = model("e-commerce.toml");
    let file = file.to_str().unwrap();
    let (code, _, stderr) = on(&server, &["model", "seed", file, "--samples"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("monotable model apply"), "{stderr}");
    let stderr = run_to_error(&["model", "seed", file, "--count", "Address=3"]);
    assert!(stderr.contains("there are no items of Address"), "{stderr}");
}

/// Every `get` pattern finds the samples by their own attributes.
#[test]
fn patterns_of_all_models_run_on_their_samples() {
    let folder = model("");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|one| one.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let mut found = 0;
    for path in paths {
        found += run_patterns(path.to_str().unwrap());
    }
    assert!(found >= 60, "only {found} patterns found something");
}

/// Runs the reads of a model that need only attributes; gives how many found something.
fn run_patterns(file: &str) -> usize {
    let server = Server::in_memory();
    assert_eq!(on(&server, &["model", "apply", file, "--yes", "--wait"]).0, 0, "{file}");
    // Where a model has no samples, generated items do.
    let has_samples = run(&["model", "seed", file, "--samples", "--dry-run"]).status.success();
    let kind = if has_samples { "--samples" } else { "--seed=1" };
    let (code, stdout, stderr) = on(&server, &["model", "seed", file, kind]);
    assert_eq!(code, 0, "{file}: {stdout}{stderr}");
    let samples = json_of(&["model", "seed", file, kind, "--dry-run", "--output", "json"]);
    let patterns = json_of(&["model", "run", file, "--output", "json"]);
    let folder = tempfile::tempdir().unwrap();
    let values = folder.path().join("values.json");
    let mut found = 0;
    for pattern in patterns["patterns"].as_array().unwrap() {
        let first = pattern["plan"][0].as_str().unwrap_or_default();
        if !(first.starts_with("GetItem") || first.starts_with("Query")) {
            continue;
        }
        let Some(arguments) = arguments(pattern, &samples) else { continue };
        std::fs::write(&values, arguments.to_string()).unwrap();
        let name = pattern["name"].as_str().unwrap();
        let run = ["model", "run", file, name, "--values", values.to_str().unwrap()];
        let (code, stdout, stderr) = on(&server, &run);
        assert!(code < 2, "{file} {name} {arguments}: {stdout}{stderr}");
        found += usize::from(code == 0);
    }
    found
}

fn json_of(arguments: &[&str]) -> Value {
    let output = run(arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// The parameters of a pattern from the first sample that has all that are required.
fn arguments(pattern: &Value, samples: &Value) -> Option<Value> {
    let parameters = pattern["parameters"].as_array().unwrap().iter();
    let required: Vec<&str> = parameters
        .filter(|one| one["required"] == true)
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    let mut items = samples["items"].as_array().unwrap().iter();
    let item =
        items.find(|item| required.iter().all(|name| !item["attributes"][name].is_null()))?;
    Some(required.iter().map(|name| (*name, item["attributes"][name].clone())).collect::<Value>())
}

const UNSERVED: &str = r#"
format = 1
name = "shop"
[tables.Main]
partition_key = "PK"
sort_key = "SK"
[entities.Order]
key = { partition = "CUSTOMER#{customer}", sort = "ORDER#{id}" }
attributes = { customer = "S", id = "S", status = { type = "S", required = true } }
[patterns."orders by status"]
operation = "query"
returns = ["Order"]
by = ["status"]
"#;

#[test]
fn an_index_is_suggested_that_makes_the_model_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.toml");
    std::fs::write(&path, UNSERVED).unwrap();
    let file = path.to_str().unwrap();
    let output = run(&["model", "suggest", file]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("add the index GSI1 to Main") && text.contains("serves \"orders by status\""),
        "{text}"
    );
    let toml =
        String::from_utf8(run(&["model", "suggest", file, "--output", "toml"]).stdout).unwrap();
    std::fs::write(&path, format!("{UNSERVED}\n{toml}")).unwrap();
    assert_eq!(run(&["model", "check", file]).status.code(), Some(0), "{toml}");
    let output = run(&["model", "suggest", file]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(json_of(&["model", "suggest", file, "--output", "json"])["indexes"], json!([]));
}
