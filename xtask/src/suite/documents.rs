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
    let path = python::path_with([python::programs(workspace)?])?;
    let server = start_server(workspace, Storage::Disk)?;
    let mut counts = Counts::default();
    for example in examples {
        workspace.say(format!("$ {}", example.command));
        let script = format!("{}{}", example.exports, example.command);
        let finished = workspace
            .program("sh")
            .args(["-c", &script.replace(SHOWN_ENDPOINT, server.endpoint())])
            .env("PATH", &path)
            .env("AWS_PAGER", "")
            .tee()?;
        counts += Counts::one(finished.status.success());
    }
    Ok(counts)
}

/// A command, with the exports that a reader has pasted before it.
#[derive(Debug, PartialEq, Eq)]
struct Example {
    exports: String,
    command: String,
}

/// The commands in fenced blocks that start with `aws `, with continued lines joined.
fn aws_commands(markdown: &str) -> Vec<Example> {
    let joined = markdown.replace("\\\n", " ");
    let mut fenced = false;
    let mut exports = String::new();
    let mut examples = Vec::new();
    for line in joined.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        let command = line.trim().trim_start_matches("$ ");
        if fenced && command.starts_with("export ") {
            exports = format!("{exports}{command}\n");
        } else if fenced && command.starts_with("aws ") {
            examples.push(Example { exports: exports.clone(), command: command.to_owned() });
        }
    }
    examples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commands_in_fences_are_examples() {
        let text = "aws is a tool\n```sh\n$ aws a \\\n  b\ncargo run\naws c\n```\naws d\n";
        let commands: Vec<String> =
            aws_commands(text).into_iter().map(|found| found.command).collect();
        assert_eq!(commands, ["aws a    b", "aws c"]);
    }

    #[test]
    fn a_command_knows_the_exports_before_it() {
        let found = aws_commands("```sh\nexport A=1\naws a\nexport B=2\n```\n```sh\naws b\n```\n");
        let exports: Vec<&str> = found.iter().map(|example| example.exports.as_str()).collect();
        assert_eq!(exports, ["export A=1\n", "export A=1\nexport B=2\n"]);
    }
}
