//! The database's clock over HTTP: reading it, setting it, advancing it.

mod support;

use serde_json::Value;
use support::TestServer;

fn send(server: &TestServer, method: &str, path: &str, body: &str) -> (u16, Value) {
    let length = body.len();
    let reply = server.send(format!(
        "{method} /_monotable/{path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{body}"
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
