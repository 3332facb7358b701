//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::reference::Mode;
use crate::server::ServerKind;
use crate::workload::Workload;

const EXAMPLES: &str = "\
Examples:
  Everything, which takes about ten minutes
    cargo xtask bench
  One change to one path, before and after
    cargo xtask bench --workload get-item --connections 16 --server parsing,memory
  Figures to keep or to plot
    cargo xtask bench --output json > figures.json
  What a stream costs, and what is felt of items that expire
    cargo xtask bench stream
    cargo xtask bench ttl-sweep
  Does it all still work?
    cargo xtask bench --quick

How to read the table:
  requests/s   the median of all rounds, and half of their range in percent after ±
  CPU µs       processor time of the server alone per request: the figure that other work
               on the machine, such as making the load, disturbs least
  p50, p99     time from sending a request to the last byte of its answer; medians of rounds
  RSS MB       resident memory of the server after the workload
  of parsing   requests/s as a share of the reference server that only parses; our limit";

/// Measure the server over HTTP, beside servers that do the least possible.
///
/// Starts every server on a free port of this machine, loads the same items of 1 KB into each, with
/// one global index over all attributes, then sends each workload to each server in turn. An answer
/// that is not right ends the run: errors are never counted as requests.
#[derive(Debug, Parser)]
#[command(name = "bench", after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Workloads to run, separated by commas [default: all]
    #[arg(long, value_delimiter = ',')]
    pub(crate) workload: Vec<Workload>,

    /// Form of the result
    #[arg(long, value_enum, default_value_t = Output::Table)]
    pub(crate) output: Output,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// How everything is measured, whatever it is.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// How many connections send requests at once; several numbers are run one after the other
    /// [default: 1,16; for a sweep 16]
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) connections: Vec<u64>,

    /// Servers to compare, separated by commas [default: all]
    #[arg(long, value_delimiter = ',')]
    pub(crate) server: Vec<ServerKind>,

    /// Items to load, rounded up to a multiple of 25 [default: 100000; for a sweep 1000000]
    #[arg(long)]
    pub(crate) items: Option<u64>,

    /// How long each sample takes, in seconds; a fifth of it more is warm-up [default: 1; for a sweep 5]
    #[arg(long)]
    pub(crate) seconds: Option<f64>,

    /// Samples of every server with every workload; the table shows their medians [default: 5; for a sweep 1]
    #[arg(long)]
    pub(crate) rounds: Option<usize>,

    /// Where the pseudo-random keys start; the same seed sends the same requests
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// Check that everything works, on 2000 items with one short round; the figures mean nothing
    #[arg(long)]
    pub(crate) quick: bool,

    /// Binary of the server [default: build it]
    #[arg(long, value_name = "FILE", env = "MONOTABLE_BINARY")]
    pub(crate) binary: Option<PathBuf>,

    /// Existing directory for the data of the servers, on the disk to measure; what they write there
    /// is removed at the end [default: beside the binary]
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) data: Option<PathBuf>,
}

/// What this program does beside measuring.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// What a stream costs: PutItem and UpdateItem on a table without and with one
    ///
    /// Both tables are on the same server and are sent the same requests in turn. The stream has both
    /// images of each change.
    Stream {
        #[command(flatten)]
        common: Common,
    },

    /// What requests feel while expired items are removed
    ///
    /// Some items of a large table expire at one moment. Half of the connections send GetItem and half
    /// PutItem, for items that stay, before, during and after the removal of the others.
    TtlSweep {
        /// One in so many items expires
        #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(2..))]
        due_interval: u64,

        #[command(flatten)]
        common: Common,
    },

    /// Run a reference server, as the benchmark itself does
    #[command(hide = true)]
    Reference {
        /// What it does with a request
        #[arg(long, value_enum)]
        mode: Mode,
        /// The port to listen on
        #[arg(long)]
        port: u16,
    },
}

/// A form of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// A text to read
    Table,
    /// Every figure of every round
    Json,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn lists_are_separated_by_commas() {
        let text = "bench --workload get-item,scan --connections 1,16,64 --server parsing";
        let arguments = Arguments::try_parse_from(text.split(' ')).unwrap();
        assert_eq!(arguments.workload, [Workload::GetItem, Workload::Scan]);
        assert_eq!(arguments.common.connections, [1, 16, 64]);
        assert_eq!(arguments.common.server, [ServerKind::Parsing]);
    }
}
