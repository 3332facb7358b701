//! The suite of the AWS SDK for JavaScript.

use anyhow::Result;
use monotable_conformance::server::Storage;

use super::{counted, node, start_server};
use crate::counts::{self, Counts};
use crate::workspace::Workspace;

const FOLDER: &str = "tests/javascript";

pub(super) fn on_disk(workspace: &Workspace) -> Result<Counts> {
    node::install(workspace, FOLDER)?;
    let server = start_server(workspace, Storage::Disk)?;
    let finished = workspace
        .program("node")
        .directory(&workspace.root.join(FOLDER))
        .args(["--test", "--test-reporter=spec"])
        .env("MONOTABLE_ENDPOINT", server.endpoint())
        .tee()?;
    counted(&finished, counts::node)
}
