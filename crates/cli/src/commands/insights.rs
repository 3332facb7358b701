//! `monotable insights`: what a server sees of its models, live in the terminal.

mod key_press;
mod screen;
mod view;

use std::io::{self, IsTerminal};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use hyper::Method;
use monotable_database::Clock;
use serde_json::Value;

use self::key_press::KeyPresses;
use self::screen::Screen;
use super::clock::call;
use crate::endpoint::EndpointArguments;
use crate::output;
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

/// Draws the view until it is left.
pub(crate) fn run(arguments: &InsightsCommand) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let address = arguments.endpoint.address();
    let url = format!("{address}/_monotable/insights");
    let fetch = || runtime.block_on(call(Method::GET, &url, &Value::Null));
    let report = fetch()?;
    if arguments.output == Output::Json {
        output::line(&serde_json::to_string_pretty(&report)?)?;
        return Ok(());
    }
    let no_report = "the answer is not a report of insights";
    if arguments.once || !io::stdout().is_terminal() {
        let width = output::terminal_width().unwrap_or(100);
        let lines = view::lines(&report, arguments.sort, width).context(no_report)?;
        lines.iter().try_for_each(|line| output::line(line))?;
        return Ok(());
    }
    let mut presses = KeyPresses::listen()?;
    let screen = Screen::enter()?;
    let mut report = report;
    loop {
        let size = Screen::size();
        let room = (size.0, Screen::room(size));
        let lines = view::lines_in(&report, arguments.sort, room).context(no_report)?;
        screen.draw(&lines, size)?;
        let pause = SystemClock.sleep(arguments.interval);
        if runtime.block_on(presses.wait_for_leave(pause)) {
            return Ok(());
        }
        report = fetch()?;
    }
}
