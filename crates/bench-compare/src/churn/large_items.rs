//! Items of 400 KB, which are put and of which one attribute is changed, beside a small item that
//! is read.

use anyhow::Result;
use monotable_bench::numbered::REVISION;
use serde_json::json;

use super::Situation;
use super::finding::Finding;
use super::shapes::{filler, get, key, plain_table, put, put_calm};
use super::stage::Stage;

const TABLE: &str = "documents";
const SMALL: &str = "small";
/// A little less than the most that an item may have.
const LARGE_BYTES: usize = 400 * 1024 - 200;
/// How many large items there are, and how often per second each kind of write is sent.
const ITEMS: u64 = 50;
const WRITES: f64 = 20.0;
const PROBES: f64 = 503.0;
const GETS: &str = "GetItem of a small item";
const PUTS: &str = "PutItem of 400 KB";
const UPDATES: &str = "UpdateItem of 400 KB";

/// Writes large items beside reads of a small one.
pub(super) async fn measure(situation: &Situation<'_>) -> Result<Finding> {
    let plan = situation.plan;
    let stage = Stage::start(situation.settings, &[]).await?;
    stage.create_table(&plain_table(TABLE)).await?;
    stage.create_table(&plain_table(SMALL)).await?;
    stage.call("PutItem", &put_calm(SMALL, "CALM", 200)).await?;
    let mut large = key("DOCUMENTS", 0);
    if let Some(attributes) = large.as_object_mut() {
        attributes.insert("text".to_owned(), filler(LARGE_BYTES));
        attributes.insert("revision".to_owned(), json!({ "N": REVISION }));
    }
    let puts = stage.requests_over("PutItem", &put(TABLE, &large), ITEMS);
    monotable_bench::load::run_each(stage.target(), &puts, 0..ITEMS, 4).await?;
    stage.await_idle().await;
    let update = json!({
        "TableName": TABLE,
        "Key": key("DOCUMENTS", 0),
        "UpdateExpression": "SET visits = :visits",
        "ExpressionAttributeValues": { ":visits": { "N": REVISION } },
    });
    let updates = stage.requests_over("UpdateItem", &update, ITEMS);
    let gets = stage.flow(GETS, PROBES, stage.requests("GetItem", &get(SMALL, "CALM")));
    let (alone, ()) =
        stage.during(std::slice::from_ref(&gets), situation.wait(plan.half())).await?;
    let flows = [gets, stage.flow(PUTS, WRITES, puts), stage.flow(UPDATES, WRITES, updates)];
    let (mut finding, ()) = stage.during(&flows, situation.wait(plan.half())).await?;
    let usual = alone.latencies(GETS, 0..usize::MAX);
    let felt = finding.latencies(GETS, 0..usize::MAX);
    finding.add_comparison(GETS, &usual, &felt);
    for title in [PUTS, UPDATES] {
        let all = finding.latencies(title, 0..usize::MAX);
        finding.add_latencies(title, &all);
    }
    finding.add_resources();
    Ok(finding)
}
