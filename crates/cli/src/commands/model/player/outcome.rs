//! What came of a run.

use std::collections::BTreeMap;

use monotable_item::Item;
use monotable_model::document::{Entity, Model, Operation, Pattern, Table};
use monotable_model::recognition::Recognizer;
use monotable_plan::Request;
use monotable_plan::cost::{DEFAULT_REGION, Estimate, Load, Settings, prices_of};
use monotable_plan::run::Row as ReadRow;
use monotable_remote::Error;
use serde_json::Value;

use crate::outcome::Outcome;

/// All requests of a run.
#[derive(Debug, Default)]
pub(crate) struct Played {
    pub(crate) requests: Vec<PlayedRequest>,
    /// What the caller gets: the rows of all requests, those of an index with what was fetched for
    /// them.
    pub(crate) rows: Vec<Row>,
    /// Whether the rows come in no order that could be relied on.
    pub(crate) is_unordered: bool,
}

/// A request, and what came of it.
#[derive(Debug)]
pub(crate) struct PlayedRequest {
    pub(crate) request: Request,
    pub(crate) rows: Vec<Row>,
    /// How many items were read, those that the filter threw away included; only for queries and
    /// scans.
    pub(crate) scanned: Option<u64>,
    pub(crate) pages: u64,
    /// Where the next page begins, if it was not read.
    pub(crate) next: Option<Value>,
    /// Units by table and index.
    pub(crate) consumed: BTreeMap<String, f64>,
    pub(crate) refusal: Option<Refusal>,
    /// What was said about a table that is not there.
    pub(super) absent: Option<Error>,
}

/// A row, and the table that it is from, as the service calls it.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) table: String,
    pub(crate) item: Item,
}

/// A condition that was not met.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) message: String,
    /// What became of each member of a transaction.
    pub(crate) members: Vec<String>,
}

impl Row {
    /// The row as the next step of a run is given it.
    pub(super) fn as_read(&self) -> ReadRow {
        ReadRow { table: self.table.clone(), item: self.item.clone() }
    }

    /// The table in the model.
    pub(crate) fn table_of<'m>(&self, model: &'m Model) -> Option<&'m Table> {
        model.tables.iter().find(|table| table.is_called(&self.table))
    }

    pub(crate) fn entity<'m>(&self, model: &'m Model) -> Option<&'m Entity> {
        Recognizer::new(model, self.table_of(model)?).recognise(&self.item).likeliest()
    }
}

impl PlayedRequest {
    pub(crate) fn new(request: Request) -> PlayedRequest {
        PlayedRequest {
            request,
            rows: Vec::new(),
            scanned: None,
            pages: 0,
            next: None,
            consumed: BTreeMap::new(),
            refusal: None,
            absent: None,
        }
    }

    /// How many items the filter threw away.
    pub(crate) fn discarded(&self) -> Option<u64> {
        let kept = u64::try_from(self.rows.len()).unwrap_or(u64::MAX);
        self.scanned.map(|scanned| scanned.saturating_sub(kept))
    }

    pub(crate) fn is_write(&self) -> bool {
        match &self.request {
            Request::Write(_) | Request::BatchWrite(_) | Request::TransactWrite(_) => true,
            Request::Get(_)
            | Request::Query(_)
            | Request::Scan(_)
            | Request::BatchGet(_)
            | Request::TransactGet(_) => false,
        }
    }
}

impl Played {
    /// No, if a condition was not met or nothing was found.
    pub(crate) fn outcome(&self, pattern: &Pattern) -> Outcome {
        let is_refused = self.requests.iter().any(|played| played.refusal.is_some());
        let is_read = self.requests.iter().all(|played| !played.is_write());
        let found_nothing = self.requests.iter().all(|played| played.rows.is_empty());
        let reads = is_read && pattern.operation != Operation::Administer;
        if is_refused || (reads && found_nothing) { Outcome::Negative } else { Outcome::Done }
    }

    /// Takes out the condition that was not met, if there is one.
    pub(crate) fn take_refusal(&mut self) -> Option<Refusal> {
        self.requests.iter_mut().find_map(|played| played.refusal.take())
    }

    /// Takes the rows of a request.
    pub(super) fn add_rows(&mut self, answered: &PlayedRequest) {
        self.rows.extend(answered.rows.iter().cloned());
        self.is_unordered |= match answered.request {
            Request::Scan(_) | Request::BatchGet(_) => true,
            Request::Get(_)
            | Request::Query(_)
            | Request::Write(_)
            | Request::BatchWrite(_)
            | Request::TransactGet(_)
            | Request::TransactWrite(_) => false,
        };
    }

    /// Adds to the rows of an index what was fetched for them, by the keys that it was asked by.
    pub(super) fn complete(&mut self, fetched: &PlayedRequest) {
        let Request::BatchGet(gets) = &fetched.request else { return };
        let Some(key) = gets.first().map(|get| &get.key) else { return };
        for row in &mut self.rows {
            let is_same = |other: &&Row| {
                other.table == row.table
                    && key.keys().all(|name| other.item.get(name) == row.item.get(name))
            };
            if let Some(found) = fetched.rows.iter().find(is_same) {
                row.item.extend(found.item.clone());
            }
        }
    }

    /// The units that were consumed, of reading and of writing.
    pub(crate) fn consumed(&self) -> Load {
        let mut load = Load::default();
        for played in &self.requests {
            let units: f64 = played.consumed.values().sum();
            if played.is_write() { load.write += units } else { load.read += units }
        }
        load
    }
}

/// The units that one run of a pattern is estimated to consume.
pub(crate) fn estimated(model: &Model, pattern: &Pattern) -> Option<Load> {
    let estimate = Estimate::of(model, &Settings::new(prices_of(DEFAULT_REGION)?));
    let cost = estimate.patterns.into_iter().find(|cost| cost.name == pattern.name)?;
    let mut load = Load::default();
    cost.usage.values().for_each(|usage| load.add(usage.total(), 1.0));
    Some(load)
}
