//! What the engine on PostgreSQL makes of the database below it.
//!
//! One PostgreSQL is started, with syncs, and filled with rows. Then everybody does the same work
//! on it in turn, round by round:
//!
//! - a [`ceiling`] is `pgbench` with a script of the same row work: as many rows in a statement as
//!   the engine joined just before, on as many connections, with as many syncs,
//! - our engine in this process, once and several times on one store, as several servers have it,
//! - the [`naive`] engine, which has a transaction and a connection for each request.
//!
//! A PutItem of a table without indexes shares the record of its table, locks and reads its item,
//! and writes it. A GetItem reads the item and the record. [`work`] says both of any engine, and a
//! [`store`] is where they work.

mod ceiling;
mod naive;
mod store;
mod work;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Args;
use monotable_bench::load::Sample;
use monotable_bench::progress::Progress;
use monotable_bench::statistics::Spread;
use monotable_storage_postgres::PostgresEngine;

use naive::NaiveEngine;
use store::LoadedStore;
use work::Load;

pub(crate) use work::Request;

/// What is measured, and for how long.
#[derive(Debug, Clone, Args)]
pub(crate) struct ScaleOutArguments {
    /// How long each sample takes, in seconds
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,

    /// How many samples are taken of everything
    #[arg(long, default_value_t = 5)]
    rounds: usize,

    /// How many requests are under way at once, over all engines
    #[arg(long, default_value_t = 64)]
    callers: usize,

    /// How many engines share the store, separated by commas
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3])]
    engines: Vec<usize>,

    /// Rows of the stores, separated by commas; the first is compared with pgbench
    #[arg(long, value_delimiter = ',', default_values_t = [100_000, 1_000_000])]
    rows: Vec<u64>,

    /// Bytes of a value
    #[arg(long, default_value_t = 1000)]
    value_bytes: usize,

    /// How many groups of transactions an engine has under way at once [default: as a server has]
    #[arg(long)]
    writers: Option<usize>,

    /// How many connections an engine has for single reads [default: as a server has]
    #[arg(long)]
    getters: Option<usize>,

    /// Check that everything works, on few rows and for a short time; the figures mean nothing
    #[arg(long)]
    quick: bool,
}

/// What a run does.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) length: Duration,
    pub(crate) rounds: usize,
    pub(crate) callers: usize,
    pub(crate) engines: Vec<usize>,
    pub(crate) rows: Vec<u64>,
    pub(crate) value_bytes: usize,
    pub(crate) writers: Option<usize>,
    pub(crate) getters: Option<usize>,
}

impl Plan {
    /// The plan for what was asked.
    pub(crate) fn new(arguments: ScaleOutArguments) -> Result<Plan> {
        let is_whole = arguments.rows.iter().all(|rows| *rows > 0) && !arguments.rows.is_empty();
        ensure!(is_whole, "--rows names one number or more, each above 0");
        ensure!(arguments.engines.iter().all(|count| *count > 0), "--engines are at least 1");
        let plan = Plan {
            length: Duration::from_secs_f64(arguments.seconds),
            rounds: arguments.rounds.max(1),
            callers: arguments.callers.max(1),
            engines: arguments.engines,
            rows: arguments.rows,
            value_bytes: arguments.value_bytes,
            writers: arguments.writers,
            getters: arguments.getters,
        };
        if !arguments.quick {
            return Ok(plan);
        }
        let length = Duration::from_millis(300);
        Ok(Plan { length, rounds: 1, engines: vec![1, 2], rows: vec![1000, 3000], ..plan })
    }

    fn load(&self, request: Request, rows: u64, round: usize) -> Load {
        let (callers, length, value_bytes) = (self.callers, self.length, self.value_bytes);
        Load { request, rows, callers, length, value_bytes, seed: round as u64 }
    }
}

/// Who did the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Worker {
    /// So many of our engines on one store.
    Engines(usize),
    /// A connection and a transaction for each request.
    Naive,
}

/// One sample, and what pgbench did with the same work just after.
#[derive(Debug, Clone)]
pub(crate) struct Round {
    pub(crate) sample: Sample,
    /// How many requests were joined on average.
    pub(crate) joined: f64,
    /// Rows per second of pgbench; none where nothing is joined.
    pub(crate) ceiling: Option<f64>,
}

/// What was found of one worker and one request.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) request: Request,
    pub(crate) worker: Worker,
    /// Rows of the store.
    pub(crate) rows: u64,
    pub(crate) rounds: Vec<Round>,
}

