//! Generated histories, compared with a `BTreeMap`.
//!
//! A history is a list of commits with snapshots taken and dropped in between. Every snapshot is
//! compared, when it is dropped and at the end, with the copy of the model made when it was
//! taken: all entries in both directions, a range, each key by itself, every log and every counter.

use std::collections::BTreeMap;
use std::ops::Bound;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::{commit, entries, log_entries};
use crate::{Batch, Direction, Engine, Key, KeyRange, Operation, Snapshot};

/// Each case opens an engine of its own, which on disk takes some milliseconds.
const CASES: u32 = 48;

/// What the store should hold.
#[derive(Clone, Debug, Default)]
struct Model {
    entries: BTreeMap<Key, Vec<u8>>,
    /// The values of each log that are left, oldest first.
    logs: BTreeMap<Key, Vec<Vec<u8>>>,
    counters: BTreeMap<Key, i64>,
}

/// One step of a history.
#[derive(Clone, Debug)]
enum Step {
    Commit(Vec<Operation>),
    TakeSnapshot,
    /// Compares and drops one of the open snapshots, and reads this range of it.
    DropSnapshot(usize, KeyRange),
}

/// Runs generated histories on engines from `open`.
///
/// # Panics
///
/// Panics with the smallest history it can find on which engine and model differ.
pub fn check_generated_histories<E: Engine, Keep>(open: impl Fn() -> (E, Keep)) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime starts");
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&vec(step(), 1..40), |steps| {
        let (engine, _keep) = open();
        runtime.block_on(check_history(&engine, steps));
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

async fn check_history<E: Engine>(engine: &E, steps: Vec<Step>) {
    let mut model = Model::default();
    let mut snapshots: Vec<(E::Snapshot, Model)> = Vec::new();
    for step in steps {
        match step {
            Step::Commit(operations) => {
                commit(engine, &batch_of(&operations)).await.expect("a commit succeeds");
                operations.into_iter().for_each(|operation| model.apply(operation));
            }
            Step::TakeSnapshot => {
                let snapshot = engine.snapshot().await.expect("a snapshot opens");
                snapshots.push((snapshot, model.clone()));
            }
            Step::DropSnapshot(index, range) if !snapshots.is_empty() => {
                let (snapshot, model) = snapshots.swap_remove(index % snapshots.len());
                check_snapshot(&snapshot, &model, &range).await;
            }
            Step::DropSnapshot(..) => {}
        }
    }
    snapshots.push((engine.snapshot().await.expect("a snapshot opens"), model));
    for (snapshot, model) in snapshots {
        check_snapshot(&snapshot, &model, &KeyRange::all()).await;
    }
}

async fn check_snapshot<S: Snapshot>(snapshot: &S, model: &Model, range: &KeyRange) {
    let mut expected: Vec<_> =
        model.entries.iter().filter(|(key, _)| range.contains(key)).collect();
    for direction in [Direction::Forward, Direction::Backward] {
        let actual = entries(snapshot, range, direction).await.expect("a range reads");
        assert_eq!(actual.iter().map(|(key, value)| (key, value)).collect::<Vec<_>>(), expected);
        expected.reverse();
    }
    for key in keys() {
        let value = snapshot.get(&key).await.expect("a key reads");
        assert_eq!(value.as_deref(), model.entries.get(&key).map(Vec::as_slice));
    }
    for log in logs() {
        let found = log_entries(snapshot, &log, Direction::Forward, usize::MAX).await;
        let found: Vec<Vec<u8>> =
            found.expect("a log reads").iter().map(|(_, value)| value.to_vec()).collect();
        assert_eq!(found, model.logs.get(&log).cloned().unwrap_or_default());
    }
    for counter in counters() {
        let value = snapshot.counter(&counter).await.expect("a counter reads");
        assert_eq!(value, model.counters.get(&counter).copied().unwrap_or(0));
    }
    for (prefix, after) in [(&b""[..], None), (b"a", None), (b"c", Some(&b"count"[..]))] {
        check_counters(snapshot, model, prefix, after).await;
    }
}

async fn check_counters<S: Snapshot>(
    snapshot: &S,
    model: &Model,
    prefix: &[u8],
    after: Option<&[u8]>,
) {
    let mut found = Vec::new();
    let visit = |name: &[u8], value: i64| {
        found.extend((value != 0).then(|| (name.to_vec(), value)));
        std::ops::ControlFlow::Continue(())
    };
    snapshot.visit_counters(prefix, after, usize::MAX, visit).await.expect("counters read");
    let is_wanted = |(name, value): &(&Key, &i64)| {
        name.starts_with(prefix)
            && after.is_none_or(|after| name.as_slice() > after)
            && **value != 0
    };
    let wanted = model.counters.iter().filter(is_wanted);
    assert_eq!(found, wanted.map(|(name, value)| (name.clone(), *value)).collect::<Vec<_>>());
}

impl Model {
    fn apply(&mut self, operation: Operation) {
        match operation {
            Operation::Put { key, value } => {
                self.entries.insert(key, value.to_vec());
            }
            Operation::Delete { key } => {
                self.entries.remove(&key);
            }
            Operation::DeleteRange { range } => self.entries.retain(|key, _| !range.contains(key)),
            Operation::Append { log, value } => {
                self.logs.entry(log).or_default().push(value.to_vec());
            }
            // Positions are the engine's, and nobody copies these stores.
            Operation::Place(_) => unreachable!("no history places entries"),
            // Histories trim whole logs only: positions are the engine's.
            Operation::Trim { log, .. } => {
                self.logs.remove(&log);
            }
            Operation::Add { counter, delta } => {
                *self.counters.entry(counter).or_default() += delta
            }
            Operation::Reset { counter } => {
                self.counters.remove(&counter);
            }
        }
    }
}

fn batch_of(operations: &[Operation]) -> Batch {
    let mut batch = Batch::new();
    for operation in operations.iter().cloned() {
        match operation {
            Operation::Put { key, value } => batch.put(key, value),
            Operation::Delete { key } => batch.delete(key),
            Operation::DeleteRange { range } => batch.delete_range(range),
            Operation::Append { log, value } => batch.append(log, value),
            Operation::Place(entry) => batch.place(entry.log, entry.position, entry.value),
            Operation::Trim { log, through } => batch.trim(log, through),
            Operation::Add { counter, delta } => batch.add(counter, delta),
            Operation::Reset { counter } => batch.reset(counter),
        }
    }
    batch
}

/// Every plain key that a history can write: few, so that they are overwritten and deleted.
fn keys() -> Vec<Key> {
    let bytes = [0x00, b'a', 0xef];
    let pairs = bytes.iter().flat_map(|first| bytes.iter().map(|second| vec![*first, *second]));
    bytes.iter().map(|byte| vec![*byte]).chain(pairs).collect()
}

/// One is the beginning of the other's name.
fn logs() -> Vec<Key> {
    vec![b"log".to_vec(), b"log/2".to_vec()]
}

/// One has the name of a key.
fn counters() -> Vec<Key> {
    vec![b"a".to_vec(), b"count".to_vec()]
}

fn key() -> impl Strategy<Value = Key> {
    proptest::sample::select(keys())
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => vec(operation(), 0..6).prop_map(Step::Commit),
        1 => Just(Step::TakeSnapshot),
        1 => (any::<usize>(), range()).prop_map(|(index, range)| Step::DropSnapshot(index, range)),
    ]
}

fn operation() -> impl Strategy<Value = Operation> {
    let value = || vec(any::<u8>(), 0..40).prop_map(bytes::Bytes::from);
    let log = || proptest::sample::select(logs());
    let counter = || proptest::sample::select(counters());
    prop_oneof![
        6 => (key(), value()).prop_map(|(key, value)| Operation::Put { key, value }),
        3 => key().prop_map(|key| Operation::Delete { key }),
        1 => range().prop_map(|range| Operation::DeleteRange { range }),
        3 => (log(), value()).prop_map(|(log, value)| Operation::Append { log, value }),
        1 => log().prop_map(|log| Operation::Trim { log, through: u64::MAX }),
        2 => (counter(), -9..9_i64).prop_map(|(counter, delta)| Operation::Add { counter, delta }),
        1 => counter().prop_map(|counter| Operation::Reset { counter }),
    ]
}

fn range() -> impl Strategy<Value = KeyRange> {
    (bound(), bound()).prop_map(|(start, end)| KeyRange::new(start, end))
}

fn bound() -> impl Strategy<Value = Bound<Key>> {
    prop_oneof![
        Just(Bound::Unbounded),
        key().prop_map(Bound::Included),
        key().prop_map(Bound::Excluded),
    ]
}
