//! Plays a model: its steps that are access patterns through the client, the others as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use monotable::backend::{Backend, Request};
use monotable_conformance::client::Outcome;
use monotable_conformance::models::{self, Model as Scenario};
use monotable_model::document::{Format, Model, read};
use serde_json::{Value as Json, json};
use toml::Table;

use crate::arguments::arguments;
use crate::call::{Answer, Call};
use crate::observed::Observed;
use crate::wire::item_of;
use crate::{calls, raw};

/// What came of one or more models.
#[derive(Default)]
pub(crate) struct Played {
    /// Steps that are access patterns.
    pub(crate) steps: usize,
    /// Those that the client makes, by a generated function or by hand.
    pub(crate) called: usize,
    /// The patterns that were called, with their models.
    pub(crate) patterns: BTreeSet<(String, String)>,
    pub(crate) failures: Vec<String>,
    /// What the functions asked of the database.
    pub(crate) requests: Vec<Request>,
}

/// A model of the examples.
pub(crate) fn example(name: &str) -> Model {
    let text = monotable_model_fixture::example(name).text;
    read(&text, Format::Toml).unwrap_or_else(|found| panic!("{found:#?}")).model
}

/// Which access pattern each step of a model is.
fn steps_of(name: &str) -> Table {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/steps/models");
    std::fs::read_to_string(folder.join(format!("{name}.toml"))).unwrap().parse().unwrap()
}

/// Plays a model on a database that has none of its tables.
pub(crate) async fn play(
    played: &mut Played,
    scenario: &Scenario,
    backend: impl Backend,
) -> Result<()> {
    let backend = Arc::new(Observed::new(backend));
    let (model, entries) = (example(&scenario.name), steps_of(&scenario.name));
    create_tables(&*backend, scenario).await?;
    let mut keys = BTreeMap::new();
    for table in scenario.final_tables() {
        let schema = table["KeySchema"].as_array().context("no key")?;
        let names = schema.iter().filter_map(|it| it["AttributeName"].as_str());
        let name = table["TableName"].as_str().context("no name")?;
        keys.insert(name.to_owned(), names.map(str::to_owned).collect::<Vec<_>>());
    }
    let main = scenario.final_tables().next().and_then(|table| table["TableName"].as_str());
    let main = main.context("no table")?;
    for step in scenario.steps() {
        let name = step["step"].as_str().context("no name")?;
        let entry = entries.get(name).and_then(toml::Value::as_table).context("no entry")?;
        let Some(pattern) = entry.get("run").and_then(toml::Value::as_str) else {
            raw::send(&*backend, step, &keys).await?;
            continue;
        };
        played.steps += 1;
        backend.take();
        let call = call_of(&backend, &model, pattern, main, entry, step)?;
        let Some(answer) = calls::call(&scenario.name, &call).await else {
            raw::send(&*backend, step, &keys).await?;
            continue;
        };
        played.called += 1;
        played.patterns.insert((scenario.name.clone(), pattern.to_owned()));
        played.requests.extend(answer.seen.iter().map(|(request, _)| request.clone()));
        if let Some(problem) = judge(entry, step, &call.table, answer, &keys)? {
            let title = &step["title"];
            played.failures.push(format!("{} {name} {pattern} ({title}): {problem}", model.name));
        }
    }
    Ok(())
}

/// Makes the tables of a model, with the items that are there before its first step.
pub(crate) async fn create_tables(backend: &dyn Backend, scenario: &Scenario) -> Result<()> {
    for table in scenario.final_tables() {
        raw::create_table(backend, table).await?;
    }
    for (table, item) in scenario.fixture() {
        raw::put(backend, table, &json!({ "Item": item })).await?;
    }
    Ok(())
}

fn call_of(
    backend: &Arc<Observed>,
    model: &Model,
    pattern: &str,
    main: &str,
    entry: &Table,
    step: &Json,
) -> Result<Call> {
    let params = &step["params"];
    let is_kept = |member: &str| {
        let keep = entry.get("keep").and_then(toml::Value::as_array).into_iter().flatten();
        keep.filter_map(toml::Value::as_str).any(|it| it == member)
    };
    let kept =
        |member: &str| is_kept(member).then(|| &params[member]).filter(|value| !value.is_null());
    let limit = kept("Limit").and_then(Json::as_u64);
    Ok(Call {
        backend: Arc::clone(backend),
        pattern: pattern.to_owned(),
        table: params["TableName"].as_str().unwrap_or(main).to_owned(),
        arguments: arguments(model, entry, params)?,
        limit: limit.map(u32::try_from).transpose()?,
        forward: is_kept("ScanIndexForward").then(|| params["ScanIndexForward"] != false),
        start: kept("ExclusiveStartKey").map(item_of).transpose()?,
    })
}

/// Says how an answer differs from what the step expects.
fn judge(
    entry: &Table,
    step: &Json,
    table: &str,
    answer: Answer,
    keys: &BTreeMap<String, Vec<String>>,
) -> Result<Option<String>> {
    let Answer { mut seen, said } = answer;
    let mut expect = step["expect"].clone();
    let number = entry.get("request").and_then(toml::Value::as_integer);
    // Of a pattern that asks several tables, a call asks one.
    let number = number.filter(|_| seen.len() != 1);
    let at = number.map_or(Ok(seen.len().saturating_sub(1)), |it| usize::try_from(it - 1))?;
    if at >= seen.len() {
        // The client refuses what the database would.
        let is_refused = expect["error"] == "ValidationException" && said.is_err();
        return Ok((!is_refused).then(|| format!("nothing was sent: {said:?}")));
    }
    let (request, outcome) = seen.swap_remove(at);
    let outcome = outcome.context("no answer")?;
    if matches!(request, Request::UpdateItem(_)) {
        // A patch returns the whole item.
        expect["exact"] = Json::Bool(false);
    }
    let (is_success, shown) = (matches!(outcome, Outcome::Success(_)), format!("{outcome:?}"));
    let difference = models::difference(&expect, table, outcome, keys)?;
    let problem = match (difference, &said) {
        (None, Err(error)) if is_success => Some(format!("the client says {error}")),
        (difference, _) => difference,
    };
    Ok(problem.map(|it| format!("{it}\n  expected {expect}\n  asked {request:?}\n  got {shown}")))
}
