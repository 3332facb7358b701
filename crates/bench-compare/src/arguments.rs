//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use monotable_bench::workload::Workload;

use crate::bad_day::BadDayArguments;
use crate::churn::ChurnArguments;
use crate::growth::GrowthArguments;
use crate::guard_cost::GuardArguments;
use crate::reference::Mode;
use crate::scale_out::ScaleOutArguments;
use crate::server::{Contestant, ServerKind, parse_running};
use crate::soak::SoakArguments;
use crate::tails::TailsArguments;
use crate::vector_search::VectorArguments;

const EXAMPLES: &str = "\
Examples:
  Everything, which takes about twenty minutes, or forty with the servers of others
    cargo xtask bench
    cargo xtask bench --peers --save target/figures
  One change to one path, before and after
    cargo xtask bench --workload get-item --connections 16 --server parsing,memory
  A server that runs already, such as DynamoDB Local
    cargo xtask bench --server memory --peer 'DynamoDB Local=http://127.0.0.1:8001'
  Latency at fixed rates, without coordinated omission
    cargo xtask bench --rate 1000,2000,5000,10000 --workload get-item --server memory,durable
  Large tables, many tables, many indexes, restarts, a burst of writes
    cargo xtask bench growth
  The last percentiles at 20, 50 and 80 % of the peak, on disk and on tmpfs
    cargo xtask bench tails
  Queues, tables that come and go, large items: what becomes of a server over time
    cargo xtask bench churn
  The engine on PostgreSQL beside pgbench and a naive one
    cargo xtask bench scale-out
  What signatures, policies and TLS cost
    cargo xtask bench guards --rounds 5
  Is anything lost in an hour with restarts?
    cargo xtask soak --minutes 60 --restart-every 5m --share 0.8 --save target/soak
  What a stream costs, and what is felt of items that expire
    cargo xtask bench stream
    cargo xtask bench ttl-sweep
  Does it all still work?
    cargo xtask bench --quick

How to read the table:
  requests/s   the median of all rounds, and half of their range in percent after ±
  CPU µs       processor time of the server alone per request: the figure that other work
               on the machine, such as making the load, disturbs least
  p50 … max    time from sending a request to the last byte of its answer; medians of rounds
  RSS MB       resident memory of the server after the workload
  of parsing   requests/s as a share of the reference server that only parses; our limit
  ours         how many times the rate of this server ours has, in memory or on disk alike";

const TAILS_EXAMPLES: &str = "\
Examples:
  Everything, about ten minutes
    cargo xtask bench tails
  Durable puts on the disk of a directory, an old build beside a new one, medians of three rounds
    cargo xtask bench tails --case put-item --medium disk --data DIRECTORY --rounds 3 \\
        --binary before=OLD/monotable --binary after=NEW/monotable
  5,000 puts a second on tmpfs while a million items are merged
    cargo xtask bench tails --case merging
  GetItem beside GET of Redis, in turn
    cargo xtask bench tails --case get-item --medium tmpfs --rounds 5
  Does it all still work?
    cargo xtask bench tails --quick

How to read the tables:
  of Redis     the rate of ours as a share of that of Redis, same bytes and connections, same run
  asked/s      the rate that requests were due at; of asked is how much of it was achieved
  p50 … max    time from the moment at which a request was due to the last byte of its answer
  sync p99 …   what 4 KB written over and synced took on the same disk meanwhile";

const CHURN_EXAMPLES: &str = "\
Examples:
  Everything, a minute each
    cargo xtask bench churn
  Is the head of a queue as near as ever? Once for an hour, once after bursts
    cargo xtask bench churn --case queue --minutes 60
    cargo xtask bench churn --case queue-bursts --bursts 0,20000,1000000
  An old build beside a new one, in turn, with medians of three rounds and plots
    cargo xtask bench churn --binary before=OLD/monotable --binary after=NEW/monotable \\
        --rounds 3 --save target/churn
  Does it all still work?
    cargo xtask bench churn --quick

How to read the tables:
  A row is a figure, a column a build; the last column is the last build to the first.
  Times are waiting times of a client, in milliseconds unless a row says otherwise.
  memory of its own     what only the server has (RssAnon); mapped files stand beside it (RssFile)
  server, of one processor   may pass 100 %: it has several threads";

