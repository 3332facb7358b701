//! `/_monotable/metrics`: what is counted, and how it is written.

use crate::support;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::support::TestServer;
use crate::support::prometheus::Page;
use monotable_server::{CATALOGUE, Metrics, Monitoring, StorageProbe, Timer};
use monotable_storage::{EngineStatistics, Histogram, RemoteStatistics, StoreStatistics};
use serde_json::{Value, json};

const REQUESTS: &str = "monotable_requests_total";

fn create_table(server: &TestServer, name: &str) {
    let key = json!([{ "AttributeName": "id", "KeyType": "HASH" }]);
    let (status, answer) = server.dynamodb(
        "CreateTable",
        &json!({
            "TableName": name,
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [
                { "AttributeName": "id", "AttributeType": "S" },
                { "AttributeName": "state", "AttributeType": "S" },
            ],
            "KeySchema": key,
            "GlobalSecondaryIndexes": [{
                "IndexName": "by_state",
                "KeySchema": [{ "AttributeName": "state", "KeyType": "HASH" }],
                "Projection": { "ProjectionType": "ALL" },
            }],
        }),
    );
    assert_eq!(status, 200, "{answer}");
}

fn item(id: &str) -> Value {
    json!({ "id": { "S": id }, "state": { "S": "new" } })
}

fn put(server: &TestServer, table: &str, id: &str) {
    let (status, answer) =
        server.dynamodb("PutItem", &json!({ "TableName": table, "Item": item(id) }));
    assert_eq!(status, 200, "{answer}");
}

fn page(server: &TestServer) -> Page {
    let reply = server.get("/_monotable/metrics");
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    Page::read(reply.text())
}

#[test]
fn calls_are_counted_by_operation_table_status_and_error() {
    let server = TestServer::of_api(Monitoring::default());
    create_table(&server, "orders");
    put(&server, "orders", "1");
    put(&server, "orders", "2");
    let exists = json!({
        "TableName": "orders", "Item": item("1"), "ConditionExpression": "attribute_not_exists(id)",
    });
    assert_eq!(server.dynamodb("PutItem", &exists).0, 400);
    assert_eq!(server.dynamodb("PutItem", &json!({ "TableName": "none", "Item": {} })).0, 400);
    assert_eq!(server.dynamodb("Invented", &json!({})).0, 400);
    let page = page(&server);
    let count = |labels: &[(&str, &str)]| page.value(REQUESTS, labels);
    assert_eq!(count(&[("operation", "CreateTable"), ("table", "orders"), ("status", "2xx")]), 1.0);
    let put = [("operation", "PutItem"), ("table", "orders")];
    assert_eq!(count(&[put[0], put[1], ("status", "2xx"), ("error", "")]), 2.0);
    let refused = ("error", "ConditionalCheckFailedException");
    assert_eq!(count(&[put[0], put[1], ("status", "4xx"), refused]), 1.0);
    assert_eq!(count(&[put[0], ("table", ""), ("status", "4xx")]), 1.0);
    assert_eq!(count(&[("operation", "_unknown"), ("error", "UnknownOperationException")]), 1.0);
    let durations = page.value("monotable_request_duration_seconds_count", &put);
    assert_eq!(durations, 3.0);
}

#[test]
fn units_are_counted_by_table_and_index() {
    let server = TestServer::of_api(Monitoring::default());
    create_table(&server, "orders");
    put(&server, "orders", "1");
    let key = json!({ "id": { "S": "1" } });
    server.dynamodb("GetItem", &json!({ "TableName": "orders", "Key": key }));
    let query = json!({
        "TableName": "orders", "IndexName": "by_state",
        "KeyConditionExpression": "#s = :s",
        "ExpressionAttributeNames": { "#s": "state" },
        "ExpressionAttributeValues": { ":s": { "S": "new" } },
    });
    assert_eq!(server.dynamodb("Query", &query).0, 200);
    let page = page(&server);
    let units =
        |name: &str, index: &str| page.value(name, &[("table", "orders"), ("index", index)]);
    assert_eq!(units("monotable_consumed_read_units_total", ""), 0.5);
    assert_eq!(units("monotable_consumed_read_units_total", "by_state"), 0.5);
    assert_eq!(units("monotable_consumed_write_units_total", ""), 1.0);
    assert_eq!(units("monotable_consumed_write_units_total", "by_state"), 1.0);
}

#[test]
fn a_call_on_several_tables_is_counted_once_and_its_units_by_table() {
    let server = TestServer::of_api(Monitoring::default());
    create_table(&server, "one");
    create_table(&server, "two");
    let write = json!([{ "PutRequest": { "Item": item("1") } }]);
    let batch = json!({ "RequestItems": { "one": write, "two": write } });
    assert_eq!(server.dynamodb("BatchWriteItem", &batch).0, 200);
    let put = |table: &str| json!({ "Put": { "TableName": table, "Item": item("2") } });
    let transaction = json!({ "TransactItems": [put("one"), put("two")] });
    assert_eq!(server.dynamodb("TransactWriteItems", &transaction).0, 200);
    let page = page(&server);
    for operation in ["BatchWriteItem", "TransactWriteItems"] {
        assert_eq!(page.value(REQUESTS, &[("operation", operation)]), 1.0);
        assert_eq!(
            page.find(REQUESTS, &[("operation", operation), ("table", "_several")]).len(),
            1
        );
    }
    for table in ["one", "two"] {
        // One for the batch, and two for the transaction.
        let units = "monotable_consumed_write_units_total";
        assert_eq!(page.value(units, &[("table", table), ("index", "")]), 3.0);
    }
}

