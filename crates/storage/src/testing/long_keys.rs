//! Keys as long as keys may be.

use std::ops::Bound;

use super::{commit, entries};
use crate::{Batch, Direction, Engine, KEY_BYTES_MAX, Key, KeyRange, Snapshot};

/// Writes long keys that differ in their last byte, and reads them one by one and as ranges.
///
/// # Panics
///
/// Panics if two of them are taken for one, or come in the wrong order.
pub fn are_told_apart<E: Engine, Keep>(open: impl Fn() -> (E, Keep)) {
    let (engine, _keep) = open();
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime starts");
    for bytes in [12 << 10, KEY_BYTES_MAX] {
        runtime.block_on(check(&engine, bytes));
    }
}

async fn check<E: Engine>(engine: &E, bytes: usize) {
    let key = |last: u8| -> Key {
        let mut key = vec![b'k'; bytes - 1];
        key.push(last);
        key
    };
    let keys: Vec<Key> = (0..=u8::MAX).map(key).collect();
    let mut batch = Batch::new();
    // Backwards, so that an engine which keeps the order of writes is found out.
    for (last, key) in keys.iter().enumerate().rev() {
        batch.put(key.clone(), last.to_string().into_bytes());
    }
    commit(engine, &batch).await.expect("long keys can be written");
    let snapshot = engine.snapshot().await.expect("a snapshot opens");
    for (last, key) in keys.iter().enumerate() {
        let value = snapshot.get(key).await.expect("a key reads");
        assert_eq!(value.as_deref(), Some(last.to_string().as_bytes()));
    }
    let between = KeyRange::new(Bound::Excluded(key(7)), Bound::Included(key(200)));
    let found = entries(&snapshot, &between, Direction::Forward).await.expect("a range reads");
    let found: Vec<&Key> = found.iter().map(|(key, _)| key).collect();
    assert_eq!(found, keys.get(8..=200).expect("there are 256").iter().collect::<Vec<_>>());
}
