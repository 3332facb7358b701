//! Plays every example: each has a `run.py` that starts a server of its own and checks what it
//! shows. Those that are crates have tests of their own, which the step `rust` runs.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use super::python;
use crate::counts::Counts;
use crate::workspace::Workspace;

const FOLDER: &str = "examples";

pub(super) fn all(workspace: &Workspace) -> Result<Counts> {
    let binary = workspace.server_binary();
    ensure!(
        binary.is_file(),
        "there is no release build of the server; run the step \"build\" first"
    );
    let programs = python::programs(workspace)?;
    let release = binary.parent().context("the server is in a folder")?.to_owned();
    let path = python::path_with([programs.clone(), release])?;
    let mut counts = Counts::default();
    for script in scripts(workspace)? {
        workspace.say(format!("$ python3 {}", script.display()));
        let finished = workspace
            .program(programs.join("python"))
            .args([&script])
            .env("PATH", &path)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .tee()?;
        counts += Counts::one(finished.status.success());
    }
    Ok(counts)
}

/// The `run.py` of every folder, relative to the root. A folder without one is an error: it would
/// never be played.
fn scripts(workspace: &Workspace) -> Result<Vec<PathBuf>> {
    let mut scripts = Vec::new();
    for entry in fs::read_dir(workspace.root.join(FOLDER)).context("examples cannot be listed")? {
        let entry = entry?;
        let name = entry.file_name();
        let is_crate = entry.path().join("Cargo.toml").is_file();
        if !entry.file_type()?.is_dir() || name == "__pycache__" || is_crate {
            continue;
        }
        ensure!(entry.path().join("run.py").is_file(), "{} has no run.py", entry.path().display());
        scripts.push(PathBuf::from(FOLDER).join(name).join("run.py"));
    }
    ensure!(!scripts.is_empty(), "there are no examples");
    scripts.sort();
    Ok(scripts)
}
