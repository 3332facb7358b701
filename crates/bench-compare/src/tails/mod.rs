//! The last percentiles at rates below the peak, in an open loop.
//!
//! First the peak of everybody is measured in a closed loop, then everybody gets 20, 50 and 80 % of
//! its own, in turn. It is done on a disk, beside a loop that does nothing but sync, and on memory
//! that looks like a disk, where what is left is the server's own doing.

mod field;
mod merging;
mod sync_loop;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use monotable_bench::load::{Histogram, PacedSample, Sample};
use monotable_bench::progress::Progress;
use monotable_bench::workload::Workload;

use crate::build::Build;
use crate::server::{Contestant, ServerKind, has_redis};
use crate::settings::{Settings, or};
use crate::started_contestant::takes_part;

/// Memory that looks like a disk, on Linux.
const TMPFS: &str = "/dev/shm";

/// What is measured, and for how long.
#[derive(Debug, Clone, Args)]
pub(crate) struct TailsArguments {
    /// Cases to run, separated by commas [default: all]
    #[arg(long = "case", value_delimiter = ',')]
    cases: Vec<TailCase>,

    /// Where the data lies, separated by commas [default: both]
    #[arg(long, value_delimiter = ',')]
    medium: Vec<Medium>,

    /// Rates as a share of the peak, in percent, separated by commas
    #[arg(long, value_delimiter = ',', default_values_t = [20.0, 50.0, 80.0])]
    shares: Vec<f64>,

    /// How long each sample takes, in seconds [default: 10]
    #[arg(long)]
    seconds: Option<f64>,

    /// Items in the table [default: 100000]
    #[arg(long)]
    items: Option<u64>,

    /// Items in the table of the case merging [default: 1000000]
    #[arg(long)]
    merging_items: Option<u64>,

    /// Puts per second of the case merging [default: 5000]
    #[arg(long)]
    merging_rate: Option<f64>,

    /// Compare with dynoxide too, which cargo installs below the target directory. Redis takes part
    /// whenever it is installed
    #[arg(long)]
    pub(crate) peers: bool,

    /// Leave Redis out though it is installed
    #[arg(long)]
    no_redis: bool,
}

/// What is asked of the servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TailCase {
    /// A whole item over an existing one, with an index, synced before it is answered; SET of Redis
    PutItem,
    /// One item by its key; GET of Redis
    GetItem,
    /// 70 % reads
    Mixed,
    /// Puts at a fixed rate right after a million items were loaded on tmpfs, while they are merged
    Merging,
}

impl TailCase {
    fn workload(self) -> Option<Workload> {
        match self {
            TailCase::PutItem => Some(Workload::PutItem),
            TailCase::GetItem => Some(Workload::GetItem),
            TailCase::Mixed => Some(Workload::Mixed),
            TailCase::Merging => None,
        }
    }
}

/// Where the data lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Medium {
    /// A disk: beside the binary, or where --data says
    Disk,
    /// Memory: /dev/shm
    Tmpfs,
}

impl Medium {
    /// Its name in tables.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Medium::Disk => "on disk",
            Medium::Tmpfs => "on tmpfs",
        }
    }
}

/// What a run does, after defaults are filled in.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    cases: Vec<TailCase>,
    media: Vec<Medium>,
    pub(crate) shares: Vec<f64>,
    pub(crate) length: Duration,
    pub(crate) items: u64,
    pub(crate) merging_items: u64,
    pub(crate) merging_rate: f64,
    kinds: Vec<ServerKind>,
    /// What the reader should know of who was left out.
    pub(crate) notes: Vec<String>,
}

impl Plan {
    /// Fills in what was not said; a quick run is small in everything.
    pub(crate) fn new(arguments: TailsArguments, quick: bool) -> Result<Plan> {
        let (seconds, items, merging_items, rate) =
            if quick { (0.3, 1_000, 2_000, 100.0) } else { (10.0, 100_000, 1_000_000, 5000.0) };
        let seconds = arguments.seconds.unwrap_or(seconds);
        ensure!(seconds > 0.0 && seconds <= 3600.0, "--seconds is at most an hour");
        let fits = |share: &f64| *share > 0.0 && *share <= 200.0;
        ensure!(arguments.shares.iter().all(fits), "--shares are percent of the peak");
        let mut notes = Vec::new();
        let mut kinds = Vec::new();
        if arguments.no_redis {
            notes.push("Redis was left out, as asked for".to_owned());
        } else if has_redis() {
            kinds.push(ServerKind::Redis);
        } else {
            notes.push("Redis is not installed: it takes no part".to_owned());
        }
        if arguments.peers {
            kinds.push(ServerKind::DynoxideFile);
        }
        let mut media = or(arguments.medium, Medium::value_variants());
        if !Path::new(TMPFS).is_dir() {
            notes.push(format!("there is no {TMPFS}: nothing is measured on tmpfs"));
            media.retain(|medium| *medium != Medium::Tmpfs);
        }
        Ok(Plan {
            cases: or(arguments.cases, TailCase::value_variants()),
            media,
            shares: arguments.shares,
            length: Duration::from_secs_f64(seconds),
            items: arguments.items.unwrap_or(items),
            merging_items: arguments.merging_items.unwrap_or(merging_items),
            merging_rate: arguments.merging_rate.unwrap_or(rate),
            kinds,
            notes,
        })
    }

