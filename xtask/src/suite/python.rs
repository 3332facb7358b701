//! The boto3 suite, and the virtual environment that it and the AWS CLI run in.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use monotable_conformance::server::Storage;

use super::{counted, start_server_with};
use crate::command::Program;
use crate::counts::{self, Counts};
use crate::workspace::Workspace;

/// Shards that live for a second, so that the tests of streams meet closed ones.
pub(super) const SHORT_SHARDS: &[&str] = &["--stream-shard-age", "1s"];
const REQUIREMENTS: &str = "tests/python/requirements.txt";

pub(super) fn on_disk(workspace: &Workspace) -> Result<Counts> {
    pytest(workspace, Storage::Disk)
}

pub(super) fn in_memory(workspace: &Workspace) -> Result<Counts> {
    pytest(workspace, Storage::Memory)
}

fn pytest(workspace: &Workspace, storage: Storage) -> Result<Counts> {
    let server = start_server_with(workspace, storage, SHORT_SHARDS)?;
    counted(&suite(workspace, server.endpoint(), &["tests/python"])?.tee()?, counts::pytest)
}

/// The suite, or some of its files, at an endpoint whose servers have [`SHORT_SHARDS`].
pub(super) fn suite(workspace: &Workspace, endpoint: &str, files: &[&str]) -> Result<Program> {
    Ok(workspace
        .program(programs(workspace)?.join("python"))
        .args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider"])
        .args(files)
        .env("MONOTABLE_ENDPOINT", endpoint)
        .env("MONOTABLE_SHORT_SHARDS", "1")
        .env("PYTHONDONTWRITEBYTECODE", "1"))
}

/// The folder with the programs of the virtual environment, which is made if it is not there or was
/// made from other requirements.
pub(super) fn programs(workspace: &Workspace) -> Result<PathBuf> {
    let _installing = workspace.installing();
    let environment = workspace.target.join("test-python");
    let programs = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let wanted = fs::read_to_string(workspace.root.join(REQUIREMENTS))
        .with_context(|| format!("{REQUIREMENTS} cannot be read"))?;
    let installed = environment.join("installed.txt");
    if fs::read_to_string(&installed).is_ok_and(|text| text == wanted) {
        return Ok(programs);
    }
    workspace.say(format!("installing {REQUIREMENTS} into {}", environment.display()));
    workspace
        .program("python3")
        .args(["-m", "venv", "--clear"])
        .args([&environment])
        .output()
        .context(
            "the client suites need Python 3.11 or later with its venv module: install python3 and \
             python3-venv",
        )?;
    workspace
        .program(programs.join("python"))
        .args(["-m", "pip", "install", "--quiet", "--requirement", REQUIREMENTS])
        .output()
        .context("the Python packages cannot be installed")?;
    fs::write(&installed, wanted)?;
    Ok(programs)
}

/// The search path with folders in front, such as that of the virtual environment with `python` and
/// `aws`.
pub(super) fn path_with<const N: usize>(folders: [PathBuf; N]) -> Result<OsString> {
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let folders = folders.into_iter().chain(std::env::split_paths(&inherited));
    std::env::join_paths(folders).context("PATH")
}
