//! The way to the endpoint. The shell waits for each answer; Ctrl-C ends the wait and not the
//! shell.

use std::fmt;
use std::time::Duration;

use anyhow::{Context, Result};
use monotable_remote::{Backoff, Endpoint, Error};
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

/// How long to wait before a write that was throttled is made again, and how often that happens.
const RETRY_FIRST: Duration = Duration::from_millis(50);
const RETRY_LONGEST: Duration = Duration::from_secs(5);
const RETRIES_MAX: usize = 8;

/// How long somebody who presses Tab waits.
const GLANCE: Duration = Duration::from_secs(1);

/// Whether a call may be made twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// It may: nothing changes.
    Reads,
    /// It may only if it is certain that it did nothing.
    Writes,
}

/// Somebody pressed Ctrl-C instead of waiting for an answer. A write that was sent may have been
/// done.
#[derive(Debug)]
pub(super) struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// An endpoint and what it takes to wait for it.
pub(super) struct Connection {
    endpoint: Endpoint,
    runtime: Runtime,
}

impl Connection {
    pub(super) fn new(endpoint: Endpoint) -> Result<Connection> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok(Connection { endpoint, runtime })
    }

    /// Where the endpoint is.
    pub(super) fn address(&self) -> String {
        self.endpoint.address()
    }

    /// The time by the machine's clock.
    pub(super) fn now_millis(&self) -> u64 {
        self.endpoint.clock().now_millis()
    }

    /// Makes a call, and again if that may help.
    pub(super) fn call(&self, operation: &str, body: &Value, effect: Effect) -> Result<Value> {
        self.runtime.block_on(async {
            tokio::select! {
                answer = self.answer(operation, body, effect) => Ok(answer?),
                interrupted = tokio::signal::ctrl_c() => {
                    interrupted.context("cannot listen for Ctrl-C")?;
                    Err(Interrupted.into())
                }
            }
        })
    }

    /// Makes a call that is not worth waiting for.
    pub(super) fn call_at_a_glance(&self, operation: &str, body: &Value) -> Option<Value> {
        self.runtime.block_on(async {
            tokio::select! {
                answer = self.endpoint.call(operation, body) => answer.ok(),
                () = self.endpoint.clock().sleep(GLANCE) => None,
            }
        })
    }

    async fn answer(&self, operation: &str, body: &Value, effect: Effect) -> Result<Value, Error> {
        match effect {
            Effect::Reads => self.endpoint.call_patiently(operation, body).await,
            Effect::Writes => self.write(operation, body).await,
        }
    }

    /// A write whose answer is lost may have been done, so only throttles are tried again.
    async fn write(&self, operation: &str, body: &Value) -> Result<Value, Error> {
        let mut backoff = Backoff::new(RETRY_FIRST, RETRY_LONGEST);
        for _ in 0..RETRIES_MAX {
            match self.endpoint.call(operation, body).await {
                Err(error) if is_throttle(&error) => {
                    self.endpoint.clock().sleep(backoff.pause()).await;
                }
                answer => return answer,
            }
        }
        self.endpoint.call(operation, body).await
    }
}

/// An answer that a command can do without: nothing if the endpoint refuses to give it. Other
/// errors, Ctrl-C among them, are the end of the command.
pub(super) fn unless_refused<T>(answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if refusal(&error).is_some() => Ok(None),
        Err(error) => Err(error),
    }
}

/// The name of the error that the endpoint answered with, if it answered.
pub(super) fn refusal(error: &anyhow::Error) -> Option<&str> {
    match error.downcast_ref()? {
        Error::Refused { code, .. } => Some(code),
        _ => None,
    }
}

fn is_throttle(error: &Error) -> bool {
    matches!(error, Error::Refused { status: 400, .. }) && error.is_transient()
}
