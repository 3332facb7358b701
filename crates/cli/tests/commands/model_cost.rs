//! `monotable model cost`: reports, comparisons, prices of one's own, and mistakes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{run, run_to_error};
use serde_json::Value;

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models").join(name)
}

#[track_caller]
fn cost(arguments: &[&str]) -> String {
    let file = model("e-commerce.toml");
    let mut all = vec!["model", "cost", file.to_str().unwrap()];
    all.extend(arguments);
    let output = run(&all);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_report_has_patterns_entities_indexes_and_ways_of_paying() {
    let text = cost(&[]);
    for part in ["By access pattern", "By entity", "GSI1", "on demand", "cheapest", "730 hours"] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
}

#[test]
fn another_region_has_other_prices() {
    let total = |arguments: &[&str]| -> f64 {
        let json: Value = serde_json::from_str(&cost(arguments)).unwrap();
        json["estimate"]["total"].as_f64().unwrap()
    };
    let virginia = total(&["--output", "json"]);
    let frankfurt = total(&["--output", "json", "--region", "eu-central-1"]);
    assert!(frankfurt > virginia && virginia > 0.0);
}

#[test]
fn a_model_compared_with_itself_does_not_differ() {
    let file = model("e-commerce.toml");
    let text = cost(&["--output", "json", "--compare", file.to_str().unwrap()]);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["comparison"]["total"]["change"], 0);
}

#[test]
fn the_page_stands_on_its_own() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cost.html");
    cost(&["--html", path.to_str().unwrap()]);
    let page = fs::read_to_string(path).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("<svg"));
}

#[test]
fn prices_can_be_one_s_own() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("prices.toml");
    let text = "region = 'moon-1'\ndate = '2026-01-01'\nsource = 'a letter'\ncurrency = 'MOO'\n\
                [standard]\nstorage_gb_month = 1\n\
                on_demand = { read_million = 1, write_million = 5 }\n";
    fs::write(&path, text).unwrap();
    assert!(cost(&["--prices", path.to_str().unwrap()]).contains("MOO a month"));
    fs::write(&path, text.replace("on_demand", "on_demnd")).unwrap();
    let file = model("e-commerce.toml");
    let (file, path) = (file.to_str().unwrap(), path.to_str().unwrap());
    let error = run_to_error(&["model", "cost", file, "--prices", path]);
    assert!(error.contains("unknown member standard.on_demnd, did you mean on_demand?"), "{error}");
}

#[test]
fn a_region_without_prices_is_an_error_that_names_those_with() {
    let file = model("e-commerce.toml");
    let error = run_to_error(&["model", "cost", file.to_str().unwrap(), "--region", "eu-west-9"]);
    assert!(error.contains("no prices of eu-west-9 are known"), "{error}");
    assert!(error.contains("us-east-1") && error.contains("--prices"), "{error}");
}
