//! The log: lines on standard error, for whoever runs the server.

use std::io;

use anyhow::{Context, Result};
use clap::ValueEnum;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::prelude::*;

use crate::output;

/// Format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people
    Text,
    /// One JSON object a line, for programs
    Json,
}

/// Starts to write what passes `filter`.
pub(crate) fn start(filter: &str, format: LogFormat) -> Result<()> {
    let filter: Targets = filter
        .parse()
        .with_context(|| format!("{filter:?} is not a log filter; try --log info"))?;
    let lines = fmt::layer().with_writer(io::stderr);
    let log = tracing_subscriber::registry().with(filter);
    match format {
        LogFormat::Text => log.with(lines.with_ansi(output::wants_colour(&io::stderr()))).init(),
        LogFormat::Json => log.with(lines.json().flatten_event(true).with_ansi(false)).init(),
    }
    Ok(())
}
