//! The answers of the reference servers: of the size, and with the attributes, of real ones.

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use monotable_bench::data::{COLLECTION_ITEMS, Dataset, ITEM_BYTES, PAGE_BYTES};
use serde_json::{Value, json};

use super::Mode;

/// An answer as a tree and as the bytes written from it.
#[derive(Debug)]
struct Answer {
    tree: Value,
    bytes: Bytes,
}

impl From<Value> for Answer {
    fn from(tree: Value) -> Answer {
        Answer { bytes: Bytes::from(tree.to_string()), tree }
    }
}

/// All answers that are ever given.
#[derive(Debug)]
pub(super) struct Answers {
    mode: Mode,
    item: Answer,
    collection: Answer,
    page: Answer,
    batch_get: Answer,
    batch_write: Answer,
    selected: Answer,
    nothing: Answer,
}

impl Answers {
    /// The answers of one mode.
    pub(super) fn new(mode: Mode) -> Answers {
        let page_items = (PAGE_BYTES / ITEM_BYTES) as u64;
        let dataset = Dataset::new(page_items);
        let mut page = items(&dataset, page_items);
        if let Some(members) = page.as_object_mut() {
            members.insert("LastEvaluatedKey".to_owned(), dataset.key(0));
        }
        Answers {
            mode,
            item: json!({ "Item": dataset.loaded_item(0) }).into(),
            collection: items(&dataset, COLLECTION_ITEMS).into(),
            page: page.into(),
            batch_get: batch_get(&dataset).into(),
            batch_write: json!({ "UnprocessedItems": {} }).into(),
            selected: json!({ "Items": [dataset.loaded_item(0)] }).into(),
            nothing: json!({}).into(),
        }
    }

    /// Answers a call of an operation.
    pub(super) fn to(&self, operation: &str, request: &[u8]) -> Result<Bytes> {
        let answer = self.of_operation(operation);
        match self.mode {
            Mode::Fixed => Ok(answer.bytes.clone()),
            Mode::Parsing => {
                let request: Value = serde_json::from_slice(request).context("not JSON")?;
                ensure!(request.is_object(), "not an object");
                Ok(Bytes::from(serde_json::to_vec(&answer.tree)?))
            }
        }
    }

    fn of_operation(&self, operation: &str) -> &Answer {
        match operation {
            "GetItem" => &self.item,
            "Query" => &self.collection,
            "Scan" => &self.page,
            "ExecuteStatement" => &self.selected,
            "BatchGetItem" => &self.batch_get,
            "BatchWriteItem" => &self.batch_write,
            _ => &self.nothing,
        }
    }
}

fn batch_get(dataset: &Dataset) -> Value {
    let items: Vec<Value> = (0..COLLECTION_ITEMS).map(|item| dataset.loaded_item(item)).collect();
    json!({ "Responses": { "bench": items }, "UnprocessedKeys": {} })
}

fn items(dataset: &Dataset, count: u64) -> Value {
    let items: Vec<Value> = (0..count).map(|number| dataset.loaded_item(number)).collect();
    json!({ "Count": count, "Items": items, "ScannedCount": count })
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;
    use monotable_bench::table::Table;
    use monotable_bench::workload::{Workload, check_answer};

    use super::*;

    #[test]
    fn every_workload_is_answered_rightly_in_both_modes() {
        for mode in [Mode::Fixed, Mode::Parsing] {
            let answers = Answers::new(mode);
            for workload in Workload::value_variants() {
                let body = workload.body(&Table::plain());
                let answer = answers.to(workload.operation(), body.as_bytes()).unwrap();
                check_answer(*workload, &answer).unwrap();
            }
        }
    }

    #[test]
    fn only_the_parsing_mode_looks_at_the_request() {
        assert!(Answers::new(Mode::Fixed).to("GetItem", b"{").is_ok());
        assert!(Answers::new(Mode::Parsing).to("GetItem", b"{").is_err());
        assert!(Answers::new(Mode::Parsing).to("GetItem", b"[]").is_err());
    }
}
