//! Checks, benchmarks and upkeep of the workspace.
//!
//! `cargo xtask test` is the one command that decides whether a change is good: CI runs it and
//! nothing else. It installs what the client suites need below the target directory, runs every
//! check, and ends with one line of the form `N passed, N failed`.
//!
//! - [`suite`] lists the checks in the order they run,
//! - [`mod@instructions`] counts instructions on the hot paths and compares them with recorded
//!   figures,
//! - [`mod@tidy`] holds the rules about the tree that no compiler checks,
//! - [`differential`] compares our answers with those of another endpoint,
//! - [`failover`] breaks a replicated store in many ways under load, and looks for losses,
//! - [`workspace`] knows where things are, [`command`] runs a program and keeps what it printed,
//! - [`transcript`] is where a check writes, so that some can run beside each other,
//! - [`debian`] installs packages of the system that a check needs,
//! - [`counts`] reads how many tests passed from what each test runner prints.
#![expect(clippy::print_stdout, reason = "reports go to the terminal")]

mod command;
mod counts;
mod debian;
mod differential;
mod failover;
mod instructions;
mod suite;
mod tidy;
mod transcript;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::workspace::Workspace;

/// Checks, benchmarks and upkeep of the workspace.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run every check; the last line is `N passed, N failed`
    Test {
        /// Run only these steps, by name (see --list)
        steps: Vec<String>,
        /// List the steps and end
        #[arg(long)]
        list: bool,
    },
    /// Check the rules about files, names, dependencies and links
    Tidy,
    /// Play random requests at our server and at a reference endpoint, and show where their answers
    /// differ
    Differential(differential::Arguments),
    /// Count instructions on the hot paths and compare them with the recorded figures
    Instructions {
        /// Record what was counted as the figures to compare with
        #[arg(long)]
        accept: bool,
    },
    /// Look for losses in an hour of load with restarts; arguments go to the benchmark program
    Soak {
        /// Arguments, such as --minutes 60 --restart-every 5m --share 0.8, or --help
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Break servers and a replicated PostgreSQL in many ways under load, and look for losses
    Failover(failover::Arguments),
    /// Run the benchmarks over HTTP, or `client` in process; arguments go to the benchmark program
    Bench {
        /// Arguments of the benchmark program, such as --help
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().task) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(task: Task) -> Result<ExitCode> {
    let workspace = Workspace::find()?;
    match task {
        Task::Test { list: true, .. } => suite::list(),
        Task::Test { steps, list: false } => return suite::run(&workspace, &steps),
        Task::Tidy => return tidy(&workspace),
        Task::Differential(arguments) => return differential::run(&workspace, &arguments),
        Task::Failover(arguments) => failover::run(&workspace, &arguments)?,
        Task::Instructions { accept: true } => instructions::accept(&workspace)?,
        Task::Instructions { accept: false } => return compare_instructions(&workspace),
        Task::Bench { arguments } => bench(&workspace, &arguments)?,
        Task::Soak { arguments } => {
            let arguments: Vec<String> =
                std::iter::once("soak".to_owned()).chain(arguments).collect();
            bench(&workspace, &arguments)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn tidy(workspace: &Workspace) -> Result<ExitCode> {
    let findings = tidy::check(workspace)?;
    for finding in &findings {
        println!("{finding}");
    }
    println!("{} findings", findings.len());
    Ok(if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn compare_instructions(workspace: &Workspace) -> Result<ExitCode> {
    let counts = instructions::check(workspace)?;
    Ok(if counts.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn bench(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    if let [only] = arguments
        && only == "client"
    {
        return bench_client(workspace);
    }
    workspace
        .cargo(["run", "--release", "--package", "monotable-bench-compare", "--"])
        .args(arguments)
        .run_in_terminal()
}

/// What the typed client costs. The server that it is held against is the release build.
fn bench_client(workspace: &Workspace) -> Result<()> {
    workspace.release_build().run_in_terminal()?;
    let package = ["run", "--release", "--package", "monotable-embedded"];
    let example = ["--example", "client_speed"];
    let binary = workspace.server_binary();
    let run = workspace.cargo(package.into_iter().chain(example)).env("MONOTABLE_BINARY", binary);
    run.run_in_terminal()
}
