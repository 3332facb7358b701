//! What the server takes: time to start, and memory while it has nothing to do.

use std::time::{Duration, Instant};

use monotable_conformance::client::Client;
use monotable_conformance::server::{self, Server, Storage};
use serde_json::json;

const START_MAX: Duration = Duration::from_millis(50);

/// Starts a server on an empty directory and returns the time to its first answer.
fn start() -> (Server, Duration) {
    let binary = server::binary().unwrap();
    let begin = Instant::now();
    let server = Server::start(&binary, Storage::Disk).unwrap();
    Client::new(server.endpoint()).must("ListTables", &json!({})).unwrap();
    let took = begin.elapsed();
    (server, took)
}

/// Other tests share the processors, so the best of a few starts counts.
#[test]
fn the_first_answer_comes_within_50_milliseconds() {
    let best = (0..10).map(|_| start().1).min().unwrap();
    assert!(best < START_MAX, "{best:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_idle_server_holds_less_than_30_megabytes() {
    let (server, _) = start();
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.process_id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(kilobytes < 30 * 1024, "{kilobytes} kB");
}
