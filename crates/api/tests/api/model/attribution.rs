//! The steps of the example models: each call on items is attributed to its entity and access
//! pattern. `attribution.txt` has all of them, with the titles of the steps, to be read.
//!
//! Some steps are of several patterns, which differ in what a request does not show: ranges of one
//! sort key that differ in how much of it is given (`courses-certificates`, `event-time-series`,
//! `places-delimiters`, `sales-hierarchy`), and entities of one key form (`version-history`). What
//! is not watched was refused before anybody could say what it is.

use std::sync::Arc;

use monotable_api::observation::{Attributions, observe};
use monotable_model::diagnostic::SourceFile;
use monotable_observe::Observer;
use serde_json::Value;

use crate::harness::Harness;

const OF_ITEMS: [&str; 11] = [
    "BatchGetItem",
    "BatchWriteItem",
    "DeleteItem",
    "ExecuteStatement",
    "GetItem",
    "PutItem",
    "Query",
    "Scan",
    "TransactGetItems",
    "TransactWriteItems",
    "UpdateItem",
];

#[tokio::test]
async fn every_step_of_the_example_models_is_attributed() {
    let mut lines = Vec::new();
    let mut counts = [0; 3];
    for example in monotable_model_fixture::examples() {
        let file = format!("crates/conformance/models/{}.json", example.name);
        let text = std::fs::read_to_string(monotable_model_fixture::root().join(file)).unwrap();
        let scenario: Value = serde_json::from_str(&text).unwrap();
        let observer = Arc::new(Observer::default());
        observer.load(SourceFile::new("model.toml", &*example.text), 0).unwrap();
        let harness = Harness::observed_by(observer).await;
        let first = scenario.get("initialTable").or(scenario.get("table"));
        let more = scenario.get("moreTables").and_then(Value::as_array);
        for table in first.into_iter().chain(more.into_iter().flatten()) {
            let mut definition = table.clone();
            definition.as_object_mut().unwrap().remove("TimeToLiveSpecification");
            harness.call("CreateTable", definition).await;
        }
        for step in scenario["scenario"].as_array().unwrap() {
            let operation = step["operation"].as_str().unwrap();
            if !OF_ITEMS.contains(&operation) {
                continue;
            }
            let body = step["params"].to_string();
            let call = harness.send(operation, body.as_bytes());
            let (_, observation) = observe(call).await;
            let (entities, pattern) = match &observation.attributions {
                Attributions::Whole(found) => {
                    let mut entities = found.entities();
                    entities.dedup();
                    let pattern = match (found.pattern(), found.is_undecided()) {
                        (Some(pattern), _) => {
                            counts[0] += 1;
                            format!("{pattern:?}")
                        }
                        (None, true) => {
                            counts[1] += 1;
                            "several patterns".to_owned()
                        }
                        (None, false) => {
                            counts[2] += 1;
                            "no pattern".to_owned()
                        }
                    };
                    (entities.join(", "), pattern)
                }
                Attributions::Statements(_) => panic!("{operation} has no statements"),
                Attributions::None => (String::new(), "not watched".to_owned()),
            };
            let (number, title) = (step["step"].as_str().unwrap(), step["title"].as_str().unwrap());
            let name = &example.name;
            lines.push(format!("{name} {number} {operation} ({title}): {entities} → {pattern}"));
        }
    }
    lines.push(format!("{} decided, {} of several, {} of none", counts[0], counts[1], counts[2]));
    expect_test::expect_file!["attribution.txt"].assert_eq(&(lines.join("\n") + "\n"));
}
