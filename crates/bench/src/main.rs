//! Benchmarks over HTTP, with reference servers.
//!
//! The program starts the servers that it compares, loads the same items into each of them, and sends
//! them the same requests in turn: one sample of each server in every round, so that whatever else the
//! machine does falls on all of them alike. What it prints is read as ratios: most of all to the parsing
//! reference server, which does the least that any server of this protocol can do.
//!
//! In reading order:
//!
//! - [`arguments`] says what can be asked for, and [`settings`] what a run does then,
//! - [`data`] is the items, [`table`] the tables that they go into, [`workload`] the requests on them,
//! - [`template`] makes requests of one workload without building JSON each time, with keys drawn by
//!   [`random`],
//! - [`http`] is the client: a socket, a request, an answer,
//! - [`load`] keeps connections busy and takes samples, of which [`usage`] tells the cost,
//! - [`server`] starts the servers, [`preload`] fills them, [`mod@reference`] is what ours is held
//!   against,
//! - [`rounds`] takes all samples of a run in turn, [`footprint`] measures start, memory and size,
//! - [`stream_cost`] and [`ttl_sweep`] measure what streams and expiring items cost,
//! - [`report`] makes medians and ratios of it, as a table and as JSON.

mod arguments;
mod clock;
mod data;
mod footprint;
mod http;
mod load;
mod machine;
mod preload;
mod progress;
mod random;
mod reference;
mod report;
mod rounds;
mod server;
mod settings;
mod statistics;
mod stream_cost;
mod table;
mod template;
mod ttl_sweep;
mod usage;
mod workload;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use tokio::runtime;

use crate::arguments::{Arguments, Command, Output};
use crate::report::Report;
use crate::settings::{FULL, SWEEP, Settings};

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
    // One thread drives all connections: the servers need the rest of the machine.
    let load = || runtime::Builder::new_current_thread().enable_all().build();
    let text = match arguments.command {
        Some(Command::Reference { mode, port }) => return reference::run(mode, port),
        Some(Command::Stream { common }) => {
            let settings = Settings::new(common, stream_cost::WORKLOADS.to_vec(), FULL)?;
            let costs = load()?.block_on(stream_cost::measure(&settings))?;
            report::stream_cost::render(&settings, &costs)
        }
        Some(Command::TtlSweep { due_interval, common }) => {
            let settings = Settings::new(common, ttl_sweep::WORKLOADS.to_vec(), SWEEP)?;
            let settings = settings.with_due(due_interval);
            let sweeps = load()?.block_on(ttl_sweep::measure(&settings))?;
            report::ttl_sweep::render(&settings, &sweeps)
        }
        None => {
            let settings = Settings::new(arguments.common, arguments.workload, FULL)?;
            let report = load()?.block_on(measure(&settings))?;
            match arguments.output {
                Output::Table => report::table::render(&report),
                Output::Json => format!("{:#}\n", report::json::render(&report)),
            }
        }
    };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

async fn measure(settings: &Settings) -> Result<Report> {
    let footprint = footprint::measure(settings).await?;
    let cells = rounds::run(settings).await?;
    Ok(Report { machine: machine::describe(), settings: settings.clone(), footprint, cells })
}
