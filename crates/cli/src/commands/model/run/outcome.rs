//! What came of a run.

use std::collections::BTreeMap;

use monotable_item::Item;
use monotable_model::document::{Entity, Model, Operation, Pattern, Table};
use monotable_model::recognition::Recognizer;
use monotable_plan::Request;
use monotable_plan::cost::{DEFAULT_REGION, Estimate, Load, Settings, prices_of};
use serde_json::Value;

use crate::outcome::Outcome;

/// All requests of a run.
#[derive(Debug, Default)]
pub(super) struct Played {
    pub(super) requests: Vec<PlayedRequest>,
}

/// A request, and what came of it.
#[derive(Debug)]
pub(super) struct PlayedRequest {
    pub(super) request: Request,
    pub(super) rows: Vec<Row>,
    /// How many items were read, those that the filter threw away included; only for queries and
    /// scans.
    pub(super) scanned: Option<u64>,
    pub(super) pages: u64,
    /// Where the next page begins, if it was not read.
    pub(super) next: Option<Value>,
    /// Units by table and index.
    pub(super) consumed: BTreeMap<String, f64>,
    pub(super) refusal: Option<Refusal>,
}

/// A row, and the table that it is from, as the service calls it.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) table: String,
    pub(super) item: Item,
}

/// A condition that was not met.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) message: String,
    /// What became of each member of a transaction.
    pub(super) members: Vec<String>,
}

impl Row {
    /// The table in the model.
    pub(super) fn table_of<'m>(&self, model: &'m Model) -> Option<&'m Table> {
        model.tables.iter().find(|table| table.physical_name() == self.table)
    }

    pub(super) fn entity<'m>(&self, model: &'m Model) -> Option<&'m Entity> {
        Recognizer::new(model, self.table_of(model)?).recognise(&self.item).likeliest()
    }
}

impl PlayedRequest {
    pub(super) fn new(request: Request) -> PlayedRequest {
        PlayedRequest {
            request,
            rows: Vec::new(),
            scanned: None,
            pages: 0,
            next: None,
            consumed: BTreeMap::new(),
            refusal: None,
        }
    }

    /// How many items the filter threw away.
    pub(super) fn discarded(&self) -> Option<u64> {
        let kept = u64::try_from(self.rows.len()).unwrap_or(u64::MAX);
        self.scanned.map(|scanned| scanned.saturating_sub(kept))
    }

    pub(super) fn is_write(&self) -> bool {
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
    pub(super) fn outcome(&self, pattern: &Pattern) -> Outcome {
        let is_refused = self.requests.iter().any(|played| played.refusal.is_some());
        let is_read = self.requests.iter().all(|played| !played.is_write());
        let found_nothing = self.requests.iter().all(|played| played.rows.is_empty());
        let reads = is_read && pattern.operation != Operation::Administer;
        if is_refused || (reads && found_nothing) { Outcome::Negative } else { Outcome::Done }
    }

    /// The units that were consumed, of reading and of writing.
    pub(super) fn consumed(&self) -> Load {
        let mut load = Load::default();
        for played in &self.requests {
            let units: f64 = played.consumed.values().sum();
            if played.is_write() { load.write += units } else { load.read += units }
        }
        load
    }
}

/// The units that one run of a pattern is estimated to consume.
pub(super) fn estimated(model: &Model, pattern: &Pattern) -> Option<Load> {
    let estimate = Estimate::of(model, &Settings::new(prices_of(DEFAULT_REGION)?));
    let cost = estimate.patterns.into_iter().find(|cost| cost.name == pattern.name)?;
    let mut load = Load::default();
    cost.usage.values().for_each(|usage| load.add(usage.total(), 1.0));
    Some(load)
}
