//! Faults over HTTP: setting and clearing them, and connections that are closed without an answer.

use crate::support::TestServer;
use serde_json::{Value, json};

const JSON: &str = "Content-Type: application/json\r\n";

fn send(server: &TestServer, method: &str, body: &str, headers: &str) -> (u16, Value) {
    let length = body.len();
    let reply = server.send(format!(
        "{method} /_monotable/faults HTTP/1.1\r\nHost: localhost\r\n{headers}\
         Content-Length: {length}\r\n\r\n{body}"
    ));
    assert_eq!(reply.header("content-type"), Some("application/json"));
    (reply.status, serde_json::from_slice(&reply.body).unwrap())
}

#[test]
fn faults_are_read_set_and_cleared() {
    let server = TestServer::start();
    let nothing = json!({"seed": 0, "faults": []});
    assert_eq!(send(&server, "GET", "", ""), (200, nothing.clone()));
    let body = r#"{"seed":7,"faults":[{"kind":"throttle","rate":0.1},"error first=2"]}"#;
    let expected = json!({"seed": 7, "faults": [
        {"fault": "throttle rate=0.1", "matched": 0, "hit": 0},
        {"fault": "error first=2", "matched": 0, "hit": 0}]});
    assert_eq!(send(&server, "PUT", body, JSON), (200, expected.clone()));
    assert_eq!(send(&server, "GET", "", ""), (200, expected));
    assert_eq!(send(&server, "DELETE", "", JSON), (200, nothing.clone()));
    assert_eq!(send(&server, "GET", "", ""), (200, nothing));
}

#[test]
fn a_change_must_be_said_to_be_json_and_make_sense() {
    let server = TestServer::start();
    for headers in ["", "Content-Type: text/plain\r\n"] {
        assert_eq!(send(&server, "PUT", r#"{"faults":["error"]}"#, headers).0, 415);
        assert_eq!(send(&server, "DELETE", "", headers).0, 415);
    }
    let (status, refusal) = send(&server, "PUT", r#"{"faults":["slow"]}"#, JSON);
    assert_eq!(status, 400);
    assert!(refusal["error"].as_str().unwrap().contains("no kind of fault"), "{refusal}");
    assert_eq!(send(&server, "PUT", "{", JSON).0, 400);
    assert_eq!(send(&server, "POST", "{}", JSON).0, 405);
    assert_eq!(send(&server, "GET", "", "").1["faults"], json!([]));
}

#[test]
fn a_call_without_an_answer_closes_its_connection() {
    let server = TestServer::start();
    let mut client = server.connect();
    client.send(
        "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: Drop\r\nContent-Type: \
         application/x-amz-json-1.0\r\nContent-Length: 2\r\n\r\n{}",
    );
    assert_eq!(client.read_to_close(), b"");
    // A body in chunks is not plain.
    let mut client = server.connect();
    client.send(
        "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: Drop\r\nContent-Type: \
         application/x-amz-json-1.0\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    );
    assert_eq!(client.read_to_close(), b"");
}
