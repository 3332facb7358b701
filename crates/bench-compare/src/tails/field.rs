//! Everybody on one medium: loaded, measured at the peak, then at shares of it, in turn.

use std::time::Duration;

use anyhow::Result;
use monotable_bench::clock;
use monotable_bench::data::Dataset;
use monotable_bench::load::{self, Histogram, Load};
use monotable_bench::preload;
use monotable_bench::progress::Progress;
use monotable_bench::target::Target;
use monotable_bench::workload::Workload;

use super::sync_loop::SyncLoop;
use super::{Medium, Peak, Plan, Tail, Tails};
use crate::build::Build;
use crate::comparison::rate;
use crate::rounds::turns;
use crate::server::{Contestant, Server, ServerKind, await_quiet};
use crate::settings::Settings;
use crate::started_contestant::takes_part;

/// Connections of the closed loop that finds the peak, and how many requests may be under way in
/// the open one.
const PEAK_CONNECTIONS: u64 = 16;
const OPEN_CONNECTIONS: u64 = 64;
/// The peak takes this share of the time of a sample, and so does the warm-up before each.
const PEAK_SHARE: f64 = 0.3;
const WARM_UP_SHARE: f64 = 0.1;

/// A server that was started and is measured.
struct StartedServer {
    name: String,
    kind: ServerKind,
    server: Server,
}

/// Measures all workloads on one medium.
pub(super) async fn measure(
    settings: &Settings,
    builds: &[Build],
    plan: &Plan,
    medium: Medium,
    progress: &mut Progress,
    found: &mut Tails,
) -> Result<()> {
    if medium == Medium::Disk {
        progress.begin("syncing alone");
        let syncs = SyncLoop::start(&settings.data)?;
        clock::wait(plan.length).await;
        found.syncs_alone = Some(syncs.stop()?);
    }
    let servers = start(settings, builds, plan, medium, progress, found).await?;
    for workload in plan.workloads() {
        let takes = |one: &&StartedServer| takes_part(&Contestant::Started(one.kind), workload);
        let servers: Vec<&StartedServer> = servers.iter().filter(takes).collect();
        let round = Round { settings, plan, medium, workload, servers };
        let peaks = round.peaks(progress).await?;
        for share in &plan.shares {
            found.tails.extend(round.tails(*share, &peaks, progress).await?);
        }
        found.peaks.extend(peaks);
    }
    Ok(())
}

/// Starts and loads everybody. A server of others that fails is left out.
async fn start(
    settings: &Settings,
    builds: &[Build],
    plan: &Plan,
    medium: Medium,
    progress: &mut Progress,
    found: &mut Tails,
) -> Result<Vec<StartedServer>> {
    let mut servers = Vec::new();
    for build in builds {
        progress.begin(&format!("loading {} {}", build.name, medium.title()));
        let settings = Settings { binary: build.binary.clone(), ..settings.clone() };
        let kind = ServerKind::Durable;
        let server = load_one(kind, &settings, plan, progress).await?;
        servers.push(StartedServer { name: build.name.clone(), kind, server });
    }
    for kind in plan.kinds.iter().copied() {
        progress.begin(&format!("loading {} {}", kind.title(), medium.title()));
        match load_one(kind, settings, plan, progress).await {
            Ok(server) => servers.push(StartedServer { name: short_name(kind), kind, server }),
            Err(error) => found.failures.push(format!("{}: {error:#}", kind.title())),
        }
    }
    Ok(servers)
}

/// A name that leaves room for figures.
fn short_name(kind: ServerKind) -> String {
    if kind == ServerKind::Redis { "Redis".to_owned() } else { kind.title() }
}

