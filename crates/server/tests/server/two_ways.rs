//! Most requests are answered by a short way of our own, and the rest by hyper. Clients cannot tell
//! which.

use crate::support;
use crate::support::{Reply, TestServer, call_with, chunked_call_with};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// What of an answer does not depend on when it was given.
fn lasting(reply: Reply) -> (u16, Vec<(String, String)>, Vec<u8>) {
    let mut headers = reply.headers;
    for (name, value) in &mut headers {
        if name == "date" || name == "x-amzn-requestid" {
            value.clear();
        }
    }
    (reply.status, headers, reply.body)
}

#[test]
fn both_ways_answer_with_the_same_headers_in_the_same_order() {
    let server = TestServer::start();
    for (target, body, headers) in [
        ("Echo", "{}", ""),
        ("Echo", "", ""),
        ("Echo", "{}", "Sec-Fetch-Mode: cors\r\n"),
        ("Echo", "{}", "Connection: keep-alive\r\n"),
        ("Echo", "{}", "X-Amz-Target: Refuse\r\n"),
        ("Refuse", "{}", ""),
        ("Refuse", "{}", "Accept-Encoding: gzip\r\n"),
        ("Panic", "{}", ""),
        ("Large", "{}", ""),
        ("Large", "{}", "Accept-Encoding: br\r\nAccept-Encoding: gzip\r\n"),
        ("Large", "{}", "Accept-Encoding: gzip;q=0\r\n"),
        ("no\u{a0}text", "{}", ""),
    ] {
        let plain = server.send(call_with(target, body.as_bytes(), headers));
        let full = server.send(chunked_call_with(target, body.as_bytes(), headers));
        assert_eq!(lasting(plain), lasting(full), "{target} {headers}");
    }
}

#[test]
fn an_answer_that_is_the_last_says_so_in_the_same_place() {
    let last = |request: Vec<u8>| {
        let mut server = TestServer::start();
        let (mut client, mut idle) = (server.connect(), server.connect());
        assert_eq!(idle.call("Echo", b"{}").status, 200);
        client.send(request);
        server.until_waiting();
        server.stop();
        assert!(idle.read_to_close().is_empty());
        server.release();
        let reply = client.read();
        server.join();
        lasting(reply)
    };
    let plain = last(call_with("Wait", b"{}", ""));
    assert!(plain.1.contains(&("connection".to_owned(), "close".to_owned())));
    assert_eq!(plain, last(chunked_call_with("Wait", b"{}", "")));
}

/// Heads that are odd in one way, and the status that hyper gives them. What follows them is a body
/// of `{}`.
const ODD_HEADS: &[(&str, u16)] = &[
    ("POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n", 200),
    ("POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nContent-Length: 2, 2\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nContent-Length: +2\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nContent-Length: 0x2\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nContent-Length:\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nContent-Length: 18446744073709551618\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nContent-Length : 2\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nContent-Length: 2\r\n folded\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nContent-Length: 2\r\nA: \0\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nContent-Length: 2\r\nA B: c\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nContent-Length: 2\r\n: c\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: x\r\n\r\n", 400),
    ("POST  / HTTP/1.1\r\nContent-Length: 2\r\n\r\n", 400),
    ("POST /\r\nContent-Length: 2\r\n\r\n", 400),
    ("POST / HTTP/1.2\r\nContent-Length: 2\r\n\r\n", 400),
    ("POST / HTTP/2.0\r\nContent-Length: 2\r\n\r\n", 400),
    ("POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\n", 200),
    ("\r\n\r\nPOST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n", 200),
    ("POST / HTTP/1.1\nContent-Length: 2\n\n", 200),
    ("POST http://localhost/ HTTP/1.1\r\nContent-Length: 2\r\n\r\n", 200),
    ("POST /path?query HTTP/1.1\r\nContent-Length: 2\r\n\r\n", 200),
    ("POST / HTTP/1.1\r\nContent-Length: 2\r\nConnection: close\r\n\r\n", 200),
    ("POST / HTTP/1.1\r\nContent-Length: 2\r\nUpgrade: websocket\r\n\r\n", 200),
    ("\x16\x03\x01\x02", 400),
];

#[test]
fn odd_heads_are_judged_by_hyper_wherever_they_come() {
    let server = TestServer::start();
    for (head, status) in ODD_HEADS {
        // With a media type, so that what is understood is a call.
        let typed = "Content-Type: application/json\r\nContent-Length";
        let request = [&head.replacen("Content-Length", typed, 1), "{}"].concat();
        for before in [0, 1, 3] {
            let mut client = server.connect();
            client.send(
                [call_with("Echo", b"{}", "").repeat(before), request.clone().into()].concat(),
            );
            for _ in 0..before {
                assert_eq!(client.read().text(), "{}");
            }
            assert_eq!(client.read().status, *status, "{head:?} after {before}");
        }
    }
}

#[test]
fn as_many_headers_as_hyper_takes_are_taken() {
    let server = TestServer::start();
    for (count, status) in [(20, 200), (40, 200), (96, 200), (97, 431)] {
        let request = call_with("Echo", b"{}", &"A: b\r\n".repeat(count));
        assert_eq!(server.send(request).status, status, "{count}");
    }
}

