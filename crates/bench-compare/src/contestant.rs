//! What stands behind an entrant while it is measured.

use anyhow::{Result, anyhow};
use monotable_bench::load::{self, Load, PacedSample, Sample};
use monotable_bench::preload;
use monotable_bench::progress::Progress;
use monotable_bench::table::Table;
use monotable_bench::target::{Protocol, Target};
use monotable_bench::workload::Workload;

use crate::bare::BareEngine;
use crate::server::{Entrant, Role, Server, ServerKind};
use crate::settings::Settings;

/// An entrant that is ready to be measured.
pub(crate) struct Contestant {
    entrant: Entrant,
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

impl Contestant {
    /// Starts an entrant and loads the tables of all workloads that it is measured with.
    pub(crate) async fn start(
        entrant: &Entrant,
        settings: &Settings,
        progress: &mut Progress,
    ) -> Result<Contestant> {
        let body = match Contestant::ready(entrant, settings, progress).await {
            // Figures of ours are not lost because a server of others fails.
            Err(error) if entrant.role() == Role::Peer => Body::Absent(format!("{error:#}")),
            other => other?,
        };
        Ok(Contestant { entrant: entrant.clone(), body })
    }

    async fn ready(
        entrant: &Entrant,
        settings: &Settings,
        progress: &mut Progress,
    ) -> Result<Body> {
        match entrant {
            Entrant::Started(ServerKind::Bare) => {
                Ok(Body::Bare(BareEngine::open(&settings.data, settings.dataset).await?))
            }
            Entrant::Started(kind) => {
                let mut server = Server::start(*kind, settings).await?;
                let filled = fill(entrant, server.target(), settings, progress).await;
                filled.map_err(|error| server.explain(error))?;
                Ok(Body::Server(Box::new(server)))
            }
            Entrant::Running { name, url } => {
                let target = Target::at(name.clone(), url)?;
                fill(entrant, &target, settings, progress).await?;
                Ok(Body::Running(target))
            }
        }
    }

    /// Who it is.
    pub(crate) fn entrant(&self) -> &Entrant {
        &self.entrant
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
            for table in tables(&self.entrant, settings) {
                preload::delete_table(target, &table).await?;
            }
        }
        Ok(())
    }
}

/// Whether an entrant is measured with a workload.
///
/// The bare engine only writes items, and Redis only knows one at a time. The tables with a stream
/// or more indexes tell what these cost our server, so all others are spared them.
pub(crate) fn takes_part(entrant: &Entrant, workload: Workload) -> bool {
    if *entrant == Entrant::Started(ServerKind::Redis) {
        return matches!(workload, Workload::GetItem | Workload::PutItem);
    }
    match entrant.role() {
        Role::Engine => workload == Workload::PutItem,
        Role::Reference | Role::Peer => workload.table() == Table::plain(),
        Role::Ours => true,
    }
}

/// The tables of all workloads that an entrant is measured with, each once.
fn tables(entrant: &Entrant, settings: &Settings) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for workload in settings.workloads.iter().filter(|workload| takes_part(entrant, **workload)) {
        if !tables.contains(&workload.table()) {
            tables.push(workload.table());
        }
    }
    tables
}

/// Loads what an entrant needs. The reference servers need nothing.
async fn fill(
    entrant: &Entrant,
    target: &Target,
    settings: &Settings,
    progress: &mut Progress,
) -> Result<()> {
    if entrant.role() == Role::Reference {
        return Ok(());
    }
    for table in tables(entrant, settings) {
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
    fn each_entrant_is_measured_with_what_it_can_show() {
        let takes = |kind, workload| takes_part(&Entrant::Started(kind), workload);
        assert!(takes(ServerKind::Bare, Workload::PutItem));
        assert!(!takes(ServerKind::Bare, Workload::GetItem));
        assert!(takes(ServerKind::Dynalite, Workload::Mixed));
        assert!(takes(ServerKind::Redis, Workload::GetItem));
        assert!(!takes(ServerKind::Redis, Workload::Mixed));
        assert!(!takes(ServerKind::Dynalite, Workload::PutItemStream));
        assert!(takes(ServerKind::Durable, Workload::PutItemIndexes));
    }
}
