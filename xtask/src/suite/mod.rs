//! The steps of `cargo xtask test`, in the order they run: cheap ones first.
//!
//! A step that fails does not stop the ones after it, so that one run shows all that is wrong. The
//! steps that need the server use its release build, the one that users run.
//!
//! Steps that play a client at a server of their own keep one processor busy each, so those that
//! follow each other run side by side, a lane for each processor ([`lanes`]). What they say is kept
//! until they are done.

mod browser;
mod deploy;
mod documents;
mod editor;
mod examples;
mod fleets;
mod fuzz;
mod guide;
mod javascript;
mod lanes;
mod lints;
mod models;
mod node;
pub(crate) mod postgres;
mod python;
mod rust;
mod security;
mod typed_code;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use monotable_conformance::server::{Server, Storage};

use crate::command::Finished;
use crate::counts::Counts;
use crate::instructions;
use crate::workspace::Workspace;

/// One check: what it is called and what it does.
struct Step {
    name: &'static str,
    title: &'static str,
    company: Company,
    run: fn(&Workspace) -> Result<Counts>,
}

/// Whether a step runs beside others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Company {
    /// It uses all processors, or looks at how long something takes.
    Alone,
    /// It waits for one client most of the time.
    Others,
}

/// A step that has the machine to itself.
const fn alone(
    name: &'static str,
    title: &'static str,
    run: fn(&Workspace) -> Result<Counts>,
) -> Step {
    Step { name, title, company: Company::Alone, run }
}

/// A step that runs beside its neighbours of the same kind.
const fn beside(
    name: &'static str,
    title: &'static str,
    run: fn(&Workspace) -> Result<Counts>,
) -> Step {
    Step { name, title, company: Company::Others, run }
}

/// The longest of the steps beside each other come first, so that all end at about the same time.
const STEPS: &[Step] = &[
    alone("format", "Rust code is formatted", rust::format),
    alone("tidy", "Rules about the tree", rust::tidy),
    alone("lint", "Lints on what is shipped and on tests", lints::all),
    alone("docs", "Documentation builds without warnings", rust::docs),
    alone("build", "Release build of the server", rust::build_release),
    alone(
        "instructions",
        "Instructions on the hot paths, against the recorded figures",
        instructions::check,
    ),
    alone("rust", "Rust tests: unit, integration, Rust SDK, crashes", rust::tests),
    alone("doctests", "Examples in the documentation", rust::doctests),
    alone("postgres", "The engine on PostgreSQL 15 and 18, one server and two", postgres::engine),
    alone("browser", "Pages in Chromium", browser::pages),
    beside(
        "postgres-servers",
        "All suites on PostgreSQL 15 and 18, with one server and with three",
        fleets::all,
    ),
    beside("fuzz", "A minute of each fuzzer", fuzz::a_minute_each),
    beside("python", "boto3 on disk", python::on_disk),
    beside("python-memory", "boto3 in memory", python::in_memory),
    beside("examples", "Worked examples", examples::all),
    beside("javascript", "JavaScript SDK on disk", javascript::on_disk),
    beside(
        "security",
        "boto3, JavaScript and the AWS CLI, signed and encrypted",
        security::clients,
    ),
    beside("typed-code", "Modules in TypeScript and Python", typed_code::modules),
    beside("models", "Models on disk", models::on_disk),
    beside("models-memory", "Models in memory", models::in_memory),
    beside("readme", "README examples with the AWS CLI", documents::readme),
    beside("editor", "The language server in Neovim", editor::session),
    beside("deploy", "Set-ups for Docker Compose and systemd", deploy::all),
    beside("guide", "Walks through the guide", guide::walks),
];

/// The name of a step, what it counted, and how long it took.
type StepResult = (&'static str, Counts, Duration);

/// Prints the name and title of every step.
pub(crate) fn list() {
    for step in STEPS {
        println!("{:14} {}", step.name, step.title);
    }
}

/// Runs the steps with the given names, or all of them, and prints the sum as the last line.
pub(crate) fn run(workspace: &Workspace, names: &[String]) -> Result<ExitCode> {
    if let Some(unknown) = names.iter().find(|name| STEPS.iter().all(|step| step.name != *name)) {
        bail!("there is no step {unknown}; see cargo xtask test --list");
    }
    let is_wanted = |step: &&Step| names.is_empty() || names.iter().any(|name| name == step.name);
    let wanted: Vec<&Step> = STEPS.iter().filter(is_wanted).collect();
    let mut results = Vec::new();
    for group in wanted
        .chunk_by(|one, next| one.company == Company::Others && next.company == Company::Others)
    {
        results.extend(lanes::run(workspace, group));
    }
    print_summary(&results);
    let total: Counts = results.iter().map(|(_, counts, _)| *counts).sum();
    println!("{} passed, {} failed", total.passed, total.failed);
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print_summary(results: &[StepResult]) {
    println!("\n=== Summary");
    for (name, counts, took) in results {
        let mark = if counts.failed == 0 { "ok" } else { "FAILED" };
        println!(
            "{mark:6} {name:14} {:6} passed {:4} failed {took:9.1?}",
            counts.passed, counts.failed
        );
    }
}

/// The counts of a test runner that has ended. A run that failed without a failed test (it did not
/// compile, say) counts as one failure, and a run without any test is an error.
fn counted(finished: &Finished, read: fn(&str) -> Option<Counts>) -> Result<Counts> {
    let Some(mut counts) = read(&finished.output) else {
        bail!("no test ran; the runner ended with {}", finished.status)
    };
    if !finished.status.success() && counts.failed == 0 {
        counts.failed = 1;
    }
    Ok(counts)
}

/// Starts the server for a suite, on a free port.
fn start_server(workspace: &Workspace, storage: Storage) -> Result<Server> {
    start_server_with(workspace, storage, &[])
}

/// Starts the server for a suite with more flags, on a free port.
fn start_server_with(workspace: &Workspace, storage: Storage, flags: &[&str]) -> Result<Server> {
    Server::start_with(&server_binary(workspace)?, storage, flags)
}

/// The release build of the server, which the step `build` makes.
fn server_binary(workspace: &Workspace) -> Result<PathBuf> {
    let binary = workspace.server_binary();
    ensure!(
        binary.is_file(),
        "there is no release build of the server; run the step \"build\" first"
    );
    Ok(binary)
}
