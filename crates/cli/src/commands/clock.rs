//! `monotable clock`: reads and moves the clock of a server.

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use hyper::Method;
use serde_json::{Value, json};

use crate::admin_request;
use crate::endpoint::EndpointArguments;
use crate::output;
use crate::time::{parse_duration, parse_time_millis};

const EXAMPLES: &str = "\
Examples:
  A server whose clock stands still, from the first of January:
      monotable serve --in-memory --clock manual --clock-start 2026-01-01T00:00:00Z

  Let a week pass; items that expire in it are gone when the command returns:
      monotable clock advance 7d

  Go to a moment, and see where the clock is:
      monotable clock set 2026-02-01T12:00:00Z
      monotable clock

The same over HTTP: GET and PUT /_monotable/clock, POST /_monotable/clock/advance:
      curl --json '{\"duration\":\"7d\"}' http://127.0.0.1:8000/_monotable/clock/advance";

/// Read or move the clock of a server
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ClockCommand {
    #[command(subcommand)]
    action: Option<Action>,

    #[command(flatten)]
    endpoint: EndpointArguments,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show the time (the default)
    Get,
    /// Move the clock to a time: in UTC such as 2026-01-01T00:00:00Z, or seconds since 1970
    Set {
        /// The time
        #[arg(value_parser = parse_time_millis)]
        time: u64,
    },
    /// Move the clock forward
    Advance {
        /// How far, such as 90s, 12h or 7d
        #[arg(value_parser = parse_duration)]
        duration: std::time::Duration,
    },
}

/// Shows the time of the server after what was asked for.
pub(crate) fn run(arguments: ClockCommand) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (method, path, body) = match arguments.action.unwrap_or(Action::Get) {
        Action::Get => (Method::GET, "clock", Value::Null),
        Action::Set { time } => (Method::PUT, "clock", json!({ "epochMillis": time })),
        Action::Advance { duration } => {
            (Method::POST, "clock/advance", json!({ "seconds": duration.as_secs_f64() }))
        }
    };
    let address = arguments.endpoint.address();
    let clock = runtime.block_on(call(method, &format!("{address}/_monotable/{path}"), &body))?;
    let text = |member: &str| clock.get(member).and_then(Value::as_str).map(str::to_owned);
    let (time, mode) = text("time").zip(text("mode")).context("the answer is not a clock")?;
    output::line(&format!("{time} ({mode})"))?;
    Ok(())
}

/// Calls what DynamoDB does not have.
pub(crate) async fn call(method: Method, url: &str, body: &Value) -> Result<Value> {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let (status, answer) = admin_request::send(method, url, body)
        .await
        .with_context(|| format!("{url} does not answer; give the address with --endpoint"))?;
    let answer: Value = serde_json::from_slice(&answer)
        .with_context(|| format!("{url} does not answer as monotable does"))?;
    if !status.is_success() {
        let reason = answer.get("error").and_then(Value::as_str).unwrap_or("no reason given");
        bail!("{reason}");
    }
    Ok(answer)
}
