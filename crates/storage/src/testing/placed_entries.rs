//! Logs whose entries have the positions that another store gave them.

use super::{commit, log_entries};
use crate::{Batch, Direction, Engine, Key, Snapshot};

/// Places entries, appends to the same logs, and lists the logs.
///
/// # Panics
///
/// Panics if an entry is not where it was placed, if a later one comes before it, or if a log is
/// listed that has no entries.
pub fn keep_their_positions<E: Engine, Keep>(open: impl Fn() -> (E, Keep)) {
    let (engine, _keep) = open();
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime starts");
    runtime.block_on(check(&engine));
}

async fn check<E: Engine>(engine: &E) {
    let (first, second, probe) = (b"a".to_vec(), b"a/2".to_vec(), b"probe".to_vec());
    let mut batch = Batch::new();
    batch.append(first.clone(), "early");
    commit(engine, &batch).await.expect("an entry is appended");
    let mut batch = Batch::new();
    batch.place(second.clone(), 7_000, "one");
    batch.place(second.clone(), 7_005, "two");
    batch.place(probe.clone(), 9_000, "");
    commit(engine, &batch).await.expect("entries are placed");
    assert_eq!(logs(engine).await, [first.clone(), second.clone(), probe.clone()]);
    let mut batch = Batch::new();
    batch.trim(probe, 9_000);
    commit(engine, &batch).await.expect("a log is trimmed");
    let mut batch = Batch::new();
    batch.append(second.clone(), "three");
    batch.append(first.clone(), "late");
    commit(engine, &batch).await.expect("entries are appended");
    assert_eq!(logs(engine).await, [first.clone(), second.clone()]);
    let found = positions(engine, &second).await;
    assert_eq!(found.get(..2), Some(&[7_000, 7_005][..]));
    assert!(found.len() == 3 && found.last() > Some(&9_000), "{found:?}");
    let found = positions(engine, &first).await;
    assert!(found.len() == 2 && found.last() > Some(&9_000), "{found:?}");
}

async fn logs<E: Engine>(engine: &E) -> Vec<Key> {
    let snapshot = engine.snapshot().await.expect("a snapshot opens");
    let mut logs = snapshot.logs().await.expect("logs are listed");
    logs.sort_unstable();
    logs
}

async fn positions<E: Engine>(engine: &E, log: &[u8]) -> Vec<u64> {
    let snapshot = engine.snapshot().await.expect("a snapshot opens");
    let entries = log_entries(&snapshot, log, Direction::Forward, usize::MAX).await;
    entries.expect("a log reads").into_iter().map(|(position, _)| position).collect()
}
