//! The clock that a server goes by: the machine's, or one that the test moves.
//!
//! A Monotable server says at `/_monotable/clock` which it is. Any other endpoint has no such
//! address, and is taken to go by the present.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::http::Connection;
use crate::time;

const PATH: &str = "/_monotable/clock";
const JSON: &[(&str, &str)] = &[("content-type", "application/json")];

/// What a server goes by.
#[derive(Clone, Debug)]
pub enum ServerClock {
    /// The present.
    System,
    /// A clock that stands still until it is moved, at the endpoint that moves it.
    Manual(String),
}

impl ServerClock {
    /// Asks an endpoint which clock it goes by.
    pub fn of(endpoint: &str) -> Result<Self> {
        let report = report(endpoint)?;
        let manual = report.get("mode").is_some_and(|mode| mode == "manual");
        Ok(if manual { Self::Manual(endpoint.to_owned()) } else { Self::System })
    }

    /// Seconds since 1970 on this clock.
    pub fn epoch_secs(&self) -> Result<i64> {
        match self {
            Self::System => Ok(time::epoch_secs()),
            Self::Manual(endpoint) => {
                let millis = report(endpoint)?.get("epochMillis").and_then(Value::as_i64);
                Ok(millis.context("the server does not say what its clock shows")? / 1000)
            }
        }
    }
}

/// Moves a manual clock forward. When this returns, the server has done what became due.
pub fn advance(endpoint: &str, seconds: i64) -> Result<()> {
    let body = json!({ "seconds": seconds }).to_string();
    let path = format!("{PATH}/advance");
    let answer = Connection::open(endpoint)?.send("POST", &path, JSON, body.as_bytes())?;
    ensure!(answer.status == 200, "the clock cannot be moved: status {}", answer.status);
    Ok(())
}

/// What the server says about its clock; null if it has nothing to say.
fn report(endpoint: &str) -> Result<Value> {
    let answer = Connection::open(endpoint)?.send("GET", PATH, &[], &[])?;
    Ok(serde_json::from_slice(&answer.body).unwrap_or(Value::Null))
}
