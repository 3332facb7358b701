//! What becomes of a server over time when data comes and goes.
//!
//! Each case is a kind of use that leaves something behind: deleted items, deleted tables, expired
//! items, old stream records, large values. A case starts its own server, sends requests at fixed
//! rates, and looks every second at what a request that has nothing to do with it feels, and at
//! what the server uses.
//!
//! - a [`stage`] is a server with everything that a case asks of it, and [`shapes`] the tables and
//!   requests,
//! - a [`timeline`] is what the server used, a [`finding`] all that a case found,
//! - the other modules are cases.

mod bad_requests;
pub(crate) mod finding;
mod index_change;
mod large_items;
mod queue;
mod shapes;
mod sparse_index;
mod stage;
mod stream;
mod table_delete;
pub(crate) mod timeline;
mod ttl;

use std::cell::RefCell;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use monotable_bench::clock;
use monotable_bench::progress::Progress;

use crate::build::Build;
use crate::rounds::turns;
use crate::settings::{Settings, or};
use finding::Finding;

/// What is measured, and for how long.
#[derive(Debug, Clone, Args)]
pub(crate) struct ChurnArguments {
    /// Cases to run, separated by commas [default: all]
    #[arg(long = "case", value_delimiter = ',')]
    cases: Vec<Case>,

    /// How long a case takes, in seconds, its preparation aside [default: 60]
    #[arg(long, conflicts_with = "minutes")]
    seconds: Option<f64>,

    /// The same in minutes: 60 shows what only adds up over an hour
    #[arg(long)]
    minutes: Option<f64>,

    /// Writes per second of the cases that write all the time: so many puts, and as many deletes
    #[arg(long, default_value_t = 2000.0)]
    rate: f64,

    /// Puts per second of a neighbour that has nothing to do with what happens
    #[arg(long, default_value_t = 1000.0)]
    neighbour_rate: f64,

    /// Items of the bursts of a queue, separated by commas [default: 0,20000,100000,1000000]
    #[arg(long, value_delimiter = ',')]
    bursts: Vec<u64>,

    /// Items of tables that are deleted or get an index [default: 100000]
    #[arg(long)]
    table_items: Option<u64>,
}

/// A kind of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Case {
    /// A queue in one partition, at a steady rate
    Queue,
    /// A queue that is filled and emptied, and then asked for its head
    QueueBursts,
    /// A table with an index that is filled and deleted beside a neighbour
    TableDelete,
    /// Items that expire as fast as others are put
    Ttl,
    /// Items that enter and leave an index all the time
    SparseIndex,
    /// A stream that forgets its oldest records as fast as others are written
    Stream,
    /// An index that is added to a table in use and removed again
    IndexChange,
    /// Items of 400 KB beside small ones
    LargeItems,
    /// Requests that ask for far too much, beside small ones
    BadRequests,
}

impl Case {
    /// Its name on the command line and in files.
    pub(crate) fn name(self) -> String {
        let value = self.to_possible_value().expect("every case can be asked for");
        value.get_name().to_owned()
    }

    /// Its name in tables.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Case::Queue => "A queue: put at the tail, delete at the head of one partition",
            Case::QueueBursts => "A queue that was filled and emptied",
            Case::TableDelete => "A table that is deleted beside a neighbour",
            Case::Ttl => "Items that expire all the time",
            Case::SparseIndex => "Items that enter and leave an index all the time",
            Case::Stream => "A stream whose oldest records go all the time",
            Case::IndexChange => "An index that is added and removed under load",
            Case::LargeItems => "Items of 400 KB beside a small one",
            Case::BadRequests => "Requests that ask for too much, beside a small one",
        }
    }

    async fn measure(self, situation: &Situation<'_>) -> Result<Finding> {
        match self {
            Case::Queue => queue::steady(situation).await,
            Case::QueueBursts => queue::bursts(situation).await,
            Case::TableDelete => table_delete::measure(situation).await,
            Case::Ttl => ttl::measure(situation).await,
            Case::SparseIndex => sparse_index::measure(situation).await,
            Case::Stream => stream::measure(situation).await,
            Case::IndexChange => index_change::measure(situation).await,
            Case::LargeItems => large_items::measure(situation).await,
            Case::BadRequests => bad_requests::measure(situation).await,
        }
    }
}

/// What a run does, after defaults are filled in.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) cases: Vec<Case>,
    pub(crate) length: Duration,
    pub(crate) rate: f64,
    pub(crate) neighbour_rate: f64,
    pub(crate) bursts: Vec<u64>,
    pub(crate) table_items: u64,
    /// How long the space of a deleted table is waited for.
    pub(crate) space_max: Duration,
    /// How many times bad requests are smaller than they should be.
    pub(crate) bad_divisor: usize,
}