impl Finding {
    fn new(request: Request, worker: Worker, rows: u64) -> Finding {
        Finding { request, worker, rows, rounds: Vec::new() }
    }

    /// Requests per second, as the median of the rounds.
    pub(crate) fn rate(&self) -> Option<f64> {
        let rates = self.rounds.iter().map(|round| round.sample.requests_per_second());
        Spread::of(rates).map(|spread| spread.median)
    }

    /// The rate as a share of the ceiling of the same round.
    pub(crate) fn of_ceiling(&self) -> Vec<f64> {
        let share = |round: &Round| Some(round.sample.requests_per_second() / round.ceiling?);
        self.rounds.iter().filter_map(share).collect()
    }
}

/// Everything that was found.
#[derive(Debug, Clone)]
pub(crate) struct Findings {
    /// Engines beside the ceiling and the naive one, on the first store.
    pub(crate) workers: Vec<Finding>,
    /// One engine on each store.
    pub(crate) sizes: Vec<Finding>,
}

/// Measures everything, in turn.
pub(crate) async fn measure(plan: &Plan) -> Result<Findings> {
    let mut progress = Progress::new(plan.rows.len() + plan.rounds);
    let mut stores = Vec::with_capacity(plan.rows.len());
    let database = store::start()?;
    for rows in &plan.rows {
        progress.begin(&format!("loading {rows} rows"));
        stores.push(LoadedStore::load(&database, *rows, plan).await?);
    }
    let first = stores.first().expect("a plan has a store");
    let most = plan.engines.iter().copied().max().unwrap_or(1);
    let engines = first.open(most).await?;
    let naive = vec![Arc::new(NaiveEngine::open(first, plan.callers).await?)];
    let mut sized = Vec::with_capacity(stores.len());
    for store in &stores {
        sized.push(store.open(1).await?);
    }
    let mut findings = empty_findings(plan);
    for round in 0..plan.rounds {
        progress.begin(&format!("round {}", round + 1));
        for finding in &mut findings.workers {
            let load = plan.load(finding.request, finding.rows, round);
            let found = match finding.worker {
                Worker::Engines(count) => {
                    let engines = engines.get(..count).unwrap_or(&engines);
                    beside_ceiling(&load, first, engines).await?
                }
                Worker::Naive => {
                    Round { sample: work::run(&load, &naive).await?, joined: 1.0, ceiling: None }
                }
            };
            finding.rounds.push(found);
        }
        for (finding, engines) in findings.sizes.iter_mut().zip(sized.iter().cycle()) {
            let load = plan.load(finding.request, finding.rows, round);
            finding.rounds.push(of_engines(&load, engines).await?);
        }
    }
    Ok(findings)
}

fn empty_findings(plan: &Plan) -> Findings {
    let first = plan.rows.first().copied().unwrap_or(1);
    let workers =
        || plan.engines.iter().map(|count| Worker::Engines(*count)).chain([Worker::Naive]);
    let on_first = |request| workers().map(move |worker| Finding::new(request, worker, first));
    let of_size = |request| {
        plan.rows.iter().map(move |rows| Finding::new(request, Worker::Engines(1), *rows))
    };
    Findings {
        workers: Request::ALL.into_iter().flat_map(on_first).collect(),
        sizes: Request::ALL.into_iter().flat_map(of_size).collect(),
    }
}

/// A sample of engines, and how many requests they joined on average.
async fn of_engines(load: &Load, engines: &[Arc<PostgresEngine>]) -> Result<Round> {
    let joined = || {
        engines
            .iter()
            .map(|engine| load.request.joined(engine))
            .fold((0, 0), |sum, counts| (sum.0 + counts.questions, sum.1 + counts.requests))
    };
    let before = joined();
    let sample = work::run(load, engines).await?;
    let after = joined();
    let joined = (after.1 - before.1) as f64 / (after.0 - before.0).max(1) as f64;
    Ok(Round { sample, joined, ceiling: None })
}

/// The same, and after it pgbench with groups of the same size.
async fn beside_ceiling(
    load: &Load,
    store: &LoadedStore<'_>,
    engines: &[Arc<PostgresEngine>],
) -> Result<Round> {
    let round = of_engines(load, engines).await?;
    let connections = load.request.connections(&store.options) * engines.len();
    let ceiling = ceiling::run(load, store, round.joined.round() as u64, connections).await?;
    Ok(Round { ceiling: Some(ceiling), ..round })
}