    fn workloads(&self) -> Vec<Workload> {
        self.cases.iter().filter_map(|case| case.workload()).collect()
    }

    /// Loading everybody on every medium, and a sample of everything in every round.
    fn steps(&self, builds: usize, rounds: usize) -> usize {
        let workloads = self.workloads();
        let takes = |kind: ServerKind| {
            let takes = |workload: &&Workload| takes_part(&Contestant::Started(kind), **workload);
            workloads.iter().filter(takes).count()
        };
        let cells: usize =
            builds * workloads.len() + self.kinds.iter().map(|kind| takes(*kind)).sum::<usize>();
        let samples = cells * (self.shares.len() + 1) * rounds;
        let contestants = builds + self.kinds.len();
        let per_medium = if workloads.is_empty() { 0 } else { contestants + samples };
        let alone = usize::from(per_medium > 0 && self.media.contains(&Medium::Disk));
        let merges = if self.merges() { builds * rounds } else { 0 };
        self.media.len() * per_medium + alone + merges
    }

    fn merges(&self) -> bool {
        self.cases.contains(&TailCase::Merging) && self.media.contains(&Medium::Tmpfs)
    }
}

/// What was measured of somebody with one workload at one rate.
#[derive(Debug, Clone)]
pub(crate) struct Tail {
    /// Where the data lies.
    pub(crate) medium: Medium,
    /// What was asked.
    pub(crate) workload: Workload,
    /// Who was asked.
    pub(crate) server: String,
    /// The share of its peak, in percent; none for the fixed rate of the case merging.
    pub(crate) share: Option<f64>,
    /// A sample per round.
    pub(crate) samples: Vec<PacedSample>,
    /// What bare syncs took meanwhile, over all rounds; nothing on tmpfs.
    pub(crate) syncs: Histogram,
}

/// What somebody could do at most.
#[derive(Debug, Clone)]
pub(crate) struct Peak {
    /// Where the data lies.
    pub(crate) medium: Medium,
    /// What was asked.
    pub(crate) workload: Workload,
    /// Who was asked.
    pub(crate) server: String,
    /// Whether it is Redis, which ours is held against.
    pub(crate) is_redis: bool,
    /// A sample per round.
    pub(crate) samples: Vec<Sample>,
}

/// Everything that was found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tails {
    /// The peaks.
    pub(crate) peaks: Vec<Peak>,
    /// What came at shares of them.
    pub(crate) tails: Vec<Tail>,
    /// Puts while a load is merged.
    pub(crate) merging: Vec<Tail>,
    /// What bare syncs took on the disk with nothing beside them.
    pub(crate) syncs_alone: Option<Histogram>,
    /// Who failed, and why.
    pub(crate) failures: Vec<String>,
}

/// Measures everything that was asked for.
pub(crate) async fn measure(settings: &Settings, builds: &[Build], plan: &Plan) -> Result<Tails> {
    let mut progress = Progress::new(plan.steps(builds.len(), settings.rounds));
    let mut found = Tails::default();
    if !plan.workloads().is_empty() {
        for medium in plan.media.iter().copied() {
            let settings = Settings { data: place(medium, settings), ..settings.clone() };
            field::measure(&settings, builds, plan, medium, &mut progress, &mut found).await?;
        }
    }
    if plan.merges() {
        let settings = Settings { data: place(Medium::Tmpfs, settings), ..settings.clone() };
        merging::measure(&settings, builds, plan, &mut progress, &mut found).await?;
    }
    Ok(found)
}

fn place(medium: Medium, settings: &Settings) -> PathBuf {
    match medium {
        Medium::Disk => settings.data.clone(),
        Medium::Tmpfs => PathBuf::from(TMPFS),
    }
}