/// The time of a case by default, in a full run and in a quick one.
const SECONDS: f64 = 60.0;
const QUICK_SECONDS: f64 = 2.0;
const TABLE_ITEMS: u64 = 100_000;
const QUICK_TABLE_ITEMS: u64 = 500;
const QUICK_BURSTS: [u64; 2] = [0, 500];
const QUICK_RATE: f64 = 100.0;

impl Plan {
    /// Fills in what was not said; a quick run is small in everything.
    pub(crate) fn new(arguments: ChurnArguments, quick: bool) -> Result<Plan> {
        let usual = if quick { QUICK_SECONDS } else { SECONDS };
        let minutes = arguments.minutes.map(|minutes| minutes * 60.0);
        let seconds = arguments.seconds.or(minutes).unwrap_or(usual);
        ensure!((1.0..=86_400.0).contains(&seconds), "a case takes from a second to a day");
        ensure!(arguments.rate > 0.0 && arguments.neighbour_rate > 0.0, "a rate is above zero");
        let bursts = if quick { &QUICK_BURSTS[..] } else { &queue::BURSTS };
        let items = if quick { QUICK_TABLE_ITEMS } else { TABLE_ITEMS };
        let at_most = |rate: f64| if quick { rate.min(QUICK_RATE) } else { rate };
        Ok(Plan {
            cases: or(arguments.cases, Case::value_variants()),
            length: Duration::from_secs_f64(seconds),
            rate: at_most(arguments.rate),
            neighbour_rate: at_most(arguments.neighbour_rate),
            bursts: or(arguments.bursts, bursts),
            table_items: arguments.table_items.unwrap_or(items).max(1),
            space_max: Duration::from_secs(if quick { 1 } else { 60 }),
            bad_divisor: if quick { 20 } else { 1 },
        })
    }
}

impl Plan {
    /// How long half of a case takes, for those that compare two times.
    fn half(&self) -> Duration {
        self.length / 2
    }
}

/// What a case runs on.
pub(crate) struct Situation<'a> {
    plan: &'a Plan,
    settings: &'a Settings,
    progress: RefCell<&'a mut Progress>,
}

impl Situation<'_> {
    /// Says how far the case is.
    fn detail(&self, detail: &str) {
        self.progress.borrow_mut().detail(detail);
    }

    /// Lets time pass, and says how much is left.
    async fn wait(&self, length: Duration) -> Result<()> {
        let begin = clock::now();
        while let Some(left) = length.checked_sub(begin.elapsed()).filter(|left| !left.is_zero()) {
            self.detail(&format!("{:.0} s left", left.as_secs_f64().ceil()));
            clock::wait(left.min(Duration::from_secs(1))).await;
        }
        Ok(())
    }
}

/// What was found of one build in one case, a finding per round.
#[derive(Debug, Clone)]
pub(crate) struct CaseFindings {
    /// The case.
    pub(crate) case: Case,
    /// The build.
    pub(crate) build: Build,
    /// The rounds.
    pub(crate) rounds: Vec<Finding>,
    /// Why there are fewer, if one failed. What other cases found is not lost by that.
    pub(crate) failure: Option<String>,
}

/// Runs all cases on all builds. In each round every build runs a case once, and each round begins
/// with another one.
pub(crate) async fn measure(
    settings: &Settings,
    builds: &[Build],
    plan: &Plan,
) -> Result<Vec<CaseFindings>> {
    let mut progress = Progress::new(plan.cases.len() * builds.len() * settings.rounds);
    let mut all = Vec::new();
    for case in plan.cases.iter().copied() {
        let empty = |build: &Build| CaseFindings {
            case,
            build: build.clone(),
            rounds: Vec::new(),
            failure: None,
        };
        let mut found: Vec<CaseFindings> = builds.iter().map(empty).collect();
        for (place, round) in turns(builds.len(), settings.rounds) {
            let Some(one) = found.get_mut(place) else { continue };
            let title = format!("{}, {}, round {}", case.name(), one.build.name, round + 1);
            progress.begin(&title);
            let settings = Settings { binary: one.build.binary.clone(), ..settings.clone() };
            let progress = RefCell::new(&mut progress);
            let situation = Situation { plan, settings: &settings, progress };
            match case.measure(&situation).await.context(title) {
                Ok(finding) => one.rounds.push(finding),
                Err(error) => one.failure = Some(format!("{error:#}")),
            }
        }
        all.extend(found);
    }
    Ok(all)
}
