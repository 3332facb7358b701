//! `monotable insights`: what a server sees of its models, live in the terminal.

mod key_press;
mod screen;
mod view;

use std::io::{self, IsTerminal};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use hyper::Method;
use monotable_database::Clock;
use serde_json::Value;

use self::key_press::KeyPresses;
use self::screen::Screen;
use super::clock::call;
use crate::endpoint::EndpointArguments;
use crate::output;
use crate::signals::{self, Signals};
use crate::system::SystemClock;
use crate::time::parse_interval;

const EXAMPLES: &str = "\
Examples:
  A server that knows a design, and a live view of it; q leaves:
      monotable serve --model shop.toml
      monotable insights

  Once, for a script or for a report:
      monotable insights --once
      monotable insights --output json

  Which access patterns consume most, since the model was loaded?
      monotable insights --sort units

The same over HTTP: GET /_monotable/insights, and GET, PUT and DELETE /_monotable/models:
      curl -X DELETE -H 'Content-Type: application/json' \\
          'http://127.0.0.1:8000/_monotable/models?name=shop'";

/// How long a server may take to answer.
const ANSWER_MAX: Duration = Duration::from_secs(10);
const NO_REPORT: &str = "the answer is not a report of insights";

/// Show which access patterns are asked, which keys are hot, and which writes do not fit the model
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InsightsCommand {
    #[command(flatten)]
    endpoint: EndpointArguments,

    /// Print once and end; so does output that goes to no terminal
    #[arg(long)]
    once: bool,

    /// How to print
    #[arg(long, value_enum, default_value_t = Output::Text)]
    output: Output,

    /// What access patterns are sorted by
    #[arg(long, value_enum, default_value_t = Sort::Requests)]
    sort: Sort,

    /// How often the view is drawn
    #[arg(long, value_name = "DURATION", default_value = "2s", value_parser = parse_interval)]
    interval: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// For people
    Text,
    /// For programs: what /_monotable/insights answers
    Json,
}

/// What patterns are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Sort {
    /// Requests
    Requests,
    /// Units consumed
    Units,
    /// Errors and throttled requests
    Errors,
    /// Name
    Name,
}

/// Prints what a server sees, or draws it until the view is left.
pub(crate) fn run(arguments: &InsightsCommand) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let shown = runtime.block_on(show(arguments));
    // The name of a server may still be looked up, which nothing can call off.
    runtime.shutdown_background();
    shown
}

async fn show(arguments: &InsightsCommand) -> Result<()> {
    let url = format!("{}/_monotable/insights", arguments.endpoint.address());
    let report = fetch(&url).await?;
    if arguments.output == Output::Json {
        output::line(&serde_json::to_string_pretty(&report)?)?;
        return Ok(());
    }
    if arguments.once || !io::stdout().is_terminal() {
        let width = output::terminal_width().unwrap_or(100);
        let lines = view::lines(&report, arguments.sort, width).context(NO_REPORT)?;
        lines.iter().try_for_each(|line| output::line(line))?;
        return Ok(());
    }
    let signals = Signals::listen().context("cannot listen for signals")?;
    tokio::select! {
        left = draw(arguments, &url, report) => left,
        () = signals::first_of(signals) => Ok(()),
    }
}

/// Draws the view until a key leaves it. A server that does not answer for a while, because it
/// hangs or is started again, does not end it.
async fn draw(arguments: &InsightsCommand, url: &str, mut report: Value) -> Result<()> {
    let mut presses = KeyPresses::listen()?;
    let screen = Screen::enter()?;
    let mut trouble = None;
    loop {
        let size = Screen::size();
        let room = (size.0, Screen::room(size));
        let lines = view::lines_in(&report, arguments.sort, room).context(NO_REPORT)?;
        screen.draw(&lines, trouble.as_deref(), size)?;
        let next = async {
            SystemClock.sleep(arguments.interval).await;
            fetch(url).await
        };
        match presses.or_leave(next).await {
            None => return Ok(()),
            Some(Ok(fetched)) if view::is_report(&fetched) => (report, trouble) = (fetched, None),
            Some(Ok(_)) => trouble = Some(NO_REPORT.to_owned()),
            Some(Err(error)) => trouble = Some(view::printable(&format!("{error:#}"))),
        }
    }
}

/// What the server sees.
async fn fetch(url: &str) -> Result<Value> {
    tokio::select! {
        report = call(Method::GET, url, &Value::Null) => report,
        () = SystemClock.sleep(ANSWER_MAX) => {
            bail!("{url} does not answer within {} s", ANSWER_MAX.as_secs())
        }
    }
}
