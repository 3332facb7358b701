//! A sparse index: the attribute of its key is set and removed again, so items enter and leave it
//! all the time.
//!
//! It is how the open orders among all orders are found. Few are open at a time, but everything
//! that ever was lies before them until it is merged away.

use std::sync::Arc;

use anyhow::Result;
use serde_json::{Value, json};

use super::Situation;
use super::finding::Finding;
use super::shapes::{first_open, indexed_table, key};
use super::stage::Stage;

const TABLE: &str = "orders";
/// How many orders are open at a time.
const OPEN: u64 = 1000;
const PROBES: f64 = 47.0;

/// Opens and closes orders, and asks for the first open one.
pub(super) async fn measure(situation: &Situation<'_>) -> Result<Finding> {
    let plan = situation.plan;
    let stage = Stage::start(situation.settings, &[]).await?;
    stage.create_table(&indexed_table(TABLE)).await?;
    let values = json!({ ":open": { "S": "OPEN" } });
    let opening = stage.requests("UpdateItem", &update("SET #status = :open", Some(&values)));
    let closing = stage.requests("UpdateItem", &update("REMOVE #status", None));
    let ahead = {
        let opening = opening.clone();
        Arc::new(move |number| opening(number + OPEN))
    };
    monotable_bench::load::run_each(stage.target(), &opening, 0..OPEN, 16).await?;
    let flows = [
        stage.flow("Query of the index", PROBES, stage.requests("Query", &first_open(TABLE))),
        stage.flow("UpdateItem that sets", plan.rate / 2.0, ahead),
        stage.flow("UpdateItem that removes", plan.rate / 2.0, closing),
    ];
    let (mut finding, ()) = stage.during(&flows, situation.wait(plan.length)).await?;
    finding.add_drift("Query of the index");
    for title in ["UpdateItem that sets", "UpdateItem that removes"] {
        let all = finding.latencies(title, 0..usize::MAX);
        finding.add_time(format!("{title}, p99"), Some(all.quantile(0.99)));
        finding.add_time(format!("{title}, longest"), Some(all.quantile(1.0)));
    }
    finding.add_resources();
    Ok(finding)
}

fn update(expression: &str, values: Option<&Value>) -> Value {
    let mut body = json!({
        "TableName": TABLE,
        "Key": key("ORDERS", 0),
        "UpdateExpression": expression,
        "ExpressionAttributeNames": { "#status": "status" },
    });
    if let Some((members, values)) = body.as_object_mut().zip(values) {
        members.insert("ExpressionAttributeValues".to_owned(), values.clone());
    }
    body
}
