//! The items of a live table.

use anyhow::{Context, Result};
use monotable_item::Item;
use monotable_remote::{Endpoint, decode_item};
use serde_json::{Value, json};

use crate::endpoint::explain_call;
use crate::progress_line::ProgressLine;

/// Reads the items of a table, page by page, but no more than this many.
pub(super) fn read(endpoint: &Endpoint, table: &str, items_max: usize) -> Result<Vec<Item>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(scan(endpoint, table, items_max))
}

async fn scan(endpoint: &Endpoint, table: &str, items_max: usize) -> Result<Vec<Item>> {
    let progress = ProgressLine::new();
    let mut items = Vec::new();
    let mut request = json!({ "TableName": table });
    while items.len() < items_max {
        let answer = endpoint.call_patiently("Scan", &request).await.map_err(explain_call)?;
        let page =
            answer.get("Items").and_then(Value::as_array).context("an answer has no items")?;
        for item in page.iter().take(items_max - items.len()) {
            items.push(decode_item(item)?);
        }
        progress.say(&format!("{} items of {table} read", items.len()));
        let Some(last) = answer.get("LastEvaluatedKey").filter(|key| !key.is_null()) else { break };
        request = json!({ "TableName": table, "ExclusiveStartKey": last });
    }
    Ok(items)
}
