//! `monotable tail`: the changes of a table, live in the terminal.

use std::io;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use clap::{Args, ValueEnum};
use monotable_trigger::{
    Error, Follower, LambdaRecord, Origin, Pattern, ShardConsumer, ShardEnd, ShardReader,
    find_stream,
};
use tokio::sync::{mpsc, watch};

use crate::change_line;
use crate::endpoint::{EndpointArguments, explain};
use crate::line_fit;
use crate::logging::{self, LogFormat};
use crate::output;
use crate::signals::{self, Signals};

/// Records that have been read and not been printed.
const WAITING_MAX: usize = 1000;

const EXAMPLES: &str = "\
Examples:
  Watch a table; the next changes are printed as they come:
      monotable tail orders

  All changes of the last 24 hours, then the next ones:
      monotable tail orders --from trim-horizon

  Only new orders over 100, for a program to read:
      monotable tail orders --output json --filter \\
          '{\"eventName\":[\"INSERT\"],\
\"dynamodb\":{\"NewImage\":{\"total\":{\"N\":[{\"numeric\":[\">\",100]}]}}}}'

The table needs a stream:
      aws dynamodb update-table --table-name orders --stream-specification \\
          StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES

Ctrl-C ends.";

/// Print the changes of a table as they happen
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Tail {
    /// The table
    table: String,

    #[command(flatten)]
    endpoint: EndpointArguments,

    /// Where to begin
    #[arg(long, value_enum, default_value_t = From::Latest)]
    from: From,

    /// How to print a change
    #[arg(long, value_enum, default_value_t = Output::Text)]
    output: Output,

    /// Print only what matches a pattern, in the syntax of AWS Lambda's filter criteria; of
    /// several, one must match
    #[arg(long, value_name = "PATTERN", value_parser = parse_pattern)]
    filter: Vec<Pattern>,

    /// What to log to standard error: error, warn, info, debug, trace
    #[arg(long, value_name = "FILTER", env = "MONOTABLE_LOG", default_value = "warn")]
    log: String,
}

/// Where to begin in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum From {
    /// With the oldest change that is kept, at most 24 hours ago
    TrimHorizon,
    /// With the next change
    Latest,
}

/// How to print a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// A line for people: what happened, the key, and what changed
    Text,
    /// A line of JSON: the record as AWS Lambda functions receive it
    Json,
}

/// Reads a filter pattern from an argument.
pub(crate) fn parse_pattern(text: &str) -> Result<Pattern, String> {
    Pattern::parse(text).map_err(|error| error.to_string())
}

/// Prints until it is told to stop, or the stream ends.
pub(crate) fn run(arguments: Tail) -> Result<()> {
    logging::start(&arguments.log, LogFormat::Text)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(tail(arguments))
}

async fn tail(arguments: Tail) -> Result<()> {
    let signals = Signals::listen().context("cannot listen for signals")?;
    let endpoint = arguments.endpoint.connect()?;
    let table = arguments.table.as_str();
    let stream = find_stream(&endpoint, table).await.map_err(|error| explain(error, table))?;
    let (sender, records) = mpsc::channel(WAITING_MAX);
    let (_running, stop) = watch::channel(false);
    let reader = Reader { from: arguments.from, records: sender };
    let follow = Follower::new(endpoint, stream).run(Arc::new(reader), stop);
    tokio::select! {
        followed = follow => followed.map_err(|error| explain(error, table))?,
        printed = print(records, &arguments) => return Ok(printed?),
        () = signals::first_of(signals) => return Ok(()),
    }
    Err(anyhow!("the stream of {table} was disabled"))
}

async fn print(mut records: mpsc::Receiver<LambdaRecord>, arguments: &Tail) -> io::Result<()> {
    let coloured = output::wants_colour(&io::stdout());
    while let Some(record) = records.recv().await {
        let is_wanted = |filter: &Pattern| filter.matches(record.event());
        if !arguments.filter.is_empty() && !arguments.filter.iter().any(is_wanted) {
            continue;
        }
        match arguments.output {
            Output::Json => output::line(&record.event().to_string())?,
            Output::Text => line_fit::print(&change_line::render(&record, coloured))?,
        }
    }
    Ok(())
}

/// Sends the records of every shard to the printer.
struct Reader {
    from: From,
    records: mpsc::Sender<LambdaRecord>,
}

impl ShardConsumer for Reader {
    async fn consume(&self, mut reader: ShardReader, origin: Origin) -> Result<ShardEnd, Error> {
        if self.from == From::Latest && origin == Origin::Present && reader.seek_end().await? {
            return Ok(ShardEnd::Finished);
        }
        loop {
            let page = reader.next().await?;
            for record in page.records {
                if self.records.send(record).await.is_err() {
                    return Ok(ShardEnd::Stopped);
                }
            }
            if page.is_end {
                return Ok(ShardEnd::Finished);
            }
        }
    }
}
