//! Pages of a scan.

use monotable_item::Item;
use monotable_migration::ScanFilter;
use monotable_remote::{Endpoint, decode_item, encode_item, encode_value};
use serde_json::{Map, Value as Json, json};

use crate::error::Error;

/// Where a page begins, and what it is to hold.
#[derive(Debug, Clone)]
pub(crate) struct PageRequest<'a> {
    pub(crate) table: &'a str,
    pub(crate) segment: u32,
    pub(crate) segments: u32,
    pub(crate) items_max: u32,
    pub(crate) filter: Option<&'a ScanFilter>,
    pub(crate) after: Option<&'a Item>,
}

/// Items of a segment.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) items: Vec<Item>,
    /// How many were read, those that the filter kept back included.
    pub(crate) scanned: u64,
    /// Where the next page begins. Nothing after the last one.
    pub(crate) last_key: Option<Item>,
}

/// Reads a page.
pub(crate) async fn read(endpoint: &Endpoint, wanted: &PageRequest<'_>) -> Result<Page, Error> {
    let answer = endpoint.call_patiently("Scan", &request(wanted)).await?;
    let items = answer.get("Items").and_then(Json::as_array).into_iter().flatten();
    let items = items.map(decode_item).collect::<Result<Vec<Item>, _>>()?;
    let last_key = answer.get("LastEvaluatedKey").map(decode_item).transpose()?;
    let scanned = answer.get("ScannedCount").and_then(Json::as_u64).unwrap_or(0);
    Ok(Page { items, scanned, last_key })
}

fn request(wanted: &PageRequest<'_>) -> Json {
    let mut request = json!({
        "TableName": wanted.table,
        "Segment": wanted.segment,
        "TotalSegments": wanted.segments,
        "Limit": wanted.items_max,
    });
    let Some(members) = request.as_object_mut() else { return request };
    if let Some(filter) = wanted.filter {
        let names: Map<String, Json> =
            filter.names.iter().map(|(key, name)| (key.clone(), name.as_str().into())).collect();
        let values: Map<String, Json> =
            filter.values.iter().map(|(key, value)| (key.clone(), encode_value(value))).collect();
        members.insert("FilterExpression".to_owned(), filter.expression.as_str().into());
        members.insert("ExpressionAttributeNames".to_owned(), Json::Object(names));
        members.insert("ExpressionAttributeValues".to_owned(), Json::Object(values));
    }
    if let Some(after) = wanted.after {
        members.insert("ExclusiveStartKey".to_owned(), encode_item(after));
    }
    request
}
