//! An index that is added to a table in use, and removed again.

use std::time::Duration;

use anyhow::Result;
use monotable_bench::clock;
use serde_json::{Value, json};

use super::Situation;
use super::finding::Finding;
use super::shapes::{INDEX, attribute, batch_put, get, index, item, plain_table, put, put_calm};
use super::stage::Stage;

const TABLE: &str = "catalogue";
const NEIGHBOUR: &str = "neighbour";
const ITEM_BYTES: usize = 900;
const NEIGHBOUR_ITEMS: u64 = 10_000;
const PROBES: f64 = 211.0;
const PUTS: &str = "PutItem of the neighbour";
const GETS: &str = "GetItem of the neighbour";

/// Adds and removes an index beside a neighbour that is written and read.
pub(super) async fn measure(situation: &Situation<'_>) -> Result<Finding> {
    let plan = situation.plan;
    let stage = Stage::start(situation.settings, &[]).await?;
    stage.create_table(&plain_table(TABLE)).await?;
    stage.create_table(&plain_table(NEIGHBOUR)).await?;
    stage.call("PutItem", &put_calm(NEIGHBOUR, "CALM", ITEM_BYTES)).await?;
    situation.detail("filling the table");
    let fill = stage.requests("BatchWriteItem", &batch_put(TABLE, "CATALOGUE", ITEM_BYTES));
    stage.send_batches(&fill, plan.table_items).await?;
    stage.await_idle().await;
    let body = put(NEIGHBOUR, &item("NEIGHBOUR", 0, ITEM_BYTES));
    let puts = stage.requests_over("PutItem", &body, NEIGHBOUR_ITEMS);
    let flows = [
        stage.flow(PUTS, plan.neighbour_rate, puts),
        stage.flow(GETS, PROBES, stage.requests("GetItem", &get(NEIGHBOUR, "CALM"))),
    ];
    let (alone, ()) = stage.during(&flows, situation.wait(plan.half())).await?;
    situation.detail("adding and removing an index");
    let (mut finding, (added, removed)) = stage
        .during(&flows, async {
            let begin = clock::now();
            let added = change(&stage, true).await?;
            let removed = change(&stage, false).await?;
            clock::wait(plan.half().saturating_sub(begin.elapsed())).await;
            Ok((added, removed))
        })
        .await?;
    for title in [PUTS, GETS] {
        let usual = alone.latencies(title, 0..usize::MAX);
        let felt = finding.latencies(title, 0..usize::MAX);
        finding.add_comparison(title, &usual, &felt);
    }
    finding.add("index added after", "s", Some(added.as_secs_f64()));
    finding.add("index removed after", "s", Some(removed.as_secs_f64()));
    finding.add_resources();
    Ok(finding)
}

/// Adds the index or removes it; returns how long it took until the table said so.
async fn change(stage: &Stage, is_added: bool) -> Result<Duration> {
    let begin = clock::now();
    let update = if is_added {
        json!({ "Create": index() })
    } else {
        json!({ "Delete": { "IndexName": INDEX } })
    };
    let body = json!({
        "TableName": TABLE,
        "AttributeDefinitions": [attribute("pk"), attribute("sk"), attribute("status")],
        "GlobalSecondaryIndexUpdates": [update],
    });
    stage.call("UpdateTable", &body).await?;
    let status = |answer: &Value| {
        let status = answer.pointer("/Table/GlobalSecondaryIndexes/0/IndexStatus");
        status.and_then(Value::as_str).map(str::to_owned)
    };
    let wanted = is_added.then(|| "ACTIVE".to_owned());
    stage.await_table(&json!(TABLE), |answer| status(answer) == wanted).await?;
    Ok(begin.elapsed())
}
