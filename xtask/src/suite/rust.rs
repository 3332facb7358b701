//! Checks of the Rust code.
//!
//! Profiles and features are the same in all steps of a kind, so that nothing is compiled twice:
//! lints and documentation share one set of dependencies, tests and doctests another, the server is
//! the third.

use anyhow::{Result, bail, ensure};

use super::{counted, postgres};
use crate::command::Program;
use crate::counts::{self, Counts};
use crate::debian;
use crate::workspace::Workspace;

/// The release build with its symbols stripped stays below this.
const BINARY_BYTES_MAX: u64 = 24_000_000;

pub(super) fn format(workspace: &Workspace) -> Result<Counts> {
    check(workspace.cargo(["fmt", "--all", "--check"]))
}

pub(super) fn tidy(workspace: &Workspace) -> Result<Counts> {
    let findings = crate::tidy::check(workspace)?;
    for finding in &findings {
        workspace.say(finding);
    }
    Ok(Counts::one(findings.is_empty()))
}

pub(super) fn docs(workspace: &Workspace) -> Result<Counts> {
    let document = workspace.cargo([
        "doc",
        "--workspace",
        "--keep-going",
        "--no-deps",
        "--document-private-items",
    ]);
    check(document.env("RUSTDOCFLAGS", "-D warnings"))
}

/// Builds the server as users run it, and holds it to its size.
pub(super) fn build_release(workspace: &Workspace) -> Result<Counts> {
    let counts = check(workspace.release_build())?;
    let binary_bytes = std::fs::metadata(workspace.server_binary())?.len();
    workspace.say(format!("the server has {binary_bytes} bytes"));
    ensure!(binary_bytes < BINARY_BYTES_MAX, "the server has more than {BINARY_BYTES_MAX} bytes");
    Ok(counts)
}

/// Runs all tests of the workspace, with cargo-nextest where it is installed: it runs the same
/// tests, faster. The tests that need a server start the release build themselves.
pub(super) fn tests(workspace: &Workspace) -> Result<Counts> {
    if !workspace.server_binary().is_file() {
        bail!("there is no release build of the server; run the step \"build\" first");
    }
    if cfg!(target_os = "linux") && workspace.program("ip").args(["-V"]).output().is_err() {
        debian::install(workspace, "iproute2", "tests in a network of their own")?;
    }
    let nextest = workspace.cargo(["nextest", "--version"]).output().is_ok();
    let run = if nextest {
        // What starts PostgreSQL has a step of its own.
        let run = test_build(workspace, &["nextest", "run", "--status-level", "fail"]);
        run.args(["--filterset", "not binary(=postgres)"])
    } else {
        workspace.cargo(["test", "--workspace", "--tests"])
    };
    let finished =
        run.args(["--no-fail-fast"]).env("MONOTABLE_BINARY", workspace.server_binary()).tee()?;
    counted(&finished, if nextest { counts::nextest } else { counts::cargo_test })
}

pub(super) fn doctests(workspace: &Workspace) -> Result<Counts> {
    let finished = test_build(workspace, &["test", "--doc", "--no-fail-fast"]).tee()?;
    counted(&finished, counts::cargo_test)
}

/// A command of cargo that builds tests. It is about all of the workspace with the features of all
/// tests, whichever of them it runs, because other packages or features would have nearly
/// everything compiled again.
pub(super) fn test_build(workspace: &Workspace, command: &[&str]) -> Program {
    let features = postgres::PACKAGES.map(|package| format!("{package}/server-tests"));
    let cargo = workspace.cargo(command.iter().copied());
    cargo.args(["--workspace", "--features", &features.join(",")])
}

/// A command that is one check: it passes if the command does.
fn check(program: Program) -> Result<Counts> {
    Ok(Counts::one(program.tee()?.status.success()))
}
