//! What clients send and do not read takes a bounded amount of memory, and costs others nothing.

use std::sync::Arc;
use std::time::Duration;

use crate::support::{HUGE_BYTES, TestServer, call, chunked_call_with};
use monotable_database::ManualClock;
use monotable_server::{Limits, MEMORY_MIN_BYTES};

/// A server that has memory for two of the largest bodies and as many answers, and its clock.
fn small() -> (TestServer, Arc<ManualClock>) {
    small_with(Limits::default().queue_timeout)
}

/// The same server with this patience.
fn small_with(queue_timeout: Duration) -> (TestServer, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::new(0));
    let limits = Limits { memory_max_bytes: MEMORY_MIN_BYTES, queue_timeout, ..Limits::default() };
    (TestServer::with_clock(limits, clock.clone()), clock)
}

/// All but the last byte of a call with the largest body.
fn unfinished() -> Vec<u8> {
    let mut request = call("Count", &vec![b' '; 16 << 20]);
    request.pop();
    request
}

#[track_caller]
fn assert_served(server: &TestServer) {
    assert_eq!(server.call("Echo", b"{}").text(), "{}");
    assert_eq!(server.send(chunked_call_with("Echo", b"{}", "")).text(), "{}");
}

#[test]
fn a_body_that_finds_no_memory_is_refused_after_a_while_and_the_others_go_on() {
    // It ends before those are cut off who keep the memory.
    let (server, clock) = small_with(Duration::from_secs(1));
    let mut held: Vec<_> = (0..2).map(|_| server.connect()).collect();
    for client in &mut held {
        client.send(unfinished());
    }
    let mut late = server.connect();
    let is_refused = std::thread::scope(|scope| {
        let sending = scope.spawn(|| late.call("Count", &vec![b' '; 16 << 20]));
        while !sending.is_finished() {
            assert_served(&server);
            clock.advance(Duration::from_millis(50));
        }
        let reply = sending.join().unwrap();
        (reply.status, reply.text().to_owned()) == (503, "{\"busy\":true}".to_owned())
    });
    assert!(is_refused);
}

#[test]
fn bodies_whose_clients_stall_make_room_for_others() {
    let (server, clock) = small();
    let mut stalled: Vec<_> = (0..2).map(|_| server.connect()).collect();
    for client in &mut stalled {
        client.send(unfinished());
    }
    // Both are read as far as they go.
    assert_served(&server);
    let mut late = server.connect();
    std::thread::scope(|scope| {
        let sending = scope.spawn(|| late.call("Count", &vec![b' '; 16 << 20]));
        while !sending.is_finished() {
            assert_served(&server);
            clock.advance(Duration::from_millis(20));
        }
        assert_eq!(sending.join().unwrap().text(), "Count of 16777216 bytes");
    });
}

#[test]
fn answers_that_are_not_read_make_room_for_others() {
    for request in [call("Huge", b"{}"), chunked_call_with("Huge", b"{}", "")] {
        let (server, clock) = small();
        let mut unread: Vec<_> = (0..6).map(|_| server.connect()).collect();
        for client in &mut unread {
            client.send(&request);
        }
        let mut late = server.connect();
        std::thread::scope(|scope| {
            let asking = scope.spawn(|| {
                // Its turn comes when the others have been cut off; it may be turned away before.
                (0..1000).map(|_| late.call("Huge", b"{}")).find(|reply| reply.status == 200)
            });
            while !asking.is_finished() {
                assert_served(&server);
                clock.advance(Duration::from_millis(20));
            }
            let reply = asking.join().unwrap().unwrap();
            assert_eq!(reply.body.len(), HUGE_BYTES);
        });
    }
}

#[test]
fn a_request_too_many_waits_and_is_turned_away_after_a_while() {
    let clock = Arc::new(ManualClock::new(0));
    // However far the clock runs ahead, nobody is cut off for being quiet.
    let ages = Duration::from_secs(100 * 365 * 24 * 60 * 60);
    let limits = Limits {
        requests_max: 1,
        first_byte_timeout: ages,
        idle_timeout: ages,
        stall_timeout: ages,
        ..Limits::default()
    };
    let server = TestServer::with_clock(limits, clock.clone());
    let mut first = server.connect();
    first.send(call("Wait", b"{}"));
    server.until_waiting();
    for request in [call("Echo", b"{}"), chunked_call_with("Echo", b"{}", "")] {
        let mut client = server.connect();
        client.send(&request);
        let reply = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| client.read());
            while !waiting.is_finished() {
                clock.advance(Duration::from_millis(500));
                std::thread::yield_now();
            }
            waiting.join().unwrap()
        });
        assert_eq!((reply.status, reply.text()), (503, "{\"busy\":true}"));
    }
    let mut second = server.connect();
    second.send(call("Echo", b"{}"));
    server.release();
    assert_eq!(first.read().text(), "{\"waited\":true}");
    assert_eq!(second.read().text(), "{}");
}
