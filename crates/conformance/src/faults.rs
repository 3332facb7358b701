//! Failures on purpose, on a server that has them at `/_monotable/faults`.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::http::Connection;

const PATH: &str = "/_monotable/faults";
const JSON: &[(&str, &str)] = &[("content-type", "application/json")];

/// Lets calls fail by these faults, each a line such as `throttle first=2`, and by no others.
pub fn set(endpoint: &str, faults: &[&str]) -> Result<()> {
    let body = json!({ "faults": faults }).to_string();
    let answer = Connection::open(endpoint)?.send("PUT", PATH, JSON, body.as_bytes())?;
    ensure!(answer.status == 200, "{}", String::from_utf8_lossy(&answer.body));
    Ok(())
}

/// How many calls each fault has hit.
pub fn hits(endpoint: &str) -> Result<Vec<u64>> {
    let answer = Connection::open(endpoint)?.send("GET", PATH, &[], &[])?;
    let report: Value = serde_json::from_slice(&answer.body)?;
    let faults = report.get("faults").and_then(Value::as_array).context("no list of faults")?;
    faults.iter().map(|fault| fault.get("hit").and_then(Value::as_u64).context("no hits")).collect()
}
