//! Many tasks on few keys: what must hold however they interleave.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Waker};

use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use super::{entries, log_entries};
use crate::{Batch, Decision, Direction, Engine, Key, KeyRange, Reads, Snapshot, Wants};

const TASKS: u64 = 8;
const ROUNDS: u64 = 60;

/// Tasks add one to a few numbers, each by reading and writing it: no addition is lost.
///
/// # Panics
///
/// Panics if the numbers do not add up.
pub fn increments_lose_nothing<E: Engine, Keep>(open: impl Fn() -> (E, Keep)) {
    let (engine, _keep) = open();
    let engine = Arc::new(engine);
    runtime().block_on(async {
        let mut tasks = JoinSet::new();
        for task in 0..TASKS {
            let engine = engine.clone();
            tasks.spawn(async move {
                for round in 0..ROUNDS {
                    increment(&*engine, number_key((task + round) % 3)).await;
                }
            });
        }
        tasks.join_all().await;
        let snapshot = engine.snapshot().await.expect("a snapshot opens");
        let numbers = snapshot.get_many(&[0, 1, 2].map(number_key)).await.expect("keys read");
        let sum: u64 = numbers.iter().map(|number| decode_number(number.as_deref())).sum();
        assert_eq!(sum, TASKS * ROUNDS);
    });
}

/// Tasks move amounts between accounts while another adds them all up: every snapshot has the
/// same sum, read by range and by key.
///
/// # Panics
///
/// Panics if a snapshot shows half of a transfer, or money appears or disappears.
pub fn transfers_keep_the_sum<E: Engine, Keep>(open: impl Fn() -> (E, Keep)) {
    const ACCOUNTS: u64 = 6;
    const START: u64 = 1_000;
    let (engine, _keep) = open();
    let engine = Arc::new(engine);
    runtime().block_on(async {
        for account in 0..ACCOUNTS {
            set_number(&*engine, number_key(account), START).await;
        }
        let mut tasks = JoinSet::new();
        for task in 0..TASKS {
            let engine = engine.clone();
            tasks.spawn(async move {
                for round in 0..ROUNDS {
                    let (from, to) = (task + round, task + round * 2 + 1);
                    transfer(&*engine, from % ACCOUNTS, to % ACCOUNTS, round % 7).await;
                }
            });
        }
        until_done(tasks, async || {
            let snapshot = engine.snapshot().await.expect("a snapshot opens");
            assert_eq!(sum_by_range(&snapshot).await, ACCOUNTS * START);
            assert_eq!(sum_by_key(&snapshot, ACCOUNTS).await, ACCOUNTS * START);
        })
        .await;
    });
}

/// Tasks append to two logs while a reader polls: what it has seen of a log is always the beginning
/// of what it sees later.
///
/// # Panics
///
/// Panics if an entry shows up at a position below one that was seen before.
pub fn appends_are_seen_in_commit_order<E: Engine, Keep>(open: impl Fn() -> (E, Keep)) {
    let (engine, _keep) = open();
    let engine = Arc::new(engine);
    runtime().block_on(async {
        let mut tasks = JoinSet::new();
        for task in 0..TASKS {
            let engine = engine.clone();
            tasks.spawn(async move {
                for _ in 0..ROUNDS {
                    append(&*engine, task % 2).await;
                }
            });
        }
        let mut seen = [Vec::new(), Vec::new()];
        until_done(tasks, async || {
            for (log, seen) in seen.iter_mut().enumerate() {
                let positions = log_positions(&*engine, log as u64).await;
                assert!(positions.is_sorted_by(|earlier, later| earlier < later));
                assert_eq!(positions.get(..seen.len()), Some(seen.as_slice()));
                *seen = positions;
            }
        })
        .await;
        let appended: usize = seen.iter().map(Vec::len).sum();
        assert_eq!(appended as u64, TASKS * ROUNDS);
    });
}

/// Tasks write entries and count them in one shared counter: every snapshot has as many entries
/// as its counter says.
///
/// # Panics
///
/// Panics if a counter and what it counts differ.
pub fn additions_sum_up<E: Engine, Keep>(open: impl Fn() -> (E, Keep)) {
    let (engine, _keep) = open();
    let engine = Arc::new(engine);
    runtime().block_on(async {
        let mut tasks = JoinSet::new();
        for task in 0..TASKS {
            let engine = engine.clone();
            tasks.spawn(async move {
                for round in 0..ROUNDS {
                    put_or_delete_counted(&*engine, task, round).await;
                }
            });
        }
        until_done(tasks, async || {
            let snapshot = engine.snapshot().await.expect("a snapshot opens");
            let count = snapshot.counter(b"count").await.expect("a counter reads");
            let range = KeyRange::prefix(b"entry/");
            let counted = entries(&snapshot, &range, Direction::Backward).await.expect("reads");
            assert_eq!(counted.len(), usize::try_from(count).expect("a count is not negative"));
        })
        .await;
    });
}

