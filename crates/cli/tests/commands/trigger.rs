//! `monotable trigger` delivers every change at least once and in order, whatever happens to it.
use crate::support;
use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Stdio};

use crate::receiver::Receiver;
use crate::support::{Server, monotable, run_to_error};
use serde_json::{Value, json};

/// A trigger under way. It is killed when this is dropped, as by `kill -9`.
struct Trigger(Child);

impl Trigger {
    fn start(server: &Server, arguments: &[&str]) -> Trigger {
        let endpoint = format!("http://{}", server.address());
        let fixed =
            ["trigger", "--table", "likes", "--retry-delay", "1ms", "--endpoint", &endpoint];
        let mut command = monotable(&[&fixed, arguments].concat());
        Trigger(command.stderr(Stdio::null()).spawn().unwrap())
    }

    /// Ends it as Ctrl-C does.
    fn interrupt(mut self) {
        support::signal(&self.0, "INT");
        assert_eq!(self.0.wait().unwrap().code(), Some(0));
    }
}

impl Drop for Trigger {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn server() -> Server {
    let server =
        Server::start(monotable(&["serve", "--port", "0", "--in-memory", "--clock", "manual"]));
    server.create_table("likes", &support::stream_of("NEW_AND_OLD_IMAGES"));
    server
}

fn put(server: &Server, id: &str, number: u32) {
    let item = json!({ "id": { "S": id }, "n": { "N": number.to_string() } });
    server.call("PutItem", &json!({ "TableName": "likes", "Item": item }));
}

/// The item and the number that a record tells of.
fn change(record: &Value) -> (String, u32) {
    let image = &record["dynamodb"]["NewImage"];
    let number = image["n"]["N"].as_str().unwrap().parse().unwrap();
    (image["id"]["S"].as_str().unwrap().to_owned(), number)
}

fn changes(batch: &[Value]) -> Vec<(String, u32)> {
    batch.iter().map(change).collect()
}

#[test]
fn a_trigger_that_is_killed_again_and_again_misses_nothing_and_keeps_the_order() {
    const ITEMS: u32 = 20;
    const CHANGES: u32 = 30;
    let server = server();
    let receiver = Receiver::start();
    for number in 1..=CHANGES {
        for item in 0..ITEMS {
            put(&server, &format!("item {item}"), number);
        }
        if number % 10 == 0 {
            // The shards give way to children, which must not overtake them.
            server.advance_clock("4h");
        }
    }
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut runs = 0;
    while seen.len() < ITEMS as usize || seen.values().any(|number| *number < CHANGES) {
        let url = receiver.url();
        let trigger = Trigger::start(&server, &["--url", &url, "--batch-size", "7"]);
        // The trigger is killed when a batch has just been taken: its checkpoint may or may not be
        // written.
        for _ in 0..=runs % 7 {
            for (item, number) in changes(&receiver.batch()) {
                let last = seen.entry(item.clone()).or_default();
                assert!(number <= *last + 1, "{item} came as {number} after {last}");
                *last = number.max(*last);
            }
            if seen.values().filter(|number| **number == CHANGES).count() == ITEMS as usize {
                break;
            }
        }
        drop(trigger);
        runs += 1;
    }
    assert!(runs > 5, "the trigger was killed {runs} times only");
}

#[test]
fn a_poison_record_ends_in_the_dead_letter_file_and_does_not_block_its_shard() {
    check_poison(500, "status 500");
}

#[test]
fn a_record_that_makes_the_target_hang_up_is_poison_too() {
    check_poison(0, "connection");
}

/// One record out of six is answered with a status that does not take it.
fn check_poison(status: u16, reason: &str) {
    let server = server();
    let receiver = Receiver::deciding(move |batch| {
        let is_poison = changes(batch).contains(&("a".to_owned(), 3));
        (if is_poison { status } else { 200 }, String::new())
    });
    for number in 1..=6 {
        put(&server, "a", number);
    }
    let directory = tempfile::tempdir().unwrap();
    let dead = directory.path().join("dead.jsonl");
    let url = receiver.url();
    let arguments = [
        "--url",
        &url,
        "--attempts",
        "2",
        "--name",
        "poison",
        "--dead-letters",
        dead.to_str().unwrap(),
    ];
    let _trigger = Trigger::start(&server, &arguments);
    let mut taken = Vec::new();
    while taken.last() != Some(&6) {
        taken.extend(changes(&receiver.batch()).into_iter().map(|(_, number)| number));
    }
    assert_eq!(taken, [1, 2, 4, 5, 6]);
    let lines = fs::read_to_string(&dead).unwrap();
    let letters: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [letter] = letters.as_slice() else { panic!("{lines}") };
    assert_eq!(change(&letter["record"]), ("a".to_owned(), 3));
    assert_eq!(letter["attempts"], 2);
    assert_eq!(letter["trigger"], "poison");
    assert!(letter["reason"].as_str().unwrap().contains(reason), "{letter}");
}

#[test]
fn a_record_named_in_the_answer_comes_again_with_those_after_it() {
    let server = server();
    let refused_once = std::sync::atomic::AtomicBool::new(false);
    let receiver = Receiver::deciding(move |batch| {
        if batch.len() < 3 || refused_once.swap(true, std::sync::atomic::Ordering::SeqCst) {
            return (200, String::new());
        }
        let second = &batch[1]["dynamodb"]["SequenceNumber"];
        (200, json!({ "batchItemFailures": [{ "itemIdentifier": second }] }).to_string())
    });
    for number in 1..=3 {
        put(&server, "a", number);
    }
    let _trigger = Trigger::start(&server, &["--url", &receiver.url()]);
    let numbers =
        |batch: Vec<Value>| changes(&batch).into_iter().map(|(_, n)| n).collect::<Vec<_>>();
    assert_eq!(numbers(receiver.batch()), [1, 2, 3]);
    assert_eq!(numbers(receiver.batch()), [2, 3]);
}

#[test]
fn a_trigger_goes_on_where_it_was_interrupted() {
    let server = server();
    let receiver = Receiver::start();
    let url = receiver.url();
    put(&server, "a", 1);
    let trigger = Trigger::start(&server, &["--url", &url]);
    assert_eq!(changes(&receiver.batch()), [("a".to_owned(), 1)]);
    trigger.interrupt();
    put(&server, "a", 2);
    let _trigger = Trigger::start(&server, &["--url", &url]);
    assert_eq!(changes(&receiver.batch()), [("a".to_owned(), 2)]);
}

#[test]
fn from_latest_leaves_out_what_was_there_before() {
    let server = server();
    let receiver = Receiver::start();
    put(&server, "a", 1);
    let _trigger = Trigger::start(&server, &["--url", &receiver.url(), "--from", "latest"]);
    // The place from which the trigger goes on is written down before anything is delivered.
    let scan = json!({ "TableName": "monotable-checkpoints" }).to_string();
    while !server.try_call("Scan", &scan).1.contains("position") {}
    put(&server, "a", 2);
    assert_eq!(changes(&receiver.batch()), [("a".to_owned(), 2)]);
}

#[test]
fn a_trigger_outlives_the_server_that_is_killed() {
    let directory = tempfile::tempdir().unwrap();
    // A port that is free now: the second server must come up where the first was.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    drop(listener);
    let start = || {
        let mut command = monotable(&["serve", "--port", &port, "--data"]);
        command.arg(directory.path());
        Server::start(command)
    };
    let receiver = Receiver::start();
    let server = start();
    server.create_table("likes", &support::stream_of("NEW_IMAGE"));
    put(&server, "a", 1);
    let _trigger = Trigger::start(&server, &["--url", &receiver.url()]);
    assert_eq!(changes(&receiver.batch()), [("a".to_owned(), 1)]);
    put(&server, "a", 2);
    drop(server);
    let server = start();
    put(&server, "a", 3);
    let mut last = 1;
    while last < 3 {
        for (_, number) in changes(&receiver.batch()) {
            assert!(number <= last + 1, "{number} came after {last}");
            last = number.max(last);
        }
    }
}

#[test]
fn a_command_gets_the_event_on_its_standard_input() {
    let server = server();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("event.json");
    put(&server, "a", 1);
    // The command ends the trigger that runs it, so the test need not guess when it is done.
    let command = format!("cat > {0}.part && mv {0}.part {0} && kill -INT $PPID", path.display());
    let mut trigger = Trigger::start(&server, &["--command", &command]);
    assert_eq!(trigger.0.wait().unwrap().code(), Some(0));
    let event: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let records = event["Records"].as_array().unwrap();
    assert_eq!(changes(records), [("a".to_owned(), 1)]);
    assert_eq!(records[0]["eventName"], "INSERT");
}

#[test]
fn only_what_matches_a_filter_is_delivered() {
    let server = server();
    let receiver = Receiver::start();
    for number in 1..=5 {
        put(&server, "a", number);
    }
    let pattern = r#"{"dynamodb":{"NewImage":{"n":{"N":["2","5"]}}}}"#;
    let _trigger = Trigger::start(&server, &["--url", &receiver.url(), "--filter", pattern]);
    let wanted = [("a".to_owned(), 2), ("a".to_owned(), 5)];
    assert_eq!(changes(&receiver.batch()), wanted);
}

#[test]
fn a_batch_waits_for_its_window_to_fill() {
    let server = server();
    let receiver = Receiver::start();
    let url = receiver.url();
    let _trigger = Trigger::start(&server, &["--url", &url, "--batch-size", "3", "--window", "1h"]);
    for number in 1..=6 {
        put(&server, "a", number);
    }
    for _ in 0..2 {
        assert_eq!(receiver.batch().len(), 3);
    }
}

#[test]
fn a_target_that_is_away_is_waited_for() {
    let server = server();
    put(&server, "a", 1);
    // The address is free again when the receiver takes it for itself.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let directory = tempfile::tempdir().unwrap();
    let dead = directory.path().join("dead.jsonl");
    let url = format!("http://{address}/batch");
    let arguments = ["--url", &url, "--attempts", "1", "--dead-letters", dead.to_str().unwrap()];
    let trigger = Trigger::start(&server, &arguments);
    let receiver = Receiver::at(address);
    assert_eq!(changes(&receiver.batch()), [("a".to_owned(), 1)]);
    trigger.interrupt();
    assert!(!dead.exists());
}

#[test]
fn the_process_that_began_later_takes_over() {
    let server = server();
    let receiver = Receiver::start();
    let url = receiver.url();
    put(&server, "a", 1);
    let mut first = Trigger::start(&server, &["--url", &url]);
    receiver.batch();
    let _second = Trigger::start(&server, &["--url", &url]);
    // Changes go on until the first process has tried to write a checkpoint.
    let address = server.address();
    let writer = std::thread::spawn(move || {
        let mut number = 2;
        while support::try_put(address, "likes", "a", number) {
            number += 1;
        }
    });
    assert_eq!(first.0.wait().unwrap().code(), Some(2));
    drop(server);
    writer.join().unwrap();
}

#[test]
fn a_server_runs_the_triggers_of_a_file_also_on_tables_that_come_later() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("triggers.toml");
    let receiver = Receiver::start();
    let url = receiver.url();
    fs::write(&file, format!("[[trigger]]\ntable = \"likes\"\nurl = \"{url}\"\n")).unwrap();
    let mut command = monotable(&["serve", "--port", "0", "--in-memory", "--triggers"]);
    command.arg(&file);
    let server = Server::start(command);
    server.create_table("likes", &support::stream_of("NEW_IMAGE"));
    put(&server, "a", 1);
    assert_eq!(changes(&receiver.batch()), [("a".to_owned(), 1)]);
    server.signal("INT");
    assert_eq!(server.wait().0.code(), Some(0));
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("triggers.toml");
    fs::write(&file, "[[trigger]]\ntable = 'likes'\n").unwrap();
    let file = file.to_str().unwrap();
    for (arguments, said) in [
        (&["trigger", "--table", "t"][..], "--url <URL>"),
        (&["trigger", "--table", "t", "--url", "x", "--command", "y"], "not an address"),
        (&["trigger", "--table", "t", "--command", "y", "--batch-size", "0"], "1..=10000"),
        (&["trigger", "--table", "t", "--command", "y", "--filter", "["], "not JSON"),
        (&["serve", "--in-memory", "--triggers", file], "trigger 1"),
        (&["serve", "--in-memory", "--triggers", "/no/such/file"], "cannot be read"),
    ] {
        let error = run_to_error(arguments);
        assert!(error.contains(said), "{arguments:?}: {error}");
    }
}
