//! What becomes of rates and latencies as data grows.
//!
//! Each part starts its own durable server, but the burst, which falls on the largest store that
//! there is:
//!
//! - [`sizes`]: tables of different sizes, measured in turn, their space, memory and restarts,
//! - [`burst`]: more writes than the work in the background keeps up with,
//! - [`partition`]: all items of a table under one partition key,
//! - [`many_tables`] and [`indexes`]: what many of them cost.

pub(crate) mod burst;
pub(crate) mod indexes;
pub(crate) mod many_tables;
pub(crate) mod partition;
pub(crate) mod sizes;

use std::time::Duration;

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use monotable_bench::clock;
use monotable_bench::load::{self, Load, Sample};
use monotable_bench::progress::Progress;
use monotable_bench::target::Target;

use crate::rounds::turns;
use crate::server::{Server, await_quiet};
use crate::settings::{Settings, or};

/// What grows, and how far.
#[derive(Debug, Clone, Args)]
pub(crate) struct GrowthArguments {
    /// Parts to run, separated by commas [default: all]
    #[arg(long, value_delimiter = ',')]
    part: Vec<Part>,

    /// Items of the tables that are compared, separated by commas [default:
    /// 100000,1000000,10000000]; the largest takes the burst as well. A million items take a
    /// gigabyte of disk, and as much again for a while
    #[arg(long, value_delimiter = ',')]
    sizes: Vec<u64>,

    /// Items of the large partition [default: 1000000]
    #[arg(long)]
    partition_items: Option<u64>,

    /// How many tables [default: 10000]
    #[arg(long)]
    tables: Option<u64>,

    /// How many indexes a table has, separated by commas; at most 20 each [default: 0,1,5,20]
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u32).range(0..=20))]
    indexes: Vec<u32>,

    /// How long the burst takes, in seconds [default: 60]
    #[arg(long)]
    burst_seconds: Option<f64>,

    /// Read from each table right after it is loaded too, while it is merged in the background, in
    /// turn with the smallest
    #[arg(long)]
    fresh: bool,

    /// Make the system forget what it has read from disk before each restart; needs root, on Linux
    #[arg(long)]
    drop_caches: bool,
}

/// A part of the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Tables of different sizes
    Sizes,
    /// A burst of writes on the largest of them
    Burst,
    /// All items under one partition key
    Partition,
    /// Many tables
    Tables,
    /// Many indexes
    Indexes,
}

/// What a run does, after defaults are filled in.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    parts: Vec<Part>,
    pub(crate) sizes: Vec<u64>,
    pub(crate) partition_items: u64,
    pub(crate) tables: u64,
    pub(crate) indexes: Vec<u32>,
    pub(crate) index_items: u64,
    pub(crate) burst: Duration,
    pub(crate) fresh: bool,
    pub(crate) drop_caches: bool,
}

/// What is done by default.
struct Defaults {
    sizes: &'static [u64],
    partition_items: u64,
    tables: u64,
    index_items: u64,
    burst_seconds: f64,
}

const FULL: Defaults = Defaults {
    sizes: &[100_000, 1_000_000, 10_000_000],
    partition_items: 1_000_000,
    tables: 10_000,
    index_items: 20_000,
    burst_seconds: 60.0,
};
const QUICK: Defaults = Defaults {
    sizes: &[1_000, 2_000],
    partition_items: 1_000,
    tables: 50,
    index_items: 200,
    burst_seconds: 0.2,
};
const INDEXES: [u32; 4] = [0, 1, 5, 20];
/// How often a server must be found quiet in a row. One that is left alone for some seconds tidies
/// up.
const QUIET_TIMES: usize = 6;
/// What passes between two looks, as a part of the patience of a sample: a second in a full run.
const PAUSES: u32 = 5;
/// How many times the patience of a sample may be lost while a server settles.
const SETTLING_MAX: usize = 24;
/// Items have numbers of eight digits, and are rounded up.
const SIZE_MAX: u64 = 99_999_975;

