//! The log: lines on standard error, for whoever runs the server.

use std::io;

use anyhow::{Context, Result};
use tracing_subscriber::EnvFilter;

use crate::output;

/// Starts to write what passes `filter`.
pub(crate) fn start(filter: &str) -> Result<()> {
    let filter = EnvFilter::try_new(filter)
        .with_context(|| format!("{filter:?} is not a log filter; try --log info"))?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(output::wants_colour(&io::stderr()))
        .init();
    Ok(())
}
