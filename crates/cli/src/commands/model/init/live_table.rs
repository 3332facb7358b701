//! Models of live tables.

use anyhow::{Context, Result, anyhow, bail, ensure};
use monotable_exchange::{LiveTable, infer_model, read_description};
use monotable_item::Item;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Model, Tree};
use monotable_remote::{Endpoint, decode_item};
use serde_json::{Value, json};

use crate::endpoint::{EndpointArguments, explain_call};

/// Describes a table, looks at some of its items, and makes a model of what they show.
pub(super) fn import(
    table: &str,
    sample: usize,
    endpoint: &EndpointArguments,
) -> Result<(Model, Vec<Diagnostic>)> {
    ensure!(!table.is_empty(), "dynamodb:// is followed by the name of a table");
    let endpoint = endpoint.connect_briefly()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (live, items) = runtime.block_on(async {
        let live = describe(&endpoint, table).await?;
        let items = sampled(&endpoint, table, sample).await?;
        anyhow::Ok((live, items))
    })?;
    infer_model(&live, &items).map_err(|diagnostics| {
        let first = diagnostics.first().map(|one| one.message.clone()).unwrap_or_default();
        anyhow!("{table}: {first}")
    })
}

async fn describe(endpoint: &Endpoint, table: &str) -> Result<LiveTable> {
    let answer = call(endpoint, "DescribeTable", &json!({ "TableName": table })).await?;
    let mut live = read_description(&tree(&answer)).map_err(|error| {
        anyhow!("the description of {table} has {}: {}", error.place, error.message)
    })?;
    let answer = call(endpoint, "DescribeTimeToLive", &json!({ "TableName": table })).await?;
    let ttl = answer.pointer("/TimeToLiveDescription");
    let is_enabled = ttl.and_then(|ttl| ttl.get("TimeToLiveStatus")) == Some(&json!("ENABLED"));
    let name = ttl.and_then(|ttl| ttl.get("AttributeName")).and_then(Value::as_str);
    live.table.ttl = name.filter(|_| is_enabled).map(str::to_owned);
    Ok(live)
}

/// The first items that a scan gives, no more than asked for. Scans follow the hashes of partition
/// keys, so that the first items are of all kinds.
async fn sampled(endpoint: &Endpoint, table: &str, sample: usize) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    let mut start: Option<Value> = None;
    while items.len() < sample {
        let mut request = json!({ "TableName": table, "Limit": (sample - items.len()).min(1000) });
        if let (Some(start), Some(request)) = (start.take(), request.as_object_mut()) {
            request.insert("ExclusiveStartKey".to_owned(), start);
        }
        let mut answer = call(endpoint, "Scan", &request).await?;
        for item in answer.get("Items").and_then(Value::as_array).into_iter().flatten() {
            let decoded = decode_item(item);
            items.push(decoded.with_context(|| format!("an item of {table} cannot be read"))?);
        }
        start = answer.get_mut("LastEvaluatedKey").map(Value::take);
        if start.is_none() {
            break;
        }
    }
    if items.is_empty() && sample > 0 {
        bail!(
            "{table} has no items to find entities from; --sample 0 makes a model of the table \
             alone"
        );
    }
    Ok(items)
}

async fn call(endpoint: &Endpoint, operation: &str, body: &Value) -> Result<Value> {
    endpoint.call_patiently(operation, body).await.map_err(explain_call)
}

/// JSON as the tree that the model crate reads.
fn tree(json: &Value) -> Tree {
    match json {
        Value::Null => Tree::Null,
        Value::Bool(flag) => Tree::Bool(*flag),
        Value::Number(number) => Tree::Number(number.to_string()),
        Value::String(text) => Tree::String(text.clone()),
        Value::Array(values) => Tree::List(values.iter().map(tree).collect()),
        Value::Object(members) => {
            Tree::Map(members.iter().map(|(name, value)| (name.clone(), tree(value))).collect())
        }
    }
}
