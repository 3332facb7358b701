//! Web pages may use the server only if it was told so, and DynamoDB's answers to pages then.
//!
//! DynamoDB lets pages of every origin call it: preflights and answers of its endpoints carry
//! `access-control-allow-origin: *`. What protects it are signatures, which are not checked here.
//! So a page that a developer happens to open must not reach a server on the same machine.

use crate::support::{Reply, TestServer, call_with, chunked_call_with};
use monotable_server::Access;

/// What pages may read besides the usual, as AWS's endpoints answer; Alternator's tests and
/// recorded answers agree.
const EXPOSED: &str = "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date";

const PAGE: &str = "Origin: http://localhost:3000\r\n";

fn allowing(origins: &[&str]) -> TestServer {
    let origins = origins.iter().map(|origin| origin.parse().unwrap()).collect();
    TestServer::with_access(Access { origins, ..Access::default() })
}

fn preflight(origin: &str) -> String {
    format!(
        "OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: {origin}\r\n\
         Access-Control-Request-Headers: a, b\r\nAccess-Control-Request-Method: POST\r\n\r\n"
    )
}

#[track_caller]
fn assert_refused(reply: &Reply) {
    assert_eq!(reply.status, 403, "{reply:?}");
    assert_eq!(reply.header("content-type"), Some("application/x-amz-json-1.0"));
    assert_eq!(reply.header("x-amzn-requestid").map(str::len), Some(52));
    let error: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(error["__type"], "com.amazon.coral.service#AccessDeniedException");
    let message = error["Message"].as_str().unwrap();
    assert!(message.contains("--allow-origin"), "{message}");
    assert_no_grant(reply);
}

#[track_caller]
fn assert_no_grant(reply: &Reply) {
    let granted = reply.headers.iter().find(|(name, _)| name.starts_with("access-control-"));
    assert_eq!(granted, None, "{reply:?}");
}

#[test]
fn a_page_that_was_not_named_is_refused_and_granted_nothing() {
    for server in [TestServer::start(), allowing(&["http://localhost:3001"])] {
        assert_refused(&server.send(preflight("http://localhost:3000")));
        for request in [
            call_with("Echo", b"{}", PAGE),
            chunked_call_with("Echo", b"{}", PAGE),
            call_with("Echo", b"{}", "Origin: null\r\n"),
            format!("GET / HTTP/1.1\r\nHost: localhost\r\n{PAGE}\r\n").into_bytes(),
            format!("PUT / HTTP/1.1\r\nHost: localhost\r\n{PAGE}\r\n").into_bytes(),
        ] {
            assert_refused(&server.send(request));
        }
    }
}

#[test]
fn a_page_that_was_not_named_reaches_no_handler() {
    let server = TestServer::start();
    let mut client = server.connect();
    // The handler would answer with 400 and 500.
    for target in ["Refuse", "Panic"] {
        client.send(call_with(target, b"{}", PAGE));
        assert_refused(&client.read());
    }
}

#[test]
fn a_request_that_browsers_send_without_asking_is_refused() {
    // A form or a script of any page may send this, and the browser asks nobody before.
    let server = TestServer::start();
    for origin in ["Origin: https://evil.example\r\n", ""] {
        let reply = server.send(format!(
            "POST / HTTP/1.1\r\nHost: localhost\r\n{origin}Sec-Fetch-Site: cross-site\r\n\
             Content-Type: text/plain;charset=UTF-8\r\nContent-Length: 2\r\n\r\n{{}}"
        ));
        assert_refused(&reply);
    }
}

#[test]
fn what_another_site_makes_a_browser_send_is_refused() {
    let server = TestServer::start();
    for (site, status) in
        [("cross-site", 403), ("same-site", 403), ("what-comes-later", 403), ("none", 200)]
    {
        let site = format!("Sec-Fetch-Site: {site}\r\n");
        assert_eq!(server.send(call_with("Echo", b"{}", &site)).status, status, "{site}");
        let get = format!("GET / HTTP/1.1\r\nHost: localhost\r\n{site}\r\n");
        assert_eq!(server.send(get).status, status, "{site}");
    }
}

#[test]
fn what_is_ours_is_kept_from_other_sites_whatever_the_path_and_the_method() {
    let server = TestServer::start();
    let paths = ["health", "clock", "clock/advance", "metrics", "whatever/comes/later"];
    for path in paths.map(|path| format!("/_monotable/{path}")) {
        for page in [
            "Sec-Fetch-Site: cross-site\r\n",
            "Sec-Fetch-Site: same-site\r\n",
            "Origin: https://evil.example\r\n",
            "Origin: null\r\n",
        ] {
            for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"] {
                let reply = server.send_for_head(format!(
                    "{method} {path} HTTP/1.1\r\nHost: localhost\r\n{page}\r\n"
                ));
                assert_eq!(reply.status, 403, "{method} {path} {page}");
                assert_no_grant(&reply);
            }
        }
    }
}

