//! `monotable bench`: load on any endpoint, and what it answers with.

mod signature;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use monotable_bench::data::Dataset;
use monotable_bench::endpoint::{self, Plan};
use monotable_bench::target::Target;
use monotable_bench::workload::Workload;
use monotable_remote::tls_config_of_environment;

use crate::endpoint::EndpointArguments;
use crate::output;

/// What is measured by default: one of each kind, and a mix.
const WORKLOADS: [Workload; 5] =
    [Workload::GetItem, Workload::Query, Workload::UpdateItem, Workload::PutItem, Workload::Mixed];
/// Items have numbers of eight digits.
const ITEMS_MAX: u64 = 99_999_975;

const EXAMPLES: &str = "Examples:
  How much the server at http://127.0.0.1:8000 can do, which takes half a minute:
      monotable bench

  Another endpoint, one kind of request, more connections:
      monotable bench --endpoint http://127.0.0.1:8001 --workload get-item --connections 1,16,64

  Latency at 2,000 and 5,000 requests per second, whether or not the server keeps up:
      monotable bench --workload mixed --rate 2000,5000 --seconds 10

  Figures for other programs:
      monotable bench --output json > figures.json

How to read it:
  Without --rate each connection sends its next request when the last one is answered: that finds
  how much a server can do. With --rate requests are sent at that rate, and a latency runs from
  the moment at which its request should have been sent, so a server that stalls cannot hide it.
  achieved/s below asked/s means that the server did not keep up.

With credentials where the AWS tools have them (AWS_ACCESS_KEY_ID and so on, or
~/.aws/credentials) and --sign, each request is signed while it is sent, which takes the load
generator about as long as the server takes to verify it. Without --sign requests carry the
headers of a signature, but no valid one, which DynamoDB Local and other servers for development
accept. An address may begin with https; AWS_CA_BUNDLE names a file of the authorities to trust
instead of the public ones:
      AWS_CA_BUNDLE=monotable-tls/authority.pem monotable bench --sign \\
          --endpoint https://localhost:8000";

/// Measure any DynamoDB-compatible endpoint under load
///
/// Makes a table, loads items of 1 KB with one global index, sends requests, and deletes the table.
/// A wrong answer ends the run: errors are never counted as requests.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BenchCommand {
    #[command(flatten)]
    endpoint: EndpointArguments,

    /// Sign requests with the credentials that the AWS tools use
    #[arg(long)]
    sign: bool,

    /// Kinds of requests, separated by commas [default: get-item,query,update-item,put-item,mixed]
    #[arg(long, value_delimiter = ',')]
    workload: Vec<Workload>,

    /// Number of connections that send at once; several numbers are measured one after the other
    #[arg(long, value_delimiter = ',', default_value = "16",
          value_parser = clap::value_parser!(u64).range(1..=1024))]
    connections: Vec<u64>,

    /// Send at these rates, in requests per second, instead of as fast as answers come
    #[arg(long, value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rate: Vec<u32>,

    /// How long each row is measured, in seconds; a fifth of it more is warm-up
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,

    /// Items to load beforehand, rounded up to a multiple of 25
    #[arg(long, default_value_t = 10_000,
        value_parser = clap::value_parser!(u64).range(1..=ITEMS_MAX))]
    items: u64,

    /// Prefix of the names of the tables
    #[arg(long, value_name = "PREFIX", default_value = "monotable-")]
    table_prefix: String,

    /// Keep the tables and their items on the endpoint
    #[arg(long)]
    keep: bool,

    /// Seed of the pseudo-random keys; the same seed sends the same requests
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Output format
    #[arg(long, value_enum, default_value_t = Output::Table)]
    output: Output,
}

/// A form of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// Text for people
    Table,
    /// One JSON object
    Json,
}

/// Measures, and prints what was found.
pub(crate) fn run(arguments: BenchCommand) -> Result<()> {
    // One thread drives all connections: a server on the same machine needs the rest of it.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let output = arguments.output;
    let plan = plan(arguments)?;
    let rows = runtime.block_on(endpoint::run(&plan))?;
    let text = match output {
        Output::Table => endpoint::render_table(&plan, &rows),
        Output::Json => format!("{:#}", endpoint::render_json(&plan, &rows)),
    };
    Ok(output::line(text.trim_end())?)
}

fn plan(arguments: BenchCommand) -> Result<Plan> {
    let seconds = arguments.seconds;
    ensure!((0.01..=3600.0).contains(&seconds), "--seconds is between 0.01 and an hour");
    let workloads = Some(arguments.workload).filter(|chosen| !chosen.is_empty());
    let url = arguments.endpoint.address();
    let signer = arguments.sign.then(|| signature::signer(&url)).transpose()?;
    let config = Arc::new(tls_config_of_environment()?);
    Ok(Plan {
        target: Target::guarded(url.clone(), &url, Some(config), signer)?,
        workloads: workloads.unwrap_or_else(|| WORKLOADS.to_vec()),
        connections: arguments.connections,
        rates: arguments.rate.into_iter().map(f64::from).collect(),
        measured: Duration::from_secs_f64(seconds),
        dataset: Dataset::new(arguments.items),
        table_prefix: arguments.table_prefix,
        keep: arguments.keep,
        seed: arguments.seed,
    })
}
