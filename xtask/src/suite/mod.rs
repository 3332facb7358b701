//! The steps of `cargo xtask test`, in the order they run: cheap ones first.
//!
//! A step that fails does not stop the ones after it, so that one run shows all that is wrong. The
//! steps that need the server use its release build, the one that users run.

mod browser;
mod deploy;
mod documents;
mod examples;
mod fleets;
mod fuzz;
mod guide;
mod javascript;
mod models;
mod node;
pub(crate) mod postgres;
mod python;
mod rust;
mod security;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

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
    run: fn(&Workspace) -> Result<Counts>,
}

const STEPS: &[Step] = &[
    Step { name: "format", title: "Rust code is formatted", run: rust::format },
    Step { name: "tidy", title: "Rules about the tree", run: rust::tidy },
    Step { name: "lint", title: "Lints on what is shipped", run: rust::lint_shipped },
    Step { name: "lint-tests", title: "Lints on tests", run: rust::lint_tests },
    Step { name: "docs", title: "Documentation builds without warnings", run: rust::docs },
    Step { name: "build", title: "Release build of the server", run: rust::build_release },
    Step {
        name: "instructions",
        title: "Instructions on the hot paths, against the recorded figures",
        run: instructions::check,
    },
    Step {
        name: "rust",
        title: "Rust tests: unit, integration, Rust SDK, crashes",
        run: rust::tests,
    },
    Step { name: "doctests", title: "Examples in the documentation", run: rust::doctests },
    Step {
        name: "postgres",
        title: "The engine on PostgreSQL 15 and 18, one server and two",
        run: postgres::engine,
    },
    Step {
        name: "postgres-servers",
        title: "All suites on PostgreSQL 15 and 18, with one server and with three",
        run: fleets::all,
    },
    Step { name: "fuzz", title: "A minute of each fuzzer", run: fuzz::a_minute_each },
    Step { name: "python", title: "boto3 on disk", run: python::on_disk },
    Step { name: "python-memory", title: "boto3 in memory", run: python::in_memory },
    Step { name: "javascript", title: "JavaScript SDK on disk", run: javascript::on_disk },
    Step {
        name: "security",
        title: "boto3, JavaScript and the AWS CLI, signed and encrypted",
        run: security::clients,
    },
    Step { name: "browser", title: "Pages in Chromium", run: browser::pages },
    Step { name: "models", title: "Models on disk", run: models::on_disk },
    Step { name: "models-memory", title: "Models in memory", run: models::in_memory },
    Step { name: "readme", title: "README examples with the AWS CLI", run: documents::readme },
    Step { name: "deploy", title: "Set-ups for Docker Compose and systemd", run: deploy::all },
    Step { name: "guide", title: "Walks through the guide", run: guide::walks },
    Step { name: "examples", title: "Worked examples", run: examples::all },
];

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
    let mut total = Counts::default();
    let mut results = Vec::new();
    for step in STEPS.iter().filter(|step| names.is_empty() || names.iter().any(|n| n == step.name))
    {
        println!("\n=== {}: {}", step.name, step.title);
        let (counts, took) = timed(|| outcome(workspace, step));
        println!(
            "--- {}: {} passed, {} failed, {took:.1?}",
            step.name, counts.passed, counts.failed
        );
        total += counts;
        results.push((step.name, counts, took));
    }
    print_summary(&results);
    println!("{} passed, {} failed", total.passed, total.failed);
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What a step counted. A step that could not run at all counts as one failure, never as nothing.
fn outcome(workspace: &Workspace, step: &Step) -> Counts {
    (step.run)(workspace).unwrap_or_else(|error| {
        println!("error: {error:#}");
        Counts::one(false)
    })
}

fn print_summary(results: &[(&str, Counts, Duration)]) {
    println!("\n=== Summary");
    for (name, counts, took) in results {
        let mark = if counts.failed == 0 { "ok" } else { "FAILED" };
        println!(
            "{mark:6} {name:14} {:6} passed {:4} failed {took:9.1?}",
            counts.passed, counts.failed
        );
    }
}

#[expect(clippy::disallowed_methods, reason = "the report says how long each step really took")]
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
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