/// Tasks append the value of a key that they share, while others lock and change it and note the
/// end of the log in the same step: nothing of the old value lands behind such an end.
///
/// # Panics
///
/// Panics if an entry that was made with an older value lies behind the end that was noted when the
/// value changed.
pub fn shared_keys_stand_still<E: Engine, Keep>(open: impl Fn() -> (E, Keep)) {
    let (engine, _keep) = open();
    let engine = Arc::new(engine);
    runtime().block_on(async {
        let mut tasks = JoinSet::new();
        for task in 0..TASKS {
            let engine = engine.clone();
            tasks.spawn(async move {
                for round in 0..ROUNDS {
                    match task {
                        0 => change_epoch(&*engine).await,
                        // Those who go away leave their appends behind, or do not.
                        1 => poll_once(append_epoch(&*engine, task, round)),
                        _ => append_epoch(&*engine, task, round).await,
                    }
                    tokio::task::yield_now().await;
                }
            });
        }
        tasks.join_all().await;
        change_epoch(&*engine).await;
        let snapshot = engine.snapshot().await.expect("a snapshot opens");
        let ends = entries(&snapshot, &KeyRange::prefix(b"end/"), Direction::Forward).await;
        let ends: Vec<u64> =
            ends.expect("reads").iter().map(|(_, end)| decode_number(Some(end))).collect();
        let log = log_entries(&snapshot, b"log", Direction::Forward, usize::MAX).await;
        for (position, epoch) in log.expect("reads") {
            let epoch = usize::try_from(decode_number(Some(&epoch))).expect("a small number");
            let end = ends.get(epoch).expect("each epoch has an end");
            assert!(position <= *end, "an entry of epoch {epoch} lies behind its end");
        }
    });
}

/// Ends an epoch: notes where its log ends, and begins the next one.
async fn change_epoch<E: Engine>(engine: &E) {
    let (keys, log) = ([b"epoch".to_vec()], [b"log".to_vec()]);
    let decide = |reads: &Reads| {
        let epoch = number_in(reads, 0);
        let mut batch = Batch::new();
        batch.put(b"epoch".to_vec(), (epoch + 1).to_be_bytes().to_vec());
        batch.put(format!("end/{epoch:08}").into_bytes(), reads.end(0).to_be_bytes().to_vec());
        Decision::Commit(batch, ())
    };
    let wants = Wants::locked(&keys).and_ends(&log);
    engine.transact(wants, decide).await.expect("a transaction succeeds");
}

async fn append_epoch<E: Engine>(engine: &E, task: u64, round: u64) {
    let keys = [format!("own/{task}/{round}").into_bytes()];
    let epoch = [b"epoch".to_vec()];
    let decide = |reads: &Reads| {
        let mut batch = Batch::new();
        let epoch = decode_number(reads.shared(0).map(|bytes| &**bytes));
        batch.append(b"log".to_vec(), epoch.to_be_bytes().to_vec());
        Decision::Commit(batch, ())
    };
    let wants = Wants::locked(&keys).and_shared(&epoch);
    engine.transact(wants, decide).await.expect("a transaction succeeds");
}

/// Transactions whose futures are dropped at once, among others that run to their end. Each adds
/// one to a number and appends what it wrote to a log. A dropped one may or may not commit, but
/// if another read the number before that was settled, the log would hold a value twice.
///
/// # Panics
///
/// Panics if the log does not count up by ones to the number.
pub fn dropped_transactions_are_settled<E: Engine, Keep>(open: impl Fn() -> (E, Keep)) {
    let (engine, _keep) = open();
    let engine = Arc::new(engine);
    runtime().block_on(async {
        let mut tasks = JoinSet::new();
        for _ in 0..TASKS {
            let engine = engine.clone();
            tasks.spawn(async move {
                for _ in 0..ROUNDS {
                    poll_once(increment(&*engine, number_key(0)));
                    tokio::task::yield_now().await;
                    poll_once(increment(&*engine, number_key(0)));
                    increment(&*engine, number_key(0)).await;
                }
            });
        }
        tasks.join_all().await;
        increment(&*engine, number_key(0)).await;
        let snapshot = engine.snapshot().await.expect("a snapshot opens");
        let number = snapshot.get(&number_key(0)).await.expect("a key reads");
        let log = log_entries(&snapshot, b"log", Direction::Forward, usize::MAX).await;
        let values: Vec<u64> =
            log.expect("reads").iter().map(|(_, value)| decode_number(Some(value))).collect();
        assert_eq!(values, (1..=decode_number(number.as_deref())).collect::<Vec<_>>());
    });
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(4).build().expect("a runtime starts")
}

