//! Three servers on PostgreSQL with a synchronous standby, under load, while parts of it die.
//!
//! In each round something breaks: the leader of the database is killed, servers are killed or
//! stopped beyond their leases, or one is cut off from the database. Meanwhile clients write and
//! read through all servers, an index is added or removed, and two consumers follow the stream.
//! Then everything is compared: nothing that was answered is lost, nothing happened twice, all
//! operations fit into one order, each index is the table, and the stream is the history. The
//! first difference ends the run with an error, and leaves its files where they are.
//!
//! - [`patroni`] runs the databases, [`servers`] the servers, [`proxy`] is the way between them,
//! - [`load`] is what clients do to a [`table`], by way of a [`caller`]; [`history`] is what they
//!   know then,
//! - [`consumer`] follows the stream, [`changer`] adds and removes an index,
//! - [`fault`] is what breaks, drawn with [`dice`]; [`round`] is one round, by the real [`clock`],
//! - [`check`] says whether a history can be true, [`report`] what the run was.
#![expect(clippy::print_stdout, reason = "reports go to the terminal")]

mod caller;
mod changer;
mod check;
mod clock;
mod consumer;
mod dice;
mod fault;
mod history;
mod load;
mod patroni;
mod proxy;
mod report;
mod round;
mod servers;
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use anyhow::{Context, Result};
use clap::Parser;
use monotable_conformance::server;
use monotable_postgres_fixture::Programs;

use crate::caller::Caller;
use crate::clock::Stopwatch;
use crate::consumer::{Consumer, Seen};
use crate::patroni::Cluster;
use crate::round::{Outcome, Run};
use crate::servers::Servers;

/// How many follow the stream.
const CONSUMERS: usize = 2;

/// Break a replicated store in many ways under load, and look for losses
#[derive(Parser)]
struct Arguments {
    /// How many rounds to play
    #[arg(long, default_value_t = 10)]
    rounds: u64,
    /// What breaks when follows from it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The directory of Patroni's programs
    #[arg(long)]
    patroni: PathBuf,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let directory = tempfile::Builder::new().prefix("monotable-failover-").tempdir()?.keep();
    println!("files are in {}", directory.display());
    let cluster = Cluster::start(&directory, &arguments.patroni, &Programs::find()?)?;
    let databases = cluster.database_ports();
    let servers = Servers::start(runtime.handle(), &server::binary()?, &directory, &databases)?;
    let outcomes = play(arguments, cluster, servers)?;
    println!("\n{}", report::text(&outcomes));
    println!(
        "{} rounds, seed {}: nothing lost, nothing twice, one order",
        outcomes.len(),
        arguments.seed
    );
    remove(&directory)
}

fn play(arguments: &Arguments, cluster: Cluster, servers: Servers) -> Result<Vec<Outcome>> {
    let endpoints = servers.endpoints().clone();
    let mut caller = Caller::new(&endpoints, 0);
    let stream = table::create(&mut caller)?;
    table::fill(&mut caller)?;
    let seen: [Seen; CONSUMERS] = Default::default();
    let is_over = AtomicBool::new(false);
    let mut run = Run {
        cluster,
        servers,
        watch: Stopwatch::start(),
        seed: arguments.seed,
        seen: &seen,
        next_value: AtomicU64::new(1),
        expected: BTreeMap::new(),
        doubtful: BTreeMap::new(),
    };
    thread::scope(|scope| {
        for (number, seen) in seen.iter().enumerate() {
            let consumer = Consumer::new(&endpoints, number + 1, &stream, seen);
            let is_over = &is_over;
            scope.spawn(move || consumer.run(is_over));
        }
        let outcomes = (0..arguments.rounds).map(|round| {
            let outcome = run.play(round).with_context(|| format!("round {round}"))?;
            println!("{}", progress(round + 1, arguments.rounds, &outcome));
            Ok(outcome)
        });
        let outcomes = outcomes.collect::<Result<Vec<_>>>();
        is_over.store(true, Ordering::Relaxed);
        outcomes
    })
}

fn progress(round: u64, rounds: u64, outcome: &Outcome) -> String {
    format!(
        "{round:>3} of {rounds}  {:<34}{:>6} operations, {:>4} without an answer, {:>6.2} s \
         without writes, {:>5.1} s in all",
        outcome.fault,
        outcome.operations,
        outcome.unanswered,
        outcome.longest_gap_micros as f64 / 1e6,
        outcome.micros as f64 / 1e6,
    )
}

/// Removes the files of a run that found nothing.
fn remove(directory: &Path) -> Result<()> {
    std::fs::remove_dir_all(directory).context("the files cannot be removed")
}
