//! Writes many items: some batches at a time, each until all of it is written.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow};
use monotable_item::limits::BATCH_WRITES_MAX;
use monotable_remote::{Backoff, Endpoint, Error, encode_item};
use monotable_seed::SeedItem;
use serde_json::{Map, Value, json};
use tokio::task::JoinSet;

use crate::endpoint::explain_call;
use crate::progress_line::ProgressLine;

/// How many batches are under way at once.
const BATCHES_AT_ONCE: usize = 8;
/// How long to wait before what was left undone is sent again.
const UNPROCESSED_FIRST: Duration = Duration::from_millis(50);
const UNPROCESSED_LONGEST: Duration = Duration::from_secs(5);

/// Writes all items, and shows how far it is.
pub(super) async fn load(endpoint: &Arc<Endpoint>, items: &[SeedItem], file: &Path) -> Result<()> {
    let progress = ProgressLine::new();
    let mut batches = items.chunks(BATCH_WRITES_MAX);
    let mut under_way = JoinSet::new();
    let mut written = 0;
    loop {
        while under_way.len() < BATCHES_AT_ONCE {
            let Some(batch) = batches.next() else { break };
            under_way.spawn(write(endpoint.clone(), request_items(batch), batch.len()));
        }
        let Some(ended) = under_way.join_next().await else { return Ok(()) };
        written += ended?.map_err(|error| explain(error, file))?;
        progress.count(written, items.len(), "items");
    }
}

/// Writes a batch, and returns the number of its items.
async fn write(endpoint: Arc<Endpoint>, mut items: Value, count: usize) -> Result<usize, Error> {
    let mut backoff = Backoff::new(UNPROCESSED_FIRST, UNPROCESSED_LONGEST);
    loop {
        let request = json!({ "RequestItems": items });
        let mut answer = endpoint.call_patiently("BatchWriteItem", &request).await?;
        match answer.get_mut("UnprocessedItems").map(Value::take) {
            Some(Value::Object(left)) if !left.is_empty() => items = Value::Object(left),
            Some(_) | None => return Ok(count),
        }
        endpoint.clock().sleep(backoff.pause()).await;
    }
}

/// The puts of a batch, by table.
fn request_items(batch: &[SeedItem]) -> Value {
    let mut tables = Map::new();
    for SeedItem { table, item, .. } in batch {
        let put = json!({ "PutRequest": { "Item": encode_item(item) } });
        let puts = tables.entry(table.clone()).or_insert_with(|| json!([]));
        if let Some(puts) = puts.as_array_mut() {
            puts.push(put);
        }
    }
    Value::Object(tables)
}

fn explain(error: Error, file: &Path) -> anyhow::Error {
    if error.is_refusal("ResourceNotFoundException") {
        let file = file.display();
        return anyhow!("{error}; create the tables with: monotable model apply {file}");
    }
    explain_call(error)
}
