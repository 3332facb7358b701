//! What a run does, after defaults are filled in.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use monotable_bench::data::Dataset;
use monotable_bench::endpoint::WARM_UP_SHARE;
use monotable_bench::load::Load;
use monotable_bench::workload::Workload;

use crate::arguments::Common;
use crate::server::{Contestant, Role, ServerKind, find_binary, install_peers};

/// Items have numbers of eight digits.
const ITEMS_MAX: u64 = 100_000_000;

/// A server that works in the background for longer than this is measured all the same.
const PATIENCE_MAX: Duration = Duration::from_secs(5);

/// Everything that a run depends on.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The kinds of requests.
    pub(crate) workloads: Vec<Workload>,
    /// How many connections, one after the other.
    pub(crate) connections: Vec<u64>,
    /// The rates of an open loop, in requests per second.
    pub(crate) rates: Vec<f64>,
    /// Who is compared.
    pub(crate) servers: Vec<Contestant>,
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

/// What is measured by default, in a full run and in a quick one.
pub(crate) struct Defaults {
    items: u64,
    seconds: f64,
    rounds: usize,
    connections: &'static [u64],
}

/// A comparison of servers.
pub(crate) const FULL: Defaults =
    Defaults { items: 100_000, seconds: 1.0, rounds: 5, connections: &[1, 16, 64] };
/// Latency at fixed rates, for long enough to tell the last percentiles.
pub(crate) const PACED: Defaults =
    Defaults { items: 100_000, seconds: 3.0, rounds: 3, connections: &[64] };
/// A sweep of a large table, beside a load that is long enough to tell the 99th percentile.
pub(crate) const SWEEP: Defaults =
    Defaults { items: 1_000_000, seconds: 5.0, rounds: 1, connections: &[16] };
/// A stream beside none.
pub(crate) const STREAM: Defaults =
    Defaults { items: 100_000, seconds: 1.0, rounds: 5, connections: &[16] };
/// Stores of different sizes.
pub(crate) const GROWTH: Defaults =
    Defaults { items: 100_000, seconds: 2.0, rounds: 5, connections: &[16] };
const QUICK: Defaults = Defaults { items: 2_000, seconds: 0.04, rounds: 1, connections: &[16] };

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
        let servers = servers(&arguments);
        install_peers(&started(&servers))?;
        let binary = find_binary(arguments.binary)?;
        Ok(Settings {
            workloads: or(workloads, &Workload::DEFAULTS),
            connections: or(arguments.connections, defaults.connections),
            rates: Vec::new(),
            servers,
            dataset: Dataset::new(items),
            measured: Duration::from_secs_f64(seconds),
            rounds: arguments.rounds.unwrap_or(defaults.rounds).max(1),
            seed: arguments.seed,
            data: arguments.data.map_or_else(|| beside(&binary), Ok)?,
            binary,
        })
    }

    /// What the commands need that bring their own tables: a binary, a place for data, and rounds.
    pub(crate) fn bare(binary: PathBuf, data: Option<PathBuf>, rounds: usize) -> Result<Settings> {
        Ok(Settings {
            workloads: Vec::new(),
            connections: FULL.connections.to_vec(),
            rates: Vec::new(),
            servers: Vec::new(),
            dataset: Dataset::new(FULL.items),
            measured: Duration::from_secs_f64(FULL.seconds),
            rounds: rounds.max(1),
            seed: 1,
            data: data.map_or_else(|| beside(&binary), Ok)?,
            binary,
        })
    }

    /// The same with items of which one in this many expires.
    pub(crate) fn with_due(self, interval: u64) -> Settings {
        Settings { dataset: self.dataset.with_due(interval), ..self }
    }

    /// The same at fixed rates.
    pub(crate) fn with_rates(self, rates: Vec<f64>) -> Settings {
        Settings { rates, ..self }
    }

    /// Our servers among those to compare.
    pub(crate) fn our_servers(&self) -> impl Iterator<Item = ServerKind> {
        let kinds = started(&self.servers).into_iter();
        kinds.filter(|kind| kind.role() == Role::Ours)
    }

    /// How long a sample waits for work in the background: not for long if it is short itself.
    pub(crate) fn patience(&self) -> Duration {
        PATIENCE_MAX.min(self.measured * 10)
    }

    /// One workload on its table with this many connections.
    pub(crate) fn load(&self, workload: Workload, connections: u64) -> Load {
        Load {
            workload,
            table: workload.table(),
            dataset: self.dataset,
            connections,
            warm_up: self.measured.mul_f64(WARM_UP_SHARE),
            measured: self.measured,
            seed: self.seed,
        }
    }
}

/// Those who were asked for, or the usual ones; then the peers, if they were asked for at all.
fn servers(arguments: &Common) -> Vec<Contestant> {
    let mut kinds = or(arguments.server.clone(), &ServerKind::DEFAULTS);
    if arguments.peers {
        let more = ServerKind::PEERS.into_iter().filter(|kind| !arguments.server.contains(kind));
        kinds.extend(more);
    }
    let started = kinds.into_iter().map(Contestant::Started);
    started.chain(arguments.peer.iter().cloned()).collect()
}

fn started(servers: &[Contestant]) -> Vec<ServerKind> {
    let kind = |contestant: &Contestant| match contestant {
        Contestant::Started(kind) => Some(*kind),
        Contestant::Running { .. } => None,
    };
    servers.iter().filter_map(kind).collect()
}

/// What was chosen, or else the default.
pub(crate) fn or<T: Clone>(chosen: Vec<T>, default: &[T]) -> Vec<T> {
    if chosen.is_empty() { default.to_vec() } else { chosen }
}

/// The directory of the binary: on a disk, which the system's temporary directory need not be.
fn beside(binary: &Path) -> Result<PathBuf> {
    Ok(binary.parent().context("the server's binary is in no directory")?.to_owned())
}
