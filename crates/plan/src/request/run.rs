//! The requests of one run of a plan.

use monotable_item::{Item, Number, Value};
use monotable_model::document::{Each, Entity, Model, Order, Source, Table};
use monotable_model::template::AttributePart;

use super::batch::{batch_get, batch_write, runs, transact_get, transact_write};
use super::{GetRequest, Placeholders, Request, WriteRequest, read, write};
use crate::answer::Plan;
use crate::fill::{Arguments, FillError};
use crate::period::{Period, periods};
use crate::request_plan::{FanOut, PlannedAction, PlannedRequest};

/// The requests of a plan with these parameters, by their names.
///
/// A step that runs for each row of the step before it is left out: its requests are known when the
/// rows are, see [`step_requests`].
pub fn requests(model: &Model, plan: &Plan, parameters: &Item) -> Result<Vec<Request>, FillError> {
    if !plan.is_served() {
        return Err(FillError::Unserved { pattern: plan.pattern.clone() });
    }
    let mut requests = Vec::new();
    for step in plan.steps.iter().filter(|step| step.each != Some(Each::Result)) {
        for values in runs(step, parameters)? {
            requests.extend(step_requests(model, step, &values)?);
        }
    }
    Ok(requests)
}

/// The requests of one step with these parameters. For a step that runs for each row, the row's
/// attributes are parameters as well.
pub fn step_requests(
    model: &Model,
    step: &PlannedRequest,
    parameters: &Item,
) -> Result<Vec<Request>, FillError> {
    match (action_requests(model, step, parameters), &step.without_range) {
        (Err(missing @ FillError::Missing { .. }), Some(without)) => {
            action_requests(model, without, parameters).map_err(|_| missing)
        }
        (requests, _) => requests,
    }
}

fn action_requests(
    model: &Model,
    step: &PlannedRequest,
    parameters: &Item,
) -> Result<Vec<Request>, FillError> {
    match &step.action {
        PlannedAction::BatchGet(members) => batch_get(model, members, parameters),
        PlannedAction::BatchWrite(members) => batch_write(model, members, parameters),
        PlannedAction::TransactGet(members) => transact_get(model, members, parameters),
        PlannedAction::TransactWrite(members) => transact_write(model, members, parameters),
        PlannedAction::Get(_)
        | PlannedAction::Query(_)
        | PlannedAction::Scan(_)
        | PlannedAction::Put(_)
        | PlannedAction::Update(_)
        | PlannedAction::Delete(_)
        | PlannedAction::Check(_)
        | PlannedAction::Fetch => {
            let runs = fan_out(step, parameters)?;
            runs.iter().map(|run| run.request(model, step)).collect()
        }
    }
}

/// One request of those that a step becomes.
struct Run {
    table: String,
    values: Item,
    shard: Option<u32>,
    period: Option<Period>,
    table_period: Option<Period>,
}

fn fan_out(step: &PlannedRequest, parameters: &Item) -> Result<Vec<Run>, FillError> {
    let first = Run {
        table: step.target.table.clone(),
        values: parameters.clone(),
        shard: chosen_shard(parameters),
        period: None,
        table_period: None,
    };
    let mut runs = vec![first];
    for fan_out in &step.fan_out {
        let mut more = Vec::new();
        for run in &runs {
            let mut fanned = run.fanned(fan_out)?;
            if is_newest_first(step, fan_out) {
                fanned.reverse();
            }
            more.extend(fanned);
        }
        runs = more;
    }
    Ok(runs)
}

/// Periods are asked in the order in which their rows are wanted.
fn is_newest_first(step: &PlannedRequest, fan_out: &FanOut) -> bool {
    let is_period = matches!(fan_out, FanOut::Periods { .. } | FanOut::PeriodTables { .. });
    is_period && step.action.query().is_some_and(|query| query.order == Order::Descending)
}

fn number(count: u64) -> Value {
    Value::Number(Number::from(i64::try_from(count).unwrap_or(i64::MAX)))
}

/// The shard that a writer chose.
fn chosen_shard(parameters: &Item) -> Option<u32> {
    match parameters.get("shard") {
        Some(Value::Number(number)) => number.to_string().parse().ok(),
        Some(_) | None => None,
    }
}

