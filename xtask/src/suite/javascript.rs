//! The suite of the AWS SDK for JavaScript.

use anyhow::Result;
use monotable_conformance::server::Storage;

use super::{counted, node, start_server};
use crate::command::Program;
use crate::counts::{self, Counts};
use crate::workspace::Workspace;

const FOLDER: &str = "tests/javascript";

pub(super) fn on_disk(workspace: &Workspace) -> Result<Counts> {
    let server = start_server(workspace, Storage::Disk)?;
    counted(&suite(workspace, server.endpoint(), &[])?.tee()?, counts::node)
}

/// The suite at an endpoint, or some of its files.
pub(super) fn suite(workspace: &Workspace, endpoint: &str, files: &[&str]) -> Result<Program> {
    node::install(workspace, FOLDER)?;
    Ok(workspace
        .program("node")
        .directory(&workspace.root.join(FOLDER))
        .args(["--test", "--test-reporter=spec"])
        .args(files)
        .env("MONOTABLE_ENDPOINT", endpoint))
}
