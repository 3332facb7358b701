//! A queue: items are put at the tail and deleted at the head of one partition.
//!
//! What was deleted lies before what a query is after, until a merge has removed it. The question
//! is whether the first item of a queue stays as near as it is in a table that is not used as one.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use monotable_bench::clock;
use monotable_bench::http::{Connection, frame};
use monotable_bench::load::Histogram;
use serde_json::json;

use super::Situation;
use super::finding::{Finding, milliseconds};
use super::shapes::{batch_delete, batch_put, first_of, item, key, plain_table, put};
use super::stage::Stage;

const TABLE: &str = "queue";
/// Items that wait in the queue at any time.
const DEPTH: u64 = 1000;
/// What a message holds.
const MESSAGE_BYTES: usize = 200;
/// How often the head is asked for, per second.
const PROBES: f64 = 47.0;
/// How many times the head is asked for after a burst.
const LOOKS: usize = 200;

/// A queue at a steady rate.
pub(super) async fn steady(situation: &Situation<'_>) -> Result<Finding> {
    let plan = situation.plan;
    let stage = Stage::start(situation.settings, &[]).await?;
    stage.create_table(&plain_table(TABLE)).await?;
    let fill = stage.requests("BatchWriteItem", &batch_put(TABLE, "QUEUE", MESSAGE_BYTES));
    stage.send_batches(&fill, DEPTH).await?;
    let tail = stage.requests("PutItem", &put(TABLE, &item("QUEUE", 0, MESSAGE_BYTES)));
    let delete = json!({ "TableName": TABLE, "Key": key("QUEUE", 0) });
    let flows = [
        stage.flow("Query of the head", PROBES, stage.requests("Query", &first_of(TABLE, "QUEUE"))),
        stage.flow("PutItem at the tail", plan.rate, Arc::new(move |n| tail(n + DEPTH))),
        stage.flow("DeleteItem at the head", plan.rate, stage.requests("DeleteItem", &delete)),
    ];
    let (mut finding, ()) = stage.during(&flows, situation.wait(plan.length)).await?;
    finding.add_drift("Query of the head");
    for title in ["PutItem at the tail", "DeleteItem at the head"] {
        let all = finding.latencies(title, 0..usize::MAX);
        finding.add_time(format!("{title}, p99"), Some(all.quantile(0.99)));
        finding.add_time(format!("{title}, longest"), Some(all.quantile(1.0)));
    }
    finding.add_resources();
    Ok(finding)
}

/// Bursts: so many items are put and deleted again, then the head is asked for at once.
pub(super) async fn bursts(situation: &Situation<'_>) -> Result<Finding> {
    let stage = Stage::start(situation.settings, &[]).await?;
    stage.create_table(&plain_table(TABLE)).await?;
    let mut finding = Finding::default();
    let mut empty = None;
    for items in &situation.plan.bursts {
        let partition = format!("BURST#{items}");
        situation.detail(&format!("{items} items put and deleted"));
        let fill = stage.requests("BatchWriteItem", &batch_put(TABLE, &partition, MESSAGE_BYTES));
        stage.send_batches(&fill, *items).await?;
        let clear = stage.requests("BatchWriteItem", &batch_delete(TABLE, &partition));
        stage.send_batches(&clear, *items).await?;
        let (first, waits) = look(&stage, &partition).await?;
        let median = milliseconds(waits.quantile(0.5));
        let empty = *empty.get_or_insert(median);
        let name = format!("Query after {items} items");
        finding.add_time(format!("{name}, the first one"), Some(first));
        finding.add(format!("{name}, p50"), "ms", Some(median));
        finding.add_time(format!("{name}, longest"), Some(waits.quantile(1.0)));
        finding.add(format!("{name}, of an empty queue"), "×", Some(median / empty));
    }
    Ok(finding)
}

/// Asks for the head of a queue one time after the other; returns how long the first took, and all.
/// A merge that ends meanwhile makes the later ones fast, which only the first shows.
async fn look(stage: &Stage, partition: &str) -> Result<(Duration, Histogram)> {
    let request = frame(&stage.target().host, "Query", &first_of(TABLE, partition).to_string());
    let mut connection = Connection::open(stage.target()).await?;
    let mut waits = Histogram::new();
    let mut first = None;
    for _ in 0..LOOKS {
        let started = clock::now();
        connection.exchange(&request).await?.success()?;
        let wait = started.elapsed();
        first.get_or_insert(wait);
        waits.record(wait);
    }
    Ok((first.unwrap_or_default(), waits))
}

/// The sizes of bursts by default.
pub(super) const BURSTS: [u64; 4] = [0, 20_000, 100_000, 1_000_000];
