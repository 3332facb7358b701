//! The subcommands, one file each.

pub(crate) mod serve;

use clap::Subcommand;

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Serve(serve::Serve),
}
