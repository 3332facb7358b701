//! All items of a table under one partition key, beside a table with 25 under each.

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

/// What was measured of both tables.
#[derive(Debug, Clone)]
pub(crate) struct Partition {
    /// How many items each table has.
    pub(crate) items: u64,
    /// The rows.
    pub(crate) rows: Vec<PartitionRow>,
}

/// The same request on both tables.
#[derive(Debug, Clone)]
pub(crate) struct PartitionRow {
    /// What was asked.
    pub(crate) title: &'static str,
    /// With 25 items per partition key.
    pub(crate) many: Vec<Sample>,
    /// With one partition key.
    pub(crate) one: Vec<Sample>,
}

/// Loads both tables into one server and asks them in turn.
pub(crate) async fn measure(settings: &Settings, plan: &Plan) -> Result<Partition> {
    let mut progress = Progress::new(5);
    let server = Server::start(ServerKind::Durable, settings).await?;
    let dataset = Dataset::new(plan.partition_items);
    let many = (Table::indexed(0).named("bench_many_partitions"), dataset);
    let one = (Table::indexed(0).named("bench_one_partition"), dataset.in_one_partition());
    for (table, dataset) in [&many, &one] {
        progress.begin(&format!("loading {}", table.name()));
        preload::fill(server.target(), table, *dataset, &mut progress).await?;
    }
    settle(&server, settings, &mut progress).await;
    let pairs = [
        ("GetItem", Workload::GetItem, Workload::GetItem),
        ("Query, 25 items", Workload::Query, Workload::RangeQuery),
        ("PutItem", Workload::PutItem, Workload::PutItem),
    ];
    let connections = settings.connections.first().copied().unwrap_or(1);
    let load = |workload, (table, dataset): &(Table, Dataset)| Load {
        table: table.clone(),
        dataset: *dataset,
        ..settings.load(workload, connections)
    };
    let mut rows = Vec::new();
    for (title, of_many, of_one) in pairs {
        progress.begin(&format!("{title}, both tables in turn"));
        let loads = [load(of_many, &many), load(of_one, &one)];
        let track = |load| Track { target: server.target(), load, samples: Vec::new() };
        let mut tracks = loads.map(track);
        interleave(&mut tracks, settings, &mut progress).await?;
        let [many, one] = tracks.map(|track| track.samples);
        rows.push(PartitionRow { title, many, one });
    }
    Ok(Partition { items: dataset.items(), rows })
}
