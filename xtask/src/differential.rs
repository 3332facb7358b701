//! `cargo xtask differential`: random requests at our server and at a reference endpoint.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;
use monotable_conformance::differential::{self, Findings, Options, Side, report};
use monotable_conformance::server::{self, Server, Storage};

use crate::workspace::Workspace;

/// What to compare, and for how long.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The endpoint to compare with, such as http://127.0.0.1:8001, or one of AWS with https;
    /// requests are signed with the credentials of the AWS tools, if there are any
    #[arg(long, value_name = "URL")]
    reference: String,
    /// Our endpoint; without it a server is started that keeps its data in memory
    #[arg(long, value_name = "URL")]
    endpoint: Option<String>,
    /// How long to play
    #[arg(long, default_value_t = 1)]
    minutes: u64,
    /// The seed of the first history
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Compare the capacity that answers report, too
    #[arg(long)]
    capacity: bool,
}

/// Plays until the time is over, and prints what was found. The code is 1 if there are differences.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let (ours, _server) = match &arguments.endpoint {
        Some(endpoint) => (Side::of_environment(endpoint)?, None),
        None => {
            let server = start(workspace)?;
            (Side::unsigned(server.endpoint())?, Some(server))
        }
    };
    let reference = Side::of_environment(&arguments.reference)?;
    let options = Options {
        seed: arguments.seed,
        compares_capacity: arguments.capacity,
        ..Options::default()
    };
    let length = Duration::from_secs(60 * arguments.minutes);
    let findings = differential::run(ours, reference, &options, over_after(length))?;
    print!("{}", report::text(&findings));
    let is_same = findings.by_signature.is_empty();
    Ok(if is_same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Starts the release build, or whatever build is newest.
fn start(workspace: &Workspace) -> Result<Server> {
    let release = workspace.server_binary();
    let binary = if release.is_file() { release } else { server::binary()? };
    Server::start(&binary, Storage::Memory)
}

#[expect(clippy::disallowed_methods, reason = "only the length of a run depends on it")]
fn over_after(length: Duration) -> impl FnMut(&Findings) -> bool {
    let start = Instant::now();
    move |_| start.elapsed() >= length
}
