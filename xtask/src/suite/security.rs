//! Clients that sign their requests, over TLS.

use anyhow::Result;

use super::{counted, node, python};
use crate::counts::{self, Counts};
use crate::workspace::Workspace;

pub(super) fn clients(workspace: &Workspace) -> Result<Counts> {
    let programs = python::programs(workspace)?;
    node::install(workspace, "tests/javascript")?;
    let finished = workspace
        .program(programs.join("python"))
        .args(["-m", "pytest", "--quiet", "tests/security"])
        .env("MONOTABLE_BINARY", super::server_binary(workspace)?)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .tee()?;
    counted(&finished, counts::pytest)
}
