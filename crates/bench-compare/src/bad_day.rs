//! What the commands about bad days share: which builds, where, and how often.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use crate::build::{Build, NamedBinary, find_builds, parse_binary};
use crate::settings::Settings;

/// How a bad day is measured, whatever makes it one.
#[derive(Debug, Clone, Args)]
pub(crate) struct BadDayArguments {
    /// Run everything so many times; the tables show medians
    #[arg(long, default_value_t = 1)]
    rounds: usize,

    /// Binary of the server, with a name for the tables if you like; may be given several times,
    /// and all are measured in turn [default: build it]
    #[arg(long, value_name = "[NAME=]FILE", env = "MONOTABLE_BINARY", value_parser = parse_binary)]
    binary: Vec<NamedBinary>,

    /// Existing directory for the data, on the disk to measure; what is written there is removed at
    /// the end [default: beside the first binary]
    #[arg(long, value_name = "DIRECTORY")]
    data: Option<PathBuf>,

    /// Check that everything works, on few items and for a short time; the figures mean nothing
    #[arg(long)]
    pub(crate) quick: bool,
}

impl BadDayArguments {
    /// The settings of the first build, and all builds.
    pub(crate) fn prepare(self) -> Result<(Settings, Vec<Build>)> {
        let builds = find_builds(self.binary)?;
        let first = builds.first().context("there is no build to measure")?.binary.clone();
        Ok((Settings::bare(first, self.data, self.rounds)?, builds))
    }
}