/// Measure the server over HTTP, beside servers that do the least possible and those of others.
///
/// Starts every server on a free port of this machine, loads the same items of 1 KB into each, with
/// one global index over all attributes, then sends each workload to each server in turn. An answer
/// that is not right ends the run: errors are never counted as requests. It ends with the goals of
/// this project, each met or missed.
#[derive(Debug, Parser)]
#[command(name = "bench", after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Workloads to run, separated by commas [default: all but range-query]
    #[arg(long, value_delimiter = ',')]
    pub(crate) workload: Vec<Workload>,

    /// Send at these rates, in requests per second, instead of as fast as answers come. Latency
    /// then runs from the moment at which a request should have been sent
    #[arg(long, value_delimiter = ',', value_parser = parse_rate)]
    pub(crate) rate: Vec<f64>,

    #[command(flatten)]
    pub(crate) results: Results,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// What becomes of the figures.
#[derive(Debug, Clone, Args)]
pub(crate) struct Results {
    /// Form of the result on standard output
    #[arg(long, value_enum, default_value_t = Output::Table)]
    pub(crate) output: Output,

    /// Directory for the result in every form, with plots; it is made if there is none
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) save: Option<PathBuf>,

    /// Directory for plots alone, as SVG
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) plots: Option<PathBuf>,
}

/// How everything is measured, whatever it is.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// How many connections send requests at once; several numbers are run one after the other
    /// [default: 1,16,64; at fixed rates 64; of a subcommand 16]
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) connections: Vec<u64>,

    /// Servers to compare, separated by commas [default: fixed,parsing,memory,durable,bare]
    #[arg(long, value_delimiter = ',')]
    pub(crate) server: Vec<ServerKind>,

    /// Compare with servers of others too: dynoxide, which cargo installs below the target
    /// directory, and dynalite, which npm installs there
    #[arg(long)]
    pub(crate) peers: bool,

    /// Compare with a server that runs already; may be given several times. Its table bench is made
    /// and deleted
    #[arg(long, value_name = "NAME=URL", value_parser = parse_running)]
    pub(crate) peer: Vec<Contestant>,

    /// Items to load, rounded up to a multiple of 25 [default: 100000; for a sweep 1000000]
    #[arg(long)]
    pub(crate) items: Option<u64>,

    /// How long each sample takes, in seconds; a fifth of it more is warm-up [default: 1; at fixed
    /// rates 3; for growth 2; for a sweep 5]
    #[arg(long)]
    pub(crate) seconds: Option<f64>,

    /// Samples of every server with every workload; the table shows their medians [default: 5; at
    /// fixed rates 3; for a sweep 1]
    #[arg(long)]
    pub(crate) rounds: Option<usize>,

    /// Where the pseudo-random keys start; the same seed sends the same requests
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// Check that everything works, on few items with one short round; the figures mean nothing
    #[arg(long)]
    pub(crate) quick: bool,

    /// Binary of the server [default: build it]
    #[arg(long, value_name = "FILE", env = "MONOTABLE_BINARY")]
    pub(crate) binary: Option<PathBuf>,

    /// Existing directory for the data of the servers, on the disk to measure; what they write
    /// there is removed at the end [default: beside the binary]
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) data: Option<PathBuf>,
}