impl Plan {
    /// Fills in what was not said; a quick run is small in everything.
    pub(crate) fn new(arguments: GrowthArguments, quick: bool) -> Result<Plan> {
        let defaults = if quick { QUICK } else { FULL };
        let mut sizes = or(arguments.sizes, defaults.sizes);
        sizes.sort_unstable();
        let fits = |size: &u64| (1..=SIZE_MAX).contains(size);
        ensure!(sizes.iter().all(fits), "--sizes are from 1 to {SIZE_MAX}");
        let burst_seconds = arguments.burst_seconds.unwrap_or(defaults.burst_seconds);
        Ok(Plan {
            parts: or(arguments.part, Part::value_variants()),
            sizes,
            partition_items: arguments.partition_items.unwrap_or(defaults.partition_items),
            tables: arguments.tables.unwrap_or(defaults.tables),
            indexes: or(arguments.indexes, &INDEXES),
            index_items: defaults.index_items,
            burst: Duration::from_secs_f64(burst_seconds.clamp(0.1, 3600.0)),
            fresh: arguments.fresh,
            drop_caches: arguments.drop_caches,
        })
    }

    /// Whether a part was asked for.
    pub(crate) fn has(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }
}

/// Everything that was found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Growth {
    /// The tables of different sizes, from the smallest to the largest.
    pub(crate) stores: Vec<sizes::MeasuredTable>,
    /// The burst on the largest.
    pub(crate) burst: Option<burst::WriteBurst>,
    /// The large partition.
    pub(crate) partition: Option<partition::Partition>,
    /// Many tables.
    pub(crate) tables: Option<many_tables::ManyTables>,
    /// Many indexes.
    pub(crate) indexes: Vec<indexes::Indexed>,
}

/// Runs all parts that were asked for.
pub(crate) async fn measure(settings: &Settings, plan: &Plan) -> Result<Growth> {
    let mut growth = Growth::default();
    if plan.has(Part::Tables) {
        growth.tables = Some(many_tables::measure(settings, plan).await?);
    }
    if plan.has(Part::Indexes) {
        growth.indexes = indexes::measure(settings, plan).await?;
    }
    if plan.has(Part::Partition) {
        growth.partition = Some(partition::measure(settings, plan).await?);
    }
    if plan.has(Part::Sizes) || plan.has(Part::Burst) {
        (growth.stores, growth.burst) = sizes::measure(settings, plan).await?;
    }
    Ok(growth)
}

/// A load on a server, and what was measured of it.
struct Track<'a> {
    target: &'a Target,
    load: Load,
    samples: Vec<Sample>,
}

/// Takes all rounds of several loads in turn, each round beginning with another one.
async fn interleave(
    tracks: &mut [Track<'_>],
    settings: &Settings,
    progress: &mut Progress,
) -> Result<()> {
    let rounds = settings.rounds;
    for (place, round) in turns(tracks.len(), rounds) {
        progress.detail(&format!("round {} of {rounds}", round + 1));
        let targets: Vec<&Target> = tracks.iter().map(|track| track.target).collect();
        await_quiet(targets, settings.patience()).await;
        let Some(track) = tracks.get_mut(place) else { continue };
        let seed = track.load.seed.wrapping_add(round as u64);
        let load = Load { seed, ..track.load.clone() };
        track.samples.push(load::run(track.target, &load).await?);
    }
    Ok(())
}

/// Waits until a server has done its work in the background, however long that takes within reason.
async fn settle(server: &Server, settings: &Settings, progress: &mut Progress) {
    progress.detail("waiting for the work in the background");
    let mut quiet_times = 0;
    for _ in 0..SETTLING_MAX {
        let is_quiet = await_quiet([server.target()], settings.patience()).await;
        quiet_times = if is_quiet { quiet_times + 1 } else { 0 };
        if quiet_times == QUIET_TIMES {
            return;
        }
        clock::wait(settings.patience() / PAUSES).await;
    }
}
