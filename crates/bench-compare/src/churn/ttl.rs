//! Items that expire as fast as others are put: a table in a steady state.
//!
//! What expires leaves something behind in the table, in its index and in the index by time. The
//! table holds the puts of a few seconds, and neither it nor what a read takes should grow.

use anyhow::Result;
use monotable_bench::numbered::{EXPIRY, Numbering};
use serde_json::json;

use super::Situation;
use super::finding::Finding;
use super::shapes::{first_of, first_open, get, indexed_table, item, put, put_calm};
use super::stage::Stage;

const TABLE: &str = "sessions";
const ITEM_BYTES: usize = 200;
/// How long items live: short, so that a run has many lifetimes.
const LIFETIME_SECS: u64 = 3;
/// How often each kind of read is sent, per second. The rates differ so that the reads do not
/// always come at the same moments, where they would wait for one another.
const OLDEST_READS: f64 = 50.0;
const INDEX_READS: f64 = 47.0;
const OTHER_READS: f64 = 53.0;

/// Puts items that expire, and asks for the oldest that is there and for one that stays.
pub(super) async fn measure(situation: &Situation<'_>) -> Result<Finding> {
    let plan = situation.plan;
    let stage = Stage::start(situation.settings, &["--ttl-interval", "1s"]).await?;
    stage.create_table(&indexed_table(TABLE)).await?;
    let ttl = json!({ "AttributeName": "expires", "Enabled": true });
    let body = json!({ "TableName": TABLE, "TimeToLiveSpecification": ttl });
    stage.call("UpdateTimeToLive", &body).await?;
    stage.call("PutItem", &put_calm(TABLE, "CALM", ITEM_BYTES)).await?;
    let mut session = item("SESSIONS", 0, ITEM_BYTES);
    if let Some(attributes) = session.as_object_mut() {
        attributes.insert("expires".to_owned(), json!({ "N": EXPIRY }));
    }
    let numbering = Numbering { lifetime_secs: LIFETIME_SECS, ..Numbering::default() };
    let puts = stage.requests_numbered("PutItem", &put(TABLE, &session), numbering);
    let oldest = stage.requests("Query", &first_of(TABLE, "SESSIONS"));
    let indexed = stage.requests("Query", &first_open(TABLE));
    let calm = stage.requests("GetItem", &get(TABLE, "CALM"));
    let flows = [
        stage.flow("Query of the oldest", OLDEST_READS, oldest),
        stage.flow("Query of the index", INDEX_READS, indexed),
        stage.flow("GetItem of another", OTHER_READS, calm),
        stage.flow("PutItem", plan.rate, puts),
    ];
    let (mut finding, ()) = stage.during(&flows, situation.wait(plan.length)).await?;
    finding.add_drift("Query of the oldest");
    finding.add_drift("Query of the index");
    for title in ["GetItem of another", "PutItem"] {
        let all = finding.latencies(title, 0..usize::MAX);
        finding.add_latencies(title, &all);
    }
    let count = json!({ "TableName": TABLE, "Select": "COUNT" });
    let left = stage.call("Scan", &count).await?;
    let left = left.get("Count").and_then(serde_json::Value::as_f64);
    finding.add("items on the first page at the end", "items", left);
    finding.add_resources();
    Ok(finding)
}
