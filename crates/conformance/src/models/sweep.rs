//! The step that turns TTL on and sees which items expire.
//!
//! On a clock that can be moved, the model's moment lies an hour ahead: the step moves the clock
//! there, and what expired must be gone when the move is answered. On the real clock the moment is
//! the present, and the step waits for the server to find what expired.
//!
//! TTL is off until the step, lest the server expire items before the steps that still read them.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::expectation::StepResult;
use super::plain::{Plain, plain, plain_key};
use super::replay::{Replay, member, text};
use crate::clock::{self, ServerClock};
use crate::time;

/// How far ahead of a manual clock the moment of a model lies.
const LEAD_SECS: i64 = 60 * 60;

/// How long a server with the real clock may take to remove what expired.
const EXPIRY_WAIT: Duration = Duration::from_secs(20);

/// How long TTL may take to be enabled.
const ENABLING_WAIT: Duration = Duration::from_secs(20);

/// When a model plays, on the clock of the server: seconds since 1970.
pub(super) fn moment_secs(clock: &ServerClock) -> Result<i64> {
    let now = clock.epoch_secs()?;
    Ok(match clock {
        ServerClock::System => now,
        ServerClock::Manual(_) => now + LEAD_SECS,
    })
}

/// Turns TTL on, lets the server remove what has expired, and returns the keys of what is gone.
pub(super) fn sweep(
    replay: &mut Replay,
    specification: &Value,
    params: &Value,
    expect: &Value,
) -> Result<StepResult> {
    let table = text(params, "TableName")?;
    let before = keys(replay, table)?;
    let request = json!({ "TableName": table, "TimeToLiveSpecification": specification });
    replay.client.must("UpdateTimeToLive", &request)?;
    wait_until_enabled(replay, table)?;
    let remaining = match replay.clock.clone() {
        ServerClock::Manual(endpoint) => {
            clock::advance(&endpoint, LEAD_SECS)?;
            keys(replay, table)?
        }
        ServerClock::System => wait_for_expiry(replay, table, &before, expect)?,
    };
    let gone = before.into_iter().filter(|(key, _)| !remaining.contains_key(key));
    let items: Vec<_> = gone.map(|(_, item)| (table.to_owned(), item)).collect();
    Ok(StepResult::Success { response: json!({}), items })
}

fn wait_until_enabled(replay: &mut Replay, table: &str) -> Result<()> {
    let request = json!({ "TableName": table });
    let enabled = time::until(ENABLING_WAIT, || {
        let response = replay.client.must("DescribeTimeToLive", &request).ok()?;
        let status = response.pointer("/TimeToLiveDescription/TimeToLiveStatus")?;
        (status == "ENABLED").then_some(())
    });
    enabled.context("TTL is not enabled in time")
}

/// Waits until just the expected items are gone, or for as long as a server may take.
fn wait_for_expiry(
    replay: &mut Replay,
    table: &str,
    before: &BTreeMap<Vec<Plain>, Value>,
    expect: &Value,
) -> Result<BTreeMap<Vec<Plain>, Value>> {
    let wanted = member(expect, "keys")?.as_array().context("keys is no list")?;
    let wanted = wanted.iter().map(plain_key).collect::<Result<Vec<_>>>()?;
    let mut remaining = Ok(BTreeMap::new());
    time::until(EXPIRY_WAIT, || {
        remaining = keys(replay, table);
        let found = remaining.as_ref().ok()?;
        before.keys().all(|key| found.contains_key(key) != wanted.contains(key)).then_some(())
    });
    remaining
}

/// The keys of all items of a table, as comparable values and as they were sent.
fn keys(replay: &mut Replay, table: &str) -> Result<BTreeMap<Vec<Plain>, Value>> {
    let names = replay.keys.get(table).context("no such table")?.clone();
    let mut keys = BTreeMap::new();
    let mut request = json!({ "TableName": table, "ConsistentRead": true });
    loop {
        let page = replay.client.must("Scan", &request)?;
        for item in member(&page, "Items")?.as_array().into_iter().flatten() {
            let (values, key) = key_of(item, &names)?;
            keys.insert(values, key);
        }
        let Some(last) = page.get("LastEvaluatedKey") else { return Ok(keys) };
        request = json!({ "TableName": table, "ConsistentRead": true, "ExclusiveStartKey": last });
    }
}

fn key_of(item: &Value, names: &[String]) -> Result<(Vec<Plain>, Value)> {
    let values = names.iter().map(|name| plain(member(item, name)?)).collect::<Result<_>>()?;
    let key = names.iter().map(|name| Ok((name.clone(), member(item, name)?.clone())));
    Ok((values, Value::Object(key.collect::<Result<_>>()?)))
}
