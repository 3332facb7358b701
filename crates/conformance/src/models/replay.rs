//! Plays one model against an endpoint: makes its tables, loads the fixture, runs the steps, cleans
//! up.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::expectation::{self, StepResult};
use super::plain::plain;
use super::report::{Report, Tally};
use super::shift::shift_times;
use super::stream::{read_stream, record_id};
use super::{Model, sweep};
use crate::client::{Client, Outcome};
use crate::clock::ServerClock;
use crate::time;

/// A read that differs is repeated for this long: on some servers indexes lag.
const READ_RETRY: Duration = Duration::from_secs(2);

/// How long a table may take to become active, or to go.
const TABLE_WAIT: Duration = Duration::from_secs(120);

/// Reads, and the batch write for what it may leave unprocessed.
const REPEATABLE: &[&str] =
    &["BatchGetItem", "BatchWriteItem", "DescribeTable", "GetItem", "Query", "ReadStream", "Scan"];

/// Plays a model. What goes wrong is in the report: if the tables cannot be made, every step has
/// failed. An error means that the server cannot be reached or that the model is not in the right
/// form.
pub fn play(model: &Model, endpoint: &str) -> Result<Report> {
    let mut model = model.clone();
    let clock = ServerClock::of(endpoint)?;
    if let Some(moment) = model.description.pointer("/clock/epoch").and_then(Value::as_i64) {
        shift_times(&mut model.description, sweep::moment_secs(&clock)? - moment);
    }
    let mut replay = Replay {
        client: Client::new(endpoint),
        clock,
        keys: BTreeMap::new(),
        results: BTreeMap::new(),
        marks: BTreeMap::new(),
    };
    let report = match replay.set_up(&model) {
        Ok(()) => replay.run(&model),
        Err(error) => Ok(all_failed(&model, &error)),
    };
    replay.tear_down()?;
    report.with_context(|| format!("the model {}", model.name))
}

fn all_failed(model: &Model, error: &anyhow::Error) -> Report {
    let steps = u64::try_from(model.steps().count()).expect("a file has few steps");
    let tally = Tally { passed: 0, failed: steps };
    Report {
        model: model.name.clone(),
        tally,
        failures: vec![format!("  no step can run: {error:#}")],
    }
}

pub(super) struct Replay {
    pub(super) client: Client,
    pub(super) clock: ServerClock,
    /// The key attributes of each table that was made.
    pub(super) keys: BTreeMap<String, Vec<String>>,
    /// The result of each step so far, by its name.
    results: BTreeMap<String, StepResult>,
    /// The stream records that there were before a step, for the steps that a later one reads on
    /// from.
    marks: BTreeMap<String, BTreeSet<String>>,
}

impl Replay {
    fn set_up(&mut self, model: &Model) -> Result<()> {
        for table in model.tables() {
            let mut request = table.clone();
            let members = request.as_object_mut().context("a table is not an object")?;
            members.remove("TimeToLiveSpecification");
            self.call("CreateTable", &request)?.success("CreateTable")?;
        }
        let main = model.tables().next().and_then(|table| table.get("TableName"));
        for entry in model.list("fixture") {
            let table = entry.get("table").or(main);
            let request = json!({ "TableName": table, "Item": entry.get("item") });
            self.call("PutItem", &request)?.success("PutItem")?;
        }
        Ok(())
    }

    fn tear_down(&mut self) -> Result<()> {
        for table in std::mem::take(&mut self.keys).into_keys() {
            // A step may have deleted the table: then there is nothing left to do.
            self.client.call("DeleteTable", &json!({ "TableName": table }))?;
            self.wait_for_table(&table, &[])?;
        }
        Ok(())
    }

    fn run(&mut self, model: &Model) -> Result<Report> {
        let mut tally = Tally::default();
        let mut failures = Vec::new();
        for step in model.steps() {
            let operation = text(step, "operation")?;
            self.mark(model, text(step, "step")?)?;
            match self.play_step(model, operation, step)? {
                None => tally.passed += 1,
                Some(problem) => {
                    tally.failed += 1;
                    failures.push(self.describe(&problem, operation, step)?);
                }
            }
        }
        Ok(Report { model: model.name.clone(), tally, failures })
    }

    /// Runs a step, repeatedly if it may be and differs, and returns what differs at the end.
    fn play_step(
        &mut self,
        model: &Model,
        operation: &str,
        step: &Value,
    ) -> Result<Option<String>> {
        let limit = if REPEATABLE.contains(&operation) { READ_RETRY } else { Duration::ZERO };
        let mut problem = None;
        time::until(limit, || {
            problem = self
                .attempt(model, operation, step)
                .unwrap_or_else(|error| Some(format!("{error:#}")));
            problem.is_none().then_some(())
        });
        Ok(problem)
    }

    fn attempt(&mut self, model: &Model, operation: &str, step: &Value) -> Result<Option<String>> {
        let name = text(step, "step")?.to_owned();
        let (params, expect) = (member(step, "params")?, member(step, "expect")?);
        let result = match operation {
            "MergeSorted" => self.merge_sorted(params)?,
            "ReadStream" => self.read_stream(params)?,
            "TtlSweep" => {
                let specification = member(&model.description, "table")?;
                sweep::sweep(
                    self,
                    member(specification, "TimeToLiveSpecification")?,
                    params,
                    expect,
                )?
            }
            _ => self.call(operation, params)?,
        };
        let problem = expectation::difference(expect, &result, &self.keys)?;
        self.results.insert(name, result);
        Ok(problem)
    }