#[test]
fn however_many_tables_there_are_only_so_many_are_told_apart() {
    let metrics = Arc::new(Metrics::new(3));
    let server = TestServer::of_api(Monitoring { metrics, ..Monitoring::default() });
    for number in 0..12 {
        let name = format!("table-{number}");
        create_table(&server, &name);
        put(&server, &name, "1");
    }
    // Names that are no tables do not take a place.
    for number in 0..12 {
        let nothing = json!({ "TableName": format!("none-{number}"), "Item": item("1") });
        assert_eq!(server.dynamodb("PutItem", &nothing).0, 400);
        assert_eq!(server.dynamodb(&format!("Invented{number}"), &json!({})).0, 400);
    }
    let page = page(&server);
    let values = |label: &str| -> BTreeSet<&str> {
        page.samples.iter().filter_map(|it| it.labels.get(label)).map(String::as_str).collect()
    };
    assert_eq!(
        values("table"),
        ["", "_other", "table-0", "table-1", "table-2"].into_iter().collect()
    );
    assert_eq!(values("operation"), ["CreateTable", "PutItem", "_unknown"].into_iter().collect());
    assert_eq!(values("index"), ["", "by_state", "_other"].into_iter().collect());
    let puts = [("operation", "PutItem"), ("table", "_other"), ("status", "2xx")];
    assert_eq!(page.value(REQUESTS, &puts), 9.0);
}

#[test]
fn durations_are_those_that_the_timer_measures() {
    let nanos = Arc::new(AtomicU64::new(0));
    let timer = nanos.clone();
    #[expect(clippy::disallowed_methods, reason = "any moment will do, but there must be one")]
    let start = Instant::now();
    // Each call asks twice, at its beginning and at its end.
    let timer = Timer::new(move || {
        start + Duration::from_nanos(timer.fetch_add(3_000_000, Ordering::Relaxed))
    });
    let server = TestServer::with_monitoring(Monitoring { timer, ..Monitoring::default() });
    server.call("DynamoDB_20120810.GetItem", b"{}");
    let page = page(&server);
    let name = "monotable_request_duration_seconds";
    let part = |bound: &str| page.value(&format!("{name}_bucket"), &[("le", bound)]);
    assert_eq!((part("0.0025"), part("0.005"), part("10")), (0.0, 1.0, 1.0));
    assert_eq!(page.value(&format!("{name}_sum"), &[]), 0.003);
}

#[test]
fn bytes_of_requests_and_answers_are_counted() {
    let server = TestServer::start();
    server.call("A.GetItem", b"1234");
    let page = page(&server);
    let labels = [("operation", "GetItem")];
    assert_eq!(page.value("monotable_request_bytes_total", &labels), 4.0);
    let answer = "A.GetItem of 4 bytes".len() as f64;
    assert_eq!(page.value("monotable_response_bytes_total", &labels), answer);
}

#[test]
fn a_call_that_breaks_down_is_an_error_of_the_server() {
    let server = TestServer::start();
    server.call("Panic", b"{}");
    assert_eq!(page(&server).value(REQUESTS, &[("status", "5xx")]), 1.0);
}

#[test]
fn connections_are_counted() {
    let server = TestServer::start();
    let mut kept = server.connect();
    kept.call("Echo", b"{}");
    let page = page(&server);
    assert_eq!(page.value("monotable_connections_open", &[]), 2.0);
    assert_eq!(page.value("monotable_connections_accepted_total", &[]), 2.0);
    assert_eq!(page.value("monotable_connections_refused_total", &[]), 0.0);
}

#[test]
fn what_the_store_tells_is_on_the_page() {
    let syncs = Histogram::new(&[1_000_000, 10_000_000]);
    syncs.count(2_000_000);
    let statistics = EngineStatistics {
        disk_bytes: 11,
        disk_free_bytes: Some(12),
        disk_reserve_bytes: 13,
        is_writable: true,
        journal_sync_nanos: syncs.counts(),
        ..EngineStatistics::default()
    };
    let storage = StorageProbe::new(move || Some(StoreStatistics::Disk(statistics.clone())));
    let server = TestServer::with_monitoring(Monitoring { storage, ..Monitoring::default() });
    let page = page(&server);
    assert_eq!(page.value("monotable_storage_disk_bytes", &[]), 11.0);
    assert_eq!(page.value("monotable_storage_disk_free_bytes", &[]), 12.0);
    assert_eq!(page.value("monotable_storage_disk_reserve_bytes", &[]), 13.0);
    assert_eq!(page.value("monotable_storage_writable", &[]), 1.0);
    assert_eq!(page.value("monotable_journal_sync_duration_seconds_count", &[]), 1.0);
    assert_eq!(page.value("monotable_journal_sync_duration_seconds_sum", &[]), 0.002);
}