async fn load_one(
    kind: ServerKind,
    settings: &Settings,
    plan: &Plan,
    progress: &mut Progress,
) -> Result<Server> {
    let mut server = Server::start(kind, settings).await?;
    let (table, dataset) = (Workload::PutItem.table(), Dataset::new(plan.items));
    let filled = if kind == ServerKind::Redis {
        preload::fill_redis(server.target(), &table, dataset, progress).await
    } else {
        preload::fill(server.target(), &table, dataset, progress).await
    };
    filled.map_err(|error| server.explain(error))?;
    Ok(server)
}

/// One workload on one medium.
struct Round<'a> {
    settings: &'a Settings,
    plan: &'a Plan,
    medium: Medium,
    workload: Workload,
    servers: Vec<&'a StartedServer>,
}

impl Round<'_> {
    /// A closed loop of everybody, in turn.
    async fn peaks(&self, progress: &mut Progress) -> Result<Vec<Peak>> {
        let peak = |one: &&StartedServer| Peak {
            medium: self.medium,
            workload: self.workload,
            server: one.name.clone(),
            is_redis: one.kind == ServerKind::Redis,
            samples: Vec::new(),
        };
        let mut peaks: Vec<Peak> = self.servers.iter().map(peak).collect();
        for (place, round) in turns(self.servers.len(), self.settings.rounds) {
            let Some((one, peak)) = self.servers.get(place).zip(peaks.get_mut(place)) else {
                continue;
            };
            self.begin(progress, one, "peak", round).await;
            let load = self.load(PEAK_CONNECTIONS, self.plan.length.mul_f64(PEAK_SHARE), round);
            peak.samples.push(load::run(one.server.target(), &load).await?);
        }
        Ok(peaks)
    }

    /// An open loop of everybody at a share of its peak, in turn.
    async fn tails(
        &self,
        share: f64,
        peaks: &[Peak],
        progress: &mut Progress,
    ) -> Result<Vec<Tail>> {
        let tail = |one: &&StartedServer| Tail {
            medium: self.medium,
            workload: self.workload,
            server: one.name.clone(),
            share: Some(share),
            samples: Vec::new(),
            syncs: Histogram::new(),
        };
        let mut tails: Vec<Tail> = self.servers.iter().map(tail).collect();
        for (place, round) in turns(self.servers.len(), self.settings.rounds) {
            let Some((one, tail)) = self.servers.get(place).zip(tails.get_mut(place)) else {
                continue;
            };
            let peak = peaks.get(place).and_then(|peak| rate(&peak.samples)).unwrap_or(1.0);
            self.begin(progress, one, &format!("{share:.0} % of the peak"), round).await;
            let syncs = self.beside()?;
            let load = self.load(OPEN_CONNECTIONS, self.plan.length, round);
            let per_second = (peak * share / 100.0).max(1.0);
            tail.samples.push(load::run_paced(one.server.target(), &load, per_second).await?);
            if let Some(syncs) = syncs {
                tail.syncs.merge(&syncs.stop()?);
            }
        }
        Ok(tails)
    }

    /// Bare syncs beside a load, where there is a disk to sync.
    fn beside(&self) -> Result<Option<SyncLoop>> {
        let is_disk = self.medium == Medium::Disk;
        is_disk.then(|| SyncLoop::start(&self.settings.data)).transpose()
    }

    async fn begin(&self, progress: &mut Progress, one: &StartedServer, what: &str, round: usize) {
        let (title, medium) = (self.workload.title(), self.medium.title());
        progress.begin(&format!("{title} {medium}, {what}, {}, round {}", one.name, round + 1));
        let targets: Vec<&Target> = self.servers.iter().map(|one| one.server.target()).collect();
        await_quiet(targets, self.settings.patience()).await;
    }

    fn load(&self, connections: u64, measured: Duration, round: usize) -> Load {
        let usual = self.settings.load(self.workload, connections);
        Load {
            dataset: Dataset::new(self.plan.items),
            warm_up: measured.mul_f64(WARM_UP_SHARE),
            measured,
            seed: usual.seed.wrapping_add(round as u64),
            ..usual
        }
    }
}
