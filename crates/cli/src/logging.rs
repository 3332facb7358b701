//! The log: lines on standard error, for whoever runs the server.

use std::io;

use anyhow::{Context, Result};
use clap::ValueEnum;
use tracing_subscriber::EnvFilter;

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
    let filter = EnvFilter::try_new(filter)
        .with_context(|| format!("{filter:?} is not a log filter; try --log info"))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    match format {
        LogFormat::Text => log.with_ansi(output::wants_colour(&io::stderr())).init(),
        LogFormat::Json => log.json().flatten_event(true).with_ansi(false).init(),
    }
    Ok(())
}
