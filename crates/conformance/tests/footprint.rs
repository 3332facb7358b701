//! What the server takes before it has anything to do: time to its first answer, and memory.
//!
//! The time is that of the processor. How long a start takes by the clock depends on what else the
//! machine does, its disk most of all; other tests run beside this one.
#![cfg(target_os = "linux")]

use std::fs;
use std::time::Duration;

use monotable_conformance::client::Client;
use monotable_conformance::server::{self, Server, Storage};
use serde_json::json;

const START_MAX: Duration = Duration::from_millis(50);
const MEMORY_MAX_KILOBYTES: u64 = 12 * 1024;

/// A server on an empty directory that has just given its first answer.
fn start() -> Server {
    let server = Server::start(&server::binary().unwrap(), Storage::Disk).unwrap();
    Client::new(server.endpoint()).must("ListTables", &json!({})).unwrap();
    server
}

/// The time that the threads of a process have run.
fn processor_time(process_id: u32) -> Duration {
    let threads = fs::read_dir(format!("/proc/{process_id}/task")).unwrap();
    let statistics =
        threads.map(|thread| fs::read_to_string(thread.unwrap().path().join("schedstat")).unwrap());
    let nanoseconds =
        statistics.map(|text| text.split(' ').next().unwrap().parse::<u64>().unwrap());
    Duration::from_nanos(nanoseconds.sum())
}

#[test]
fn the_first_answer_takes_less_than_50_milliseconds_of_processor_time() {
    let server = start();
    let took = processor_time(server.process_id());
    assert!(took < START_MAX, "{took:?}");
}

#[test]
fn an_idle_server_holds_less_than_12_megabytes_of_its_own() {
    let server = start();
    let status = fs::read_to_string(format!("/proc/{}/status", server.process_id())).unwrap();
    // Not what it has mapped: of a binary with debug information that is far more than a server
    // that is shipped has, and the system can take it back.
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(kilobytes < MEMORY_MAX_KILOBYTES, "{kilobytes} kB");
}
