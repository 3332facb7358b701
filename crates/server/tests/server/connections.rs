//! Connections are kept, and bodies may come in any form that HTTP has.

use crate::support::{LARGE_BYTES, TestServer, call, call_with, chunked_call_with};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper_util::rt::{TokioExecutor, TokioIo};

#[test]
fn one_connection_serves_many_requests() {
    let server = TestServer::start();
    let mut client = server.connect();
    for number in 0..50 {
        let body = format!("{{\"number\":{number}}}");
        assert_eq!(client.call("Echo", body.as_bytes()).text(), body);
    }
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let server = TestServer::start();
    let mut client = server.connect();
    let bodies: Vec<String> = (0..20).map(|number| format!("{{\"n\":{number}}}")).collect();
    let requests: Vec<u8> = bodies.iter().flat_map(|body| call("Echo", body.as_bytes())).collect();
    client.send(requests);
    for body in bodies {
        assert_eq!(client.read().text(), body);
    }
}

#[test]
fn a_connection_goes_on_after_refusals() {
    let server = TestServer::start();
    let mut client = server.connect();
    assert_eq!(client.call("Refuse", b"{}").status, 400);
    client.send("PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}");
    assert_eq!(client.read().status, 404);
    assert_eq!(client.call("Echo", b"{}").status, 200);
}

#[test]
fn a_client_may_ask_for_the_connection_to_be_closed() {
    let server = TestServer::start();
    let mut client = server.connect();
    client.send(call_with("Echo", b"{}", "Connection: close\r\n"));
    assert_eq!(client.read().status, 200);
    assert!(client.read_to_close().is_empty());
}

#[test]
fn a_body_in_chunks_is_put_together() {
    let server = TestServer::start();
    let mut client = server.connect();
    client.send(
        "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: Echo\r\nContent-Type: \
         application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    client.send("5\r\n{\"a\":\r\n");
    client.send("2\r\n1}\r\n0\r\n\r\n");
    assert_eq!(client.read().text(), "{\"a\":1}");
    assert_eq!(client.call("Echo", b"{}").text(), "{}");
}

#[test]
fn a_body_in_many_packets_is_put_together() {
    let server = TestServer::start();
    let mut client = server.connect();
    let body = vec![b'7'; 3_000_000];
    for packet in call("Echo", &body).chunks(70_000) {
        client.send(packet);
    }
    assert_eq!(client.read().body, body);
}

#[test]
fn a_client_that_asks_before_it_sends_its_body_is_told_to_go_on() {
    let server = TestServer::start();
    let mut client = server.connect();
    let request = call_with("Echo", b"{}", "Expect: 100-continue\r\n");
    let (head, body) = request.split_at(request.len() - 2);
    client.send(head);
    let mut go_on = [0; 25];
    client.read_exact(&mut go_on);
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    client.send(body);
    assert_eq!(client.read().text(), "{}");
}

/// The requests of a call, for both ways that the server has.
fn both_ways(target: &str) -> [Vec<u8>; 2] {
    [call(target, b"{}"), chunked_call_with(target, b"{}", "")]
}

#[test]
fn a_call_is_given_up_when_its_connection_is_reset() {
    let server = TestServer::start();
    for request in both_ways("Wait") {
        let mut client = server.connect();
        client.send([call("Echo", b"{}"), request].concat());
        server.until_waiting();
        // Closing a socket with an answer that was not read resets it.
        drop(client);
        server.until_given_up();
    }
}

#[test]
fn a_client_that_sends_nothing_more_is_answered() {
    let server = TestServer::start();
    for request in both_ways("Echo") {
        let mut client = server.connect();
        client.send(request);
        client.end();
        assert_eq!(client.read().text(), "{}");
        assert!(client.read_to_close().is_empty());
    }
}

#[test]
fn a_client_that_sends_nothing_more_is_answered_however_long_its_call_takes() {
    let server = TestServer::start();
    for request in both_ways("Wait") {
        let mut client = server.connect();
        client.send(request);
        server.until_waiting();
        client.end();
        // The server has time to see the end: it is there before this call is.
        assert_eq!(server.call("Echo", b"{}").status, 200);
        server.release();
        assert_eq!(client.read().text(), "{\"waited\":true}");
        assert!(client.read_to_close().is_empty());
    }
}

#[test]
fn what_was_sent_before_the_end_is_answered_in_order() {
    let server = TestServer::start();
    let mut client = server.connect();
    client.send([call("Wait", b"{}"), call("Echo", b"{}"), call("Large", b"{}")].concat());
    server.until_waiting();
    client.end();
    server.release();
    assert_eq!(client.read().text(), "{\"waited\":true}");
    assert_eq!(client.read().text(), "{}");
    assert_eq!(client.read().body.len(), LARGE_BYTES);
    assert!(client.read_to_close().is_empty());
}

#[test]
fn a_call_whose_client_has_closed_is_finished() {
    // A closed connection looks like one on which the client sends nothing more, until something is
    // written to it.
    let mut server = TestServer::start();
    for request in both_ways("Wait") {
        let mut client = server.connect();
        client.send(request);
        server.until_waiting();
        drop(client);
        assert_eq!(server.call("Echo", b"{}").status, 200);
        assert!(!server.has_given_up());
        server.release();
    }
    server.stop();
    server.join();
    assert!(!server.has_given_up());
}

#[tokio::test]
async fn http_2_is_spoken_without_being_negotiated() {
    let server = TestServer::start();
    let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .unwrap();
    let connection = tokio::spawn(connection);
    for number in 0..3 {
        let body = format!("{{\"n\":{number}}}");
        let request = Request::post(format!("http://{}/", server.address()))
            .header("content-type", "application/x-amz-json-1.0")
            .header("x-amz-target", "Echo")
            .body(Full::new(Bytes::from(body.clone())))
            .unwrap();
        let response = sender.send_request(request).await.unwrap();
        assert_eq!(response.headers()["x-amzn-requestid"].len(), 52);
        assert_eq!(response.into_body().collect().await.unwrap().to_bytes(), body);
    }
    drop(sender);
    connection.await.unwrap().unwrap();
}