impl Run {
    fn fanned(&self, fan_out: &FanOut) -> Result<Vec<Run>, FillError> {
        Ok(match fan_out {
            FanOut::Shards { first, count } => {
                let shards = (0..*count).map(|offset| first + offset);
                shards.map(|shard| Run { shard: Some(shard), ..self.again() }).collect()
            }
            FanOut::Periods { part, from, to } => {
                let run = |period| Run { period: Some(period), ..self.again() };
                self.periods(part, from, to)?.into_iter().map(run).collect()
            }
            FanOut::PeriodTables { part, from, to } => {
                // A table is asked only for the periods of the key that it can hold.
                let meets = |period: &Period| {
                    self.period.as_ref().is_none_or(|of_key| of_key.meets(period))
                };
                let periods = self.periods(part, from, to)?.into_iter().filter(meets);
                periods.map(|one| Run { table_period: Some(one), ..self.again() }).collect()
            }
            FanOut::Tables(tables) => {
                let run = |table: &String| Run { table: table.clone(), ..self.again() };
                tables.iter().map(run).collect()
            }
            FanOut::Copies { attribute, first, count } => {
                let run = |offset: u64| {
                    let mut run = self.again();
                    run.values.insert(attribute.clone(), number(first + offset));
                    run
                };
                (0..*count).map(run).collect()
            }
        })
    }

    fn periods(
        &self,
        part: &AttributePart,
        from: &Source,
        to: &Source,
    ) -> Result<Vec<Period>, FillError> {
        let arguments = self.arguments();
        periods(part, &arguments.value(from)?, &arguments.value(to)?)
    }

    fn again(&self) -> Run {
        Run {
            table: self.table.clone(),
            values: self.values.clone(),
            shard: self.shard,
            period: self.period.clone(),
            table_period: self.table_period.clone(),
        }
    }

    fn arguments(&self) -> Arguments<'_> {
        let period = self.period.as_ref().map(|period| period.text.clone());
        Arguments { values: &self.values, shard: self.shard, period }
    }

    /// What the service calls the table, where there is one for each period. A fetch goes to the
    /// table of its row, which only the caller that has the row knows.
    fn table_name(&self, step: &PlannedRequest) -> Result<Option<String>, FillError> {
        let Some(name) = &step.table_name else { return Ok(None) };
        let period = self.table_period.as_ref().map(|period| period.text.clone());
        match name.fill(&Arguments { period, ..self.arguments() })? {
            Value::String(name) => Ok(Some(name)),
            _ => unreachable!("a template with a period gives text"),
        }
    }

    fn request(&self, model: &Model, step: &PlannedRequest) -> Result<Request, FillError> {
        let table = model.table(&self.table).expect("a plan names tables of its model");
        let of_period = self.table_name(step)?.map(|name| table.called(&name));
        let table = of_period.as_ref().unwrap_or(table);
        let entity = || {
            let name = step.entities.first();
            name.and_then(|name| model.entity(name)).expect("a plan names entities of its model")
        };
        self.of_table(table, entity, step)
    }

    fn of_table<'m>(
        &self,
        table: &'m Table,
        entity: impl Fn() -> &'m Entity,
        step: &PlannedRequest,
    ) -> Result<Request, FillError> {
        let arguments = self.arguments();
        let (name, index) = (table.physical_name(), step.target.index.as_ref());
        Ok(match &step.action {
            PlannedAction::Get(plan) => Request::Get(read::get(name, plan, &arguments)?),
            PlannedAction::Query(plan) => {
                Request::Query(read::query(name, index, plan, &arguments)?)
            }
            PlannedAction::Scan(plan) => Request::Scan(read::scan(name, index, plan, &arguments)?),
            PlannedAction::Put(plan) => {
                Request::Write(WriteRequest::Put(write::put(table, entity(), plan, &arguments)?))
            }
            PlannedAction::Update(plan) => {
                let update = write::update(table, entity(), plan, &arguments)?;
                Request::Write(WriteRequest::Update(update))
            }
            PlannedAction::Delete(plan) => {
                Request::Write(WriteRequest::Delete(write::delete(table, plan, &arguments)?))
            }
            PlannedAction::Check(plan) => {
                Request::Write(WriteRequest::Check(write::check(table, plan, &arguments)?))
            }
            PlannedAction::Fetch => Request::Get(self.fetch(table, step)?),
            PlannedAction::BatchGet(_)
            | PlannedAction::BatchWrite(_)
            | PlannedAction::TransactGet(_)
            | PlannedAction::TransactWrite(_) => {
                unreachable!("members of a group are requests of their own")
            }
        })
    }

    /// The item of a row, by the key that the row holds. Answers of batches come in any order, so
    /// the key is asked for as well: it says which row they complete.
    fn fetch(&self, table: &Table, step: &PlannedRequest) -> Result<GetRequest, FillError> {
        let arguments = self.arguments();
        let mut key = Item::new();
        for attribute in table.key_attributes() {
            key.insert(attribute.name.clone(), arguments.parameter(&attribute.name)?);
        }
        let mut placeholders = Placeholders::default();
        let keys = table.key_attributes().map(|attribute| &attribute.name);
        let paths: Vec<String> =
            keys.chain(&step.missing).map(|name| placeholders.name(name)).collect();
        Ok(GetRequest {
            table: table.physical_name().to_owned(),
            key,
            projection: Some(paths.join(", ")),
            placeholders,
            consistent: false,
        })
    }
}
