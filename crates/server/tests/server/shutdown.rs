//! Stopping: nothing new begins, and what has begun is finished.

use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use crate::support::{Reply, TestServer, call, chunked_call_with};
use monotable_database::ManualClock;
use monotable_server::Limits;

#[test]
fn a_request_in_flight_is_answered_before_the_server_ends() {
    let mut server = TestServer::start();
    let mut client = server.connect();
    let mut idle = server.connect();
    assert_eq!(idle.call("Echo", b"{}").status, 200);
    client.send(call("Wait", b"{}"));
    server.until_waiting();
    server.stop();
    // The idle connection is closed at once, which also shows that the server has begun to stop.
    assert!(idle.read_to_close().is_empty());
    assert!(server.is_running());
    assert!(TcpStream::connect(server.address()).is_err());
    server.release();
    let reply = client.read();
    assert_eq!(reply.text(), "{\"waited\":true}");
    assert_eq!(reply.header("connection"), Some("close"));
    assert!(client.read_to_close().is_empty());
    server.join();
}

#[test]
fn an_answer_made_while_the_server_stops_says_that_it_is_the_last() {
    let mut server = TestServer::start();
    let mut client = server.connect();
    let mut idle = server.connect();
    assert_eq!(idle.call("Echo", b"{}").status, 200);
    // The connection's task cannot hear of the stop before it has the answer.
    client.send(call("WaitWithoutYielding", b"{}"));
    server.until_waiting();
    server.stop();
    assert!(idle.read_to_close().is_empty());
    server.release();
    assert_eq!(client.read().header("connection"), Some("close"));
    assert!(client.read_to_close().is_empty());
    server.join();
}

/// Stops a server while it has the beginning of a request, and gives what the whole one is
/// answered.
fn answer_to_the_rest_after_a_stop(request: &[u8], begun_bytes: usize) -> Reply {
    let mut server = TestServer::start();
    let mut client = server.connect();
    let mut idle = server.connect();
    assert_eq!(idle.call("Echo", b"{}").status, 200);
    let (begun, rest) = request.split_at(begun_bytes);
    // What comes in one packet is read at once, so the answer shows that the beginning has been
    // read too.
    client.send([&call("Echo", b"{}"), begun].concat());
    assert_eq!(client.read().status, 200);
    server.stop();
    assert!(idle.read_to_close().is_empty());
    client.send(rest);
    let reply = client.read();
    assert!(client.read_to_close().is_empty());
    server.join();
    reply
}

#[test]
fn a_request_that_has_begun_to_arrive_is_answered_before_the_server_ends() {
    let plain = call("Echo", b"{\"a\":1}");
    let chunked = chunked_call_with("Echo", b"{\"a\":1}", "");
    for (request, begun_bytes) in
        [(&plain, 1), (&plain, 40), (&plain, plain.len() - 1), (&chunked, 40)]
    {
        let reply = answer_to_the_rest_after_a_stop(request, begun_bytes);
        assert_eq!(reply.text(), "{\"a\":1}");
        assert_eq!(reply.header("connection"), Some("close"));
    }
}

#[test]
fn a_request_that_never_ends_is_cut_off() {
    let limits = Limits { drain_timeout: Duration::from_millis(50), ..Limits::default() };
    let mut server = TestServer::with_limits(limits);
    let mut client = server.connect();
    client.send(call("Wait", b"{}"));
    server.until_waiting();
    server.stop();
    server.join();
    assert!(client.read_to_close().is_empty());
}

#[test]
fn a_server_that_is_to_stop_after_a_while_says_so_and_serves_until_then() {
    let stop_delay = Duration::from_secs(20);
    let clock = Arc::new(ManualClock::new(0));
    let limits = Limits { stop_delay, ..Limits::default() };
    let mut server = TestServer::with_clock(limits, clock.clone());
    let mut connected = server.connect();
    assert_eq!(connected.call("Echo", b"{}").status, 200);
    server.stop();
    let ready = loop {
        let ready = server.get("/_monotable/ready");
        if ready.status == 503 {
            break ready;
        }
    };
    assert!(ready.text().contains("\"stopping\""), "{}", ready.text());
    for reply in [connected.call("Echo", b"{}"), server.call("Echo", b"{}")] {
        assert_eq!((reply.status, reply.header("connection")), (200, None));
    }
    assert!(server.is_running());
    clock.advance(stop_delay);
    assert!(connected.read_to_close().is_empty());
    server.join();
}

#[test]
fn a_server_without_clients_ends_at_once() {
    let mut server = TestServer::start();
    server.stop();
    server.join();
}
