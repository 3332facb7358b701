//! Resets and snapshots over HTTP: all tables are taken back to what they were, or to nothing.

use crate::support::TestServer;
use monotable_server::Monitoring;
use serde_json::{Value, json};

fn send(server: &TestServer, method: &str, path: &str, body: &str) -> (u16, Value) {
    let length = body.len();
    let reply = server.send(format!(
        "{method} /_monotable/{path} HTTP/1.1\r\nHost: localhost\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    ));
    (reply.status, serde_json::from_slice(&reply.body).unwrap())
}

fn server() -> TestServer {
    let server = TestServer::of_api(Monitoring::default());
    let table = json!({
        "TableName": "orders",
        "AttributeDefinitions": [{ "AttributeName": "pk", "AttributeType": "S" }],
        "KeySchema": [{ "AttributeName": "pk", "KeyType": "HASH" }],
        "BillingMode": "PAY_PER_REQUEST",
        "StreamSpecification": { "StreamEnabled": true, "StreamViewType": "KEYS_ONLY" },
    });
    assert_eq!(server.dynamodb("CreateTable", &table).0, 200);
    put(&server, "first");
    server
}

fn put(server: &TestServer, key: &str) {
    let request = json!({ "TableName": "orders", "Item": { "pk": { "S": key } } });
    assert_eq!(server.dynamodb("PutItem", &request).0, 200);
}

fn keys(server: &TestServer) -> Vec<String> {
    let (status, page) = server.dynamodb("Scan", &json!({ "TableName": "orders" }));
    assert_eq!(status, 200, "{page}");
    let items = page["Items"].as_array().unwrap();
    let mut keys: Vec<String> =
        items.iter().map(|item| item["pk"]["S"].as_str().unwrap().to_owned()).collect();
    keys.sort();
    keys
}

fn stream(server: &TestServer) -> Value {
    let (_, described) = server.dynamodb("DescribeTable", &json!({ "TableName": "orders" }));
    described["Table"]["LatestStreamArn"].clone()
}

#[test]
fn a_reset_empties_tables_or_deletes_them() {
    let server = server();
    let before = stream(&server);
    let reset =
        |tables: &str| send(&server, "POST", "reset", &json!({ "tables": tables }).to_string());
    assert_eq!(reset("keep"), (200, json!({ "tables": "kept" })));
    assert_eq!(keys(&server), Vec::<String>::new());
    assert_ne!(stream(&server), before);
    put(&server, "again");
    assert_eq!(keys(&server), ["again"]);
    assert_eq!(reset("delete"), (200, json!({ "tables": "deleted" })));
    let (_, tables) = server.dynamodb("ListTables", &json!({}));
    assert_eq!(tables, json!({ "TableNames": [] }));
}

#[test]
fn a_reset_says_what_is_lost_or_nothing_happens() {
    let server = server();
    for body in ["", "{}", r#"{"tables":"all"}"#, r#"{"tables":true}"#, "[]"] {
        let (status, refusal) = send(&server, "POST", "reset", body);
        assert_eq!(status, 400, "{body}: {refusal}");
    }
    let reply = server.send(
        "POST /_monotable/reset HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n\
         Content-Length: 17\r\n\r\n{\"tables\":\"keep\"}",
    );
    assert_eq!(reply.status, 415);
    assert_eq!(send(&server, "GET", "reset", "").0, 405);
    let protect = json!({ "TableName": "orders", "DeletionProtectionEnabled": true });
    assert_eq!(server.dynamodb("UpdateTable", &protect).0, 200);
    let (status, refusal) = send(&server, "POST", "reset", r#"{"tables":"delete"}"#);
    let reason = json!({ "error": "table orders is protected from deletion" });
    assert_eq!((status, refusal), (409, reason));
    assert_eq!(keys(&server), ["first"]);
}

#[test]
fn tables_are_taken_back_to_a_snapshot_as_often_as_one_likes() {
    let server = server();
    let base = r#"{"name":"base"}"#;
    let (status, report) = send(&server, "POST", "snapshots", base);
    assert_eq!(status, 200, "{report}");
    let snapshot = &report["snapshots"][0];
    assert_eq!(
        (&snapshot["name"], &snapshot["tables"], &snapshot["items"], &snapshot["time"]),
        (&json!("base"), &json!(1), &json!(1), &json!("2015-08-30T12:36:00.000Z"))
    );
    for _ in 0..2 {
        put(&server, "second");
        assert_eq!(keys(&server), ["first", "second"]);
        assert_eq!(send(&server, "POST", "snapshots/restore", base).0, 200);
        assert_eq!(keys(&server), ["first"]);
    }
    assert_eq!(send(&server, "POST", "reset", r#"{"tables":"delete"}"#).0, 200);
    assert_eq!(send(&server, "POST", "snapshots/restore", base).0, 200);
    assert_eq!(keys(&server), ["first"]);
    assert_eq!(send(&server, "GET", "snapshots", "").1, report);
    let (status, left) = send(&server, "DELETE", "snapshots?name=base", "");
    assert_eq!((status, &left["snapshots"]), (200, &json!([])));
}

#[test]
fn snapshots_that_are_not_there_and_names_that_are_none_are_refused() {
    let server = server();
    let missing = json!({ "error": "there is no snapshot of that name" });
    let restored = send(&server, "POST", "snapshots/restore", r#"{"name":"base"}"#);
    assert_eq!(restored, (404, missing.clone()));
    assert_eq!(send(&server, "DELETE", "snapshots?name=base", ""), (404, missing));
    for body in ["{}", r#"{"name":""}"#, r#"{"name":"a b"}"#, r#"{"name":7}"#] {
        for path in ["snapshots", "snapshots/restore"] {
            assert_eq!(send(&server, "POST", path, body).0, 400, "{path} {body}");
        }
    }
    assert_eq!(send(&server, "DELETE", "snapshots", "").0, 400);
    assert_eq!(send(&server, "PUT", "snapshots", "{}").0, 405);
    assert_eq!(send(&server, "GET", "snapshots/restore", "").0, 405);
    assert_eq!(keys(&server), ["first"]);
}

#[test]
fn so_many_snapshots_and_no_more_are_kept() {
    let server = server();
    let take =
        |name: &str| send(&server, "POST", "snapshots", &json!({ "name": name }).to_string());
    let (_, report) = send(&server, "GET", "snapshots", "");
    let count = report["snapshotsMax"].as_u64().unwrap();
    for number in 0..count {
        assert_eq!(take(&number.to_string()).0, 200);
    }
    let (status, refusal) = take("one-more");
    assert_eq!(status, 409);
    assert!(refusal["error"].as_str().unwrap().contains("delete one of them"), "{refusal}");
    assert_eq!(take("0").0, 200);
}
