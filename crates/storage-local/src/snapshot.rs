//! [`LocalSnapshot`] and the place where the newest one is published.

use std::ops::{Bound, ControlFlow, RangeInclusive};
use std::sync::{Arc, PoisonError, RwLock};

use bytes::Bytes;
use monotable_storage::space::{
    counter_key, counter_name, counter_range, counter_value, end_of_keys, log_entry_position,
    log_of_entry, log_range, logs_after,
};
use monotable_storage::{Direction, Error, ErrorKind, Key, KeyRange, RangeRead, Result, Snapshot};
use monotable_tree::State;

use crate::error::tree_error;
use crate::store::Store;
use crate::walk::{self, DeletedStretch, Walk, Walked};

/// One moment of a [`LocalEngine`](crate::LocalEngine).
///
/// While one is kept, the tables and memtables that it can see stay, and after the engine is closed
/// the directory stays locked until the last one is dropped.
#[derive(Clone)]
pub struct LocalSnapshot {
    // One pointer, so that taking a snapshot costs one count and not one per part.
    moment: Arc<SnapshotParts>,
}

struct SnapshotParts {
    state: Arc<State>,
    instant: u64,
    store: Arc<Store>,
}

impl LocalSnapshot {
    /// Takes the newest state of the tree, which is what the last commit left.
    fn newest(store: Arc<Store>) -> LocalSnapshot {
        let (state, instant) = store.newest();
        LocalSnapshot { moment: Arc::new(SnapshotParts { state, instant, store }) }
    }

    pub(crate) fn get_now(&self, key: &[u8]) -> Result<Option<Bytes>> {
        let SnapshotParts { state, instant, store } = &*self.moment;
        store.check_open()?;
        state.get(key, *instant).map_err(tree_error)
    }

    pub(crate) fn get_many_now(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>> {
        keys.iter().map(|key| self.get_now(key)).collect()
    }

    /// The first entries of a range of keys.
    pub(crate) async fn range_now(&self, wanted: &RangeRead) -> Result<Vec<(Key, Bytes)>> {
        let mut entries = Vec::new();
        self.visit_keys(&wanted.range, wanted.direction, |key, value| {
            if entries.len() == wanted.limit {
                return ControlFlow::Break(());
            }
            entries.push((key.to_vec(), value));
            ControlFlow::Continue(())
        })
        .await?;
        Ok(entries)
    }

    /// The position of the last entry of a log, 0 if it has none.
    pub(crate) async fn log_end_now(&self, log: &[u8]) -> Result<u64> {
        let mut end = 0;
        self.visit_positions(log, &(0..=u64::MAX), Direction::Backward, |position, _| {
            end = position;
            ControlFlow::Break(())
        })
        .await?;
        Ok(end)
    }

    /// The deleted entries from a key on, up to the first value.
    pub(crate) fn stretch_from(&self, start: &[u8]) -> Result<DeletedStretch> {
        let SnapshotParts { state, instant, store } = &*self.moment;
        store.check_open()?;
        walk::stretch_from(state, *instant, store.gaps(), start).map_err(tree_error)
    }

    async fn visit_keys(
        &self,
        range: &KeyRange,
        direction: Direction,
        visit: impl FnMut(&[u8], Bytes) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        if range.is_empty() {
            return self.moment.store.check_open();
        }
        self.visit_between(range.start(), end_of_keys(range), direction, visit).await
    }

    async fn visit_positions(
        &self,
        log: &[u8],
        positions: &RangeInclusive<u64>,
        direction: Direction,
        mut visit: impl FnMut(u64, Bytes) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        let range = log_range(log, positions);
        if range.is_empty() {
            return self.moment.store.check_open();
        }
        let mut damage = Ok(());
        let visit = |key: &[u8], value: Bytes| match log_entry_position(key) {
            Ok(position) => visit(position, value),
            Err(error) => {
                damage = Err(error);
                ControlFlow::Break(())
            }
        };
        self.visit_between(range.start(), range.end(), direction, visit).await?;
        damage
    }

    /// Visits what lies between two bounds that leave room.
    async fn visit_between(
        &self,
        start: Bound<&[u8]>,
        end: Bound<&[u8]>,
        direction: Direction,
        mut visit: impl FnMut(&[u8], Bytes) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        let SnapshotParts { state, instant, store } = &*self.moment;
        let mut walk = Walk::new(state, *instant, store.gaps(), (start, end), direction);
        loop {
            store.check_open()?;
            match walk.go_on(&mut visit).map_err(tree_error)? {
                Walked::ToTheEnd => return Ok(()),
                // Others who wait for this worker go first.
                Walked::FarEnough => tokio::task::yield_now().await,
            }
        }
    }
}

impl Snapshot for LocalSnapshot {
    async fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        self.get_now(key)
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>> {
        self.get_many_now(keys)
    }

