//! The guide and the dashboard name the metrics that there are.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use monotable_server::{CATALOGUE, MetricKind};
use serde_json::Value;

fn document(path: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The rows of the guide's table of metrics, as the catalogue would have them.
fn rows() -> Vec<String> {
    let row = |metric: &monotable_server::Metric| {
        let labels: Vec<String> = metric.labels.iter().map(|label| format!("`{label}`")).collect();
        let (name, kind) = (metric.name, metric.kind.name());
        format!("| `{name}` | {kind} | {} | {} |", labels.join(", "), metric.help)
    };
    CATALOGUE.iter().map(row).collect()
}

#[test]
fn the_guide_lists_every_metric_as_the_catalogue_has_it() {
    let guide = document("docs/guide/operations.md");
    let listed: Vec<&str> = guide
        .lines()
        .filter(|line| line.starts_with("| `monotable_") || line.starts_with("| `process_"))
        .collect();
    assert_eq!(listed, rows(), "put this into the guide:\n{}\n", rows().join("\n"));
}

/// The names of metrics in a query: all words that begin as they do.
fn names(query: &str) -> BTreeSet<&str> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    query
        .split(|c| !is_of_name(c))
        .filter(|word| word.starts_with("monotable_") || word.starts_with("process_"))
        .collect()
}

/// All texts of members with a name, at any depth.
fn texts<'v>(value: &'v Value, member: &str, found: &mut Vec<&'v str>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get(member).and_then(Value::as_str));
            members.values().for_each(|value| texts(value, member, found));
        }
        Value::Array(elements) => elements.iter().for_each(|value| texts(value, member, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn the_dashboard_queries_every_metric_and_none_that_is_not_there() {
    let dashboard: Value = serde_json::from_str(&document("docs/operations/grafana.json")).unwrap();
    let mut queries = Vec::new();
    texts(&dashboard, "expr", &mut queries);
    let queried: BTreeSet<&str> = queries.iter().flat_map(|query| names(query)).collect();
    let mut known = BTreeSet::new();
    for metric in CATALOGUE {
        let suffixes: &[&str] = match metric.kind {
            MetricKind::Counter | MetricKind::Gauge => &[""],
            MetricKind::Histogram => &["_bucket", "_sum", "_count"],
        };
        let series: Vec<String> =
            suffixes.iter().map(|suffix| format!("{}{suffix}", metric.name)).collect();
        let is_queried = series.iter().any(|name| queried.contains(name.as_str()));
        assert!(is_queried, "the dashboard does not show {}", metric.name);
        known.extend(series);
    }
    let unknown: Vec<&&str> = queried.iter().filter(|name| !known.contains(**name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn every_panel_has_a_title_and_an_id_of_its_own() {
    let dashboard: Value = serde_json::from_str(&document("docs/operations/grafana.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let ids: BTreeSet<i64> = panels.iter().map(|panel| panel["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), panels.len());
    assert!(panels.iter().all(|panel| panel["title"].as_str().is_some_and(|it| !it.is_empty())));
}