#[test]
fn a_page_of_the_server_itself_may_call_it() {
    let server = TestServer::start();
    for (host, origin) in [
        ("localhost:8000", "http://localhost:8000"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("[::1]:8000", "http://[::1]:8000"),
        ("LOCALHOST", "http://localhost"),
    ] {
        let reply = server.send(format!(
            "POST / HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nSec-Fetch-Site: same-origin\r\n\
             X-Amz-Target: Echo\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"
        ));
        assert_eq!((reply.status, reply.text()), (200, "{}"), "{host} {origin}");
        assert_no_grant(&reply);
    }
}

#[test]
fn another_port_scheme_or_name_is_another_origin() {
    let server = TestServer::start();
    for origin in [
        "http://localhost",
        "http://localhost:8001",
        "https://localhost:8000",
        "http://127.0.0.1:8000",
        "localhost:8000",
        "",
    ] {
        let reply = server.send(format!(
            "POST / HTTP/1.1\r\nHost: localhost:8000\r\nOrigin: {origin}\r\nContent-Length: \
             0\r\n\r\n"
        ));
        assert_refused(&reply);
    }
}

#[test]
fn an_origin_that_comes_twice_is_refused() {
    let server = allowing(&["http://localhost:3000"]);
    let origins = format!("{PAGE}Origin: http://evil.example\r\n");
    assert_refused(&server.send(call_with("Echo", b"{}", &origins)));
}

#[test]
fn a_preflight_of_a_named_origin_is_answered_with_what_it_asked_for() {
    let server = allowing(&["http://localhost:3001", "http://localhost:3000"]);
    let reply = server.send(preflight("http://localhost:3000"));
    assert_eq!((reply.status, reply.text()), (200, ""));
    assert_eq!(reply.header("content-length"), Some("0"));
    assert_eq!(reply.header("access-control-max-age"), Some("172800"));
    assert_eq!(reply.header("access-control-allow-headers"), Some("a, b"));
    assert_eq!(reply.header("access-control-allow-methods"), Some("POST"));
    assert_eq!(reply.header("access-control-allow-origin"), Some("http://localhost:3000"));
    assert_eq!(reply.header("access-control-expose-headers"), Some(EXPOSED));
    assert_eq!(reply.header("vary"), Some("Origin"));
    assert_eq!(reply.header("x-amzn-requestid").map(str::len), Some(52));
}

#[test]
fn a_preflight_that_asks_for_nothing_is_granted_nothing() {
    let server = allowing(&["http://localhost:3000"]);
    let reply = server.send(format!("OPTIONS / HTTP/1.1\r\nHost: localhost\r\n{PAGE}\r\n"));
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("access-control-allow-headers"), None);
    assert_eq!(reply.header("access-control-allow-methods"), None);
}

#[test]
fn every_answer_to_a_named_origin_may_be_read_by_it() {
    let server = allowing(&["http://localhost:3000"]);
    // Another port of the same host is another origin, but the same site.
    let page = &format!("{PAGE}Sec-Fetch-Site: same-site\r\n");
    for request in [
        call_with("Echo", b"{}", page),
        call_with("Refuse", b"{}", page),
        call_with("Panic", b"{}", page),
        chunked_call_with("Echo", b"{}", page),
        format!("GET / HTTP/1.1\r\nHost: localhost\r\n{page}\r\n").into_bytes(),
        format!("PUT / HTTP/1.1\r\nHost: localhost\r\n{page}\r\n").into_bytes(),
    ] {
        let reply = server.send(request);
        assert_ne!(reply.status, 403);
        assert_eq!(reply.header("access-control-allow-origin"), Some("http://localhost:3000"));
        assert_eq!(reply.header("vary"), Some("Origin"));
    }
    let reply = server.send(call_with("Echo", b"{}", ""));
    assert_no_grant(&reply);
    assert_eq!(reply.header("vary"), None);
}

#[test]
fn pages_of_every_origin_may_be_let_in_as_dynamodb_does() {
    let server = allowing(&["*"]);
    for page in [PAGE, "Origin: null\r\n", "Origin: https://evil.example\r\n"] {
        let reply = server.send(call_with("Echo", b"{}", page));
        assert_eq!((reply.status, reply.text()), (200, "{}"));
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
        assert_eq!(reply.header("access-control-expose-headers"), Some(EXPOSED));
    }
    let reply = server.send(call_with("Echo", b"{}", "Sec-Fetch-Site: cross-site\r\n"));
    assert_eq!(reply.status, 200);
}
