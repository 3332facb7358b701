//! Puts at a fixed rate right after a load, while what was loaded is merged in the background.

use anyhow::Result;
use monotable_bench::data::Dataset;
use monotable_bench::load::{self, Histogram, Load};
use monotable_bench::preload;
use monotable_bench::progress::Progress;
use monotable_bench::workload::Workload;

use super::{Medium, Plan, Tail, Tails};
use crate::build::Build;
use crate::rounds::turns;
use crate::server::{Server, ServerKind};
use crate::settings::Settings;

/// How many puts may be under way.
const CONNECTIONS: u64 = 64;

/// Loads a server of its own in every round, and does not wait for it to settle.
pub(super) async fn measure(
    settings: &Settings,
    builds: &[Build],
    plan: &Plan,
    progress: &mut Progress,
    found: &mut Tails,
) -> Result<()> {
    let workload = Workload::PutItem;
    let tail = |build: &Build| Tail {
        medium: Medium::Tmpfs,
        workload,
        server: build.name.clone(),
        share: None,
        samples: Vec::new(),
        syncs: Histogram::new(),
    };
    let mut tails: Vec<Tail> = builds.iter().map(tail).collect();
    let dataset = Dataset::new(plan.merging_items);
    for (place, round) in turns(builds.len(), settings.rounds) {
        let Some((build, tail)) = builds.get(place).zip(tails.get_mut(place)) else { continue };
        progress.begin(&format!("puts during merges, {}, round {}", build.name, round + 1));
        let settings = Settings { binary: build.binary.clone(), ..settings.clone() };
        let server = Server::start(ServerKind::Durable, &settings).await?;
        preload::fill(server.target(), &workload.table(), dataset, progress).await?;
        let load = settings.load(workload, CONNECTIONS);
        let seed = load.seed.wrapping_add(round as u64);
        let (warm_up, measured) = (plan.length.mul_f64(0.05), plan.length);
        let load = Load { dataset, warm_up, measured, seed, ..load };
        let sample = load::run_paced(server.target(), &load, plan.merging_rate).await?;
        tail.samples.push(sample);
    }
    found.merging = tails;
    Ok(())
}
