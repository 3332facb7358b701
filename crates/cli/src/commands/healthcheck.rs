//! `monotable healthcheck`: asks a server whether it is alive, or ready.

use std::time::Duration;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use hyper::{Method, StatusCode};
use monotable_database::Clock;
use serde_json::{Value, json};

use crate::admin_request;
use crate::endpoint::EndpointArguments;
use crate::outcome::Outcome;
use crate::output;
use crate::system::SystemClock;
use crate::time::parse_interval;

const EXAMPLES: &str = "Examples:
  Is the server alive?
      monotable healthcheck

  Does it take reads and writes?
      monotable healthcheck --ready --endpoint http://127.0.0.1:8000

  In a Dockerfile:
      HEALTHCHECK CMD [\"monotable\", \"healthcheck\"]

  A server that encrypts, whose authority is in a file of its own:
      AWS_CA_BUNDLE=monotable-tls/authority.pem monotable healthcheck \\
          --endpoint https://localhost:8000

  Everybody may ask both. A server tells why it is not well only to a key for administrators, and
  without credentials to its own machine:
      AWS_ACCESS_KEY_ID=AKIA… AWS_SECRET_ACCESS_KEY=… monotable healthcheck --ready

The exit code is 0 if it is, and 1 if it is not or does not answer.

The same over HTTP, where the status says it:
      curl --fail http://127.0.0.1:8000/_monotable/health
      curl --fail http://127.0.0.1:8000/_monotable/ready";

/// Check whether a server is alive, or ready for requests
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct HealthcheckCommand {
    #[command(flatten)]
    endpoint: EndpointArguments,

    /// Check whether it accepts reads and writes, not only whether it is alive
    #[arg(long)]
    ready: bool,

    /// How long to wait for an answer
    #[arg(long, value_name = "DURATION", default_value = "5s", value_parser = parse_interval)]
    timeout: Duration,

    /// How to print the answer
    #[arg(long, value_enum, default_value_t = Format::Text)]
    output: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line for people
    Text,
    /// A JSON object
    Json,
}

/// What a server says about itself.
#[derive(Debug, PartialEq, Eq)]
struct Condition {
    is_good: bool,
    /// A word for it.
    status: String,
    reason: Option<String>,
}

/// Asks, and tells the answer.
pub(crate) fn run(arguments: &HealthcheckCommand) -> Result<Outcome> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let address = arguments.endpoint.address();
    let path = if arguments.ready { "ready" } else { "health" };
    let url = format!("{address}/_monotable/{path}");
    let condition = runtime.block_on(async {
        tokio::select! {
            asked = ask(&url) => asked.unwrap_or_else(|error| Condition::unknown(&error)),
            () = SystemClock.sleep(arguments.timeout) => {
                Condition::unknown(&anyhow::anyhow!("no answer in time"))
            }
        }
    });
    output::line(&match arguments.output {
        Format::Text => condition.text(&url),
        Format::Json => condition.json(&url).to_string(),
    })?;
    Ok(if condition.is_good { Outcome::Done } else { Outcome::Negative })
}

async fn ask(url: &str) -> Result<Condition> {
    let sent = admin_request::send(Method::GET, url, String::new()).await;
    let (status, body) = sent.context("it does not answer")?;
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let text = |member: &str| body.get(member).and_then(Value::as_str).map(str::to_owned);
    let reason = text("reason").or_else(|| text("error"));
    let name = text("status").unwrap_or_else(|| status.to_string());
    Ok(Condition { is_good: status == StatusCode::OK, status: name, reason })
}

impl Condition {
    /// The condition of a server that does not say anything.
    fn unknown(error: &anyhow::Error) -> Condition {
        let reason = Some(format!("{error:#}"));
        Condition { is_good: false, status: "unreachable".to_owned(), reason }
    }

    fn text(&self, url: &str) -> String {
        match &self.reason {
            Some(reason) => format!("{}: {reason} ({url})", self.status),
            None => format!("{} ({url})", self.status),
        }
    }

    fn json(&self, url: &str) -> Value {
        let Condition { is_good, status, reason } = self;
        json!({ "ok": is_good, "status": status, "reason": reason, "url": url })
    }
}
