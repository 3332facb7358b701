//! Models: single-table designs with data, requests in order, and what each must answer.
//!
//! A file in `models/` holds one model:
//!
//! - `table`, with `initialTable` in its place where the scenario changes the table, and
//!   `moreTables`: the `CreateTable` requests. `TimeToLiveSpecification` in them is a separate
//!   call.
//! - `clock`: the moment at which the model plays. Times in the model are shifted so that this
//!   moment is the present of the server, or comes when its clock is moved.
//! - `fixture`: the items to load.
//! - `scenario`: steps, each with an operation, its request and what to expect; a step sees the
//!   effects of the ones before it.
//!
//! Three kinds of step are not API calls: `TtlSweep` turns TTL on and sees which items expire,
//! `ReadStream` reads the records since an earlier step, and `MergeSorted` merges the results of
//! earlier steps by one attribute.
//!
//! What a step can expect is described in `expectation.rs`.

mod expectation;
mod plain;
mod replay;
mod report;
mod shift;
mod stream;
mod sweep;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use self::expectation::StepResult;
use crate::client::Outcome;

pub use self::replay::play;
pub use self::report::{Report, Tally};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/models");

/// One model, as its file describes it.
#[derive(Clone, Debug)]
pub struct Model {
    /// The name of the file without its extension.
    pub name: String,
    description: Value,
}

impl Model {
    /// The steps, in order, as the file has them.
    pub fn steps(&self) -> impl Iterator<Item = &Value> {
        self.list("scenario")
    }

    /// The model with other requests: `replace` gets each step and gives the request to send in
    /// place of the step's own, if there is another. What the step expects stays.
    pub fn with_requests(
        mut self,
        mut replace: impl FnMut(&Value) -> Result<Option<Value>>,
    ) -> Result<Model> {
        let steps = self.description.get_mut("scenario").and_then(Value::as_array_mut);
        for step in steps.into_iter().flatten() {
            if let (Some(request), Some(members)) = (replace(step)?, step.as_object_mut()) {
                members.insert("params".to_owned(), request);
            }
        }
        Ok(self)
    }

    /// The items to load, each with the name of its table.
    pub fn fixture(&self) -> impl Iterator<Item = (&str, &Value)> {
        let main = self.tables().next().and_then(|table| table.get("TableName")?.as_str());
        let main = main.unwrap_or_default();
        self.list("fixture").filter_map(move |entry| {
            let table = entry.get("table").and_then(Value::as_str).unwrap_or(main);
            Some((table, entry.get("item")?))
        })
    }

    /// The `CreateTable` requests of the tables as the scenario leaves them.
    pub fn final_tables(&self) -> impl Iterator<Item = &Value> {
        self.description.get("table").into_iter().chain(self.list("moreTables"))
    }

    fn tables(&self) -> impl Iterator<Item = &Value> {
        let main = self.description.get("initialTable").or_else(|| self.description.get("table"));
        main.into_iter().chain(self.list("moreTables"))
    }

    fn list(&self, member: &str) -> impl Iterator<Item = &Value> {
        self.description.get(member).and_then(Value::as_array).into_iter().flatten()
    }
}

/// Says what differs between what a step expects and what a request of it was answered, if
/// anything does. `table` is the one that the request names.
pub fn difference(
    expect: &Value,
    table: &str,
    outcome: Outcome,
    table_keys: &BTreeMap<String, Vec<String>>,
) -> Result<Option<String>> {
    let result = match outcome {
        Outcome::Failure(error) => StepResult::Failure(error),
        Outcome::Success(response) => {
            let items = replay::items_of(table, &response);
            StepResult::Success { response, items }
        }
    };
    expectation::difference(expect, &result, table_keys)
}

/// Reads all models, in the order of their names.
pub fn load_all() -> Result<Vec<Model>> {
    let mut paths =
        fs::read_dir(FOLDER)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    paths.iter().map(|path| load(path)).collect()
}

fn load(path: &Path) -> Result<Model> {
    let text = fs::read_to_string(path)?;
    let description = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    let name = path.file_stem().and_then(|stem| stem.to_str()).context("a file without a name")?;
    Ok(Model { name: name.to_owned(), description })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_39_models_with_433_steps() {
        let models = load_all().unwrap();
        let steps: usize = models.iter().map(|model| model.steps().count()).sum();
        assert_eq!((models.len(), steps), (39, 433));
    }
}
