//! Kills a process in the middle of a write load, many times over one directory, and compares
//! what is on disk afterwards with what was acknowledged.
//!
//! The process is this test binary, started again with `CRASH_DIRECTORY` set. It prints a line for
//! every write that was answered. After the kill, for each of its tasks:
//!
//! - every acknowledged write is there, and at most the one that was under way besides;
//! - a batch is there whole: both halves of a pair, the log entry and the count;
//! - log positions grow over all rounds.
//!
//! A run prints its seed; `CRASH_SEED` repeats its choices.

use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use monotable_storage::testing::log_entries;
use monotable_storage::{Batch, Decision, Direction, Engine, Snapshot, Wants};
use monotable_storage_local::{Durability, LocalEngine, LocalSnapshot, Options};

const TASKS: u64 = 6;
const SLOTS: u64 = 20;
const ROUNDS: u64 = 16;

#[test]
fn a_killed_process_loses_nothing_that_it_acknowledged() {
    let seed = std::env::var("CRASH_SEED").ok().and_then(|seed| seed.parse().ok());
    let mut random = Random(seed.unwrap_or_else(|| RandomState::new().hash_one(0)));
    println!("CRASH_SEED={}", random.0);
    let directory = tempfile::tempdir().unwrap();
    let mut history = History::default();
    for round in 0..ROUNDS {
        let kill_after = if random.below(6) == 0 { 0 } else { random.below(400) };
        run_and_kill(directory.path(), round, kill_after, &mut history);
        history.compare(directory.path());
    }
    assert!(history.last_position > 0, "no round got as far as a write");
}

/// The process that is killed. As a test of its own it does nothing.
#[test]
fn writer_process() {
    let Ok(directory) = std::env::var("CRASH_DIRECTORY") else { return };
    let durability = match std::env::var("CRASH_DURABILITY").as_deref() {
        Ok("sync") => Durability::Sync,
        _ => Durability::Interval(Duration::from_millis(20)),
    };
    say("opening");
    // Small, so that memtables are exchanged and written out all the time.
    let options = Options { durability, memtable_bytes: 300_000, ..Options::default() };
    let engine = LocalEngine::open(&directory, &options);
    let engine = std::sync::Arc::new(engine.unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(3).build().unwrap();
    runtime.block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for task in 0..TASKS {
            tasks.spawn(write_until_killed(engine.clone(), task));
        }
        tasks.join_all().await;
    });
}

async fn write_until_killed(engine: std::sync::Arc<LocalEngine>, task: u64) {
    let last = engine.snapshot().await.unwrap().get(&last_key(task)).await.unwrap();
    for number in last.map_or(0, |last| decode(&last)) + 1.. {
        let batch = numbered_batch(task, number);
        let decide = |_: &monotable_storage::Reads| Decision::Commit(batch.clone(), ());
        engine.transact(Wants::locked(&[last_key(task)]), decide).await.unwrap();
        say(&format!("ack {task} {number}"));
    }
}

/// Writes a line in one piece, past the test harness, which would keep it until the end.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("{line}\n").as_bytes()).and_then(|()| out.flush()).unwrap();
}

/// What one write does: a pair of values, a log entry, a count, and the number of the write.
fn numbered_batch(task: u64, number: u64) -> Batch {
    let mut value = number.to_be_bytes().to_vec();
    // Sizes below and above the buffers on the way to the file, so that a kill can cut a batch.
    value.resize(if number.is_multiple_of(5) { 64_000 } else { 600 }, b'x');
    let mut batch = Batch::new();
    batch.put(slot_key("left", task, number), value.clone());
    batch.append(b"log".to_vec(), [task.to_be_bytes(), number.to_be_bytes()].concat());
    batch.add(b"count".to_vec(), 1);
    batch.put(last_key(task), number.to_be_bytes().to_vec());
    batch.put(slot_key("right", task, number), value);
    batch
}

fn slot_key(side: &str, task: u64, number: u64) -> Vec<u8> {
    format!("{side}/{task}/{:02}", number % SLOTS).into_bytes()
}