/// One request of a connection, of any kind that leaves the connection open.
fn any_request() -> impl Strategy<Value = Vec<u8>> {
    let body = prop_oneof![Just(String::new()), "[a-z]{1,60}", "[a-z]{9000,9100}"];
    let plain = (body.clone(), "(A: [a-z]{0,30}\r\n){0,4}")
        .prop_map(|(body, headers)| call_with("Echo", body.as_bytes(), &headers));
    let refused = Just(call_with("Refuse", b"{}", "Origin: http://localhost\r\n"));
    let large = Just(call_with("Large", b"{}", ""));
    let chunked = body.prop_map(|body| chunked_call_with("Echo", body.as_bytes(), ""));
    let get = Just(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec());
    prop_oneof![8 => plain, 1 => refused, 1 => large, 1 => chunked, 1 => get]
}

#[test]
fn requests_are_answered_alike_however_they_are_cut_into_packets() {
    let server = TestServer::start();
    let strategy = (
        prop::collection::vec(any_request(), 1..8),
        prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    );
    let mut runner =
        TestRunner::new(Config { cases: 64, failure_persistence: None, ..Config::default() });
    let result = runner.run(&strategy, |(requests, cuts)| {
        let expected: Vec<_> =
            requests.iter().map(|request| lasting(server.send(request))).collect();
        let bytes = requests.concat();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len())).collect();
        cuts.sort_unstable();
        let mut client = server.connect();
        let mut sent = 0;
        for cut in cuts.into_iter().chain([bytes.len()]) {
            client.send(&bytes[sent..cut]);
            sent = cut;
        }
        for expected in expected {
            prop_assert_eq!(lasting(client.read()), expected);
        }
        Ok(())
    });
    result.unwrap();
}

#[test]
fn a_request_may_come_byte_by_byte() {
    let server = TestServer::start();
    let mut client = server.connect();
    for byte in call_with("Echo", b"{\"a\":1}", "Origin: http://localhost\r\n") {
        client.send([byte]);
    }
    assert_eq!(client.read().text(), "{\"a\":1}");
}

/// What an attacker would put into a request.
const NASTY: &[&str] = &[
    "\r\n",
    "\n",
    "\r",
    " ",
    "\t",
    "\0",
    ":",
    ",",
    ";",
    "\r\n ",
    "0",
    "9",
    "\u{e9}",
    "Content-Length: 2\r\n",
    "Content-Length: 3\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Transfer-Encoding: identity\r\n",
    "Connection: close\r\n",
    "Host: localhost\r\n",
    "Host: elsewhere\r\n",
    "Expect: 100-continue\r\n",
    "POST / HTTP/1.1\r\n",
    "2\r\n{}\r\n0\r\n\r\n",
];

/// One change of a request: where, how many bytes go, and what comes.
type Edit = (prop::sample::Index, usize, &'static str);

fn edited(mut request: Vec<u8>, edits: &[Edit]) -> Vec<u8> {
    for (place, removed, added) in edits {
        let start = place.index(request.len().max(1)).min(request.len());
        let end = (start + removed).min(request.len());
        request.splice(start..end, added.bytes());
    }
    request
}

/// Everything that a client is sent which has nothing more to say, but for what depends on the
/// time. Whether a request that breaks off or is none is refused with 400 or without a word depends
/// on the packets in which it came, so a last refusal counts as none.
fn all_answers(client: &mut support::Client, bytes: &[u8]) -> Vec<String> {
    // The server may refuse the rest before it has come.
    let _ = client.try_send(bytes);
    client.end();
    let answers = client.read_to_close();
    let lines = answers.split(|byte| *byte == b'\n').map(String::from_utf8_lossy);
    let mut lines: Vec<String> = lines
        .filter(|line| !line.starts_with("date: ") && !line.starts_with("x-amzn-requestid: "))
        .map(std::borrow::Cow::into_owned)
        .filter(|line| !line.is_empty())
        .collect();
    if let [.., status, close, length, _] = lines.as_slice()
        && let Some(before) = status.strip_suffix("HTTP/1.1 400 Bad Request\r")
        && close == "connection: close\r"
        && length == "content-length: 0\r"
    {
        // It follows the body of the answer before it on the same line.
        let before = before.to_owned();
        lines.truncate(lines.len() - 4);
        lines.extend(Some(before).filter(|before| !before.is_empty()));
    }
    lines
}

#[test]
fn a_damaged_request_means_the_same_on_both_ways() {
    let server = TestServer::start();
    let edit = (any::<prop::sample::Index>(), 0..3usize, prop::sample::select(NASTY));
    let strategy = (
        prop_oneof![
            Just(call_with("Echo", b"{}", "")),
            Just(call_with("Echo", b"{}", "").repeat(2)),
            Just(call_with("Echo", b"{}", "A: b\r\n")),
        ],
        prop::collection::vec(edit, 1..4),
    );
    // Each case takes connections of its own, so there are few unless more are asked for.
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases = cases.unwrap_or(300);
    let mut runner =
        TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let result = runner.run(&strategy, |(request, edits)| {
        let request = edited(request, &edits);
        let plain = all_answers(&mut server.connect(), &request);
        // On a connection that is with hyper already, everything is judged by hyper.
        let mut full = server.connect();
        full.send(chunked_call_with("Echo", b"{}", ""));
        prop_assert_eq!(full.read().status, 200);
        let full = all_answers(&mut full, &request);
        prop_assert_eq!(plain, full, "{}", String::from_utf8_lossy(&request));
        Ok(())
    });
    result.unwrap();
}
