//! `monotable trigger`: batches of a table's changes, handed to a URL or a command.

use anyhow::{Context, Result};
use clap::Args;
use monotable_database::Ids;
use monotable_trigger::Trigger;
use tokio::sync::watch;

use crate::endpoint::{EndpointArguments, explain};
use crate::logging::{self, LogFormat};
use crate::signals::{self, Signals};
use crate::system::SystemIds;
use crate::triggers::TriggerArguments;

const EXAMPLES: &str = "\
Examples:
  Run a script for every batch of changes; it reads the event on its standard input:
      monotable trigger --table likes --command 'python3 count.py'

  Post new deals to a service, at most ten at a time:
      monotable trigger --table deals --url http://localhost:3000/deals --batch-size 10 \\
          --filter '{\"eventName\":[\"INSERT\"]}'

  See what a batch looks like:
      monotable trigger --table likes --name look --command 'cat >&2'

  Give up a record after three attempts, and put it aside:
      monotable trigger --table likes --command ./handle --attempts 3 --dead-letters dead.jsonl

The event has the form that AWS Lambda functions receive for DynamoDB streams: {\"Records\":[…]}.
A target that took some of a batch answers (or prints)
{\"batchItemFailures\":[{\"itemIdentifier\":\"…\"}]} with the sequence number of what it did not
take; that record and those after it come again.

How far a trigger is stands in the table monotable-checkpoints, so it goes on where it was after
any end, and delivers every record at least once. Ctrl-C ends after the batches under way.";

/// Hand the changes of a table to a URL or a command
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TriggerCommand {
    #[command(flatten)]
    trigger: TriggerArguments,

    #[command(flatten)]
    endpoint: EndpointArguments,

    /// What to log to standard error: error, warn, info, debug, trace
    #[arg(long, value_name = "FILTER", env = "MONOTABLE_LOG", default_value = "info")]
    log: String,
}

/// Runs the trigger until it is told to stop.
pub(crate) fn run(arguments: Box<TriggerCommand>) -> Result<()> {
    logging::start(&arguments.log, LogFormat::Text)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(trigger(*arguments))
}

async fn trigger(arguments: TriggerCommand) -> Result<()> {
    let signals = Signals::listen().context("cannot listen for signals")?;
    let endpoint = arguments.endpoint.connect()?;
    let table = arguments.trigger.table().to_owned();
    let trigger = Trigger::new(endpoint, arguments.trigger.into_options()?, owner(&SystemIds));
    let (stopper, stop) = watch::channel(false);
    tokio::spawn(async move {
        signals::first_of(signals).await;
        // The trigger may have ended by itself; then there is nothing to stop.
        let _ = stopper.send(true);
        stopper.closed().await;
    });
    trigger.run(stop).await.map_err(|error| explain(error, &table))
}

/// A name that no other process has.
pub(crate) fn owner(ids: &dyn Ids) -> String {
    format!("{:032x}", ids.random())
}
