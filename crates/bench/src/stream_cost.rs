//! What a stream costs: the same writes on a table without and with one, on the same server.

use anyhow::Result;

use crate::load::{self, Load, Sample};
use crate::preload;
use crate::progress::Progress;
use crate::server::{Server, ServerKind, await_quiet};
use crate::settings::Settings;
use crate::statistics::Spread;
use crate::table::Table;
use crate::workload::Workload;

/// The writes that are compared.
pub(crate) const WORKLOADS: [Workload; 2] = [Workload::PutItem, Workload::UpdateItem];

/// The same requests without and with a stream, a sample of each in every round.
#[derive(Debug, Clone)]
pub(crate) struct StreamCost {
    /// The kind of request.
    pub(crate) workload: Workload,
    /// How many connections sent them.
    pub(crate) connections: u64,
    /// The server.
    pub(crate) server: ServerKind,
    /// What was measured on the table without a stream.
    pub(crate) plain: Vec<Sample>,
    /// What was measured on the table with a stream.
    pub(crate) streamed: Vec<Sample>,
}

impl StreamCost {
    /// A figure with the stream as a share of the same figure without, over the rounds: the two samples of
    /// one round are taken right after each other, so what the machine does falls on both.
    pub(crate) fn ratio(&self, figure: impl Fn(&Sample) -> Option<f64>) -> Option<Spread> {
        let pairs = self.plain.iter().zip(&self.streamed);
        let ratio = |(plain, streamed)| Some(figure(streamed)? / figure(plain)?);
        Spread::of(pairs.filter_map(ratio).filter(|ratio| ratio.is_finite()))
    }
}

/// Measures every server that stores anything.
pub(crate) async fn measure(settings: &Settings) -> Result<Vec<StreamCost>> {
    let groups = settings.workloads.len() * settings.connections.len();
    let steps = settings.storage_servers().count() * (1 + groups * settings.rounds * 2);
    let mut progress = Progress::new(steps);
    let mut costs = Vec::new();
    for kind in settings.storage_servers() {
        progress.begin(&format!("loading {}", kind.title()));
        let server = [Server::start(kind, settings).await?];
        for table in [Table::Plain, Table::Streamed] {
            preload::fill(&server[0], table, settings.dataset).await?;
        }
        costs.extend(measure_server(&server, settings, &mut progress).await?);
    }
    Ok(costs)
}

async fn measure_server(
    server: &[Server; 1],
    settings: &Settings,
    progress: &mut Progress,
) -> Result<Vec<StreamCost>> {
    let mut costs = Vec::new();
    for workload in &settings.workloads {
        for connections in &settings.connections {
            let load = settings.load(*workload, Table::Plain, *connections);
            costs.push(compare(server, load, settings.rounds, progress).await?);
        }
    }
    Ok(costs)
}

/// Takes all rounds of one workload. Rounds begin with the two tables in turn.
async fn compare(
    server: &[Server; 1],
    load: Load,
    rounds: usize,
    progress: &mut Progress,
) -> Result<StreamCost> {
    let Load { workload, connections, .. } = load;
    let [ref only] = *server;
    let (mut plain, mut streamed) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        let mut tables = [(Table::Plain, &mut plain), (Table::Streamed, &mut streamed)];
        if !round.is_multiple_of(2) {
            tables.reverse();
        }
        for (table, samples) in tables {
            progress.begin(&format!("{}, {connections}, {}", workload.title(), table.name()));
            await_quiet(server).await;
            let seed = load.seed.wrapping_add(round as u64);
            samples.push(load::run(only, Load { table, seed, ..load }).await?);
        }
    }
    Ok(StreamCost { workload, connections, server: only.kind(), plain, streamed })
}
