//! Compares servers under load: ours, reference servers, and others of its kind.
//!
//! The program starts the servers that it compares, loads the same items into each of them, and
//! sends them the same requests in turn: one sample of each server in every round, so that whatever
//! else the machine does falls on all of them alike. What it prints is read as ratios: most of all
//! to the parsing reference server, which does the least that any server of this protocol can do.
//!
//! The load itself is made by the library `monotable-bench`. In reading order:
//!
//! - [`arguments`] says what can be asked for, and [`settings`] what a run does then,
//! - [`server`] starts the servers, [`mod@reference`] is what ours is held against, [`bare`] is the
//!   storage engine alone, and a [`started_contestant`] is any of them while it is measured,
//! - [`rounds`] takes all samples of a run in turn, [`footprint`] measures start, memory and size,
//!   [`disk`] what data takes, and [`machine`] says what all of it was measured on,
//! - [`growth`] measures what becomes of it as data grows,
//! - [`churn`] measures what becomes of it over time when data comes and goes, of one [`build`] of
//!   our server or of several in turn, as [`bad_day`] says,
//! - [`tails`] measures the last percentiles below the peak, beside what the disk itself takes,
//! - [`guard_cost`] measures what signatures, policies and TLS cost,
//! - [`soak`] looks for losses over an hour of load and restarts,
//! - [`stream_cost`] and [`ttl_sweep`] measure what streams and expiring items cost,
//! - [`scale_out`] measures the engine on PostgreSQL beside `pgbench` and a naive one,
//! - [`vector_search`] measures searches of vectors beside a comparison of all,
//! - [`comparison`] makes ratios of it, [`goals`] says which are enough,
//! - [`report`] writes it as text, JSON, documents and, with [`plot`], as pictures.

mod arguments;
mod bad_day;
mod bare;
mod build;
mod churn;
mod comparison;
mod disk;
mod footprint;
mod goals;
mod growth;
mod guard_cost;
mod machine;
mod plot;
mod reference;
mod report;
mod rounds;
mod scale_out;
mod server;
mod settings;
mod soak;
mod started_contestant;
mod stream_cost;
mod tails;
mod ttl_sweep;
mod vector_search;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Parser;
use tokio::runtime;

use crate::arguments::{Arguments, Command, Output, Results};
use crate::report::Document;
use crate::settings::{FULL, GROWTH, PACED, STREAM, SWEEP, Settings};

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: Arguments) -> Result<()> {
    match arguments.command {
        Some(command) => run_command(command),
        None if arguments.rate.is_empty() => compare(arguments),
        None => compare_at_rates(arguments),
    }
}

/// Compares all servers at their peak.
fn compare(arguments: Arguments) -> Result<()> {
    let settings = Settings::new(arguments.common, arguments.workload, FULL)?;
    let measure = async {
        let footprint = footprint::measure(&settings).await?;
        Ok((footprint, rounds::run(&settings).await?))
    };
    let (footprint, cells) = until_interrupted(measure)?;
    publish(&arguments.results, &report::comparison::render(&settings, &footprint, &cells))
}

/// Compares them at the rates that were asked for.
fn compare_at_rates(arguments: Arguments) -> Result<()> {
    let settings = Settings::new(arguments.common, arguments.workload, PACED)?;
    let settings = settings.with_rates(arguments.rate);
    let cells = until_interrupted(rounds::run_paced(&settings))?;
    publish(&arguments.results, &report::comparison::render_paced(&settings, &cells))
}

