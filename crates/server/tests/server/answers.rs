//! What every answer carries, and which check answers first. The texts and checksums are those that
//! AWS was seen to send.

use std::collections::HashSet;

use crate::support::{Reply, TestServer, call};

const HEALTHY: &str = "healthy: dynamodb.us-east-1.amazonaws.com ";
const NOT_A_CALL: &str = "<UnknownOperationException/>\n";

#[track_caller]
fn assert_checksum(reply: &Reply) {
    let expected = crc32fast::hash(&reply.body).to_string();
    assert_eq!(reply.header("x-amz-crc32"), Some(expected.as_str()));
}

#[test]
fn every_answer_has_a_checksum_a_length_and_an_id_of_52_characters() {
    let server = TestServer::start();
    for request in [
        call("Echo", b"{}"),
        call("Refuse", b"{}"),
        call("Panic", b"{}"),
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
        b"DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
    ] {
        let reply = server.send(request);
        assert_checksum(&reply);
        assert_eq!(reply.header("content-length"), Some(reply.body.len().to_string().as_str()));
        let id = reply.header("x-amzn-requestid").unwrap();
        assert!(id.len() == 52 && id.chars().all(|c| matches!(c, '0'..='9' | 'A'..='Z')), "{id}");
    }
}

#[test]
fn request_ids_are_never_repeated() {
    let server = TestServer::start();
    let mut ids = HashSet::new();
    for _ in 0..4 {
        let mut client = server.connect();
        for _ in 0..25 {
            let reply = client.call("Echo", b"{}");
            assert!(ids.insert(reply.header("x-amzn-requestid").unwrap().to_owned()));
        }
    }
}

#[test]
fn the_media_type_of_the_request_is_that_of_the_answer() {
    let server = TestServer::start();
    for (sent, answered) in [
        ("application/x-amz-json-1.0", "application/x-amz-json-1.0"),
        ("application/x-amz-json-1.0; charset=utf-8", "application/x-amz-json-1.0"),
        ("application/json", "application/json"),
        ("application/json;x=y", "application/json"),
    ] {
        let reply = server.send(format!(
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: {sent}\r\nContent-Length: \
             2\r\n\r\n{{}}"
        ));
        assert_eq!(reply.header("content-type"), Some(answered));
    }
}

#[test]
fn get_is_answered_with_health_on_the_paths_of_health_checks() {
    let server = TestServer::start();
    let get = |path: &str| server.send(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    for path in ["/", "/?a=b", "/ping"] {
        let reply = get(path);
        assert_eq!((reply.status, reply.text()), (200, HEALTHY));
        assert_eq!(reply.header("x-amz-crc32"), Some("3128867991"));
    }
    for path in ["/health", "/shell/", "/anything?a=b"] {
        let reply = get(path);
        assert_eq!((reply.status, reply.text()), (404, "<UnknownOperationException/>\n"));
    }
}

#[test]
fn our_own_health_is_json_with_the_version() {
    let server = TestServer::start();
    let reply = server.send("GET /_monotable/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_eq!(reply.header("content-type"), Some("application/json"));
    let health: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(health["status"], "ok");
    assert_eq!(health["version"], env!("CARGO_PKG_VERSION"));
    let unknown = server.send("GET /_monotable/helth HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_eq!(unknown.status, 404);
}

#[test]
fn what_is_not_a_call_is_not_found() {
    let server = TestServer::start();
    let with_body = |method: &str, media_type: &str| {
        format!(
            "{method} / HTTP/1.1\r\nHost: localhost\r\n{media_type}Content-Length: 2\r\n\r\n{{}}"
        )
    };
    for request in [
        with_body("PUT", "Content-Type: application/json\r\n"),
        with_body("DELETE", "Content-Type: application/json\r\n"),
        with_body("OPTIONS", ""),
        with_body("POST", ""),
        with_body("POST", "Content-Type: text/plain\r\n"),
        with_body("POST", "Content-Type: application/x-amz-json-1.1\r\n"),
        with_body("POST", "Content-Type: application/jsonasdf\r\n"),
    ] {
        let reply = server.send(&request);
        assert_eq!((reply.status, reply.text()), (404, NOT_A_CALL), "{request}");
        assert_eq!(reply.header("x-amz-crc32"), Some("3552371480"));
    }
}

#[test]
fn an_empty_body_needs_no_media_type() {
    let server = TestServer::start();
    let reply =
        server.send("POST /any/path HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: T\r\n\r\n");
    assert_eq!((reply.status, reply.text()), (200, "T of 0 bytes"));
}

#[test]
fn a_missing_target_is_left_to_the_handler() {
    let server = TestServer::start();
    let reply = server.send(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: \
         2\r\n\r\n{}",
    );
    assert_eq!(reply.text(), " of 2 bytes");
}

#[test]
fn a_panic_is_an_answer_and_the_connection_goes_on() {
    let server = TestServer::start();
    let mut client = server.connect();
    let reply = client.call("Panic", b"{}");
    assert_eq!((reply.status, reply.text()), (500, "panicked: told to panic"));
    assert_eq!(client.call("Echo", b"{}").status, 200);
}
