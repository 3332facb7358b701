//! Typed code: the modules that `monotable model export` writes in TypeScript and Python for the
//! example models. They are compiled strictly, build the keys that the models build, and play the
//! steps of the models at a server.

use anyhow::Result;
use monotable_conformance::server::{BINARY_VARIABLE, Storage};

use super::{counted, node, python, server_binary, start_server};
use crate::counts::{self, Counts};
use crate::workspace::Workspace;

pub(super) fn modules(workspace: &Workspace) -> Result<Counts> {
    node::install(workspace, "tests/javascript")?;
    let server = start_server(workspace, Storage::Memory)?;
    let suite = python::suite(workspace, server.endpoint(), &["tests/typed-code"])?;
    let suite = suite.env(BINARY_VARIABLE, server_binary(workspace)?);
    counted(&suite.tee()?, counts::pytest)
}
