//! Tables of different sizes, each on a server of its own.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use monotable_bench::data::{Dataset, ITEM_BYTES};
use monotable_bench::load::{self, Load, Sample};
use monotable_bench::progress::Progress;
use monotable_bench::table::Table;
use monotable_bench::usage::Memory;
use monotable_bench::workload::Workload;
use monotable_bench::{clock, preload};

use super::burst::{self, WriteBurst};
use super::{Part, Plan, Track, interleave, settle};
use crate::disk::directory_bytes;
use crate::server::{Ending, Server, ServerKind};
use crate::settings::Settings;

/// The file by which Linux is told to forget what it has read from disk.
const DROP_CACHES: &str = "/proc/sys/vm/drop_caches";

/// A table, and everything that was measured of it.
#[derive(Debug, Clone)]
pub(crate) struct MeasuredTable {
    /// How many items of 1 KB it has.
    pub(crate) items: u64,
    /// How long loading took.
    pub(crate) loading: Duration,
    /// What the data takes on disk.
    pub(crate) disk_bytes: u64,
    /// Memory after loading.
    pub(crate) loaded_memory: Option<Memory>,
    /// Memory after reading.
    pub(crate) read_memory: Option<Memory>,
    /// Memory after a restart, before anything is read.
    pub(crate) idle_memory: Option<Memory>,
    /// What was read right after the load, if it was asked for.
    pub(crate) fresh: Option<Fresh>,
    /// GetItem, a sample per round.
    pub(crate) get: Vec<Sample>,
    /// Query of 25 items, a sample per round.
    pub(crate) query: Vec<Sample>,
    /// GetItem right after a restart.
    pub(crate) cold: Option<Sample>,
    /// From the start of the process to its first answer, after a clean end.
    pub(crate) clean_start: Option<Duration>,
    /// The same after the process was killed.
    pub(crate) killed_start: Option<Duration>,
}

/// Reads right after a load, while what was loaded is merged, in turn with reads of the smallest
/// table.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fresh {
    /// GetItem of this table.
    pub(crate) get: Vec<Sample>,
    /// GetItem of the smallest one at the same time.
    pub(crate) smallest_get: Vec<Sample>,
    /// Query of 25 items of this table.
    pub(crate) query: Vec<Sample>,
    /// Query of the smallest one at the same time.
    pub(crate) smallest_query: Vec<Sample>,
}

impl MeasuredTable {
    /// Bytes on disk per byte that was stored.
    pub(crate) fn space_factor(&self) -> f64 {
        self.disk_bytes as f64 / (self.items as f64 * ITEM_BYTES as f64)
    }
}

/// Loads all sizes, measures them in turn, and sends the burst to the largest. All are removed
/// after.
pub(crate) async fn measure(
    settings: &Settings,
    plan: &Plan,
) -> Result<(Vec<MeasuredTable>, Option<WriteBurst>)> {
    let wants_sizes = plan.has(Part::Sizes);
    // The burst alone needs the largest store only.
    let skipped = if wants_sizes { 0 } else { plan.sizes.len() - 1 };
    let sizes: Vec<u64> = plan.sizes.iter().skip(skipped).copied().collect();
    let mut progress = Progress::new(sizes.len() * 2 + 3);
    let (mut servers, mut stores): (Vec<Server>, Vec<MeasuredTable>) = (Vec::new(), Vec::new());
    for size in sizes {
        progress.begin(&format!("loading {size} items"));
        let (server, mut store) = load(settings, Dataset::new(size), &mut progress).await?;
        let smallest = servers.first().zip(stores.first());
        if let Some(smallest) = smallest.filter(|_| plan.fresh) {
            progress.detail("reading while it is merged");
            store.fresh = Some(read_fresh(settings, smallest, (&server, &store)).await?);
        }
        settle(&server, settings, &mut progress).await;
        store.disk_bytes = directory_bytes(&server.data())?;
        servers.push(server);
        stores.push(store);
    }
    if wants_sizes {
        read(settings, &servers, &mut stores, &mut progress).await?;
        for (server, store) in servers.iter_mut().zip(&mut stores) {
            progress.begin(&format!("restarting on {} items", store.items));
            restart(settings, plan, server, store).await?;
        }
    }
    let mut burst = None;
    if let Some((server, store)) =
        servers.last().zip(stores.last()).filter(|_| plan.has(Part::Burst))
    {
        progress.begin(&format!("writing beyond what {} items allow", store.items));
        burst = Some(burst::measure(settings, plan, server, Dataset::new(store.items)).await?);
    }
    Ok((stores, burst))
}