/// Repeats `check` until all tasks are done, and then one more time.
async fn until_done(mut tasks: JoinSet<()>, mut check: impl AsyncFnMut()) {
    let done = Arc::new(AtomicBool::new(false));
    let watcher = tokio::spawn({
        let done = done.clone();
        async move {
            while let Some(outcome) = tasks.join_next().await {
                outcome.expect("a task does not panic");
            }
            done.store(true, Ordering::Release);
        }
    });
    while !done.load(Ordering::Acquire) {
        check().await;
        tokio::task::yield_now().await;
    }
    watcher.await.expect("every task succeeded");
    check().await;
}

fn poll_once(future: impl Future) {
    let _ = pin!(future).poll(&mut Context::from_waker(Waker::noop()));
}

fn number_key(index: u64) -> Key {
    format!("number/{index}").into_bytes()
}

fn decode_number(stored: Option<&[u8]>) -> u64 {
    stored.map_or(0, |bytes| u64::from_be_bytes(bytes.try_into().expect("a number has 8 bytes")))
}

fn number_in(reads: &Reads, index: usize) -> u64 {
    decode_number(reads.get(index).map(|bytes| &**bytes))
}

async fn set_number<E: Engine>(engine: &E, key: Key, number: u64) {
    let mut batch = Batch::new();
    batch.put(key, number.to_be_bytes().to_vec());
    super::commit(engine, &batch).await.expect("a commit succeeds");
}

async fn increment<E: Engine>(engine: &E, key: Key) {
    let decide = |reads: &Reads| {
        let number = number_in(reads, 0) + 1;
        let mut batch = Batch::new();
        batch.put(key.clone(), number.to_be_bytes().to_vec());
        batch.append(b"log".to_vec(), number.to_be_bytes().to_vec());
        Decision::Commit(batch, ())
    };
    engine
        .transact(Wants::locked(std::slice::from_ref(&key)), decide)
        .await
        .expect("a transaction succeeds");
}

async fn transfer<E: Engine>(engine: &E, from: u64, to: u64, amount: u64) {
    let keys = [number_key(from), number_key(to)];
    let decide = |reads: &Reads| {
        if from == to || number_in(reads, 0) < amount {
            return Decision::Keep(());
        }
        let mut batch = Batch::new();
        batch.put(number_key(from), (number_in(reads, 0) - amount).to_be_bytes().to_vec());
        batch.put(number_key(to), (number_in(reads, 1) + amount).to_be_bytes().to_vec());
        Decision::Commit(batch, ())
    };
    engine.transact(Wants::locked(&keys), decide).await.expect("a transaction succeeds");
}

async fn sum_by_range<S: Snapshot>(snapshot: &S) -> u64 {
    let range = KeyRange::prefix(b"number/");
    let numbers = entries(snapshot, &range, Direction::Forward).await.expect("a range reads");
    numbers.iter().map(|(_, value)| decode_number(Some(value))).sum()
}

async fn sum_by_key<S: Snapshot>(snapshot: &S, accounts: u64) -> u64 {
    let keys: Vec<Key> = (0..accounts).map(number_key).collect();
    let numbers = snapshot.get_many(&keys).await.expect("keys read");
    numbers.iter().map(|number| decode_number(number.as_deref())).sum()
}

async fn append<E: Engine>(engine: &E, log: u64) {
    let mut batch = Batch::new();
    batch.append(format!("log/{log}/").into_bytes(), Vec::new());
    super::commit(engine, &batch).await.expect("a commit succeeds");
}

/// The positions of the entries of a log, in the order in which they come.
async fn log_positions<E: Engine>(engine: &E, log: u64) -> Vec<u64> {
    let snapshot = engine.snapshot().await.expect("a snapshot opens");
    let log = format!("log/{log}/").into_bytes();
    let entries = log_entries(&snapshot, &log, Direction::Forward, usize::MAX).await;
    entries.expect("a log reads").iter().map(|(position, _)| *position).collect()
}

/// Writes an entry that was not there, or removes one that was, and counts it either way.
async fn put_or_delete_counted<E: Engine>(engine: &E, task: u64, round: u64) {
    let key = format!("entry/{task}/{}", round % 5).into_bytes();
    let decide = |reads: &Reads| {
        let mut batch = Batch::new();
        match reads.get(0) {
            Some(_) => {
                batch.delete(key.clone());
                batch.add(b"count".to_vec(), -1);
            }
            None => {
                batch.put(key.clone(), round.to_be_bytes().to_vec());
                batch.add(b"count".to_vec(), 1);
            }
        }
        Decision::Commit(batch, ())
    };
    engine
        .transact(Wants::locked(std::slice::from_ref(&key)), decide)
        .await
        .expect("a transaction succeeds");
}
