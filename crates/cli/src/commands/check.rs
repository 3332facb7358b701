//! `monotable check`: is a store that no server uses sound, and what is wrong with it?

mod files;
mod json;
mod sentence;
mod text;
mod watch;

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use monotable_database::Clock;
use monotable_database::check::{Change, CheckEvent, CheckMode, CheckOptions, CheckReport, check};
use monotable_storage::Engine;
use monotable_storage_local::{Fault as FileFault, LocalEngine, Options, Report as FileReport};
use monotable_storage_postgres::{PostgresEngine, PostgresOptions};

use self::watch::Watch;
use crate::outcome::Outcome;
use crate::postgres::explain;
use crate::system::SystemClock;

const EXAMPLES: &str = "Examples:
  Is the store of a server that was stopped sound?
      monotable check ./monotable-data

  Repair what can be derived from the items, and list every change:
      monotable check ./monotable-data --repair

  The same for a program:
      monotable check ./monotable-data --output json

What it checks:
  First every file, against its checksums. If one is damaged it is named, and nothing else is
  done: bring it back from a copy. Then the store is opened, which finishes what a crash cut
  short, as every start of the server does. What it holds is checked: tables, items, indexes
  against their items, expiry, counters, streams. Without --repair the check itself writes
  nothing.

What --repair mends:
  Missing, wrong and superfluous entries of indexes, counters, and what is left of tables that are
  gone. It never touches an item, nor a record that it cannot read. It says what it changes before
  it does, and checks again.

Exits with 0 if the store is sound, with 1 if there are faults (after --repair: if any are left),
and with 2 if it could not be checked, for instance because a server uses it.";

/// Check a store that no server is using, and repair its indexes and counters
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckCommand {
    /// The data directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Repair what can be derived from the items
    #[arg(long)]
    repair: bool,

    /// How to print
    #[arg(long, value_enum, default_value_t = Output::Text)]
    output: Output,
}

/// How to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// For people
    Text,
    /// For programs: JSON with stable members
    Json,
}

/// What was found, from the files up to what they mean.
struct Findings {
    /// The directory, or the address without secrets.
    store: String,
    /// What was found of its files, if it is a directory.
    files: Option<FileReport>,
    /// What the store holds, unless its files are damaged.
    contents: Option<CheckReport>,
    /// How many changes a repair made, if one was asked for.
    changes: Option<u64>,
}

impl Findings {
    fn is_sound(&self) -> bool {
        self.file_faults().is_empty() && self.contents.as_ref().is_some_and(CheckReport::is_sound)
    }

    fn file_faults(&self) -> &[FileFault] {
        self.files.as_ref().map_or(&[], |files| &files.faults)
    }
}

/// Checks, and prints what was found.
pub(crate) fn run(arguments: CheckCommand) -> Result<Outcome> {
    let output = arguments.output;
    print(&find(arguments)?, output)
}

/// Checks a store on a database that no server uses, and prints what was found.
pub(crate) async fn run_on_database(
    options: &PostgresOptions,
    repair: bool,
    output: Output,
) -> Result<Outcome> {
    let engine = PostgresEngine::open(options).await.map_err(|error| explain(&error))?;
    let changes = repair.then_some(0);
    let store = options.to_string();
    let mut findings = Findings { store, files: None, contents: None, changes };
    find_contents(&engine, &mut findings, output).await?;
    print(&findings, output)
}

fn print(findings: &Findings, output: Output) -> Result<Outcome> {
    match output {
        Output::Text => text::print(findings)?,
        Output::Json => json::print(findings)?,
    }
    Ok(if findings.is_sound() { Outcome::Done } else { Outcome::Negative })
}

fn find(arguments: CheckCommand) -> Result<Findings> {
    let CheckCommand { directory, repair, output } = arguments;
    let files = files::verify(&directory)?;
    let changes = repair.then_some(0);
    let store = directory.display().to_string();
    let mut findings = Findings { store, files: Some(files), contents: None, changes };
    if !findings.file_faults().is_empty() {
        return Ok(findings);
    }
    let engine = match LocalEngine::open(&directory, &Options::default()) {
        Ok(engine) => engine,
        Err(error) => {
            let fault = files::as_fault(error)?;
            findings.files.iter_mut().for_each(|files| files.faults.push(fault.clone()));
            return Ok(findings);
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(find_contents(&engine, &mut findings, output))?;
    Ok(findings)
}

/// Checks what an open store means; if it is to be mended, twice.
async fn find_contents<E: Engine>(
    engine: &E,
    findings: &mut Findings,
    output: Output,
) -> Result<()> {
    if let Some(count) = &mut findings.changes {
        *count = repair(engine, output).await?;
    }
    findings.contents = Some(walk(engine, CheckMode::ReadOnly, |_| Ok(())).await?);
    engine.close().await.context("cannot close the store")
}

/// Mends the store; gives how many changes that took.
async fn repair<E: Engine>(engine: &E, output: Output) -> Result<u64> {
    let mut count = 0;
    let print = |change: &Change| {
        count += 1;
        match output {
            Output::Text => text::print_change(change),
            Output::Json => json::print_change(change, count),
        }
    };
    walk(engine, CheckMode::Repair, print).await?;
    Ok(count)
}

/// Goes through a store once. A change that cannot be told is not made, nor any after it.
async fn walk<E: Engine>(
    engine: &E,
    mode: CheckMode,
    mut tell: impl FnMut(&Change) -> io::Result<()> + Send,
) -> Result<CheckReport> {
    let options = CheckOptions { now_secs: Clock::now_millis(&SystemClock) / 1000, mode };
    let (mut watch, mut told) = (Watch::new(), Ok(()));
    let observe = |event: CheckEvent| {
        match event {
            CheckEvent::Progress(progress) => watch.contents(&progress),
            CheckEvent::Change(change) => {
                watch.clear();
                told = tell(&change);
            }
        }
        if told.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let report = check(engine, options, observe).await.context("the store cannot be checked")?;
    told.context("the repair was stopped")?;
    Ok(report)
}
