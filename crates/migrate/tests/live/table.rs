//! The table of the tests: made, loaded and read as a whole.

use std::collections::BTreeMap;

use monotable_item::Item;
use monotable_model::document::Model;
use monotable_remote::{Endpoint, decode_item, encode_item};
use serde_json::{Value as Json, json};

use crate::models::TABLE;
use crate::writer::{Writer, item_of};

/// Makes the table with its index.
pub(crate) async fn create(endpoint: &Endpoint) {
    let keys = |partition: &str, sort: &str| {
        json!([
            { "AttributeName": partition, "KeyType": "HASH" },
            { "AttributeName": sort, "KeyType": "RANGE" },
        ])
    };
    let text = |name: &str| json!({ "AttributeName": name, "AttributeType": "S" });
    let body = json!({
        "TableName": TABLE,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [text("PK"), text("SK"), text("GSI1PK"), text("GSI1SK")],
        "KeySchema": keys("PK", "SK"),
        "GlobalSecondaryIndexes": [{
            "IndexName": "GSI1",
            "KeySchema": keys("GSI1PK", "GSI1SK"),
            "Projection": { "ProjectionType": "ALL" },
        }],
    });
    endpoint.call("CreateTable", &body).await.unwrap();
    let name = json!({ "TableName": TABLE });
    let is_active = |answer: &Json| answer["Table"]["TableStatus"] == "ACTIVE";
    while !is_active(&endpoint.call("DescribeTable", &name).await.unwrap()) {}
}

/// Puts items, 25 at a time.
pub(crate) async fn load(endpoint: &Endpoint, items: &[Item]) {
    for batch in items.chunks(25) {
        let puts: Vec<Json> = batch
            .iter()
            .map(|item| json!({ "PutRequest": { "Item": encode_item(item) } }))
            .collect();
        let body = json!({ "RequestItems": { TABLE: puts } });
        let answer = endpoint.call_patiently("BatchWriteItem", &body).await.unwrap();
        assert_eq!(answer["UnprocessedItems"], json!({}));
    }
}

/// All items, by their primary keys as text.
pub(crate) async fn read(endpoint: &Endpoint) -> BTreeMap<String, Item> {
    let mut items = BTreeMap::new();
    let mut after = Json::Null;
    loop {
        let mut body = json!({ "TableName": TABLE, "ConsistentRead": true });
        if !after.is_null() {
            body["ExclusiveStartKey"] = after;
        }
        let answer = endpoint.call_patiently("Scan", &body).await.unwrap();
        for item in answer["Items"].as_array().unwrap() {
            let item = decode_item(item).unwrap();
            items.insert(name_of(&item), item);
        }
        after = answer["LastEvaluatedKey"].clone();
        if after.is_null() {
            return items;
        }
    }
}

/// Compares the table with what the writers know: every acknowledged change is there, every item
/// has its new form, and there is nothing else. Returns the number of items.
pub(crate) async fn check(endpoint: &Endpoint, new: &Model, writers: &[Writer]) -> usize {
    let mut stored = read(endpoint).await;
    let mut count = 0;
    for writer in writers {
        for ((kind, id), attributes) in &writer.items {
            let wanted = item_of(new, *kind, attributes);
            let found = stored.remove(&name_of(&wanted));
            assert_eq!(found.as_ref(), Some(&wanted), "{} {id}", kind.name());
            count += 1;
        }
    }
    assert_eq!(stored.keys().collect::<Vec<_>>(), Vec::<&String>::new());
    count
}

fn name_of(item: &Item) -> String {
    format!("{:?} {:?}", item.get("PK"), item.get("SK"))
}
