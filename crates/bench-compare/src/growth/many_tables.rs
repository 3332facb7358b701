//! Many tables with an item each, beside one table with as many items.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Result;
use monotable_bench::data::Dataset;
use monotable_bench::http::Connection;
use monotable_bench::load::{Load, Sample};
use monotable_bench::progress::Progress;
use monotable_bench::table::Table;
use monotable_bench::target::Target;
use monotable_bench::usage::Memory;
use monotable_bench::workload::Workload;
use monotable_bench::{clock, preload};
use serde_json::json;
use tokio::task::JoinSet;

use super::{Plan, Track, interleave, settle};
use crate::server::{Ending, Server, ServerKind};
use crate::settings::Settings;

/// How many connections create tables at once.
const CREATORS: usize = 16;
/// How often progress is shown.
const SHOW_INTERVAL: Duration = Duration::from_millis(250);

/// What many tables cost.
#[derive(Debug, Clone)]
pub(crate) struct ManyTables {
    /// How many there are.
    pub(crate) tables: u64,
    /// How long creating them took.
    pub(crate) creating: Duration,
    /// Memory with all of them.
    pub(crate) memory: Option<Memory>,
    /// From the start of the process to its first answer.
    pub(crate) start: Duration,
    /// How long a page of a hundred names took.
    pub(crate) listing: Duration,
    /// GetItem and PutItem: on the one table, and over all tables.
    pub(crate) rows: Vec<TablesRow>,
}

/// The same request on one table and over all tables.
#[derive(Debug, Clone)]
pub(crate) struct TablesRow {
    /// The kind of request.
    pub(crate) workload: Workload,
    /// On the one table.
    pub(crate) one: Vec<Sample>,
    /// Over all tables.
    pub(crate) many: Vec<Sample>,
}

/// Creates and fills the tables, and asks them in turn with the one.
pub(crate) async fn measure(settings: &Settings, plan: &Plan) -> Result<ManyTables> {
    let mut progress = Progress::new(6);
    let mut server = Server::start(ServerKind::Durable, settings).await?;
    let dataset = Dataset::new(plan.tables);
    let one = (Table::indexed(0).named("one_table"), dataset);
    let many = (Table::one_of_many(), dataset.over_tables(dataset.items()));
    progress.begin("loading one table");
    preload::fill(server.target(), &one.0, one.1, &mut progress).await?;
    progress.begin(&format!("creating {} tables", dataset.items()));
    let started = clock::now();
    create(server.target(), dataset.items(), &mut progress).await?;
    let creating = started.elapsed();
    progress.begin(&format!("filling {} tables", dataset.items()));
    preload::put_each(server.target(), &many.0, many.1, &mut progress).await?;
    settle(&server, settings, &mut progress).await;
    let rows = compare(settings, &server, [&one, &many], &mut progress).await?;
    let memory = server.memory();
    progress.begin("restarting");
    let start = server.restart(settings, Ending::Clean, || Ok(())).await?;
    let listing = list(server.target()).await?;
    Ok(ManyTables { tables: dataset.items(), creating, memory, start, listing, rows })
}

async fn compare(
    settings: &Settings,
    server: &Server,
    [one, many]: [&(Table, Dataset); 2],
    progress: &mut Progress,
) -> Result<Vec<TablesRow>> {
    let connections = settings.connections.first().copied().unwrap_or(1);
    let track = |workload, (table, dataset): &(Table, Dataset)| Track {
        target: server.target(),
        load: Load {
            table: table.clone(),
            dataset: *dataset,
            ..settings.load(workload, connections)
        },
        samples: Vec::new(),
    };
    let mut rows = Vec::new();
    for workload in [Workload::GetItem, Workload::PutItem] {
        progress.begin(&format!("{}, one table and all in turn", workload.title()));
        let mut tracks = [track(workload, one), track(workload, many)];
        interleave(&mut tracks, settings, progress).await?;
        let [one, many] = tracks.map(|track| track.samples);
        rows.push(TablesRow { workload, one, many });
    }
    Ok(rows)
}

async fn create(target: &Target, tables: u64, progress: &mut Progress) -> Result<()> {
    let next = Arc::new(AtomicU64::new(0));
    let mut creators = JoinSet::new();
    for _ in 0..CREATORS {
        creators.spawn(create_some(target.clone(), tables, next.clone()));
    }
    let show = async {
        loop {
            clock::wait(SHOW_INTERVAL).await;
            progress.detail(&format!("{} of {tables}", next.load(Ordering::Relaxed).min(tables)));
        }
    };
    let create = async {
        while let Some(created) = creators.join_next().await {
            created??;
        }
        Ok(())
    };
    tokio::select! {
        created = create => created,
        () = show => Ok(()),
    }
}

/// Creates the tables whose numbers nobody else has taken.
async fn create_some(target: Target, tables: u64, next: Arc<AtomicU64>) -> Result<()> {
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= tables {
            return Ok(());
        }
        let table = Table::indexed(0).named(&format!("bench_{number:08}"));
        preload::create_table(&target, &table).await?;
    }
}

/// How long the first page of the names of all tables takes.
async fn list(target: &Target) -> Result<Duration> {
    let mut connection = Connection::open(target).await?;
    let started = clock::now();
    connection.call("ListTables", &json!({ "Limit": 100 })).await?;
    Ok(started.elapsed())
}