/// The table has no index, so that its size is that of its items.
fn table() -> Table {
    Table::indexed(0)
}

async fn load(
    settings: &Settings,
    dataset: Dataset,
    progress: &mut Progress,
) -> Result<(Server, MeasuredTable)> {
    let server = Server::start(ServerKind::Durable, settings).await?;
    let started = clock::now();
    preload::fill(server.target(), &table(), dataset, progress).await?;
    let loading = started.elapsed();
    let store = MeasuredTable {
        items: dataset.items(),
        loading,
        disk_bytes: 0,
        loaded_memory: server.memory(),
        read_memory: None,
        idle_memory: None,
        fresh: None,
        get: Vec::new(),
        query: Vec::new(),
        cold: None,
        clean_start: None,
        killed_start: None,
    };
    Ok((server, store))
}

fn load_of(settings: &Settings, workload: Workload, items: u64) -> Load {
    let connections = settings.connections.first().copied().unwrap_or(1);
    let dataset = Dataset::new(items);
    Load { table: table(), dataset, ..settings.load(workload, connections) }
}

/// Reads from a table that was just loaded and from the smallest in turn. Nothing waits for the
/// work in the background: it is what is looked for.
async fn read_fresh(
    settings: &Settings,
    (smallest_server, smallest): (&Server, &MeasuredTable),
    (server, store): (&Server, &MeasuredTable),
) -> Result<Fresh> {
    let mut fresh = Fresh::default();
    for _ in 0..settings.rounds {
        let take = async |server: &Server, workload, store: &MeasuredTable| {
            load::run(server.target(), &load_of(settings, workload, store.items)).await
        };
        fresh.get.push(take(server, Workload::GetItem, store).await?);
        fresh.smallest_get.push(take(smallest_server, Workload::GetItem, smallest).await?);
        fresh.query.push(take(server, Workload::Query, store).await?);
        fresh.smallest_query.push(take(smallest_server, Workload::Query, smallest).await?);
    }
    Ok(fresh)
}

/// Reads from all stores in turn.
async fn read(
    settings: &Settings,
    servers: &[Server],
    stores: &mut [MeasuredTable],
    progress: &mut Progress,
) -> Result<()> {
    let get = sample(settings, servers, stores, Workload::GetItem, progress).await?;
    let query = sample(settings, servers, stores, Workload::Query, progress).await?;
    for (((store, get), query), server) in stores.iter_mut().zip(get).zip(query).zip(servers) {
        (store.get, store.query) = (get, query);
        store.read_memory = server.memory();
    }
    Ok(())
}

/// Takes all rounds of one workload; returns the samples of each store.
async fn sample<'a>(
    settings: &Settings,
    servers: &'a [Server],
    stores: &[MeasuredTable],
    workload: Workload,
    progress: &mut Progress,
) -> Result<Vec<Vec<Sample>>> {
    progress.begin(&format!("{}, all sizes in turn", workload.title()));
    let track = |(server, store): (&'a Server, &MeasuredTable)| Track {
        target: server.target(),
        load: load_of(settings, workload, store.items),
        samples: Vec::new(),
    };
    let mut tracks: Vec<Track<'_>> = servers.iter().zip(stores).map(track).collect();
    interleave(&mut tracks, settings, progress).await?;
    Ok(tracks.into_iter().map(|track| track.samples).collect())
}

/// Starts the server again twice: after a clean end, when its first requests are measured, and
/// after a kill.
async fn restart(
    settings: &Settings,
    plan: &Plan,
    server: &mut Server,
    store: &mut MeasuredTable,
) -> Result<()> {
    let prepare = || if plan.drop_caches { drop_caches() } else { Ok(()) };
    store.clean_start = Some(server.restart(settings, Ending::Clean, prepare).await?);
    store.idle_memory = server.memory();
    let load = load_of(settings, Workload::GetItem, store.items);
    let load = Load { warm_up: Duration::ZERO, ..load };
    store.cold = Some(load::run(server.target(), &load).await?);
    store.killed_start = Some(server.restart(settings, Ending::Killed, prepare).await?);
    Ok(())
}

fn drop_caches() -> Result<()> {
    fs::write(DROP_CACHES, "3").with_context(|| format!("--drop-caches cannot write {DROP_CACHES}"))
}
