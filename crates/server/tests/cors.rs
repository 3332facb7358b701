//! Browsers may call the server from pages of every origin.

mod support;

use support::{TestServer, call_with};

#[test]
fn a_preflight_is_answered_with_what_it_asked_for() {
    let server = TestServer::start();
    let reply = server.send(
        "OPTIONS / HTTP/1.1\r\nHost: h\r\nOrigin: http://page\r\n\
         Access-Control-Request-Headers: a, b\r\nAccess-Control-Request-Method: POST\r\n\r\n",
    );
    assert_eq!((reply.status, reply.text()), (200, ""));
    assert_eq!(reply.header("content-length"), Some("0"));
    assert_eq!(reply.header("access-control-max-age"), Some("172800"));
    assert_eq!(reply.header("access-control-allow-headers"), Some("a, b"));
    assert_eq!(reply.header("access-control-allow-methods"), Some("POST"));
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    assert_eq!(reply.header("x-amzn-requestid").map(str::len), Some(52));
}

#[test]
fn a_preflight_that_asks_for_nothing_is_granted_nothing() {
    let server = TestServer::start();
    let reply = server.send("OPTIONS / HTTP/1.1\r\nHost: h\r\nOrigin: http://page\r\n\r\n");
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("access-control-allow-headers"), None);
    assert_eq!(reply.header("access-control-allow-methods"), None);
}

#[test]
fn every_answer_to_a_page_may_be_read_by_it() {
    let server = TestServer::start();
    let origin = "Origin: http://page\r\n";
    for request in [
        call_with("Echo", b"{}", origin),
        call_with("Refuse", b"{}", origin),
        call_with("Panic", b"{}", origin),
        format!("GET / HTTP/1.1\r\nHost: h\r\n{origin}\r\n").into_bytes(),
        format!("PUT / HTTP/1.1\r\nHost: h\r\n{origin}\r\n").into_bytes(),
    ] {
        let reply = server.send(request);
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "{reply:?}");
    }
    let reply = server.send(call_with("Echo", b"{}", ""));
    assert_eq!(reply.header("access-control-allow-origin"), None);
}
