//! What each further index costs a put.

use anyhow::Result;
use monotable_bench::data::Dataset;
use monotable_bench::load::{Load, Sample};
use monotable_bench::preload;
use monotable_bench::progress::Progress;
use monotable_bench::table::Table;
use monotable_bench::workload::Workload;

use super::{Plan, Track, interleave, settle};
use crate::server::{Server, ServerKind};
use crate::settings::Settings;

/// PutItem on a table with this many indexes, each of which holds the whole item.
#[derive(Debug, Clone)]
pub(crate) struct Indexed {
    /// How many indexes.
    pub(crate) indexes: u32,
    /// A sample per round.
    pub(crate) samples: Vec<Sample>,
}

/// Loads a table for each number of indexes into one server, and writes to them in turn.
pub(crate) async fn measure(settings: &Settings, plan: &Plan) -> Result<Vec<Indexed>> {
    let mut progress = Progress::new(plan.indexes.len() + 1);
    let server = Server::start(ServerKind::Durable, settings).await?;
    let dataset = Dataset::new(plan.index_items);
    let connections = settings.connections.first().copied().unwrap_or(1);
    let mut tracks = Vec::new();
    for indexes in &plan.indexes {
        progress.begin(&format!("loading a table with {indexes} indexes"));
        let table = Table::indexed(*indexes);
        preload::fill(server.target(), &table, dataset, &mut progress).await?;
        let load = Load { table, dataset, ..settings.load(Workload::PutItem, connections) };
        tracks.push(Track { target: server.target(), load, samples: Vec::new() });
    }
    settle(&server, settings, &mut progress).await;
    progress.begin("PutItem, all tables in turn");
    interleave(&mut tracks, settings, &mut progress).await?;
    let counts = plan.indexes.iter();
    let indexed =
        |(indexes, track): (&u32, Track<'_>)| Indexed { indexes: *indexes, samples: track.samples };
    Ok(counts.zip(tracks).map(indexed).collect())
}
