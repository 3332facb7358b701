//! Pages for people: who gets them, what they may do, and that nobody else notices.

use std::sync::Arc;

use crate::support::{Reply, TestServer, call_with};
use bytes::Bytes;
use monotable_server::{Freshness, PageFile, Pages};
use serde_json::{Value, json};

const BROWSER: &str = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n";

/// Two files and one question.
#[derive(Debug)]
struct TwoFiles {
    is_read_only: bool,
}

fn file(text: &'static str, freshness: Freshness) -> PageFile {
    let gzip = Bytes::from_static(b"compressed");
    PageFile {
        media_type: "text/html",
        bytes: Bytes::from_static(text.as_bytes()),
        gzip,
        freshness,
    }
}

impl Pages for TwoFiles {
    fn first_page(&self) -> PageFile {
        file("<!doctype html>", Freshness::Asked)
    }

    fn file(&self, path: &str) -> Option<PageFile> {
        (path == "1/app.js").then(|| file("start()", Freshness::Eternal))
    }

    fn ask(&self, question: &str, body: &str) -> Option<Result<String, String>> {
        match question {
            "echo" => Some(Ok(body.to_owned())),
            "refuse" => Some(Err("no".to_owned())),
            _ => None,
        }
    }

    fn is_read_only(&self) -> bool {
        self.is_read_only
    }
}

fn start(is_read_only: bool) -> TestServer {
    TestServer::with_pages(Arc::new(TwoFiles { is_read_only }))
}

fn get(server: &TestServer, path: &str, headers: &str) -> Reply {
    server.send(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n"))
}

fn ask(server: &TestServer, question: &str, media_type: &str, headers: &str) -> Reply {
    server.send(format!(
        "POST /_monotable/console/{question} HTTP/1.1\r\nHost: localhost\r\n{headers}\
         Content-Type: {media_type}\r\nContent-Length: 2\r\n\r\n{{}}"
    ))
}

fn is_health_text(reply: &Reply) -> bool {
    reply.body.starts_with(b"healthy: dynamodb.")
}

#[test]
fn a_browser_gets_the_page_and_a_health_check_the_text() {
    let server = start(false);
    assert_eq!(get(&server, "/", BROWSER).body, b"<!doctype html>");
    for headers in ["", "Accept: */*\r\n", "Accept: application/json\r\n"] {
        assert!(is_health_text(&get(&server, "/", headers)), "{headers}");
    }
    assert!(is_health_text(&get(&server, "/ping", BROWSER)));
    assert!(is_health_text(&get(&TestServer::start(), "/", BROWSER)));
}

#[test]
fn pages_are_kept_to_themselves_by_their_policy() {
    let reply = get(&start(false), "/", BROWSER);
    let policy = reply.header("content-security-policy").unwrap();
    for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(reply.header("cross-origin-opener-policy"), Some("same-origin"));
    assert_eq!(reply.header("access-control-allow-origin"), None);
}

#[test]
fn a_file_is_compressed_for_those_who_take_that_and_kept_by_its_path() {
    let server = start(false);
    let path = "/_monotable/console/1/app.js";
    let plain = get(&server, path, "");
    assert_eq!((plain.body.as_slice(), plain.header("content-encoding")), (&b"start()"[..], None));
    assert!(plain.header("cache-control").unwrap().contains("immutable"));
    let gzip = get(&server, path, "Accept-Encoding: gzip\r\n");
    assert_eq!(gzip.header("content-encoding"), Some("gzip"));
    assert_eq!(gzip.body, b"compressed");
    assert_eq!(get(&server, "/_monotable/console/2/app.js", "").status, 404);
}

#[test]
fn a_page_that_is_known_is_not_sent_again() {
    let server = start(false);
    let first = get(&server, "/", BROWSER);
    assert_eq!(first.header("cache-control"), Some("no-cache"));
    let tag = first.header("etag").unwrap();
    let known =
        format!("GET / HTTP/1.1\r\nHost: localhost\r\n{BROWSER}If-None-Match: {tag}\r\n\r\n");
    assert_eq!(server.send_for_head(known).status, 304);
    let other = format!("{BROWSER}If-None-Match: \"other\"\r\n");
    assert_eq!(get(&server, "/", &other).status, 200);
}

#[test]
fn a_question_is_answered_for_whoever_says_that_it_is_json() {
    let server = start(false);
    let answered = ask(&server, "echo", "application/json", "");
    assert_eq!((answered.status, answered.body.as_slice()), (200, &b"{}"[..]));
    let refused = ask(&server, "refuse", "application/json", "");
    let body: Value = serde_json::from_slice(&refused.body).unwrap();
    assert_eq!((refused.status, body), (400, json!({ "error": "no" })));
    assert_eq!(ask(&server, "nothing", "application/json", "").status, 404);
    assert_eq!(ask(&server, "echo", "text/plain", "").status, 415);
    assert_eq!(ask(&TestServer::start(), "echo", "application/json", "").status, 404);
}

#[test]
fn other_origins_and_other_names_get_nothing() {
    let server = start(false);
    for headers in ["Origin: http://evil.example\r\n", "Sec-Fetch-Site: cross-site\r\n"] {
        assert_eq!(get(&server, "/", &format!("{BROWSER}{headers}")).status, 403, "{headers}");
        assert_eq!(ask(&server, "echo", "application/json", headers).status, 403, "{headers}");
    }
    let rebound = format!("GET / HTTP/1.1\r\nHost: evil.example\r\n{BROWSER}\r\n");
    assert_eq!(server.send(rebound).status, 421);
}

#[test]
fn read_only_pages_cannot_write_and_programs_can() {
    let server = start(true);
    let page = "Origin: http://localhost\r\nSec-Fetch-Site: same-origin\r\n";
    let of_page = |target: &str| server.send(call_with(target, b"{}", page)).status;
    assert_eq!(of_page("DynamoDB_20120810.PutItem"), 403);
    assert_ne!(of_page("DynamoDB_20120810.Scan"), 403);
    let of_program = server.send(call_with("DynamoDB_20120810.PutItem", b"{}", "")).status;
    assert_ne!(of_program, 403);
    assert_eq!(ask(&server, "echo", "application/json", page).status, 200);
    let move_clock = format!(
        "POST /_monotable/clock/advance HTTP/1.1\r\nHost: localhost\r\n{page}\
         Content-Type: application/json\r\nContent-Length: 14\r\n\r\n{{\"seconds\":60}}"
    );
    assert_eq!(server.send(move_clock).status, 403);
    let writing = start(false);
    let put = call_with("DynamoDB_20120810.PutItem", b"{}", page);
    assert_ne!(writing.send(put).status, 403);
}
