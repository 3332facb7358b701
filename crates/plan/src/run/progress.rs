//! The steps of a run, one after the other.

use monotable_item::Item;
use monotable_item::limits::BATCH_GET_KEYS_MAX;
use monotable_model::document::{Each, Model};
use monotable_model::recognition::{Recognizer, model_attributes};

use crate::{
    FillError, GetRequest, Plan, PlannedAction, PlannedRequest, Request, requests, step_requests,
};

/// A pattern that is being run.
#[derive(Debug, Clone)]
pub struct Run<'m> {
    model: &'m Model,
    plan: &'m Plan,
    parameters: Item,
    next: usize,
}

/// A row of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The table that it is from, as the service calls it.
    pub table: String,
    /// What it holds.
    pub item: Item,
}

/// The requests of one step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepRequests<'m> {
    /// The step.
    pub step: &'m PlannedRequest,
    /// Its requests, in order.
    pub requests: Vec<Request>,
}

impl<'m> Run<'m> {
    /// A run that has not begun.
    pub fn new(model: &'m Model, plan: &'m Plan, parameters: Item) -> Run<'m> {
        Run { model, plan, parameters, next: 0 }
    }

    /// The requests of the next step, if there is one. It is given the rows that the step before it
    /// has brought.
    pub fn next(&mut self, rows: &[Row]) -> Result<Option<StepRequests<'m>>, FillError> {
        if !self.plan.is_served() {
            return Err(FillError::Unserved { pattern: self.plan.pattern.clone() });
        }
        let Some(step) = self.plan.steps.get(self.next) else { return Ok(None) };
        self.next += 1;
        let requests = match &step.each {
            Some(Each::Result) => self.for_each_row(step, rows)?,
            Some(Each::Parameter(_)) | None => self.with_first_row(step, rows)?,
        };
        Ok(Some(StepRequests { step, requests }))
    }

    fn for_each_row(&self, step: &PlannedRequest, rows: &[Row]) -> Result<Vec<Request>, FillError> {
        let mut all = Vec::new();
        for row in rows {
            let requests = step_requests(self.model, step, &self.with_row(&row.item))?;
            all.extend(requests.into_iter().map(|request| (row, request)));
        }
        Ok(if step.action == PlannedAction::Fetch {
            batched(all)
        } else {
            all.into_iter().map(|(_, request)| request).collect()
        })
    }

    /// What the caller did not say, a row of the step before may: a pointer says which version is
    /// current.
    fn with_first_row(
        &self,
        step: &PlannedRequest,
        rows: &[Row],
    ) -> Result<Vec<Request>, FillError> {
        let alone = Plan { steps: vec![step.clone()], ..self.plan.clone() };
        match (requests(self.model, &alone, &self.parameters), rows.first()) {
            (Err(_), Some(row)) => requests(self.model, &alone, &self.with_row(&row.item)),
            (requests, _) => requests,
        }
    }

    /// The attributes of a row, under the names of items and of the model; and what the caller
    /// said, which counts more.
    fn with_row(&self, row: &Item) -> Item {
        let mut tables = self.model.tables.iter();
        let entity =
            tables.find_map(|table| Recognizer::new(self.model, table).recognise(row).likeliest());
        let mut said = row.clone();
        said.extend(model_attributes(entity, row));
        said.extend(self.parameters.clone());
        said
    }
}

/// Single reads as batches. What a row lacks is in the table that the row is from.
fn batched(requests: Vec<(&Row, Request)>) -> Vec<Request> {
    let get = |(row, request): (&Row, Request)| match request {
        Request::Get(get) => Some(GetRequest { table: row.table.clone(), ..get }),
        Request::Query(_)
        | Request::Scan(_)
        | Request::Write(_)
        | Request::BatchGet(_)
        | Request::BatchWrite(_)
        | Request::TransactGet(_)
        | Request::TransactWrite(_) => None,
    };
    let gets: Vec<GetRequest> = requests.into_iter().filter_map(get).collect();
    gets.chunks(BATCH_GET_KEYS_MAX).map(|chunk| Request::BatchGet(chunk.to_vec())).collect()
}
