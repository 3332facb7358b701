//! Limits on sizes and on the number of connections, and what is not HTTP at all.

use crate::support::{Reply, TestServer, call, call_with};
use monotable_server::{BODY_BYTES_MAX, HEADER_BYTES_MAX, Limits};

#[track_caller]
fn assert_too_large(reply: &Reply) {
    assert_eq!(reply.status, 413);
    assert_eq!(reply.header("transfer-encoding"), Some("chunked"));
    assert_eq!(reply.header("x-amzn-requestid").map(str::len), Some(52));
}

#[test]
fn a_body_of_16_mib_passes_and_one_byte_more_does_not() {
    let server = TestServer::start();
    let reply = server.call("Count", &vec![b' '; BODY_BYTES_MAX]);
    assert_eq!(reply.text(), "Count of 16777216 bytes");
    assert_too_large(&server.call("Count", &vec![b' '; BODY_BYTES_MAX + 1]));
}

#[test]
fn a_body_in_chunks_is_limited_too() {
    let server = TestServer::start();
    let mut client = server.connect();
    client.send("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
    let chunk = [b"100000\r\n".to_vec(), vec![b' '; 1 << 20], b"\r\n".to_vec()].concat();
    for _ in 0..17 {
        client.send(&chunk);
    }
    client.send("0\r\n\r\n");
    assert_too_large(&client.read());
}

#[test]
fn a_client_that_announces_too_much_and_sends_nothing_is_answered() {
    let server = TestServer::start();
    let mut client = server.connect();
    client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99000000\r\n\r\n");
    assert_too_large(&client.read());
}

#[test]
fn size_is_checked_before_everything_else() {
    let server = TestServer::start();
    let length = BODY_BYTES_MAX + 1;
    for method in ["GET", "OPTIONS", "PUT", "POST"] {
        let mut client = server.connect();
        client.send(format!(
            "{method} / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://page\r\nExpect: \
             100-continue\r\nContent-Length: {length}\r\n\r\n"
        ));
        let reply = client.read();
        assert_too_large(&reply);
        // Web pages get no grant unless their origin was named: signatures are not checked here, as
        // they are on AWS.
        assert_eq!(reply.header("access-control-allow-origin"), None);
        assert!(client.read_to_close().is_empty());
    }
}

#[test]
fn headers_beyond_the_limit_are_refused() {
    let server = TestServer::start();
    let padding = format!("X-Padding: {}\r\n", "x".repeat(HEADER_BYTES_MAX / 2));
    assert_eq!(server.send(call_with("Echo", b"{}", &padding)).status, 200);
    let padding = format!("X-Padding: {}\r\n", "x".repeat(HEADER_BYTES_MAX));
    assert_eq!(server.send(call_with("Echo", b"{}", &padding)).status, 431);
}

#[test]
fn what_is_not_http_is_refused_and_the_server_goes_on() {
    let server = TestServer::start();
    for nonsense in [
        "nonsense\r\n\r\n",
        "POST / HTTP/9.9\r\n\r\n",
        "POST / HTTP/1.1\r\nHost h\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: two\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    ] {
        let mut client = server.connect();
        client.send(nonsense);
        assert_eq!(client.read().status, 400, "{nonsense}");
        assert!(client.read_to_close().is_empty());
    }
    assert_eq!(server.call("Echo", b"{}").status, 200);
}

#[test]
fn a_broken_chunk_is_a_bad_request() {
    let server = TestServer::start();
    let reply = server.send(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\n\r\nnot a number\r\n",
    );
    assert_eq!(reply.status, 400);
}

#[test]
fn a_connection_too_many_is_told_to_come_back() {
    let limits = Limits { connections_max: 2, ..Limits::default() };
    let server = TestServer::with_limits(limits);
    let mut first = server.connect();
    let mut second = server.connect();
    assert_eq!(first.call("Echo", b"{}").status, 200);
    assert_eq!(second.call("Echo", b"{}").status, 200);

    let mut third = server.connect();
    third.send(call("Echo", b"{}"));
    let reply = third.read();
    assert_eq!((reply.status, reply.header("retry-after")), (503, Some("1")));
    assert!(third.read_to_close().is_empty());

    assert_eq!(first.call("Echo", b"{}").status, 200);
    second.send(call_with("Echo", b"{}", "Connection: close\r\n"));
    second.read();
    second.read_to_close();
    // The slot is free a moment after the connection is closed.
    let admitted = (0..1000).any(|_| server.call("Echo", b"{}").status == 200);
    assert!(admitted);
}
