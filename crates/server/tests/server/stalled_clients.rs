//! A client that keeps a connection without using it loses it.

use std::time::Duration;

use crate::support::{LARGE_BYTES, TestServer, call, chunked_call_with};
use monotable_server::Limits;

fn impatient() -> TestServer {
    let timeout = Duration::from_millis(250);
    TestServer::with_limits(Limits {
        first_byte_timeout: timeout,
        idle_timeout: timeout,
        stall_timeout: timeout,
        ..Limits::default()
    })
}

#[track_caller]
fn assert_cut_off_after(sent: &[u8]) {
    let server = impatient();
    let mut client = server.connect();
    client.send(sent);
    assert!(client.read_to_close().is_empty());
    assert_eq!(server.call("Echo", b"{}").status, 200);
}

#[test]
fn a_client_that_says_nothing_is_cut_off() {
    assert_cut_off_after(b"");
}

#[test]
fn a_client_that_may_be_about_to_speak_http_2_is_cut_off() {
    assert_cut_off_after(b"PRI * HT");
}

#[test]
fn a_client_that_stops_within_its_headers_is_cut_off() {
    assert_cut_off_after(b"POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Ta");
}

#[test]
fn a_client_that_stops_within_its_body_is_cut_off() {
    let request = call("Echo", b"{\"a\": 1}");
    assert_cut_off_after(&request[..request.len() - 3]);
}

#[test]
fn a_client_that_sends_drop_by_drop_is_cut_off() {
    let server = impatient();
    let mut client = server.connect();
    let mut drops = call("Echo", &vec![b' '; 1 << 24]).into_iter();
    let mut is_cut_off = false;
    while let (false, Some(byte)) = (is_cut_off, drops.next()) {
        is_cut_off = client.try_send(&[byte]).is_err();
    }
    assert!(is_cut_off);
}

#[test]
fn an_idle_connection_is_closed() {
    let server = impatient();
    let mut client = server.connect();
    assert_eq!(client.call("Echo", b"{}").status, 200);
    assert!(client.read_to_close().is_empty());
}

#[test]
fn a_connection_on_which_something_unusual_came_is_closed_when_it_is_idle() {
    let server = impatient();
    let mut client = server.connect();
    client.send(chunked_call_with("Echo", b"{}", ""));
    assert_eq!(client.read().status, 200);
    assert!(client.read_to_close().is_empty());
}

#[test]
fn a_client_that_stops_within_its_second_request_is_cut_off() {
    let request = call("Echo", b"{\"a\": 1}");
    for begun_bytes in [1, 40, request.len() - 3] {
        let server = impatient();
        let mut client = server.connect();
        client.send([&request, &request[..begun_bytes]].concat());
        assert_eq!(client.read().status, 200);
        assert!(client.read_to_close().is_empty());
    }
}

#[test]
fn a_client_that_does_not_read_its_answers_is_cut_off() {
    let server = impatient();
    let mut client = server.connect();
    // More answers than the buffers between the two can hold.
    let requests = call("Large", b"{}").repeat(1000);
    client.send(requests);
    // Other clients being cut off prove that the timeout has passed, more than once.
    for _ in 0..4 {
        assert!(server.connect().read_to_close().is_empty());
    }
    assert!(client.read_to_close().len() < 1000 * LARGE_BYTES);
}

#[test]
fn work_that_takes_longer_than_the_timeout_is_not_cut_off() {
    let server = impatient();
    let mut client = server.connect();
    client.send(call("Wait", b"{}"));
    server.until_waiting();
    // Another client being cut off proves that the timeout has passed.
    assert!(server.connect().read_to_close().is_empty());
    assert!(server.connect().read_to_close().is_empty());
    server.release();
    assert_eq!(client.read().text(), "{\"waited\":true}");
}
