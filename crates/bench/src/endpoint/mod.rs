//! One endpoint measured from beginning to end, which is what `monotable bench` does.
//!
//! The tables are made for the run and deleted after it, also when it fails or is interrupted.

mod report;

use std::cell::RefCell;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::data::Dataset;
use crate::load::{self, Load, PacedSample, Sample};
use crate::preload;
use crate::progress::Progress;
use crate::table::Table;
use crate::target::Target;
use crate::workload::Workload;

pub use report::{render_json, render_table};

/// Requests are sent for this share of the measured time before any is counted.
pub const WARM_UP_SHARE: f64 = 0.2;

/// What to do with an endpoint.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The server.
    pub target: Target,
    /// The kinds of requests, one after the other.
    pub workloads: Vec<Workload>,
    /// How many connections send at once; several numbers are measured one after the other.
    pub connections: Vec<u64>,
    /// The rates to send at; none to send as fast as answers come.
    pub rates: Vec<f64>,
    /// How long each measurement takes.
    pub measured: Duration,
    /// How many items are loaded beforehand.
    pub dataset: Dataset,
    /// What the names of the tables begin with.
    pub table_prefix: String,
    /// Whether the tables stay.
    pub keep: bool,
    /// Where the random keys start.
    pub seed: u64,
}

/// What was measured with one workload.
#[derive(Debug, Clone)]
pub struct Row {
    /// The kind of request.
    pub workload: Workload,
    /// How many connections sent them.
    pub connections: u64,
    /// What was found.
    pub result: Measured,
}

/// What was found, by how requests were paced.
#[derive(Debug, Clone)]
pub enum Measured {
    /// As fast as answers came.
    Closed(Sample),
    /// At a rate.
    Open(PacedSample),
}

/// Makes the tables, measures, and deletes the tables.
pub async fn run(plan: &Plan) -> Result<Vec<Row>> {
    let target = plan.target.clone();
    let created = RefCell::new(Vec::new());
    let outcome = tokio::select! {
        outcome = measure(&target, plan, &created) => outcome,
        _ = tokio::signal::ctrl_c() => bail_interrupted(),
    };
    for table in created.take().iter().filter(|_| !plan.keep) {
        let deleted = preload::delete_table(&target, table).await;
        // What went wrong first is what matters: often it is why the table cannot be deleted
        // either.
        if outcome.is_ok() {
            deleted.with_context(|| format!("table {} is left behind", table.name()))?;
        }
    }
    outcome
}

fn bail_interrupted() -> Result<Vec<Row>> {
    bail!("interrupted")
}

async fn measure(target: &Target, plan: &Plan, created: &RefCell<Vec<Table>>) -> Result<Vec<Row>> {
    let paces = pace_choices(plan);
    let tables = tables(plan);
    let measurements = plan.workloads.len() * plan.connections.len() * paces.len();
    let mut progress = Progress::new(tables.len() + measurements);
    for table in &tables {
        progress.begin(&format!("loading {}", table.name()));
        created.borrow_mut().push(table.clone());
        let filled = preload::fill(target, table, plan.dataset, &mut progress).await;
        if filled.as_ref().is_err_and(is_taken) {
            // Somebody else's table must not be deleted.
            created.borrow_mut().pop();
            bail!("there is a table {} already; --table-prefix takes another name", table.name());
        }
        filled?;
    }
    let mut rows = Vec::new();
    for workload in &plan.workloads {
        for connections in &plan.connections {
            let load = load_of(plan, *workload, *connections);
            for pace in &paces {
                progress.begin(&format!("{}, {connections} connections", workload.title()));
                let result = match pace {
                    None => Measured::Closed(load::run(target, &load).await?),
                    Some(rate) => Measured::Open(load::run_paced(target, &load, *rate).await?),
                };
                rows.push(Row { workload: *workload, connections: *connections, result });
            }
        }
    }
    Ok(rows)
}

/// No rate stands for as fast as answers come.
fn pace_choices(plan: &Plan) -> Vec<Option<f64>> {
    if plan.rates.is_empty() { vec![None] } else { plan.rates.iter().copied().map(Some).collect() }
}

fn is_taken(error: &anyhow::Error) -> bool {
    format!("{error:#}").contains("ResourceInUseException")
}

/// The tables of all workloads, each once.
fn tables(plan: &Plan) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for workload in &plan.workloads {
        let table = workload.table().with_prefix(&plan.table_prefix);
        if !tables.contains(&table) {
            tables.push(table);
        }
    }
    tables
}

fn load_of(plan: &Plan, workload: Workload, connections: u64) -> Load {
    Load {
        workload,
        table: workload.table().with_prefix(&plan.table_prefix),
        dataset: plan.dataset,
        connections,
        warm_up: plan.measured.mul_f64(WARM_UP_SHARE),
        measured: plan.measured,
        seed: plan.seed,
    }
}
