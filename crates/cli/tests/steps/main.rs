//! The requests that plans make of the access patterns of a model get the answers that the model
//! expects.
//!
//! All worked models of the conformance suite are played on a server, step by step. A step that is
//! an access pattern sends what the planner makes of the pattern in `examples/models`, in place of
//! its own request; what it expects stays. A file in `models/` says for each step which pattern it
//! is:
//!
//! - `run`: the pattern, or `none`: why the step is none;
//! - `with`: values of parameters;
//! - `items`: items in the step's own request, by JSON pointers, whose attributes are parameters as
//!   well;
//! - `lists`: parameters that are lists, of values, of pointers to items, or one pointer to the
//!   puts of a batch;
//! - `request`: which of the pattern's requests it is, from 1, if there are several;
//! - `keep`: members of the step's own request that a caller chooses for each call, such as the
//!   length of a page.

mod arguments;
mod wire;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use monotable_conformance::models::{self, Tally};
use monotable_conformance::server::{Server, Storage};
use monotable_model::document::{Format, Model, read};
use monotable_plan::{plan, requests};
use serde_json::Value as Json;
use toml::Table;

use arguments::arguments;
use wire::json_of;

/// Of the 433 steps so many are access patterns.
const STEPS_PLANNED: usize = 382;

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn model(name: &str) -> Model {
    let file = folder("../../examples/models").join(format!("{name}.toml"));
    let text = std::fs::read_to_string(file).unwrap();
    read(&text, Format::Toml).unwrap_or_else(|found| panic!("{found:#?}")).model
}

fn steps(name: &str) -> Table {
    let file = folder("tests/steps/models").join(format!("{name}.toml"));
    std::fs::read_to_string(file).unwrap().parse().unwrap()
}

fn text<'v>(json: &'v Json, member: &str) -> Result<&'v str> {
    json[member].as_str().with_context(|| format!("no {member} in {json}"))
}

/// The request that the planner makes of a step; nothing if the step is no access pattern.
fn planned(model: &Model, entry: &Table, step: &Json) -> Result<Option<Json>> {
    let Some(name) = entry.get("run").and_then(toml::Value::as_str) else {
        entry.get("none").context("a step is an access pattern, or says why not")?;
        return Ok(None);
    };
    let pattern = model.pattern(name).with_context(|| format!("there is no pattern {name}"))?;
    let arguments = arguments(model, entry, &step["params"])?;
    let requests = requests(model, &plan(model, pattern), &arguments)?;
    let number = entry.get("request").and_then(toml::Value::as_integer);
    ensure!(requests.len() == 1 || number.is_some(), "{name} has {} requests", requests.len());
    let place = usize::try_from(number.unwrap_or(1) - 1)?;
    let request = requests.get(place).context("no such request")?;
    ensure!(request.operation() == text(step, "operation")?, "{name} is {}", request.operation());
    let mut request = json_of(&request.body())?;
    for member in entry.get("keep").and_then(toml::Value::as_array).into_iter().flatten() {
        let member = member.as_str().context("a member is text")?;
        request[member] = step["params"][member].clone();
    }
    Ok(Some(request))
}

#[test]
fn the_requests_of_plans_get_the_answers_that_the_models_expect() {
    let binary = Path::new(env!("CARGO_BIN_EXE_monotable"));
    let clock = ["--clock", "manual"];
    let server = Server::start_with(binary, Storage::Memory, &clock).unwrap();
    let (mut count, mut tally, mut failures) = (0, Tally::default(), Vec::new());
    for conformance in models::load_all().unwrap() {
        let (model, steps) = (model(&conformance.name), steps(&conformance.name));
        assert_eq!(conformance.steps().count(), steps.len(), "{}", model.name);
        let replaced = conformance.with_requests(|step| {
            let name = text(step, "step")?;
            let entry = steps.get(name).and_then(toml::Value::as_table).context(name.to_owned())?;
            let request = planned(&model, entry, step);
            let request = request.with_context(|| format!("{} {name}", model.name))?;
            count += usize::from(request.is_some());
            Ok(request)
        });
        let report = models::play(&replaced.unwrap(), server.endpoint()).unwrap();
        tally += report.tally;
        failures.extend((report.tally.failed > 0).then(|| report.to_string()));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!((count, tally.passed), (STEPS_PLANNED, 433));
}
