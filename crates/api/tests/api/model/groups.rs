//! Batches and transactions on several tables, of which not all have a model.

use std::sync::Arc;
use std::time::Duration;

use monotable_api::observation::{Attributions, observe};
use monotable_model::diagnostic::SourceFile;
use monotable_observe::{ModelReport, Observer, Outcome, Refused};
use serde_json::{Value, json};

use crate::harness::Harness;

fn model(name: &str, entity: &str) -> SourceFile {
    let text = format!(
        r##"
format = 1
name = "{name}"

[tables.{name}]
partition_key = "pk"

[entities.{entity}]
key = {{ partition = "KEY#{{id}}" }}
attributes = {{ id = "S" }}

[patterns.save]
operation = "transact-write"
actions = [{{ put = "{entity}" }}]
"##
    );
    SourceFile::new(format!("{name}.toml"), text)
}

/// The tables `aaa` without a model, and `shop` and `stock` with one each.
async fn tables() -> (Harness, Arc<Observer>) {
    let observer = Arc::new(Observer::default());
    for (name, entity) in [("shop", "Order"), ("stock", "Part")] {
        observer.load(model(name, entity), 0).unwrap();
    }
    let harness = Harness::observed_by(observer.clone()).await;
    for name in ["aaa", "shop", "stock"] {
        let table = json!({
            "TableName": name,
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "BillingMode": "PAY_PER_REQUEST",
        });
        harness.call("CreateTable", table).await;
    }
    (harness, observer)
}

/// Sends a call, and counts it as a server does.
async fn counted(harness: &Harness, operation: &str, request: Value) {
    let (answer, observation) =
        observe(harness.send(operation, request.to_string().as_bytes())).await;
    answer.unwrap();
    let Attributions::Whole(found) = observation.attributions else {
        panic!("{operation} is not watched")
    };
    let (halves, items, evaluated) = (4, 0, 0);
    let (duration, refused) = (Duration::ZERO, Refused::No);
    found.count(&Outcome {
        halves,
        items,
        evaluated,
        duration,
        refused,
        is_replay: observation.is_replay,
    });
}

fn report(observer: &Observer, name: &str) -> ModelReport {
    observer.report(0).models.into_iter().find(|model| model.name == name).unwrap()
}

/// The keys of the only table of a model that were asked for, with how often.
fn accessed(report: &ModelReport) -> Vec<(String, u64)> {
    let keys = &report.tables[0].keys[0].accessed;
    keys.iter().map(|key| (key.key.clone().unwrap(), key.count)).collect()
}

fn put(table: &str, key: &str) -> Value {
    json!({"Put": {"TableName": table, "Item": {"pk": {"S": key}}}})
}

#[tokio::test]
async fn a_call_is_of_the_first_table_that_has_a_model() {
    let put_request = |key: &str| json!([{"PutRequest": {"Item": {"pk": {"S": key}}}}]);
    let batch = json!({"RequestItems": {"aaa": put_request("x"), "shop": put_request("KEY#1")}});
    let transaction = json!({"TransactItems": [put("aaa", "y"), put("shop", "KEY#2")]});
    for (operation, request, key) in
        [("BatchWriteItem", batch, "KEY#1"), ("TransactWriteItems", transaction, "KEY#2")]
    {
        let (harness, observer) = tables().await;
        counted(&harness, operation, request).await;
        let report = report(&observer, "shop");
        assert_eq!(report.unmatched.requests, 1, "{operation}");
        assert_eq!((report.entities[0].writes, report.entities[0].puts), (1, 1), "{operation}");
        assert_eq!(accessed(&report), [(key.to_owned(), 1)], "{operation}");
    }
}

#[tokio::test]
async fn a_member_is_of_its_own_entity_whatever_the_one_before_it_is() {
    let (harness, observer) = tables().await;
    let text = r##"
format = 1
name = "shop"

[tables.shop]
partition_key = "pk"

[entities.Order]
key = { partition = "ORDER#{id}" }
attributes = { id = "S" }

[entities.Part]
key = { partition = "PART#{id}" }
attributes = { id = "S" }
"##;
    observer.load(SourceFile::new("shop.toml", text), 0).unwrap();
    let put =
        |key: &str, id: &str| json!({"PutRequest": {"Item": {"pk": {"S": key}, "id": {"S": id}}}});
    let delete = json!({"DeleteRequest": {"Key": {"pk": {"S": "ORDER#4"}}}});
    let batch = json!({"RequestItems": {"shop": [
        put("ORDER#1", "1"), put("ORDER#2", "stale"), delete, put("PART#1", "1"),
        put("none", "1"), put("PART#2", "2"), put("ORDER#3", "3"),
    ]}});
    counted(&harness, "BatchWriteItem", batch).await;
    let report = report(&observer, "shop");
    let counts = report.entities.iter().map(|one| (one.writes, one.puts, one.put_bytes));
    // Of orders one is deleted, and one has an id of five letters instead of one.
    assert_eq!(counts.collect::<Vec<_>>(), [(4, 3, 3 * 12 + 4), (2, 2, 22), (0, 0, 0), (1, 1, 9)]);
    let mut drift: Vec<(&str, u64)> =
        report.drift.iter().map(|one| (one.newest.found.as_str(), one.count)).collect();
    drift.sort_unstable();
    assert_eq!(drift, [("ORDER#2", 1), ("none", 1)]);
}

#[tokio::test]
async fn keys_are_counted_in_all_models_of_a_call() {
    let (harness, observer) = tables().await;
    let members = [put("stock", "KEY#1"), put("aaa", "x"), put("shop", "KEY#2")];
    counted(&harness, "TransactWriteItems", json!({ "TransactItems": members })).await;
    for (name, key) in [("stock", "KEY#1"), ("shop", "KEY#2")] {
        assert_eq!(accessed(&report(&observer, name)), [(key.to_owned(), 1)], "{name}");
    }
}

#[tokio::test]
async fn keys_are_counted_of_a_table_without_a_model_beside_one_that_has_one() {
    let (harness, observer) = tables().await;
    let enable = json!({"TableName": "aaa", "ContributorInsightsAction": "ENABLE"});
    harness.call("UpdateContributorInsights", enable).await;
    let members = [put("aaa", "x"), put("shop", "KEY#2")];
    counted(&harness, "TransactWriteItems", json!({ "TransactItems": members })).await;
    let tables = observer.report(0).tables;
    assert_eq!(tables[0].keys[0].accessed[0].key.as_deref(), Some("x"));
    assert_eq!(accessed(&report(&observer, "shop")), [("KEY#2".to_owned(), 1)]);
}

#[tokio::test]
async fn a_transaction_that_was_done_before_reads_and_writes_nothing() {
    let (harness, observer) = tables().await;
    let request = json!({
        "TransactItems": [put("shop", "KEY#1")], "ClientRequestToken": "once",
    });
    for _ in 0..2 {
        counted(&harness, "TransactWriteItems", request.clone()).await;
    }
    let report = report(&observer, "shop");
    let saved = &report.patterns[0];
    assert_eq!((saved.requests, saved.write_units, saved.read_units), (2, 2.0, 2.0));
    let order = &report.entities[0];
    assert_eq!((order.writes, order.reads, order.puts), (1, 1, 1));
}