/// What this program does beside comparing.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// What becomes of rates and latencies as data grows
    ///
    /// Tables of several sizes, a partition with all items of a table, many tables, many indexes,
    /// restarts, and a burst of writes that outruns the work in the background. All on the durable
    /// server.
    Growth {
        #[command(flatten)]
        growth: GrowthArguments,

        #[command(flatten)]
        results: Results,

        #[command(flatten)]
        common: Common,
    },

    /// What becomes of a server over time when data comes and goes
    ///
    /// Each case starts a durable server of its own, sends requests at fixed rates, and looks every
    /// second at what a request feels, and at the processor time, memory and disk that the server
    /// uses. A latency runs from the moment at which its request should have been sent, so waiting
    /// counts.
    #[command(after_help = CHURN_EXAMPLES)]
    Churn {
        #[command(flatten)]
        churn: ChurnArguments,

        #[command(flatten)]
        bad_day: BadDayArguments,

        #[command(flatten)]
        results: Results,
    },

    /// What signatures, policies, TLS and the audit log cost a GetItem
    ///
    /// Servers that differ in one guard each run side by side and are asked in turn. Requests are
    /// made and signed beforehand.
    Guards {
        #[command(flatten)]
        guards: GuardArguments,

        #[command(flatten)]
        bad_day: BadDayArguments,

        #[command(flatten)]
        results: Results,
    },

    /// How fast the nearest of many vectors are found, and whether they are the nearest
    ///
    /// The comparison of all vectors in this process stands beside it.
    Vectors {
        #[command(flatten)]
        vectors: VectorArguments,

        #[command(flatten)]
        bad_day: BadDayArguments,

        #[command(flatten)]
        results: Results,
    },

    /// What the engine on PostgreSQL makes of the database
    ///
    /// Starts PostgreSQL, which must be installed with pgbench, and does the same row work on it in
    /// turn: pgbench in groups as large as ours, our engine once and several times on one store,
    /// and a naive engine with a transaction for each request.
    ScaleOut {
        #[command(flatten)]
        scale_out: ScaleOutArguments,

        #[command(flatten)]
        results: Results,
    },

    /// The last percentiles at rates below the peak
    ///
    /// The peak of everybody is measured first, in a closed loop of 16 connections. Then requests
    /// come at shares of it, whatever becomes of the earlier ones, and a latency runs from the
    /// moment at which its request should have been sent. On a disk a loop that only syncs runs
    /// beside it, for what the disk takes; on tmpfs there is no disk to wait for. Redis takes part
    /// if it is installed: GET and SET of as many bytes as GetItem answers, with every write
    /// synced.
    #[command(after_help = TAILS_EXAMPLES)]
    Tails {
        #[command(flatten)]
        tails: TailsArguments,

        #[command(flatten)]
        bad_day: BadDayArguments,

        #[command(flatten)]
        results: Results,
    },

    /// Whether anything is lost in an hour of load with restarts
    ///
    /// Clients write and read items of their own, and a consumer follows the stream. Every few
    /// minutes the server is ended by SIGTERM or SIGKILL in turn and started again; then every
    /// acknowledged write, every index and the stream are compared with what the clients know. The
    /// first difference ends the run.
    Soak {
        #[command(flatten)]
        soak: SoakArguments,

        #[command(flatten)]
        results: Results,
    },

    /// What a stream costs: PutItem and UpdateItem on a table without and with one
    ///
    /// Both tables are on the same server and are sent the same requests in turn. The stream has
    /// both images of each change.
    Stream {
        #[command(flatten)]
        common: Common,

        #[command(flatten)]
        results: Results,
    },

    /// What requests feel while expired items are removed
    ///
    /// Some items of a large table expire at one moment. Half of the connections send GetItem and
    /// half PutItem, for items that stay, before, during and after the removal of the others.
    TtlSweep {
        /// One in this many items expires
        #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(2..))]
        due_interval: u64,

        #[command(flatten)]
        common: Common,

        #[command(flatten)]
        results: Results,
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
    /// The figures of the tables as they were found, in every round, and the points of the plots
    Json,
    /// Tables for a document
    Markdown,
}

fn parse_rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| "it is no number".to_owned())?;
    if (0.1..=10_000_000.0).contains(&rate) { Ok(rate) } else { Err("it is no rate".to_owned()) }
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
        let text =
            "bench --workload get-item,scan --connections 1,16,64 --server parsing --rate 5,10";
        let arguments = Arguments::try_parse_from(text.split(' ')).unwrap();
        assert_eq!(arguments.workload, [Workload::GetItem, Workload::Scan]);
        assert_eq!(arguments.common.connections, [1, 16, 64]);
        assert_eq!(arguments.common.server, [ServerKind::Parsing]);
        assert_eq!(arguments.rate, [5.0, 10.0]);
    }

    #[test]
    fn rates_that_are_none_are_refused() {
        for text in ["0", "-1", "many", "inf"] {
            assert!(parse_rate(text).is_err(), "{text}");
        }
    }
}
