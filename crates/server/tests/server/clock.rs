//! The database's clock over HTTP: reading it, setting it, advancing it.

use crate::support::TestServer;
use serde_json::Value;

const JSON: &str = "Content-Type: application/json\r\n";

fn send(server: &TestServer, method: &str, path: &str, body: &str) -> (u16, Value) {
    send_with(server, method, path, body, JSON)
}

/// Sends a request with these header lines.
fn send_with(
    server: &TestServer,
    method: &str,
    path: &str,
    body: &str,
    headers: &str,
) -> (u16, Value) {
    let length = body.len();
    let reply = server.send(format!(
        "{method} /_monotable/{path} HTTP/1.1\r\nHost: localhost\r\n{headers}\
         Content-Length: {length}\r\n\r\n{body}"
    ));
    assert_eq!(reply.header("content-type"), Some("application/json"));
    (reply.status, serde_json::from_slice(&reply.body).unwrap())
}

#[test]
fn the_clock_is_read_set_and_advanced() {
    let server = TestServer::start();
    let (status, clock) = send(&server, "GET", "clock", "");
    assert_eq!((status, clock["mode"].as_str()), (200, Some("manual")));
    assert_eq!(clock["time"], "1970-01-01T00:00:00.000Z");
    let (status, clock) = send(&server, "PUT", "clock", r#"{"time":"2026-01-01T00:00:00Z"}"#);
    assert_eq!((status, clock["epochMillis"].as_u64()), (200, Some(1_767_225_600_000)));
    let (status, clock) = send(&server, "POST", "clock/advance", r#"{"duration":"7d"}"#);
    assert_eq!((status, clock["time"].as_str()), (200, Some("2026-01-08T00:00:00.000Z")));
    assert_eq!(send(&server, "GET", "clock", "").1, clock);
}

#[test]
fn moves_that_cannot_be_made_are_refused_with_a_reason() {
    let server = TestServer::start();
    send(&server, "POST", "clock/advance", r#"{"seconds":1}"#);
    let (status, refusal) = send(&server, "PUT", "clock", r#"{"epochMillis":0}"#);
    assert_eq!(status, 409);
    assert!(refusal["error"].as_str().unwrap().contains("cannot go back"), "{refusal}");
    let (status, refusal) = send(&server, "POST", "clock/advance", r#"{"duration":"soon"}"#);
    assert_eq!(status, 400);
    assert!(refusal["error"].as_str().unwrap().contains("not a duration"), "{refusal}");
    assert_eq!(send(&server, "DELETE", "clock", "").0, 405);
    assert_eq!(send(&server, "GET", "clock/advance", "").0, 405);
}

#[test]
fn a_move_must_be_of_a_media_type_that_no_page_sends_without_asking() {
    let server = TestServer::start();
    for headers in [
        "",
        "Content-Type: text/plain\r\n",
        "Content-Type: text/plain;charset=UTF-8\r\n",
        "Content-Type: application/x-www-form-urlencoded\r\n",
        "Content-Type: multipart/form-data; boundary=b\r\n",
        "Content-Type: text/plain; application/json\r\n",
        "Content-Type: application/jsonp\r\n",
        "Content-Type: text/plain\r\nContent-Type: application/json\r\n",
    ] {
        for (method, path, body) in [
            ("PUT", "clock", r#"{"epochMillis":1}"#),
            ("POST", "clock/advance", r#"{"seconds":1}"#),
        ] {
            let (status, refusal) = send_with(&server, method, path, body, headers);
            assert_eq!(status, 415, "{headers}");
            let reason = refusal["error"].as_str().unwrap();
            assert!(reason.contains("Content-Type: application/json"), "{reason}");
        }
    }
    assert_eq!(send(&server, "GET", "clock", "").1["epochMillis"], 0);
    let json = "content-type: Application/JSON; charset=utf-8\r\n";
    let (status, _) = send_with(&server, "POST", "clock/advance", r#"{"seconds":1}"#, json);
    assert_eq!(status, 200);
    assert_eq!(send_with(&server, "GET", "clock", "", "").0, 200);
}

#[test]
fn a_page_moves_no_clock() {
    let server = TestServer::start();
    let body = r#"{"seconds":1}"#;
    for page in ["Origin: https://evil.example\r\n", "Sec-Fetch-Site: cross-site\r\n"] {
        let headers = format!("{JSON}{page}");
        let (status, refusal) = send_with(&server, "POST", "clock/advance", body, &headers);
        assert_eq!(status, 403);
        let reason = refusal["error"].as_str().unwrap();
        assert!(reason.contains("--allow-origin"), "{reason}");
    }
    assert_eq!(send(&server, "GET", "clock", "").1["epochMillis"], 0);
}
