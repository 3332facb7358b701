//! What a run does, after defaults are filled in.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;

use crate::arguments::Common;
use crate::data::Dataset;
use crate::load::Load;
use crate::server::{ServerKind, find_binary};
use crate::table::Table;
use crate::workload::Workload;

/// Requests are sent for this share of the measured time before any is counted.
const WARM_UP_SHARE: f64 = 0.2;
/// Items have numbers of eight digits.
const ITEMS_MAX: u64 = 100_000_000;

/// Everything that a run depends on.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The kinds of requests.
    pub(crate) workloads: Vec<Workload>,
    /// How many connections, one after the other.
    pub(crate) connections: Vec<u64>,
    /// The servers to compare.
    pub(crate) servers: Vec<ServerKind>,
    /// The items in each server.
    pub(crate) dataset: Dataset,
    /// How long each sample takes.
    pub(crate) measured: Duration,
    /// How many samples are taken of everything.
    pub(crate) rounds: usize,
    /// Where the random keys start.
    pub(crate) seed: u64,
    /// The binary of our server.
    pub(crate) binary: PathBuf,
    /// Where servers put their data.
    pub(crate) data: PathBuf,
}

/// What is measured when nothing is said, in a full run and in a quick one.
pub(crate) struct Defaults {
    items: u64,
    seconds: f64,
    rounds: usize,
    connections: &'static [u64],
}

/// A comparison of servers.
pub(crate) const FULL: Defaults =
    Defaults { items: 100_000, seconds: 1.0, rounds: 5, connections: &[1, 16] };
/// A sweep of a large table, beside a load that is long enough to tell the 99th percentile.
pub(crate) const SWEEP: Defaults =
    Defaults { items: 1_000_000, seconds: 5.0, rounds: 1, connections: &[16] };
const QUICK: Defaults = Defaults { items: 2_000, seconds: 0.04, rounds: 1, connections: &[1, 16] };

impl Settings {
    /// Fills in what was not said, and builds our server unless a binary of it is named.
    pub(crate) fn new(
        arguments: Common,
        workloads: Vec<Workload>,
        full: Defaults,
    ) -> Result<Settings> {
        let defaults = if arguments.quick { QUICK } else { full };
        let items = arguments.items.unwrap_or(defaults.items);
        let seconds = arguments.seconds.unwrap_or(defaults.seconds);
        ensure!(items <= ITEMS_MAX, "--items is at most {ITEMS_MAX}");
        ensure!(seconds > 0.0 && seconds <= 3600.0, "--seconds is at most an hour");
        let connections = Some(arguments.connections).filter(|chosen| !chosen.is_empty());
        let connections = connections.unwrap_or_else(|| defaults.connections.to_vec());
        let binary = find_binary(arguments.binary)?;
        Ok(Settings {
            workloads: all_if_empty(workloads),
            connections,
            servers: all_if_empty(arguments.server),
            dataset: Dataset::new(items),
            measured: Duration::from_secs_f64(seconds),
            rounds: arguments.rounds.unwrap_or(defaults.rounds).max(1),
            seed: arguments.seed,
            data: arguments.data.map_or_else(|| beside(&binary), Ok)?,
            binary,
        })
    }

    /// The same with items of which one in so many expires.
    pub(crate) fn with_due(self, interval: u64) -> Settings {
        Settings { dataset: self.dataset.with_due(interval), ..self }
    }

    /// The servers to compare that keep what they are given.
    pub(crate) fn storage_servers(&self) -> impl Iterator<Item = ServerKind> {
        self.servers.iter().copied().filter(|kind| kind.has_storage())
    }

    /// One workload on a table with so many connections.
    pub(crate) fn load(&self, workload: Workload, table: Table, connections: u64) -> Load {
        Load {
            workload,
            table,
            dataset: self.dataset,
            connections,
            warm_up: self.measured.mul_f64(WARM_UP_SHARE),
            measured: self.measured,
            seed: self.seed,
        }
    }
}

fn all_if_empty<T: ValueEnum + Clone>(chosen: Vec<T>) -> Vec<T> {
    if chosen.is_empty() { T::value_variants().to_vec() } else { chosen }
}

/// The directory of the binary: on a disk, which the system's temporary directory need not be.
fn beside(binary: &Path) -> Result<PathBuf> {
    Ok(binary.parent().context("the server's binary is in no directory")?.to_owned())
}
