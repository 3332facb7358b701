//! Which web pages may use a server, and by which names it is reached.

use std::io::Write;

use crate::support::{Server, monotable, read_answer, run_to_error};
use serde_json::Value;

fn start(flags: &[&str]) -> Server {
    Server::start(monotable(&[&["serve", "--port", "0", "--in-memory"], flags].concat()))
}

/// Asks for the tables by a name of the server, with more header lines.
fn list_tables(server: &Server, host: &str, headers: &str) -> (u16, Value) {
    let mut stream = server.connect();
    write!(
        stream,
        "POST / HTTP/1.1\r\nHost: {host}\r\n{headers}X-Amz-Target: \
         DynamoDB_20120810.ListTables\r\nContent-Type: application/x-amz-json-1.0\r\nConnection: \
         close\r\nContent-Length: 2\r\n\r\n{{}}"
    )
    .unwrap();
    let (status, body) = read_answer(&mut stream);
    (status, serde_json::from_str(&body).unwrap())
}

fn stop(server: Server) -> String {
    server.signal("INT");
    server.wait().1
}

#[test]
fn a_server_that_was_told_nothing_refuses_pages_and_names_and_says_what_to_do() {
    let server = start(&[]);
    let (status, error) = list_tables(&server, "localhost", "Origin: http://localhost:3000\r\n");
    assert_eq!(status, 403);
    let message = error["Message"].as_str().unwrap();
    assert!(message.ends_with("monotable serve --allow-origin http://localhost:3000"), "{message}");
    let (status, error) = list_tables(&server, "host.docker.internal:8000", "");
    assert_eq!(status, 421);
    let message = error["Message"].as_str().unwrap();
    assert!(message.ends_with("monotable serve --allow-host host.docker.internal"), "{message}");
    assert_eq!(list_tables(&server, &server.address().to_string(), "").0, 200);
    assert_eq!(stop(server), "monotable stopped: its data was in memory and is gone\n");
}

#[test]
fn pages_and_names_that_were_given_are_let_in_and_listed_at_the_start() {
    let server = start(&[
        "--allow-origin",
        "http://localhost:3000",
        "--allow-origin",
        "https://app.example",
        "--allow-host",
        "host.docker.internal",
        "--allow-host",
        "db",
    ]);
    for origin in ["http://localhost:3000", "https://app.example"] {
        for host in ["host.docker.internal:8000", "db"] {
            let origin = format!("Origin: {origin}\r\nSec-Fetch-Site: cross-site\r\n");
            assert_eq!(list_tables(&server, host, &origin).0, 200);
        }
    }
    let printed = stop(server);
    let expected = "web pages of http://localhost:3000, https://app.example may use it · \
                    it answers to host.docker.internal, db too\n";
    assert!(printed.starts_with(expected), "{printed}");
}

#[test]
fn a_server_that_all_pages_may_use_says_so() {
    let server = start(&["--allow-origin", "*"]);
    assert_eq!(list_tables(&server, "localhost", "Origin: https://app.example\r\n").0, 200);
    let printed = stop(server);
    assert!(printed.starts_with("web pages of every origin may use it\n"), "{printed}");
}

#[test]
fn the_name_that_a_server_listens_on_is_one_of_its_names() {
    let server = start(&["--host", "localhost"]);
    assert_eq!(list_tables(&server, "localhost", "").0, 200);
}

#[test]
fn what_is_no_origin_or_no_name_is_refused() {
    for (flag, value, said) in [
        ("--allow-origin", "localhost:3000", "such as http://localhost:3000"),
        ("--allow-origin", "http://localhost:3000/", "no path"),
        ("--allow-origin", "null", "say *"),
        ("--allow-host", "http://db:8000", "without scheme and port"),
        ("--allow-host", "db:8000", "such as host.docker.internal"),
    ] {
        let error = run_to_error(&["serve", "--in-memory", flag, value]);
        assert!(error.contains(said), "{error}");
    }
}
