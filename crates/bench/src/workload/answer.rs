//! What a right answer looks like, so that a wrong one is never counted.
//!
//! The checks are of the shape: how many items, and of what size. They hold for the reference
//! servers too, which answer every request with the same items. That a server gives back what it
//! was given is checked once, after the items are loaded.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::Workload;
use crate::data::{COLLECTION_ITEMS, ITEM_BYTES, PAGE_BYTES};

/// Checks one answer to a workload's request.
pub fn check_answer(workload: Workload, body: &[u8]) -> Result<()> {
    let answer: Value = serde_json::from_slice(body).context("the answer is not JSON")?;
    match workload {
        Workload::GetItem | Workload::Mixed => {
            check_item(answer.get("Item").unwrap_or(&Value::Null))
        }
        Workload::Query | Workload::IndexQuery => check_items(&answer, COLLECTION_ITEMS),
        Workload::Scan => check_page(&answer),
        Workload::RangeQuery => check_range(&answer),
        Workload::PointSelect => check_selected(&answer),
        Workload::BatchGetItem => check_batch_get(&answer),
        Workload::UpdateItem
        | Workload::PutItem
        | Workload::PutItemStream
        | Workload::PutItemIndexes
        | Workload::TransactWriteItems => {
            ensure!(answer == Value::Object(Default::default()), "the answer is not {{}}");
            Ok(())
        }
        Workload::BatchWriteItem => check_unprocessed(&answer),
    }
}

/// Checks that a `BatchWriteItem` left nothing unwritten.
pub fn check_batch_write(body: &[u8]) -> Result<()> {
    check_answer(Workload::BatchWriteItem, body)
}

fn check_unprocessed(answer: &Value) -> Result<()> {
    let unprocessed = answer.get("UnprocessedItems").and_then(Value::as_object);
    let unprocessed = unprocessed.context("the answer has no UnprocessedItems")?;
    ensure!(unprocessed.is_empty(), "the server left items unprocessed");
    Ok(())
}

fn check_items(answer: &Value, expected: u64) -> Result<()> {
    let items = answer.get("Items").and_then(Value::as_array).context("the answer has no Items")?;
    let count = |name| answer.get(name).and_then(Value::as_u64).unwrap_or_default();
    let (held, counted, scanned) = (items.len() as u64, count("Count"), count("ScannedCount"));
    // Some servers look at the first item of the next page, and count it.
    let is_right = held == expected && counted == expected && scanned >= expected;
    ensure!(is_right, "{held} items, Count {counted}, ScannedCount {scanned}, not {expected}");
    items.iter().try_for_each(check_item)
}

/// A range that begins near the end of its partition has fewer items.
fn check_range(answer: &Value) -> Result<()> {
    let count = answer.get("Count").and_then(Value::as_u64).context("the answer has no Count")?;
    ensure!((1..=COLLECTION_ITEMS).contains(&count), "{count} items instead of up to 25");
    check_items(answer, count)
}

fn check_selected(answer: &Value) -> Result<()> {
    let items = answer.get("Items").and_then(Value::as_array).context("the answer has no Items")?;
    ensure!(items.len() == 1, "{} items instead of 1", items.len());
    items.iter().try_for_each(check_item)
}

fn check_batch_get(answer: &Value) -> Result<()> {
    let tables = answer.get("Responses").and_then(Value::as_object);
    let tables = tables.context("the answer has no Responses")?;
    let items: Vec<&Value> = tables.values().filter_map(Value::as_array).flatten().collect();
    let held = items.len() as u64;
    ensure!(held == COLLECTION_ITEMS, "{held} items instead of {COLLECTION_ITEMS}");
    items.into_iter().try_for_each(check_item)
}

/// A page is full, or else it is the last one.
fn check_page(answer: &Value) -> Result<()> {
    let count = answer.get("Count").and_then(Value::as_u64).context("the answer has no Count")?;
    let is_full = count >= (PAGE_BYTES / ITEM_BYTES) as u64;
    let is_last = answer.get("LastEvaluatedKey").is_none();
    ensure!(is_full || is_last, "a page of {count} items, though there are more");
    check_items(answer, count)
}

fn check_item(item: &Value) -> Result<()> {
    let note = item.pointer("/note/S").and_then(Value::as_str).unwrap_or_default();
    ensure!(note.len() > ITEM_BYTES / 2, "an item is missing or not whole");
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::data::Dataset;

    fn passes(workload: Workload, answer: &Value) -> bool {
        check_answer(workload, answer.to_string().as_bytes()).is_ok()
    }

    #[test]
    fn an_answer_without_its_item_is_wrong() {
        let item = Dataset::new(25).loaded_item(0);
        assert!(passes(Workload::GetItem, &json!({ "Item": item })));
        assert!(!passes(Workload::GetItem, &json!({})));
        assert!(!passes(Workload::GetItem, &json!({ "Item": { "pk": { "S": "a" } } })));
    }

    #[test]
    fn a_query_has_25_items() {
        let items = |count: u64| {
            let items: Vec<Value> = (0..count).map(|n| Dataset::new(25).loaded_item(n)).collect();
            json!({ "Count": count, "ScannedCount": count, "Items": items })
        };
        assert!(passes(Workload::Query, &items(25)));
        assert!(!passes(Workload::Query, &items(24)));
        assert!(!passes(Workload::IndexQuery, &json!({ "Count": 25, "ScannedCount": 25 })));
    }

    #[test]
    fn a_batch_has_all_of_its_items() {
        let items = |count: u64| {
            let items: Vec<Value> = (0..count).map(|n| Dataset::new(25).loaded_item(n)).collect();
            json!({ "Responses": { "bench": items }, "UnprocessedKeys": {} })
        };
        assert!(passes(Workload::BatchGetItem, &items(25)));
        assert!(!passes(Workload::BatchGetItem, &items(24)));
    }

    #[test]
    fn a_page_may_only_be_short_if_it_is_the_last() {
        let item = Dataset::new(25).loaded_item(0);
        let mut page = json!({ "Count": 1, "ScannedCount": 1, "Items": [item] });
        assert!(passes(Workload::Scan, &page));
        page["LastEvaluatedKey"] = json!({});
        assert!(!passes(Workload::Scan, &page));
    }

    #[test]
    fn a_batch_with_unprocessed_items_is_wrong() {
        assert!(passes(Workload::BatchWriteItem, &json!({ "UnprocessedItems": {} })));
        let left = json!({ "UnprocessedItems": { "bench": [] } });
        assert!(!passes(Workload::BatchWriteItem, &left));
        assert!(!passes(Workload::BatchWriteItem, &json!({})));
    }

    #[test]
    fn a_write_answers_nothing() {
        assert!(passes(Workload::PutItem, &json!({})));
        assert!(!passes(Workload::PutItem, &json!({ "__type": "x" })));
        assert!(check_answer(Workload::PutItem, b"").is_err());
    }
}
