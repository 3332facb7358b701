//! A real editor with the language server: Neovim's own client plays a session.

use anyhow::{Context, Result};

use super::counted;
use crate::counts::{self, Counts};
use crate::debian;
use crate::workspace::Workspace;

const SESSION: &str = "tests/editor/session.lua";
const PROGRAM: &str = "nvim";

pub(super) fn session(workspace: &Workspace) -> Result<Counts> {
    install(workspace)?;
    let finished = workspace
        .program(PROGRAM)
        .args(["--headless", "--clean", "-u", SESSION])
        .env("MONOTABLE_BINARY", super::server_binary(workspace)?)
        .tee()?;
    counted(&finished, counts::summary)
}

/// Installs Neovim where it is missing and that can be done; where it cannot, the step fails.
fn install(workspace: &Workspace) -> Result<()> {
    let is_there = || workspace.program(PROGRAM).args(["--version"]).output();
    if is_there().is_ok() {
        return Ok(());
    }
    debian::install(workspace, "neovim", "the step editor")?;
    is_there().map(drop).context("neovim was installed, but does not run")
}
