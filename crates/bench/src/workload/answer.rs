//! What a right answer looks like, so that a wrong one is never counted.
//!
//! The checks are of the shape: how many items, and of what size. They hold for the reference servers
//! too, which answer every request with the same items. That a server gives back what it was given is
//! checked once, after the items are loaded.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::Workload;
use crate::data::{COLLECTION_ITEMS, ITEM_BYTES, PAGE_BYTES};

/// Checks one answer to a workload's request.
pub(crate) fn check_answer(workload: Workload, body: &[u8]) -> Result<()> {
    let answer: Value = serde_json::from_slice(body).context("the answer is not JSON")?;
    match workload {
        Workload::GetItem => check_item(answer.get("Item").unwrap_or(&Value::Null)),
        Workload::Query | Workload::IndexQuery => check_items(&answer, COLLECTION_ITEMS),
        Workload::Scan => check_page(&answer),
        Workload::UpdateItem | Workload::PutItem | Workload::TransactWriteItems => {
            ensure!(answer == Value::Object(Default::default()), "the answer is not {{}}");
            Ok(())
        }
        Workload::BatchWriteItem => check_unprocessed(&answer),
    }
}

/// Checks that a `BatchWriteItem` left nothing unwritten.
pub(crate) fn check_batch_write(body: &[u8]) -> Result<()> {
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
    let counts = [answer.get("Count"), answer.get("ScannedCount")];
    let counted = counts.iter().all(|count| count.and_then(Value::as_u64) == Some(expected));
    let held = items.len() as u64;
    ensure!(counted && held == expected, "{held} items instead of {expected}, or wrong counts");
    items.iter().try_for_each(check_item)
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