fn run_command(command: Command) -> Result<()> {
    let (results, document) = match command {
        Command::Reference { mode, port } => return reference::run(mode, port),
        Command::Growth { growth, results, common } => {
            let plan = growth::Plan::new(growth, common.quick)?;
            let settings = Settings::new(common, Vec::new(), GROWTH)?;
            let found = until_interrupted(growth::measure(&settings, &plan))?;
            (results, report::growth::render(&settings, &plan, &found))
        }
        Command::Churn { churn, bad_day, results } => {
            let plan = churn::Plan::new(churn, bad_day.quick)?;
            let (settings, builds) = bad_day.prepare()?;
            let found = until_interrupted(churn::measure(&settings, &builds, &plan))?;
            (results, report::churn::render(&settings, &plan, &found))
        }
        Command::Guards { guards, bad_day, results } => {
            let is_quick = bad_day.quick;
            let (settings, _) = bad_day.prepare()?;
            let plan = guard_cost::Plan::new(&guards, settings.rounds, is_quick);
            let costs = guard_cost::measure(&plan, &settings.binary)?;
            (results, report::guard_cost::render(&plan, &costs))
        }
        Command::Vectors { vectors, bad_day, results } => {
            let (settings, _) = bad_day.prepare()?;
            let findings = until_interrupted(vector_search::measure(&settings, &vectors))?;
            (results, report::vector_search::render(&findings))
        }
        Command::ScaleOut { scale_out, results } => {
            let plan = scale_out::Plan::new(scale_out)?;
            let found = until_interrupted_on_all(scale_out::measure(&plan))?;
            (results, report::scale_out::render(&plan, &found))
        }
        Command::Tails { tails, bad_day, results } => {
            if tails.peers {
                server::install_peers(&[server::ServerKind::DynoxideFile])?;
            }
            let plan = tails::Plan::new(tails, bad_day.quick)?;
            let (settings, builds) = bad_day.prepare()?;
            let found = until_interrupted(tails::measure(&settings, &builds, &plan))?;
            (results, report::tails::render(&settings, &plan, &found))
        }
        Command::Soak { soak, results } => {
            let plan = soak::Plan::new(soak)?;
            let found = soak::run(&plan)?;
            (results, report::soak::render(&plan, &found))
        }
        Command::Stream { common, results } => {
            let settings = Settings::new(common, stream_cost::WORKLOADS.to_vec(), STREAM)?;
            let costs = until_interrupted(stream_cost::measure(&settings))?;
            (results, report::stream_cost::render(&settings, &costs))
        }
        Command::TtlSweep { due_interval, common, results } => {
            let settings = Settings::new(common, ttl_sweep::WORKLOADS.to_vec(), SWEEP)?;
            let settings = settings.with_due(due_interval);
            let sweeps = until_interrupted(ttl_sweep::measure(&settings))?;
            (results, report::ttl_sweep::render(&settings, &sweeps))
        }
    };
    publish(&results, &document)
}

/// Runs something to its end, or until somebody has had enough. Servers are killed and their data
/// is removed when it is dropped, which it is either way.
fn until_interrupted<T>(something: impl Future<Output = Result<T>>) -> Result<T> {
    // One thread drives all connections: the servers need the rest of the machine.
    until_interrupted_on(&runtime::Builder::new_current_thread().enable_all().build()?, something)
}

/// The same on all processors, for engines that run in this process.
fn until_interrupted_on_all<T>(something: impl Future<Output = Result<T>>) -> Result<T> {
    until_interrupted_on(&runtime::Builder::new_multi_thread().enable_all().build()?, something)
}

fn until_interrupted_on<T>(
    runtime: &runtime::Runtime,
    something: impl Future<Output = Result<T>>,
) -> Result<T> {
    runtime.block_on(async {
        tokio::select! {
            outcome = something => outcome,
            signal = interruption() => {
                signal?;
                bail!("interrupted");
            }
        }
    })
}

/// Comes when the program is told to end.
#[cfg(unix)]
async fn interruption() -> Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut termination = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupt = tokio::signal::ctrl_c() => Ok(interrupt?),
        _ = termination.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn interruption() -> Result<()> {
    Ok(tokio::signal::ctrl_c().await?)
}

/// Prints the result in one form, and saves it in those that were asked for.
fn publish(results: &Results, document: &Document) -> Result<()> {
    if let Some(directory) = &results.save {
        save(directory, "results.txt", &document.text())?;
        save(directory, "results.json", &document.json())?;
        save(directory, "results.md", &document.markdown())?;
    }
    for directory in results.save.iter().chain(&results.plots) {
        for (name, picture) in document.pictures() {
            save(directory, &name, &picture)?;
        }
    }
    let text = match results.output {
        Output::Table => document.text(),
        Output::Json => document.json(),
        Output::Markdown => document.markdown(),
    };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

fn save(directory: &Path, name: &str, text: &str) -> Result<()> {
    let path = directory.join(name);
    let write = || {
        fs::create_dir_all(directory)?;
        fs::write(&path, text)
    };
    write().with_context(|| format!("{} cannot be written", path.display()))
}
