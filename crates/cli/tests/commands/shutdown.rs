//! How a server ends, and what is there when it starts again.
use std::io::Write;

use crate::support::{Server, read_answer};
use serde_json::{Value, json};

fn create_table(server: &Server) {
    server.call(
        "CreateTable",
        &json!({
            "TableName": "orders",
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{ "AttributeName": "id", "AttributeType": "N" }],
            "KeySchema": [{ "AttributeName": "id", "KeyType": "HASH" }],
        }),
    );
}

fn item(id: u32) -> Value {
    json!({ "id": { "N": id.to_string() }, "text": { "S": "x".repeat(100) } })
}

fn put(server: &Server, id: u32) {
    server.call("PutItem", &json!({ "TableName": "orders", "Item": item(id) }));
}

fn get(server: &Server, id: u32) -> Value {
    let key = json!({ "id": { "N": id.to_string() } });
    let request = json!({ "TableName": "orders", "Key": key, "ConsistentRead": true });
    server.call("GetItem", &request)["Item"].take()
}

#[test]
fn ctrl_c_closes_cleanly_and_data_is_there_after_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    for (round, signal) in ["INT", "TERM"].into_iter().enumerate() {
        let server = Server::on(directory.path());
        if round == 0 {
            create_table(&server);
        }
        put(&server, round as u32);
        server.signal(signal);
        let (status, printed) = server.wait();
        assert_eq!(status.code(), Some(0));
        let path = directory.path().display();
        assert_eq!(printed, format!("monotable stopped: every answered write is in {path}\n"));
    }
    let server = Server::on(directory.path());
    assert_eq!(get(&server, 0), item(0));
    assert_eq!(get(&server, 1), item(1));
}

#[test]
fn kill_9_loses_nothing_that_was_answered() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::on(directory.path());
    create_table(&server);
    drop(server);
    for round in 0..5 {
        let server = Server::on(directory.path());
        for id in 0..round * 10 {
            assert_eq!(get(&server, id), item(id));
        }
        for id in round * 10..(round + 1) * 10 {
            put(&server, id);
        }
        server.signal("KILL");
        assert_eq!(server.wait().0.code(), None);
    }
}

#[test]
fn a_request_in_flight_is_answered_after_ctrl_c() {
    let server = Server::in_memory();
    let (mut stream, rest) = server.send_half_a_request();
    server.signal("INT");
    server.until_not_listening();
    stream.write_all(&rest).unwrap();
    assert_eq!(read_answer(&mut stream), (200, r#"{"TableNames":[]}"#.to_owned()));
    let (status, printed) = server.wait();
    assert_eq!(status.code(), Some(0));
    assert_eq!(printed, "monotable stopped: its data was in memory and is gone\n");
}

#[test]
fn a_second_ctrl_c_ends_at_once() {
    let server = Server::in_memory();
    let (_stream, _rest) = server.send_half_a_request();
    server.signal("INT");
    server.until_not_listening();
    server.signal("INT");
    let (status, printed) = server.wait();
    assert_eq!(status.code(), Some(130));
    assert_eq!(printed, "");
}
