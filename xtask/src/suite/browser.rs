//! What pages in a real browser can do with the server.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::{counted, node};
use crate::counts::{self, Counts};
use crate::debian;
use crate::workspace::Workspace;

const FOLDER: &str = "tests/browser";
/// What Chromium is called by those who package it.
const PROGRAMS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

pub(super) fn pages(workspace: &Workspace) -> Result<Counts> {
    let chromium = chromium(workspace)?;
    node::install(workspace, FOLDER)?;
    let finished = workspace
        .program("node")
        .directory(&workspace.root.join(FOLDER))
        .args(["--test", "--test-reporter=spec"])
        .env("MONOTABLE_BINARY", super::server_binary(workspace)?)
        .env("MONOTABLE_CHROMIUM", chromium)
        .tee()?;
    counted(&finished, counts::node)
}

/// Finds Chromium, or installs it where that can be done.
fn chromium(workspace: &Workspace) -> Result<PathBuf> {
    if let Some(found) = find() {
        return Ok(found);
    }
    debian::install(workspace, "chromium", "the step browser")?;
    find().context("chromium was installed, but is not on the path")
}

fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut folders = std::env::split_paths(&path);
    folders.find_map(|folder| {
        PROGRAMS.iter().map(|name| folder.join(name)).find(|program| program.is_file())
    })
}
