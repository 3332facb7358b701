//! Tables that come and go beside one that stays.
//!
//! A table with an index is filled and deleted while puts arrive at a neighbour at a steady rate.
//! What the neighbour feels of it, what the server spends on it, and when the space is back.

use std::time::Duration;

use anyhow::Result;
use monotable_bench::clock;
use serde_json::json;

use super::Situation;
use super::finding::Finding;
use super::shapes::{batch_put, indexed_table, item, put};
use super::stage::Stage;

const NEIGHBOUR: &str = "neighbour";
const VICTIM: &str = "victim";
/// What an item holds.
const ITEM_BYTES: usize = 900;
/// How many items of the neighbour are written over and over.
const NEIGHBOUR_ITEMS: u64 = 10_000;
/// The space of a table is back when this share of what it added is gone.
const SPACE_BACK: f64 = 0.9;
const SPACE_INTERVAL: Duration = Duration::from_millis(50);

/// Deletes a table with nothing beside it, then another one beside a neighbour.
pub(super) async fn measure(situation: &Situation<'_>) -> Result<Finding> {
    let stage = Stage::start(situation.settings, &[]).await?;
    stage.create_table(&indexed_table(NEIGHBOUR)).await?;
    let mut silence = Finding::default();
    in_silence(&stage, situation, &mut silence).await?;
    let mut finding = beside_neighbour(&stage, situation).await?;
    finding.add_resources();
    finding.figures.extend(silence.figures);
    Ok(finding)
}

/// What the neighbour feels of a delete.
async fn beside_neighbour(stage: &Stage, situation: &Situation<'_>) -> Result<Finding> {
    let plan = situation.plan;
    let body = put(NEIGHBOUR, &item("NEIGHBOUR", 0, ITEM_BYTES));
    let puts = stage.requests_over("PutItem", &body, NEIGHBOUR_ITEMS);
    let title = "PutItem of the neighbour";
    let flows = [stage.flow(title, plan.neighbour_rate, puts)];
    situation.detail("the neighbour alone");
    let (alone, ()) = stage.during(&flows, situation.wait(plan.half())).await?;
    let before = stage.tree_bytes();
    fill(stage, situation).await?;
    let full = stage.tree_bytes();
    situation.detail("deleting beside the neighbour");
    let (mut finding, space) = stage
        .during(&flows, async {
            clock::wait(Duration::from_secs(1).min(plan.half() / 10)).await;
            let begin = clock::now();
            delete(stage).await?;
            let space = space_back(stage, plan.space_max, before, full).await;
            clock::wait(plan.half().saturating_sub(begin.elapsed())).await;
            Ok(space)
        })
        .await?;
    let usual = alone.latencies(title, 0..usize::MAX);
    // What comes after that may be a long wait for space, in which nothing happens.
    let felt = finding.latencies(title, 0..plan.half().as_secs().max(1) as usize);
    finding.add_comparison("neighbour", &usual, &felt);
    finding.add("space back beside the neighbour after", "s", space.map(|time| time.as_secs_f64()));
    Ok(finding)
}

/// What a delete costs when nothing else is asked of the server.
async fn in_silence(stage: &Stage, situation: &Situation<'_>, finding: &mut Finding) -> Result<()> {
    let before = stage.tree_bytes();
    fill(stage, situation).await?;
    let full = stage.tree_bytes();
    situation.detail("deleting with nothing beside it");
    let cpu_before = stage.cpu();
    let begin = clock::now();
    delete(stage).await?;
    let answered = begin.elapsed();
    // A server may be quiet for a while before it tidies up.
    let space = space_back(stage, situation.plan.space_max, before, full).await;
    let idle = stage.await_idle().await;
    let cpu = cpu_before.zip(stage.cpu()).map(|(from, to)| to.saturating_sub(from).as_secs_f64());
    // An item with its entry in the index counts as two.
    let millions = situation.plan.table_items as f64 * 2.0 / 1e6;
    let idle = idle.map(|moment| moment.saturating_duration_since(begin).as_secs_f64());
    let added = full.saturating_sub(before) as f64 / 1e6;
    finding.add_time("in silence: DeleteTable", Some(answered));
    finding.add("in silence: the table on disk", "MB", Some(added));
    finding.add("in silence: space back after", "s", space.map(|time| time.as_secs_f64()));
    finding.add("in silence: idle after", "s", idle);
    let cpu = cpu.map(|cpu| cpu / millions);
    finding.add("in silence: processor until idle, per million entries", "s", cpu);
    finding.add("in silence: disk after all", "MB", Some(stage.disk_bytes() as f64 / 1e6));
    Ok(())
}

async fn fill(stage: &Stage, situation: &Situation<'_>) -> Result<()> {
    situation.detail("filling a table");
    stage.create_table(&indexed_table(VICTIM)).await?;
    let request = stage.requests("BatchWriteItem", &batch_put(VICTIM, "VICTIM", ITEM_BYTES));
    stage.send_batches(&request, situation.plan.table_items).await?;
    situation.detail("waiting for the work in the background");
    stage.await_idle().await;
    Ok(())
}

async fn delete(stage: &Stage) -> Result<()> {
    stage.call("DeleteTable", &json!({ "TableName": VICTIM })).await?;
    Ok(())
}

/// How long it takes until most of what a table added to the disk is gone; none if it never is.
async fn space_back(stage: &Stage, patience: Duration, before: u64, full: u64) -> Option<Duration> {
    let begin = clock::now();
    if full <= before {
        return None;
    }
    let enough = full as f64 - full.saturating_sub(before) as f64 * SPACE_BACK;
    while begin.elapsed() < patience {
        if stage.tree_bytes() as f64 <= enough {
            return Some(begin.elapsed());
        }
        clock::wait(SPACE_INTERVAL).await;
    }
    None
}
