//! [`MemorySnapshot`]: a commit number, and the store to read it from.

use std::ops::{Bound, ControlFlow, RangeInclusive};
use std::sync::Arc;

use bytes::Bytes;

use super::SharedMap;
use super::ordered_key::OrderedKey;
use super::versioned_map::VersionedMap;
use crate::space::{
    counter_key, counter_name, counter_range, counter_value, end_of_keys, log_entry_position,
    log_of_entry, log_range, logs_after,
};
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
    store: Arc<SharedMap>,
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
    pub(super) fn open(store: &Arc<SharedMap>) -> Result<MemorySnapshot> {
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
        about: usize,
        visit: impl FnMut(&[u8], Bytes) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        self.visit_rest(RestOfRange::of_keys(range, direction), about, visit)
    }

    async fn visit_log(
        &self,
        log: &[u8],
        positions: RangeInclusive<u64>,
        direction: Direction,
        about: usize,
        mut visit: impl FnMut(u64, Bytes) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        let rest = RestOfRange::new(&log_range(log, &positions), direction);
        let mut damage = Ok(());
        let visited = self.visit_rest(rest, about, |key, value| match log_entry_position(key) {
            Ok(position) => visit(position, value),
            Err(error) => {
                damage = Err(error);
                ControlFlow::Break(())
            }
        });
        visited.and(damage)
    }

    async fn logs(&self) -> Result<Vec<Key>> {
        let mut logs: Vec<Key> = Vec::new();
        loop {
            let after = logs_after(logs.last().map(Vec::as_slice));
            let mut next = Ok(None);
            self.visit_rest(RestOfRange::new(&after, Direction::Forward), 1, |key, _| {
                next = log_of_entry(key).map(|log| Some(log.to_vec()));
                ControlFlow::Break(())
            })?;
            match next? {
                Some(log) => logs.push(log),
                None => return Ok(logs),
            }
        }
    }

    async fn counter(&self, counter: &[u8]) -> Result<i64> {
        let stored = self.get(&counter_key(counter.to_vec())).await?;
        counter_value(stored.as_deref())
    }

    async fn visit_counters(
        &self,
        prefix: &[u8],
        after: Option<&[u8]>,
        about: usize,
        mut visit: impl FnMut(&[u8], i64) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        let rest = RestOfRange::new(&counter_range(prefix, after), Direction::Forward);
        let mut damage = Ok(());
        let visited =
            self.visit_rest(rest, about, |key, value| match counter_value(Some(&value)) {
                Ok(value) => visit(counter_name(key), value),
                Err(error) => {
                    damage = Err(error);
                    ControlFlow::Break(())
                }
            });
        visited.and(damage)
    }
}

impl MemorySnapshot {
    fn visit_rest(
        &self,
        mut rest: RestOfRange,
        about: usize,
        mut visit: impl FnMut(&[u8], Bytes) -> ControlFlow<()>,
    ) -> Result<()> {
        if rest.is_empty() {
            return self.opened.store.with_map(|_| ());
        }
        let mut chunk_entries = about.clamp(1, CHUNK_ENTRIES_FIRST);
        let mut chunk = Vec::with_capacity(chunk_entries);
        loop {
            let next = self.opened.store.with_map(|map| {
                map.chunk(
                    rest.bounds(),
                    rest.direction,
                    self.opened.commit,
                    chunk_entries,
                    &mut chunk,
                )
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
pub(super) struct RestOfRange {
    start: Bound<OrderedKey>,
    end: Bound<OrderedKey>,
    direction: Direction,
    is_empty: bool,
}

impl RestOfRange {
    pub(super) fn new(range: &KeyRange, direction: Direction) -> RestOfRange {
        RestOfRange::between(range, range.end(), direction)
    }

    /// The same without what lies above all keys.
    pub(super) fn of_keys(range: &KeyRange, direction: Direction) -> RestOfRange {
        RestOfRange::between(range, end_of_keys(range), direction)
    }

    fn between(range: &KeyRange, end: Bound<&[u8]>, direction: Direction) -> RestOfRange {
        let (start, end) = (range.start().map(OrderedKey::new), end.map(OrderedKey::new));
        RestOfRange { start, end, direction, is_empty: range.is_empty() }
    }

    fn is_empty(&self) -> bool {
        self.is_empty
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

    /// The first entries, as the map has them now.
    pub(super) fn newest(&mut self, map: &VersionedMap, limit: usize) -> Vec<(Key, Bytes)> {
        let mut found = Vec::new();
        while !self.is_empty && found.len() < limit {
            let mut chunk = Vec::new();
            let wanted = limit - found.len();
            let commit = map.last_commit();
            let next = map.chunk(self.bounds(), self.direction, commit, wanted, &mut chunk);
            found.extend(chunk.into_iter().map(|(key, value)| (key.as_bytes().to_vec(), value)));
            match next {
                Some(last) => self.shrink_to_after(last),
                None => break,
            }
        }
        found
    }
}
