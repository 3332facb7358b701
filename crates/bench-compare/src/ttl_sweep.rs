//! What requests feel while expired items are removed.
//!
//! The clock of the server stands still until the load has run for a while; then it is moved past
//! the moment at which a share of the items expires. The move is answered when all of them are
//! gone.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use monotable_bench::clock;
use monotable_bench::data::DUE_SECS;
use monotable_bench::http::{Connection, frame_clock};
use monotable_bench::load::{self, Load, Sample};
use monotable_bench::preload;
use monotable_bench::progress::Progress;
use monotable_bench::table::Table;
use monotable_bench::target::Target;
use monotable_bench::workload::Workload;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::server::{Server, ServerKind, await_quiet};
use crate::settings::Settings;

/// What is sent beside the sweep, each by half of the connections.
pub(crate) const WORKLOADS: [Workload; 2] = [Workload::GetItem, Workload::PutItem];

/// Where the clock stands while items are loaded: an hour before the first of them expires.
const CLOCK_START: &str = "1799996400";

/// A sweep of one server.
#[derive(Debug, Clone)]
pub(crate) struct TtlSweep {
    /// The server.
    pub(crate) server: ServerKind,
    /// From the move of the clock to its answer.
    pub(crate) elapsed: Duration,
    /// The same for a move past which nothing is due, before the sweep and after it: what the
    /// server does all the time.
    pub(crate) idle: [Duration; 2],
    /// The load before the sweep.
    pub(crate) before: Foreground,
    /// The load during the sweep.
    pub(crate) during: Foreground,
    /// The load after the sweep.
    pub(crate) after: Foreground,
}

/// What was measured of the two kinds of requests at the same time.
#[derive(Debug, Clone)]
pub(crate) struct Foreground {
    /// What was measured of GetItem.
    pub(crate) get: Sample,
    /// What was measured of PutItem.
    pub(crate) put: Sample,
}

/// Measures every server that stores anything, as often as there are rounds.
pub(crate) async fn measure(settings: &Settings) -> Result<Vec<TtlSweep>> {
    let mut progress = Progress::new(settings.our_servers().count() * settings.rounds);
    let mut sweeps = Vec::new();
    for kind in settings.our_servers() {
        for _ in 0..settings.rounds {
            progress.begin(&format!("sweeping {}", kind.title()));
            sweeps.push(sweep(kind, settings, &mut progress).await?);
        }
    }
    Ok(sweeps)
}

async fn sweep(kind: ServerKind, settings: &Settings, progress: &mut Progress) -> Result<TtlSweep> {
    // The sweep of the move must be the only one: the server looks on its own once a day.
    let options = ["--clock", "manual", "--clock-start", CLOCK_START, "--ttl-interval", "1d"];
    let server = Server::start_with(kind, settings, &options).await?;
    let only = server.target();
    preload::fill(only, &Table::expiring(), settings.dataset, progress).await?;
    await_quiet([only], settings.patience()).await;
    let idle_before = move_clock(only, DUE_SECS - 1).await?;
    let usual = || async {
        clock::wait(settings.measured).await;
        Ok(())
    };
    let before = beside(only, settings, usual()).await?;
    let mut elapsed = Duration::ZERO;
    let expire = async {
        elapsed = move_clock(only, DUE_SECS).await?;
        Ok(())
    };
    let during = beside(only, settings, expire).await?;
    let after = beside(only, settings, usual()).await?;
    check_removed(only, settings).await?;
    let idle = [idle_before, move_clock(only, DUE_SECS + 1).await?];
    Ok(TtlSweep { server: kind, elapsed, idle, before, during, after })
}

/// Sends both kinds of requests for as long as something takes, which begins after the warm-up.
async fn beside(
    server: &Target,
    settings: &Settings,
    something: impl Future<Output = Result<()>>,
) -> Result<Foreground> {
    let (done, waiting) = watch::channel(false);
    let connections = settings.connections.iter().max().map_or(1, |most| most.div_ceil(2));
    let load = |workload| Load { table: Table::expiring(), ..settings.load(workload, connections) };
    let until_done = |load: Load| {
        let mut waiting = waiting.clone();
        async move {
            let until_done = async move {
                // The sender lives until the load has ended, so there is always something to wait
                // for.
                let _ = waiting.wait_for(|done| *done).await;
            };
            load::run_during(server, &load, until_done).await
        }
    };
    let warm_up = load(Workload::GetItem).warm_up;
    let something = async {
        clock::wait(warm_up).await;
        let result = something.await;
        done.send_replace(true);
        result
    };
    let [get, put] = WORKLOADS.map(|workload| until_done(load(workload)));
    let (get, put, result) = tokio::join!(get, put, something);
    result?;
    Ok(Foreground { get: get?, put: put? })
}

/// Moves the clock to a time in seconds; returns how long the answer took, which comes after the
/// sweep.
async fn move_clock(server: &Target, epoch_secs: u64) -> Result<Duration> {
    let mut connection = Connection::open(server).await?;
    let request = frame_clock(&server.host, epoch_secs * 1000);
    let started = clock::now();
    connection.exchange(&request).await?.success().context("moving the clock")?;
    Ok(started.elapsed())
}

/// Makes sure that the items that were due are gone, by a look at some of them, and that no others
/// are.
async fn check_removed(server: &Target, settings: &Settings) -> Result<()> {
    let mut connection = Connection::open(server).await?;
    let dataset = settings.dataset;
    for number in (0..dataset.items()).step_by((dataset.items() / 97).max(1) as usize) {
        let body = json!({ "TableName": Table::expiring().name(), "Key": dataset.key(number) });
        let is_gone = connection.call("GetItem", &body).await?.get("Item").is_none();
        ensure!(is_gone == dataset.is_due(number), "item {number} is gone: {is_gone}");
    }
    let body = json!({ "TableName": Table::expiring().name(), "Select": "COUNT", "Limit": 1 });
    let found = connection.call("Scan", &body).await?;
    ensure!(found.get("Count").and_then(Value::as_u64) == Some(1), "the table is empty");
    Ok(())
}
