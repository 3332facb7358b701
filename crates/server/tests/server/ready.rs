//! Being alive, and being ready for requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::{TestServer, call};
use monotable_server::{Health, HealthProbe};
use serde_json::{Value, json};

/// A probe whose answer changes with the number.
fn probe(number: Arc<AtomicUsize>) -> HealthProbe {
    HealthProbe::new(move || match number.load(Ordering::Relaxed) {
        0 => Health::Ok,
        1 => Health::RefusesWrites { reason: "no room".to_owned() },
        2 => Health::StoreUnavailable { reason: "nobody there".to_owned() },
        _ => Health::NeedsRestart { reason: "the disk is broken".to_owned() },
    })
}

fn ask(server: &TestServer, path: &str) -> (u16, Value) {
    let reply = server.get(path);
    assert_eq!(reply.header("content-type"), Some("application/json"));
    (reply.status, serde_json::from_str(reply.text()).unwrap())
}

#[test]
fn a_server_that_refuses_writes_is_alive_and_not_ready() {
    let number = Arc::new(AtomicUsize::new(0));
    let server = TestServer::with_health(probe(number.clone()));
    let version = env!("CARGO_PKG_VERSION");
    for (condition, health, ready) in [
        (
            0,
            (200, json!({ "status": "ok", "version": version })),
            (200, json!({ "status": "ready" })),
        ),
        (
            1,
            (200, json!({ "status": "refuses-writes", "reason": "no room", "version": version })),
            (503, json!({ "status": "refuses-writes", "reason": "no room" })),
        ),
        (
            2,
            (
                200,
                json!({ "status": "store-unavailable", "reason": "nobody there",
                        "version": version }),
            ),
            (503, json!({ "status": "store-unavailable", "reason": "nobody there" })),
        ),
        (
            3,
            (
                503,
                json!({ "status": "needs-restart", "reason": "the disk is broken",
                        "version": version }),
            ),
            (503, json!({ "status": "needs-restart", "reason": "the disk is broken" })),
        ),
        (
            0,
            (200, json!({ "status": "ok", "version": version })),
            (200, json!({ "status": "ready" })),
        ),
    ] {
        number.store(condition, Ordering::Relaxed);
        assert_eq!(ask(&server, "/_monotable/health"), health);
        assert_eq!(ask(&server, "/_monotable/ready"), ready);
        let metrics = server.get("/_monotable/metrics");
        let line = format!("monotable_ready {}\n", u8::from(ready.0 == 200));
        assert!(metrics.text().contains(&line), "{}", metrics.text());
    }
}

#[test]
fn a_server_that_stops_is_not_ready_for_whoever_is_still_connected() {
    let mut server = TestServer::start();
    let mut waiting = server.connect();
    waiting.send(call("Wait", b"{}"));
    server.until_waiting();
    let mut idle = server.connect();
    let mut asking = server.connect();
    // The server has begun to read this request, so it answers it though it stops.
    let request = "GET /_monotable/ready HTTP/1.1\r\nHost: localhost\r\n\
                   Expect: 100-continue\r\nContent-Length: 1\r\n\r\n";
    asking.send(request);
    let mut go_on = [0; 25];
    asking.read_exact(&mut go_on);
    server.stop();
    // Connections hear of the stop one after the other: whoever waits is told by being closed.
    assert_eq!(idle.read_to_close(), b"");
    asking.send("x");
    let reply = asking.read();
    assert_eq!(reply.status, 503);
    let answer: Value = serde_json::from_str(reply.text()).unwrap();
    assert_eq!(answer["status"], "stopping");
    server.release();
    assert_eq!(waiting.read().status, 200);
    server.join();
}
