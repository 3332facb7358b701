//! The suite of the AWS SDK for JavaScript.

use std::fs;

use anyhow::{Context, Result};
use monotable_conformance::server::Storage;

use super::{counted, start_server};
use crate::counts::{self, Counts};
use crate::workspace::Workspace;

const FOLDER: &str = "tests/javascript";

pub(super) fn on_disk(workspace: &Workspace) -> Result<Counts> {
    install(workspace)?;
    let server = start_server(workspace, Storage::Disk)?;
    let finished = workspace
        .program("node")
        .directory(&workspace.root.join(FOLDER))
        .args(["--test", "--test-reporter=spec"])
        .env("MONOTABLE_ENDPOINT", server.endpoint())
        .tee()?;
    counted(&finished, counts::node)
}

/// Installs the packages that the lock file names, unless they are there already.
fn install(workspace: &Workspace) -> Result<()> {
    let folder = workspace.root.join(FOLDER);
    let wanted = fs::read_to_string(folder.join("package-lock.json"))
        .context("tests/javascript/package-lock.json cannot be read")?;
    let installed = folder.join("node_modules").join("installed-lock.json");
    if fs::read_to_string(&installed).is_ok_and(|text| text == wanted) {
        return Ok(());
    }
    println!("installing the packages of {FOLDER}");
    workspace
        .program("npm")
        .directory(&folder)
        .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"])
        .output()
        .context("the JavaScript suite needs Node.js 20 or later with npm: install node")?;
    fs::write(&installed, wanted)?;
    Ok(())
}
