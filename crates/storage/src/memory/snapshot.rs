//! [`MemorySnapshot`]: a commit number, and the store to read it from.

use std::ops::{Bound, ControlFlow};
use std::sync::Arc;

use bytes::Bytes;

use super::Store;
use super::ordered_key::OrderedKey;
use crate::{Direction, Key, KeyRange, Result, Snapshot};

/// A range is copied out in chunks, so that the map is not locked while the visitor works. They
/// begin small, because most visits end early, and grow, because each one costs a search.
const CHUNK_ENTRIES_FIRST: usize = 32;
const CHUNK_ENTRIES_MAX: usize = 512;

/// One moment of a [`MemoryEngine`](crate::MemoryEngine).
#[derive(Clone, Debug)]
pub struct MemorySnapshot {
    opened: Arc<Opened>,
}

/// A snapshot's entry in the list of open ones, which ends with the last clone.
#[derive(Debug)]
struct Opened {
    store: Arc<Store>,
    commit: u64,
}

impl Drop for Opened {
    fn drop(&mut self) {
        self.store.open_snapshots.lock().close(self.commit);
    }
}

impl MemorySnapshot {
    /// Takes the present moment. The map stays locked until the snapshot is on the list, so that
    /// no commit can drop a version in between.
    pub(super) fn open(store: &Arc<Store>) -> Result<MemorySnapshot> {
        let commit = store.with_map(|map| {
            let commit = map.last_commit();
            store.open_snapshots.lock().open(commit);
            commit
        })?;
        Ok(MemorySnapshot { opened: Arc::new(Opened { store: store.clone(), commit }) })
    }
}

impl Snapshot for MemorySnapshot {
    async fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        self.opened.store.with_map(|map| map.at(key, self.opened.commit))
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>> {
        self.opened
            .store
            .with_map(|map| keys.iter().map(|key| map.at(key, self.opened.commit)).collect())
    }

    async fn visit(
        &self,
        range: &KeyRange,
        direction: Direction,
        mut visit: impl FnMut(&[u8], Bytes) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        if range.is_empty() {
            return Ok(());
        }
        let mut rest = RestOfRange::new(range, direction);
        let mut chunk_entries = CHUNK_ENTRIES_FIRST;
        let mut chunk = Vec::with_capacity(chunk_entries);
        loop {
            let next = self.opened.store.with_map(|map| {
                map.chunk(rest.bounds(), direction, self.opened.commit, chunk_entries, &mut chunk)
            })?;
            for (key, value) in chunk.drain(..) {
                if visit(key.as_bytes(), value).is_break() {
                    return Ok(());
                }
            }
            let Some(last) = next else { return Ok(()) };
            rest.shrink_to_after(last);
            chunk_entries = (chunk_entries * 2).min(CHUNK_ENTRIES_MAX);
        }
    }
}

/// The part of a range that is still to be visited.
struct RestOfRange {
    start: Bound<OrderedKey>,
    end: Bound<OrderedKey>,
    direction: Direction,
}

impl RestOfRange {
    fn new(range: &KeyRange, direction: Direction) -> RestOfRange {
        let (start, end) = (range.start().map(OrderedKey::new), range.end().map(OrderedKey::new));
        RestOfRange { start, end, direction }
    }

    fn bounds(&self) -> (Bound<&OrderedKey>, Bound<&OrderedKey>) {
        (self.start.as_ref(), self.end.as_ref())
    }

    fn shrink_to_after(&mut self, last: OrderedKey) {
        match self.direction {
            Direction::Forward => self.start = Bound::Excluded(last),
            Direction::Backward => self.end = Bound::Excluded(last),
        }
    }
}