fn last_key(task: u64) -> Vec<u8> {
    format!("last/{task}").into_bytes()
}

fn decode(value: &[u8]) -> u64 {
    u64::from_be_bytes(value[..8].try_into().unwrap())
}

/// Starts the writer, kills it after this many acknowledgements, and notes all that it printed.
fn run_and_kill(directory: &Path, round: u64, kill_after: u64, history: &mut History) {
    let mut writer = start_writer(directory, round);
    let lines = BufReader::new(writer.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut acknowledged = 0;
    for line in lines {
        match line.split(' ').collect::<Vec<_>>().as_slice() {
            ["ack", task, number] => {
                history.acknowledged[task.parse::<usize>().unwrap()] = number.parse().unwrap();
                acknowledged += 1;
            }
            [opening] if opening.ends_with("opening") => {}
            _ => continue,
        }
        if acknowledged >= kill_after {
            // The lines that are still in the pipe are read on, until it ends.
            writer.kill().unwrap();
        }
    }
    let status = writer.wait().unwrap();
    assert!(!status.success() && status.code().is_none(), "the writer ended by itself: {status}");
}

fn start_writer(directory: &Path, round: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "writer_process", "--nocapture", "--test-threads=1"])
        .env("CRASH_DIRECTORY", directory)
        .env("CRASH_DURABILITY", if round.is_multiple_of(3) { "interval" } else { "sync" })
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What the rounds so far have acknowledged and left.
#[derive(Default)]
struct History {
    /// The last number that each task acknowledged.
    acknowledged: [u64; TASKS as usize],
    last_position: u64,
    log_entries: usize,
}

impl History {
    /// Compares the store with what was acknowledged, and takes over what it holds besides.
    fn compare(&mut self, directory: &Path) {
        let engine = LocalEngine::open(directory, &Options::default()).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let snapshot = engine.snapshot().await.unwrap();
            for task in 0..TASKS {
                self.compare_task(&snapshot, task).await;
            }
            self.compare_log(&snapshot).await;
            let count = snapshot.counter(b"count").await.unwrap();
            let written: u64 = self.acknowledged.iter().sum();
            assert_eq!(count, i64::try_from(written).unwrap());
            drop(snapshot);
            engine.close().await.unwrap();
        });
    }

    async fn compare_task(&mut self, snapshot: &LocalSnapshot, task: u64) {
        let acknowledged = &mut self.acknowledged[usize::try_from(task).unwrap()];
        let last = snapshot.get(&last_key(task)).await.unwrap().map_or(0, |last| decode(&last));
        assert!(
            last == *acknowledged || last == *acknowledged + 1,
            "task {task} acknowledged {acknowledged} and the store has {last}"
        );
        *acknowledged = last;
        for number in last.saturating_sub(SLOTS - 1).max(1)..=last {
            let left = snapshot.get(&slot_key("left", task, number)).await.unwrap().unwrap();
            let right = snapshot.get(&slot_key("right", task, number)).await.unwrap().unwrap();
            assert_eq!(decode(&left), number);
            assert_eq!(left, right, "half of a batch");
        }
    }

    /// The log holds each number of each task once and in order, and grew only at its end.
    async fn compare_log(&mut self, snapshot: &LocalSnapshot) {
        let log = log_entries(snapshot, b"log", Direction::Forward, usize::MAX).await.unwrap();
        let mut numbers = [0; TASKS as usize];
        for (_, value) in &log {
            let task = &mut numbers[usize::try_from(decode(value)).unwrap()];
            assert_eq!(decode(&value[8..]), *task + 1);
            *task += 1;
        }
        assert_eq!(numbers, self.acknowledged);
        for (position, _) in &log[self.log_entries..] {
            assert!(*position > self.last_position, "{position} after {}", self.last_position);
            self.last_position = *position;
        }
        self.log_entries = log.len();
    }
}

/// A small generator of random numbers, since the test needs no good one.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}