    /// Notes which stream records there are, if a later step reads those since this one.
    fn mark(&mut self, model: &Model, step: &str) -> Result<()> {
        let reads = model.steps().filter_map(|later| later.get("params"));
        let mut reads = reads.filter(|params| params.get("since") == Some(&json!(step)));
        let Some(params) = reads.next() else { return Ok(()) };
        let records = read_stream(&mut self.client, text(params, "TableName")?)?;
        let ids = records.iter().map(record_id).collect::<Result<_>>()?;
        self.marks.insert(step.to_owned(), ids);
        Ok(())
    }

    fn read_stream(&mut self, params: &Value) -> Result<StepResult> {
        let table = text(params, "TableName")?;
        let before = self.marks.get(text(params, "since")?).context("no such step")?;
        let mut records = read_stream(&mut self.client, table)?;
        records.retain(|record| record_id(record).is_ok_and(|id| !before.contains(&id)));
        let keys = records.iter().filter_map(|record| record.pointer("/dynamodb/Keys"));
        let items = keys.map(|key| (table.to_owned(), key.clone())).collect();
        Ok(StepResult::Success { response: json!({ "Records": records }), items })
    }

    /// Sends a request, waits for a table that it changes, and finds the items in the response.
    fn call(&mut self, operation: &str, params: &Value) -> Result<StepResult> {
        let response = match self.client.call(operation, params)? {
            Outcome::Success(response) => response,
            Outcome::Failure(error) => return Ok(StepResult::Failure(error)),
        };
        let table = params.get("TableName").and_then(Value::as_str).unwrap_or_default();
        match operation {
            "CreateTable" => {
                self.keys.insert(table.to_owned(), key_names(params)?);
                self.wait_for_table(table, &["ACTIVE"])?;
            }
            "UpdateTable" => self.wait_for_table(table, &["ACTIVE"])?,
            "DeleteTable" => self.wait_for_table(table, &[])?,
            _ => {}
        }
        let items = items_of(table, &response);
        Ok(StepResult::Success { response, items })
    }

    /// Merges the items of earlier steps by one attribute, as a client does that reads several
    /// partitions.
    fn merge_sorted(&self, params: &Value) -> Result<StepResult> {
        let by = text(params, "by")?;
        let mut items = Vec::new();
        for step in member(params, "steps")?.as_array().context("steps is no list")? {
            let result = step.as_str().and_then(|name| self.results.get(name));
            items.extend(result.context("no such step")?.items().iter().cloned());
        }
        let mut sorted = items
            .into_iter()
            .map(|(table, item)| Ok((plain(member(&item, by)?)?, (table, item))))
            .collect::<Result<Vec<_>>>()?;
        sorted.sort_by(|(one, _), (other, _)| one.cmp(other));
        let items = sorted.into_iter().map(|(_, item)| item).collect();
        Ok(StepResult::Success { response: json!({}), items })
    }

    /// Waits until the table and its indexes have no other statuses than these; a table that is
    /// gone has none.
    fn wait_for_table(&mut self, table: &str, wanted: &[&str]) -> Result<()> {
        let mut last = Ok(Vec::new());
        let reached = time::until(TABLE_WAIT, || {
            last = self.statuses(table);
            last.as_ref().is_ok_and(|found| found == wanted).then_some(())
        });
        let found = last?;
        reached.with_context(|| format!("the table {table} has the statuses {found:?}"))
    }

    fn statuses(&mut self, table: &str) -> Result<Vec<String>> {
        let description = match self.client.call("DescribeTable", &json!({ "TableName": table }))? {
            Outcome::Success(response) => member(&response, "Table")?.clone(),
            Outcome::Failure(error) if error.code == "ResourceNotFoundException" => {
                return Ok(Vec::new());
            }
            Outcome::Failure(error) => bail!("DescribeTable failed: {}", error.body),
        };
        let indexes = description.get("GlobalSecondaryIndexes").and_then(Value::as_array);
        let mut statuses = vec![text(&description, "TableStatus")?.to_owned()];
        for index in indexes.into_iter().flatten() {
            statuses.push(text(index, "IndexStatus")?.to_owned());
        }
        statuses.sort();
        statuses.dedup();
        Ok(statuses)
    }

    fn describe(&self, problem: &str, operation: &str, step: &Value) -> Result<String> {
        let name = text(step, "step")?;
        let got =
            self.results.get(name).map_or_else(|| "nothing".to_owned(), StepResult::to_string);
        Ok(format!(
            "  {name}: {}\n    request:  {operation} {}\n    expected: \
             {}\n    got:      {problem}: {got}",
            text(step, "title")?,
            member(step, "params")?,
            member(step, "expect")?,
        ))
    }
}

fn key_names(table: &Value) -> Result<Vec<String>> {
    let schema = member(table, "KeySchema")?.as_array().context("KeySchema is no list")?;
    schema.iter().map(|element| Ok(text(element, "AttributeName")?.to_owned())).collect()
}

/// The items of a response with their tables: of one item, of a page, or of a batch.
pub(super) fn items_of(table: &str, response: &Value) -> Vec<(String, Value)> {
    let mut items = Vec::new();
    items.extend(response.get("Item").map(|item| (table.to_owned(), item.clone())));
    let page = response.get("Items").and_then(Value::as_array);
    items.extend(page.into_iter().flatten().map(|item| (table.to_owned(), item.clone())));
    let batch = response.get("Responses").and_then(Value::as_object);
    for (table, found) in batch.into_iter().flatten() {
        let found = found.as_array().into_iter().flatten();
        items.extend(found.map(|item| (table.clone(), item.clone())));
    }
    items
}

pub(super) fn member<'a>(value: &'a Value, name: &str) -> Result<&'a Value> {
    value.get(name).with_context(|| format!("there is no {name} in {value}"))
}

pub(super) fn text<'a>(value: &'a Value, name: &str) -> Result<&'a str> {
    member(value, name)?.as_str().with_context(|| format!("{name} is no string"))
}