    async fn visit(
        &self,
        range: &KeyRange,
        direction: Direction,
        _about: usize,
        visit: impl FnMut(&[u8], Bytes) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        self.visit_keys(range, direction, visit).await
    }

    async fn visit_log(
        &self,
        log: &[u8],
        positions: RangeInclusive<u64>,
        direction: Direction,
        _about: usize,
        visit: impl FnMut(u64, Bytes) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        self.visit_positions(log, &positions, direction, visit).await
    }

    async fn logs(&self) -> Result<Vec<Key>> {
        let mut logs: Vec<Key> = Vec::new();
        loop {
            let after = logs_after(logs.last().map(Vec::as_slice));
            let mut next = Ok(None);
            let visit = |key: &[u8], _: Bytes| {
                next = log_of_entry(key).map(|log| Some(log.to_vec()));
                ControlFlow::Break(())
            };
            self.visit_between(after.start(), after.end(), Direction::Forward, visit).await?;
            match next? {
                Some(log) => logs.push(log),
                None => return Ok(logs),
            }
        }
    }

    async fn counter(&self, counter: &[u8]) -> Result<i64> {
        let stored = self.get_now(&counter_key(counter.to_vec()))?;
        counter_value(stored.as_deref())
    }

    async fn visit_counters(
        &self,
        prefix: &[u8],
        after: Option<&[u8]>,
        _about: usize,
        mut visit: impl FnMut(&[u8], i64) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        let range = counter_range(prefix, after);
        let mut damage = Ok(());
        let visit = |key: &[u8], value: Bytes| match counter_value(Some(&value)) {
            Ok(value) => visit(counter_name(key), value),
            Err(error) => {
                damage = Err(error);
                ControlFlow::Break(())
            }
        };
        self.visit_between(range.start(), range.end(), Direction::Forward, visit).await?;
        damage
    }
}

/// The snapshot that readers are given, until the store is closed.
pub(crate) struct Published {
    newest: RwLock<Option<LocalSnapshot>>,
}

impl Published {
    pub(crate) fn new(store: Arc<Store>) -> Published {
        Published { newest: RwLock::new(Some(LocalSnapshot::newest(store))) }
    }

    pub(crate) fn get(&self) -> Result<LocalSnapshot> {
        let newest = self.newest.read().unwrap_or_else(PoisonError::into_inner);
        newest.clone().ok_or_else(|| Error::new(ErrorKind::Closed))
    }

    /// Shows readers what the last commit left.
    pub(crate) fn publish(&self, store: &Arc<Store>) {
        self.replace(Some(LocalSnapshot::newest(store.clone())));
    }

    /// Refuses readers from here on.
    pub(crate) fn withdraw(&self) {
        self.replace(None);
    }

    fn replace(&self, snapshot: Option<LocalSnapshot>) {
        let mut newest = self.newest.write().unwrap_or_else(PoisonError::into_inner);
        let replaced = std::mem::replace(&mut *newest, snapshot);
        // Letting go of a snapshot can take a while, and readers need not wait for it.
        drop(newest);
        drop(replaced);
    }
}
