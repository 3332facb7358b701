//! `monotable clock`: reads and moves the clock of a server.

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use clap::{Args, Subcommand};
use http_body_util::{BodyExt, Full};
use hyper::header::CONTENT_TYPE;
use hyper::http::request::Builder;
use hyper::{Method, Request, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use monotable_remote::{Clock, Identity, Unsigned};
use serde_json::{Value, json};

use crate::endpoint::EndpointArguments;
use crate::output;
use crate::system::SystemClock;
use crate::time::{parse_duration, parse_time_millis};

/// What a body is said to be.
const MEDIA_TYPE: &str = "application/json";

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
    /// Show the time; this is what happens without an action too
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
    let address = arguments.endpoint.endpoint.trim_end_matches('/');
    let clock = runtime.block_on(call(method, &format!("{address}/_monotable/{path}"), &body))?;
    let text = |member: &str| clock.get(member).and_then(Value::as_str).map(str::to_owned);
    let (time, mode) = text("time").zip(text("mode")).context("the answer is not a clock")?;
    output::line(&format!("{time} ({mode})"))?;
    Ok(())
}

/// A request as whoever the environment says. A server without credentials does not look at it.
fn signed(request: Builder, method: &Method, url: &str, body: &str) -> Result<Builder> {
    let address: Uri = url.parse().with_context(|| format!("{url} is not an address"))?;
    let headers = &[("content-type", MEDIA_TYPE)];
    let (method, body) = (method.as_str(), body.as_bytes());
    let unsigned = Unsigned { method, address: &address, headers, body };
    let added = Identity::from_environment()?.sign(unsigned, Clock::now_millis(&SystemClock));
    let request = request.uri(address).header(CONTENT_TYPE, MEDIA_TYPE);
    Ok(added.into_iter().fold(request, |request, (name, value)| request.header(name, value)))
}

/// Calls what DynamoDB does not have.
pub(super) async fn call(method: Method, url: &str, body: &Value) -> Result<Value> {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let request = signed(Request::builder().method(&method), &method, url, &body)?;
    let request = request.body(Full::new(Bytes::from(body)))?;
    let client = Client::builder(TokioExecutor::new()).build_http::<Full<Bytes>>();
    let response = client
        .request(request)
        .await
        .with_context(|| format!("{url} does not answer; give the address with --endpoint"))?;
    let status = response.status();
    let answer = response.into_body().collect().await?.to_bytes();
    let answer: Value = serde_json::from_slice(&answer)
        .with_context(|| format!("{url} does not answer as monotable does"))?;
    if !status.is_success() {
        let reason = answer.get("error").and_then(Value::as_str).unwrap_or("no reason given");
        bail!("{reason}");
    }
    Ok(answer)
}
