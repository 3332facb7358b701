//! The steps of the example models: each call that an access pattern covers is attributed to that
//! pattern and its entities.
//!
//! Which pattern a step is stands in `crates/cli/tests/steps/models`, where the requests of the
//! planner are compared with the steps. `exceptions.toml` lists the steps that are attributed to
//! something else, each with the reason.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use monotable_api::observation::{Attributions, observe};
use monotable_model::diagnostic::SourceFile;
use monotable_model::document::Model;
use monotable_observe::{Attribution, Observer};
use serde_json::Value;
use toml::Table;

use crate::harness::Harness;

/// So many steps are access patterns.
const STEPS_COVERED: usize = 382;

/// The operations that are no calls on items, and steps of the suite that are no calls.
const OF_OTHERS: [&str; 7] = [
    "CreateTable",
    "DeleteTable",
    "DescribeTable",
    "MergeSorted",
    "ReadStream",
    "TtlSweep",
    "UpdateTable",
];

/// What a step is attributed to, for those who list it.
fn told(found: Option<&Attribution>) -> String {
    match found {
        None => "not watched".to_owned(),
        Some(found) => match found.pattern() {
            Some(pattern) => pattern.to_owned(),
            None if found.is_undecided() => "several patterns".to_owned(),
            None => "no pattern".to_owned(),
        },
    }
}

/// An API with the tables of a scenario, and with the model of its name. Indexes that the scenario
/// creates on its way are there from the beginning.
async fn stage(scenario: &Value, model: &str) -> (Harness, Arc<Observer>) {
    let observer = Arc::new(Observer::default());
    observer.load(SourceFile::new("model.toml", model), 0).unwrap();
    let harness = Harness::observed_by(observer.clone()).await;
    let more = scenario.get("moreTables").and_then(Value::as_array);
    for table in scenario.get("table").into_iter().chain(more.into_iter().flatten()) {
        let mut definition = table.clone();
        definition.as_object_mut().unwrap().remove("TimeToLiveSpecification");
        harness.call("CreateTable", definition).await;
    }
    (harness, observer)
}

/// What the call of a step is attributed to.
async fn attributed(harness: &Harness, step: &Value) -> Option<Attribution> {
    let (operation, body) = (step["operation"].as_str().unwrap(), step["params"].to_string());
    let (_, observation) = observe(harness.send(operation, body.as_bytes())).await;
    match observation.attributions {
        Attributions::None => None,
        Attributions::Whole(found) => Some(found),
        Attributions::Statements(_) => panic!("{operation} has no statements"),
    }
}

/// Returns whether all entities that are decided are those of a pattern.
fn has_entities_of(found: &Attribution, model: &Model, pattern: &str) -> bool {
    let own: Vec<&str> = model.pattern(pattern).unwrap().all_entities().collect();
    let entities = found.entities();
    !entities.is_empty() && entities.iter().all(|entity| own.contains(entity))
}

fn table_of(file: &str) -> Table {
    let file = monotable_model_fixture::root().join(file);
    let text = fs::read_to_string(&file);
    text.unwrap_or_else(|error| panic!("{}: {error}", file.display())).parse().unwrap()
}

#[tokio::test]
async fn every_step_that_a_pattern_covers_is_attributed_to_it_and_its_entities() {
    let exceptions = table_of("crates/api/tests/api/model/exceptions.toml");
    let mut listed: BTreeMap<(String, String), String> = BTreeMap::new();
    for (example, steps) in &exceptions {
        for (step, entry) in steps.as_table().unwrap() {
            assert!(entry["why"].as_str().is_some_and(|why| !why.is_empty()), "{example} {step}");
            let is = entry["is"].as_str().unwrap().to_owned();
            listed.insert((example.clone(), step.clone()), is);
        }
    }
    let (mut covered, mut wrong) = (0, Vec::new());
    for example in monotable_model_fixture::examples() {
        let name = &example.name;
        let scenario = format!("crates/conformance/models/{name}.json");
        let scenario = monotable_model_fixture::root().join(scenario);
        let scenario: Value = serde_json::from_str(&fs::read_to_string(scenario).unwrap()).unwrap();
        let mapping = table_of(&format!("crates/cli/tests/steps/models/{name}.toml"));
        let (harness, observer) = stage(&scenario, &example.text).await;
        let loaded = observer.models().remove(0);
        for step in scenario["scenario"].as_array().unwrap() {
            if OF_OTHERS.contains(&step["operation"].as_str().unwrap()) {
                continue;
            }
            let found = attributed(&harness, step).await;
            let told = told(found.as_ref());
            let number = step["step"].as_str().unwrap();
            let pattern = mapping[number].get("run").and_then(toml::Value::as_str);
            covered += usize::from(pattern.is_some());
            let is_right = match (pattern, &found) {
                (Some(pattern), Some(found)) => {
                    told == pattern && has_entities_of(found, loaded.model(), pattern)
                }
                (Some(_), None) => false,
                // A step that is no pattern is attributed to none.
                (None, found) => found.as_ref().is_none_or(|found| found.pattern().is_none()),
            };
            let exception = listed.remove(&(name.clone(), number.to_owned()));
            let is_listed = exception.as_ref() == Some(&told);
            if is_right != exception.is_none() || !is_right && !is_listed {
                let expected = pattern.unwrap_or("none");
                wrong.push(format!("{name} {number}: {told}, expected {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(listed.is_empty(), "there are no such steps: {listed:?}");
    assert_eq!(covered, STEPS_COVERED);
}
