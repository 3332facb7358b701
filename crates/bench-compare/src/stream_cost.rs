//! What a stream costs: the same writes on a table without and with one, on the same server.

use anyhow::Result;
use monotable_bench::load::{self, Load, Sample};
use monotable_bench::preload;
use monotable_bench::progress::Progress;
use monotable_bench::table::Table;
use monotable_bench::workload::Workload;

use crate::server::{Server, ServerKind, await_quiet};
use crate::settings::Settings;

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
    /// A figure with the stream as a share of the same figure without, in each round: the two
    /// samples of one round are taken right after each other, so what the machine does falls on
    /// both.
    pub(crate) fn ratios(&self, figure: impl Fn(&Sample) -> Option<f64>) -> Vec<f64> {
        let pairs = self.plain.iter().zip(&self.streamed);
        let ratio = |(plain, streamed)| Some(figure(streamed)? / figure(plain)?);
        pairs.filter_map(ratio).filter(|ratio| ratio.is_finite()).collect()
    }
}

/// Measures every server that stores anything.
pub(crate) async fn measure(settings: &Settings) -> Result<Vec<StreamCost>> {
    let groups = settings.workloads.len() * settings.connections.len();
    let steps = settings.our_servers().count() * (1 + groups * settings.rounds * 2);
    let mut progress = Progress::new(steps);
    let mut costs = Vec::new();
    for kind in settings.our_servers() {
        progress.begin(&format!("loading {}", kind.title()));
        let server = Server::start(kind, settings).await?;
        for table in [Table::plain(), Table::streamed()] {
            preload::fill(server.target(), &table, settings.dataset, &mut progress).await?;
        }
        costs.extend(measure_server(&server, settings, &mut progress).await?);
    }
    Ok(costs)
}

async fn measure_server(
    server: &Server,
    settings: &Settings,
    progress: &mut Progress,
) -> Result<Vec<StreamCost>> {
    let mut costs = Vec::new();
    for workload in &settings.workloads {
        for connections in &settings.connections {
            let load = settings.load(*workload, *connections);
            costs.push(compare(server, &load, settings, progress).await?);
        }
    }
    Ok(costs)
}

/// Takes all rounds of one workload. Rounds begin with the two tables in turn.
async fn compare(
    server: &Server,
    load: &Load,
    settings: &Settings,
    progress: &mut Progress,
) -> Result<StreamCost> {
    let Load { workload, connections, .. } = *load;
    let (mut plain, mut streamed) = (Vec::new(), Vec::new());
    for round in 0..settings.rounds {
        let mut tables = [(Table::plain(), &mut plain), (Table::streamed(), &mut streamed)];
        if !round.is_multiple_of(2) {
            tables.reverse();
        }
        for (table, samples) in tables {
            progress.begin(&format!("{}, {connections}, {}", workload.title(), table.name()));
            await_quiet([server.target()], settings.patience()).await;
            let seed = load.seed.wrapping_add(round as u64);
            samples.push(load::run(server.target(), &Load { table, seed, ..load.clone() }).await?);
        }
    }
    Ok(StreamCost { workload, connections, server: server.kind(), plain, streamed })
}
