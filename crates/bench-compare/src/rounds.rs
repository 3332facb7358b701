//! All samples of a run, in turn.
//!
//! All servers run and are loaded before the first sample. In every round each server is sampled
//! once, and every round begins with another one: a machine that slows down, or a disk that is busy
//! for a while, falls on all of them and shows as spread, not as a difference.

use anyhow::Result;
use monotable_bench::load::{Load, PacedSample, Sample};
use monotable_bench::progress::Progress;
use monotable_bench::workload::Workload;

use crate::server::{Contestant, Role, await_quiet};
use crate::settings::Settings;
use crate::started_contestant::{StartedContestant, takes_part};

/// What was measured of one server with one workload.
#[derive(Debug, Clone)]
pub(crate) struct Cell<S = Sample> {
    /// The kind of request.
    pub(crate) workload: Workload,
    /// How many connections sent them.
    pub(crate) connections: u64,
    /// The rate that was asked for; none in the closed loop.
    pub(crate) rate: Option<f64>,
    /// The server.
    pub(crate) server: Contestant,
    /// One sample per round.
    pub(crate) samples: Vec<S>,
    /// Why there are no more samples, if a server of others failed.
    pub(crate) failure: Option<String>,
}

/// Takes a sample of everything in the closed loop.
pub(crate) async fn run(settings: &Settings) -> Result<Vec<Cell>> {
    let mut field = Field::start(settings, None).await?;
    let mut cells = Vec::new();
    for load in loads(settings) {
        cells.extend(field.compare(&load, None, async |one, load| one.sample(load).await).await?);
    }
    field.clean_up().await?;
    Ok(cells)
}

/// Takes a sample of everything at every rate.
pub(crate) async fn run_paced(settings: &Settings) -> Result<Vec<Cell<PacedSample>>> {
    let mut field = Field::start(settings, Some(settings.rates.len())).await?;
    let mut cells = Vec::new();
    for load in loads(settings) {
        for rate in &settings.rates {
            let take = async |one: &mut StartedContestant, load: &Load| {
                one.sample_paced(load, *rate).await
            };
            cells.extend(field.compare(&load, Some(*rate), take).await?);
        }
    }
    field.clean_up().await?;
    Ok(cells)
}

/// Every workload with every number of connections.
fn loads(settings: &Settings) -> Vec<Load> {
    let workloads = settings.workloads.iter();
    let loads = workloads.flat_map(|workload| {
        let connections = settings.connections.iter();
        connections.map(|connections| settings.load(*workload, *connections))
    });
    loads.collect()
}

/// Everybody who is compared, started and loaded.
struct Field<'a> {
    settings: &'a Settings,
    started: Vec<StartedContestant>,
    progress: Progress,
}

impl<'a> Field<'a> {
    /// Starts everybody. The bare engine has no open loop, so it has no part in fixed rates.
    async fn start(settings: &'a Settings, rates: Option<usize>) -> Result<Field<'a>> {
        let measured =
            |contestant: &&Contestant| rates.is_none() || contestant.role() != Role::Engine;
        let contestants: Vec<&Contestant> = settings.servers.iter().filter(measured).collect();
        let mut progress = Progress::new(steps(settings, &contestants, rates.unwrap_or(1)));
        let mut started = Vec::new();
        for contestant in contestants {
            progress.begin(&format!("loading {}", contestant.title()));
            started.push(StartedContestant::start(contestant, settings, &mut progress).await?);
        }
        Ok(Field { settings, started, progress })
    }

    /// Takes all rounds of one load.
    async fn compare<S>(
        &mut self,
        load: &Load,
        rate: Option<f64>,
        take: impl AsyncFn(&mut StartedContestant, &Load) -> Result<S>,
    ) -> Result<Vec<Cell<S>>> {
        let mut cells: Vec<Cell<S>> =
            self.started.iter().map(|one| empty_cell(load, rate, one.contestant())).collect();
        for (place, round) in turns(cells.len(), self.settings.rounds) {
            let Some(cell) = cells.get_mut(place) else { continue };
            if takes_part(&cell.server, load.workload) && cell.failure.is_none() {
                self.measure(place, round, load, cell, &take).await?;
            }
        }
        cells.retain(|cell| takes_part(&cell.server, load.workload));
        Ok(cells)
    }

    /// Takes one sample of one contestant.
    async fn measure<S>(
        &mut self,
        place: usize,
        round: usize,
        load: &Load,
        cell: &mut Cell<S>,
        take: &impl AsyncFn(&mut StartedContestant, &Load) -> Result<S>,
    ) -> Result<()> {
        let (title, connections) = (load.workload.title(), load.connections);
        let server = cell.server.title();
        self.progress.begin(&format!("{title}, {connections}, {server}, round {}", round + 1));
        let targets = self.started.iter().filter_map(StartedContestant::target);
        await_quiet(targets, self.settings.patience()).await;
        let Some(started) = self.started.get_mut(place) else { return Ok(()) };
        let load = Load { seed: load.seed.wrapping_add(round as u64), ..load.clone() };
        match take(started, &load).await {
            Ok(sample) => cell.samples.push(sample),
            // Figures of ours are not lost because a server of others fails.
            Err(error) if cell.server.role() == Role::Peer => {
                cell.failure = Some(format!("{error:#}"));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    async fn clean_up(&self) -> Result<()> {
        for started in &self.started {
            started.clean_up(self.settings).await?;
        }
        Ok(())
    }
}

fn empty_cell<S>(load: &Load, rate: Option<f64>, server: &Contestant) -> Cell<S> {
    Cell {
        workload: load.workload,
        connections: load.connections,
        rate,
        server: server.clone(),
        samples: Vec::new(),
        failure: None,
    }
}

/// Loading every server, and a sample of every cell in every round.
fn steps(settings: &Settings, contestants: &[&Contestant], paces: usize) -> usize {
    let cells = |contestant: &&Contestant| {
        settings.workloads.iter().filter(|workload| takes_part(contestant, **workload)).count()
    };
    let cells: usize = contestants.iter().map(cells).sum();
    contestants.len() + cells * settings.connections.len() * settings.rounds * paces
}

/// Who is measured when: in each round everybody once, each round beginning with another one.
pub(crate) fn turns(count: usize, rounds: usize) -> Vec<(usize, usize)> {
    let all = (0..rounds).flat_map(|round| (0..count).map(move |turn| (round + turn, round)));
    all.map(|(place, round)| (place % count.max(1), round)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_round_begins_with_another_one() {
        assert_eq!(turns(2, 2), [(0, 0), (1, 0), (1, 1), (0, 1)]);
        assert_eq!(turns(0, 3), []);
    }
}