#[test]
fn searches_of_vectors_are_on_the_page() {
    let server = TestServer::of_api(Monitoring::default());
    let (status, answer) = server.dynamodb(
        "CreateTable",
        &json!({
            "TableName": "films",
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{ "AttributeName": "id", "AttributeType": "S" }],
            "KeySchema": [{ "AttributeName": "id", "KeyType": "HASH" }],
            "VectorIndexes": [{
                "IndexName": "near",
                "VectorAttribute": { "AttributeName": "vector" },
                "Dimensions": 2,
                "DistanceFunction": "COSINE",
                "Projection": { "ProjectionType": "KEYS_ONLY" },
            }],
        }),
    );
    assert_eq!(status, 200, "{answer}");
    let search = json!({
        "TableName": "films",
        "IndexName": "near",
        "SearchVector": [{ "N": "1" }, { "N": "2" }],
        "TopK": 1,
    });
    let (status, answer) = server.dynamodb("SearchVectors", &search);
    assert_eq!(status, 200, "{answer}");
    let page = page(&server);
    let searches = |kind| page.value("monotable_vector_searches_total", &[("kind", kind)]);
    assert_eq!((searches("full"), searches("sketched")), (1.0, 0.0));
    assert_eq!(page.value("monotable_vector_sketch_bytes", &[]), 0.0);
    assert_eq!(page.value("monotable_vector_sketch_limit_bytes", &[]), f64::from(1 << 30));
}

#[test]
fn what_a_store_on_a_database_tells_is_on_the_page() {
    let groups = Histogram::new(&[1, 8]);
    groups.count(7);
    let statistics = RemoteStatistics {
        is_writable: true,
        open_connections: 3,
        retries: 4,
        group_commits: groups.counts(),
        lost_and_committed: 5,
        lost_and_unknown: 6,
        ..RemoteStatistics::default()
    };
    let storage = StorageProbe::new(move || Some(StoreStatistics::Remote(statistics.clone())));
    let server = TestServer::with_monitoring(Monitoring { storage, ..Monitoring::default() });
    let page = page(&server);
    assert_eq!(page.value("monotable_storage_writable", &[]), 1.0);
    assert_eq!(page.value("monotable_postgres_connections_open", &[]), 3.0);
    assert_eq!(page.value("monotable_postgres_retries_total", &[]), 4.0);
    assert_eq!(page.value("monotable_postgres_group_size_sum", &[]), 7.0);
    let lost =
        |outcome| page.value("monotable_postgres_lost_answers_total", &[("outcome", outcome)]);
    assert_eq!(["committed", "not-committed", "unknown"].map(lost), [5.0, 0.0, 6.0]);
}

/// The page of a server with a table, on a store that tells this.
fn page_on(statistics: StoreStatistics) -> Page {
    let storage = StorageProbe::new(move || Some(statistics.clone()));
    let server = TestServer::of_api(Monitoring { storage, ..Monitoring::default() });
    create_table(&server, "orders");
    put(&server, "orders", "1");
    page(&server)
}

#[test]
fn every_metric_is_in_the_catalogue_with_its_type_and_labels() {
    let disk = EngineStatistics { disk_free_bytes: Some(1), ..EngineStatistics::default() };
    let pages = [
        page_on(StoreStatistics::Disk(disk)),
        page_on(StoreStatistics::Remote(RemoteStatistics::default())),
    ];
    let listed: BTreeSet<&str> = CATALOGUE.iter().map(|metric| metric.name).collect();
    let written: BTreeSet<&str> =
        pages.iter().flat_map(|page| page.types.keys()).map(String::as_str).collect();
    assert_eq!(written, listed);
    for metric in CATALOGUE {
        for page in pages.iter().filter(|page| page.types.contains_key(metric.name)) {
            assert_eq!(page.types[metric.name], metric.kind.name());
            for sample in page.find(metric.name, &[]) {
                let labels: BTreeSet<&str> = sample.labels.keys().map(String::as_str).collect();
                assert_eq!(labels, metric.labels.iter().copied().collect(), "{sample:?}");
            }
        }
    }
}

#[test]
fn the_page_is_read_with_get_only() {
    let server = TestServer::start();
    let reply = server
        .send("POST /_monotable/metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
    assert_eq!((reply.status, reply.header("allow")), (405, Some("GET")));
}

#[test]
fn a_call_whose_client_is_gone_is_counted_as_abandoned() {
    let server = TestServer::start();
    let mut client = server.connect();
    client.send([support::call("Echo", b"{}"), support::call("Wait", b"{}")].concat());
    server.until_waiting();
    // Closing a socket with an answer that was not read resets it.
    drop(client);
    server.until_given_up();
    let page = loop {
        let page = page(&server);
        if !page.find(REQUESTS, &[("error", "_abandoned")]).is_empty() {
            break page;
        }
    };
    assert_eq!(page.value(REQUESTS, &[("status", "4xx"), ("error", "_abandoned")]), 1.0);
}
