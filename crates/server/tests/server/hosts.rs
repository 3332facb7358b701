//! The server answers to the names that it has, so that no page can reach it by a name of its own
//! that was made to mean this machine.

use crate::support::{Reply, TestServer};
use bytes::Bytes;
use http_body_util::Full;
use hyper::Request;
use hyper_util::rt::{TokioExecutor, TokioIo};
use monotable_server::{Access, Health, HealthProbe};

fn known_as(names: &[&str]) -> TestServer {
    let hosts = names.iter().map(|name| name.parse().unwrap()).collect();
    TestServer::with_access(Access { hosts, ..Access::default() })
}

fn call_to(host: &str, more: &str) -> String {
    format!(
        "POST / HTTP/1.1\r\nHost: {host}\r\n{more}X-Amz-Target: Echo\r\n\
         Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"
    )
}

#[track_caller]
fn assert_misdirected(reply: &Reply) {
    assert_eq!(reply.status, 421, "{reply:?}");
    assert_eq!(reply.header("x-amzn-requestid").map(str::len), Some(52));
    let error: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(error["__type"], "com.amazon.coral.service#AccessDeniedException");
    let message = error["Message"].as_str().unwrap();
    assert!(message.contains("--allow-host"), "{message}");
}

/// Sends the request by both ways that the server has.
fn both_ways(server: &TestServer, host: &str) -> [Reply; 2] {
    [server.send(call_to(host, "")), server.send(call_to(host, "Connection: close\r\n"))]
}

#[test]
fn loopback_addresses_and_localhost_are_its_own_names() {
    let server = TestServer::start();
    for host in [
        "localhost",
        "localhost:8000",
        "LocalHost:1",
        "localhost.",
        "127.0.0.1",
        "127.0.0.1:8000",
        "127.1.2.3:8000",
        "[::1]",
        "[::1]:8000",
        "[0:0:0:0:0:0:0:1]:8000",
        "[::ffff:127.0.0.1]:8000",
    ] {
        for reply in both_ways(&server, host) {
            assert_eq!((reply.status, reply.text()), (200, "{}"), "{host}");
        }
    }
}

#[test]
fn other_names_and_addresses_are_refused() {
    let server = known_as(&["db.example"]);
    for host in [
        "evil.example",
        "evil.example:8000",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.localhost",
        "not-db.example",
        "192.0.2.1",
        "0.0.0.0:8000",
        "[::]:8000",
        "[2001:db8::1]:8000",
        "::1",
        "[::1",
        "[::1]evil",
        "localhost:evil",
        "localhost@evil.example",
        "localhost evil.example",
        ":8000",
        "",
    ] {
        for reply in both_ways(&server, host) {
            assert_misdirected(&reply);
        }
    }
}

#[test]
fn names_that_were_given_are_its_own() {
    let server = known_as(&["Host.Docker.Internal", "192.0.2.1", "2001:db8::1"]);
    for host in [
        "host.docker.internal",
        "host.docker.internal:8000",
        "HOST.docker.internal",
        "host.docker.internal.:8000",
        "192.0.2.1:8000",
        "[2001:db8::1]:8000",
        "localhost",
    ] {
        for reply in both_ways(&server, host) {
            assert_eq!(reply.status, 200, "{host}");
        }
    }
}

#[test]
fn every_request_of_a_connection_is_looked_at() {
    let server = TestServer::start();
    let mut client = server.connect();
    for _ in 0..2 {
        client.send(call_to("localhost", ""));
        assert_eq!(client.read().status, 200);
        client.send(call_to("127.0.0.1", ""));
        assert_eq!(client.read().status, 200);
    }
    client.send(call_to("evil.example", ""));
    assert_misdirected(&client.read());
    client.send(call_to("localhost", ""));
    assert_eq!(client.read().status, 200);
}

#[test]
fn a_page_that_was_named_must_still_use_a_name_of_the_server() {
    let origins = vec!["*".parse().unwrap()];
    let server = TestServer::with_access(Access { origins, ..Access::default() });
    let reply = server.send(call_to("evil.example", "Origin: http://evil.example\r\n"));
    assert_misdirected(&reply);
}

#[test]
fn a_host_that_comes_twice_is_refused() {
    let server = TestServer::start();
    for more in ["Host: localhost\r\n", "Host: evil.example\r\n"] {
        assert_eq!(server.send(call_to("localhost", more)).status, 400);
    }
}

#[test]
fn a_request_without_a_host_cannot_come_from_a_browser() {
    let server = TestServer::start();
    for version in ["HTTP/1.1", "HTTP/1.0"] {
        let reply = server.send(format!("GET / {version}\r\n\r\n"));
        assert_eq!(reply.status, 200);
    }
}

#[test]
fn an_address_in_the_request_line_counts_too() {
    let server = TestServer::start();
    let get = |target: &str| format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_eq!(server.send(get("http://localhost:8000/")).status, 200);
    assert_misdirected(&server.send(get("http://evil.example/")));
}

#[tokio::test]
async fn the_authority_of_http_2_is_looked_at() {
    let server = TestServer::start();
    let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .unwrap();
    let connection = tokio::spawn(connection);
    for (authority, status) in [("localhost:8000", 200), ("evil.example", 421)] {
        let request = Request::get(format!("http://{authority}/"));
        let request = request.body(Full::new(Bytes::new())).unwrap();
        assert_eq!(sender.send_request(request).await.unwrap().status(), status);
    }
    drop(sender);
    connection.await.unwrap().unwrap();
}

#[track_caller]
fn assert_misdirected_json(reply: &Reply) {
    assert_eq!(reply.status, 421, "{reply:?}");
    assert!(reply.text().contains("--allow-host 192.0.2.1"), "{reply:?}");
}

#[test]
fn load_balancers_that_know_the_address_alone_are_told_a_word() {
    let server = TestServer::start();
    let ask = |path: &str, more: &str| {
        let request =
            format!("GET /_monotable/{path} HTTP/1.1\r\nHost: 192.0.2.1:8000\r\n{more}\r\n");
        server.send(request)
    };
    for path in ["health", "ready"] {
        assert_eq!(ask(path, "").status, 200, "{path}");
        for page in ["Origin: http://192.0.2.1:8000\r\n", "Sec-Fetch-Site: same-origin\r\n"] {
            assert_misdirected_json(&ask(path, page));
        }
    }
    for path in ["clock", "metrics", "console/x", ""] {
        assert_misdirected_json(&ask(path, ""));
    }
}

#[test]
fn whoever_knows_no_name_is_not_told_why_the_server_is_not_well() {
    let probe = HealthProbe::new(|| Health::NeedsRestart { reason: "a secret place".to_owned() });
    let server = TestServer::with_health(probe);
    for path in ["health", "ready"] {
        let ask = |host: &str| {
            server.send(format!("GET /_monotable/{path} HTTP/1.1\r\nHost: {host}\r\n\r\n"))
        };
        let (known, stranger) = (ask("localhost"), ask("192.0.2.1"));
        assert_eq!((known.status, stranger.status), (503, 503));
        assert!(known.text().contains("a secret place"), "{known:?}");
        assert!(stranger.text().contains("needs-restart"), "{stranger:?}");
        assert!(!stranger.text().contains("secret"), "{stranger:?}");
    }
}
