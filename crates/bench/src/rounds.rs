//! All samples of a run, in turn.
//!
//! All servers run and are loaded before the first sample. In every round each server is sampled
//! once, and every round begins with another one: a machine that slows down, or a disk that is busy
//! for a while, falls on all of them and shows as spread, not as a difference.

use anyhow::Result;

use crate::load::{self, Load, Sample};
use crate::preload;
use crate::progress::Progress;
use crate::server::{Server, ServerKind, await_quiet};
use crate::settings::Settings;
use crate::table::Table;
use crate::workload::Workload;

/// What was measured of one server with one workload.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    /// The kind of request.
    pub(crate) workload: Workload,
    /// How many connections sent them.
    pub(crate) connections: u64,
    /// The server.
    pub(crate) server: ServerKind,
    /// One sample per round.
    pub(crate) samples: Vec<Sample>,
}

/// Starts and loads the servers, and takes every sample.
pub(crate) async fn run(settings: &Settings) -> Result<Vec<Cell>> {
    let mut progress = Progress::new(steps(settings));
    let servers = start(settings, &mut progress).await?;
    let mut cells = Vec::new();
    for workload in &settings.workloads {
        for connections in &settings.connections {
            let load = settings.load(*workload, Table::Plain, *connections);
            cells.extend(compare(&servers, load, settings, &mut progress).await?);
        }
    }
    Ok(cells)
}

fn steps(settings: &Settings) -> usize {
    let groups = settings.workloads.len() * settings.connections.len();
    settings.servers.len() * (1 + groups * settings.rounds)
}

async fn start(settings: &Settings, progress: &mut Progress) -> Result<Vec<Server>> {
    let mut servers = Vec::new();
    for kind in &settings.servers {
        progress.begin(&format!("loading {}", kind.title()));
        let server = Server::start(*kind, settings).await?;
        if kind.has_storage() {
            preload::fill(&server, Table::Plain, settings.dataset).await?;
        }
        servers.push(server);
    }
    Ok(servers)
}

/// Takes all rounds of one workload.
async fn compare(
    servers: &[Server],
    load: Load,
    settings: &Settings,
    progress: &mut Progress,
) -> Result<Vec<Cell>> {
    let Load { workload, connections, .. } = load;
    let cell = |server: &Server| Cell {
        workload,
        connections,
        server: server.kind(),
        samples: Vec::new(),
    };
    let mut cells: Vec<Cell> = servers.iter().map(cell).collect();
    for round in 0..settings.rounds {
        for turn in 0..servers.len() {
            let place = (round + turn) % servers.len();
            let Some((server, cell)) = servers.get(place).zip(cells.get_mut(place)) else {
                continue;
            };
            progress.begin(&format!("{}, {connections}, {}", workload.title(), server.title()));
            await_quiet(servers).await;
            let seed = load.seed.wrapping_add(round as u64);
            cell.samples.push(load::run(server, Load { seed, ..load }).await?);
        }
    }
    Ok(cells)
}
