//! Runs the AWS CLI commands that README.md shows, as a reader would paste them.

use std::fs;

use anyhow::{Context, Result, ensure};
use monotable_conformance::server::Storage;

use super::{python, start_server};
use crate::counts::Counts;
use crate::workspace::Workspace;

/// The endpoint that documents show; the examples run against the server of the test instead.
const SHOWN_ENDPOINT: &str = "http://127.0.0.1:8000";

pub(super) fn readme(workspace: &Workspace) -> Result<Counts> {
    let text = fs::read_to_string(workspace.root.join("README.md")).context("README.md")?;
    let examples = aws_commands(&text);
    ensure!(!examples.is_empty(), "README.md shows no aws command");
    let path = path_with(python::programs(workspace)?)?;
    let server = start_server(workspace, Storage::Disk)?;
    let mut counts = Counts::default();
    for example in examples {
        println!("$ {example}");
        let finished = workspace
            .program("sh")
            .args(["-c", &example.replace(SHOWN_ENDPOINT, server.endpoint())])
            .env("PATH", &path)
            .env("AWS_ENDPOINT_URL", server.endpoint())
            .env("AWS_ACCESS_KEY_ID", "example")
            .env("AWS_SECRET_ACCESS_KEY", "example")
            .env("AWS_DEFAULT_REGION", "us-east-1")
            .env("AWS_PAGER", "")
            .tee()?;
        counts += Counts::one(finished.status.success());
    }
    Ok(counts)
}

/// The search path with the programs of the virtual environment, `aws` among them, in front.
fn path_with(programs: std::path::PathBuf) -> Result<std::ffi::OsString> {
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(programs).chain(std::env::split_paths(&inherited));
    std::env::join_paths(folders).context("PATH")
}

/// The commands in fenced blocks that start with `aws `, with continued lines joined.
fn aws_commands(markdown: &str) -> Vec<String> {
    let joined = markdown.replace("\\\n", " ");
    let mut fenced = false;
    let mut commands = Vec::new();
    for line in joined.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        let command = line.trim().trim_start_matches("$ ");
        if fenced && command.starts_with("aws ") {
            commands.push(command.to_owned());
        }
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commands_in_fences_are_examples() {
        let text = "aws is a tool\n```sh\n$ aws a \\\n  b\ncargo run\naws c\n```\naws d\n";
        assert_eq!(aws_commands(text), ["aws a    b", "aws c"]);
    }
}
