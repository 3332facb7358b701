//! What stands behind a contestant while it is measured.

use anyhow::{Result, anyhow};
use monotable_bench::load::{self, Load, PacedSample, Sample};
use monotable_bench::preload;
use monotable_bench::progress::Progress;
use monotable_bench::table::Table;
use monotable_bench::target::{Protocol, Target};
use monotable_bench::workload::Workload;

use crate::bare::BareEngine;
use crate::server::{Contestant, Role, Server, ServerKind};
use crate::settings::Settings;

/// A contestant that is ready to be measured.
pub(crate) struct StartedContestant {
    contestant: Contestant,
    body: Body,
}

enum Body {
    /// A server that was started.
    Server(Box<Server>),
    /// A server that somebody else runs.
    Running(Target),
    /// The engine in this process.
    Bare(BareEngine),
    /// Somebody else's server that does not do what is needed.
    Absent(String),
}

impl StartedContestant {
    /// Starts a contestant and loads the tables of all workloads that it is measured with.
    pub(crate) async fn start(
        contestant: &Contestant,
        settings: &Settings,
        progress: &mut Progress,
    ) -> Result<StartedContestant> {
        let body = match StartedContestant::ready(contestant, settings, progress).await {
            // Figures of ours are not lost because a server of others fails.
            Err(error) if contestant.role() == Role::Peer => Body::Absent(format!("{error:#}")),
            other => other?,
        };
        Ok(StartedContestant { contestant: contestant.clone(), body })
    }

    async fn ready(
        contestant: &Contestant,
        settings: &Settings,
        progress: &mut Progress,
    ) -> Result<Body> {
        match contestant {
            Contestant::Started(ServerKind::Bare) => {
                Ok(Body::Bare(BareEngine::open(&settings.data, settings.dataset).await?))
            }
            Contestant::Started(kind) => {
                let mut server = Server::start(*kind, settings).await?;
                let filled = fill(contestant, server.target(), settings, progress).await;
                filled.map_err(|error| server.explain(error))?;
                Ok(Body::Server(Box::new(server)))
            }
            Contestant::Running { name, url } => {
                let target = Target::at(name.clone(), url)?;
                fill(contestant, &target, settings, progress).await?;
                Ok(Body::Running(target))
            }
        }
    }

    /// Who it is.
    pub(crate) fn contestant(&self) -> &Contestant {
        &self.contestant
    }

    /// Where it listens, if it does.
    pub(crate) fn target(&self) -> Option<&Target> {
        match &self.body {
            Body::Server(server) => Some(server.target()),
            Body::Running(target) => Some(target),
            Body::Bare(_) | Body::Absent(_) => None,
        }
    }

    /// Takes one sample.
    pub(crate) async fn sample(&mut self, load: &Load) -> Result<Sample> {
        match &mut self.body {
            Body::Server(server) => {
                let sample = load::run(server.target(), load).await;
                sample.map_err(|error| server.explain(error))
            }
            Body::Running(target) => load::run(target, load).await,
            Body::Bare(engine) => engine.run(load).await,
            Body::Absent(reason) => Err(anyhow!("{reason}")),
        }
    }

    /// Takes one sample at a rate.
    pub(crate) async fn sample_paced(&mut self, load: &Load, rate: f64) -> Result<PacedSample> {
        match &mut self.body {
            Body::Server(server) => {
                let sample = load::run_paced(server.target(), load, rate).await;
                sample.map_err(|error| server.explain(error))
            }
            Body::Running(target) => load::run_paced(target, load, rate).await,
            Body::Bare(_) => Err(anyhow!("the bare engine has no fixed rate")),
            Body::Absent(reason) => Err(anyhow!("{reason}")),
        }
    }

    /// Deletes what was put into a server that goes on running.
    pub(crate) async fn clean_up(&self, settings: &Settings) -> Result<()> {
        if let Body::Running(target) = &self.body {
            for table in tables(&self.contestant, settings) {
                preload::delete_table(target, &table).await?;
            }
        }
        Ok(())
    }
}

/// Whether a contestant is measured with a workload.
///
/// The bare engine only writes items, and Redis only knows one at a time. The tables with a stream
/// or more indexes tell what these cost our server, so all others are spared them.
pub(crate) fn takes_part(contestant: &Contestant, workload: Workload) -> bool {
    if *contestant == Contestant::Started(ServerKind::Redis) {
        return matches!(workload, Workload::GetItem | Workload::PutItem);
    }
    match contestant.role() {
        Role::Engine => workload == Workload::PutItem,
        Role::Reference | Role::Peer => workload.table() == Table::plain(),
        Role::Ours => true,
    }
}

/// The tables of all workloads that a contestant is measured with, each once.
fn tables(contestant: &Contestant, settings: &Settings) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for workload in settings.workloads.iter().filter(|workload| takes_part(contestant, **workload))
    {
        if !tables.contains(&workload.table()) {
            tables.push(workload.table());
        }
    }
    tables
}

/// Loads what a contestant needs. The reference servers need nothing.
async fn fill(
    contestant: &Contestant,
    target: &Target,
    settings: &Settings,
    progress: &mut Progress,
) -> Result<()> {
    if contestant.role() == Role::Reference {
        return Ok(());
    }
    for table in tables(contestant, settings) {
        if target.protocol == Protocol::Resp {
            preload::fill_redis(target, &table, settings.dataset, progress).await?;
            continue;
        }
        preload::fill(target, &table, settings.dataset, progress).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_contestant_is_measured_with_what_it_can_show() {
        let takes = |kind, workload| takes_part(&Contestant::Started(kind), workload);
        assert!(takes(ServerKind::Bare, Workload::PutItem));
        assert!(!takes(ServerKind::Bare, Workload::GetItem));
        assert!(takes(ServerKind::Dynalite, Workload::Mixed));
        assert!(takes(ServerKind::Redis, Workload::GetItem));
        assert!(!takes(ServerKind::Redis, Workload::Mixed));
        assert!(!takes(ServerKind::Dynalite, Workload::PutItemStream));
        assert!(takes(ServerKind::Durable, Workload::PutItemIndexes));
    }
}
