//! [`LocalSnapshot`] and the place where the newest one is published.

use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError, RwLock};

use bytes::Bytes;
use lsm_tree::{Guard, IterGuardImpl, UserKey};
use monotable_storage::{Direction, Error, ErrorKind, Key, KeyRange, Result, Snapshot};

use crate::instants::HeldInstant;
use crate::store::Store;

/// One moment of a [`LocalEngine`](crate::LocalEngine).
///
/// While one is kept, the versions that it can see stay on disk, and after the engine is closed the
/// directory stays locked until the last one is dropped.
#[derive(Clone)]
pub struct LocalSnapshot {
    // One pointer, so that taking a snapshot costs one count and not one per part.
    moment: Arc<Moment>,
}

struct Moment {
    instant: HeldInstant,
    store: Arc<Store>,
}

impl LocalSnapshot {
    /// Takes the newest state of the tree, which is what the last commit left.
    fn newest(store: Arc<Store>) -> LocalSnapshot {
        let instant = store.newest_instant();
        LocalSnapshot { moment: Arc::new(Moment { instant, store }) }
    }

    fn get_now(&self, key: &[u8]) -> Result<Option<Bytes>> {
        let Moment { instant, store } = &*self.moment;
        store.check_open()?;
        store.get(key, instant.get())
    }

    pub(crate) fn get_many_now(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>> {
        keys.iter().map(|key| self.get_now(key)).collect()
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
        visit: impl FnMut(&[u8], Bytes) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        let Moment { instant, store } = &*self.moment;
        store.check_open()?;
        if range.is_empty() {
            return Ok(());
        }
        let entries = store.range(range, instant.get());
        let visited = match direction {
            Direction::Forward => visit_each(entries, visit),
            Direction::Backward => visit_each(entries.rev(), visit),
        };
        visited.map_err(|(error, last)| store.read_error(error, range, direction, last))
    }
}

/// Visits entries until it is told to stop. An error comes with the last key that was read before it.
fn visit_each(
    entries: impl Iterator<Item = IterGuardImpl>,
    mut visit: impl FnMut(&[u8], Bytes) -> ControlFlow<()>,
) -> Result<(), (lsm_tree::Error, Option<UserKey>)> {
    let mut last = None;
    for entry in entries {
        let (key, value) = match entry.into_inner() {
            Ok(entry) => entry,
            Err(error) => return Err((error, last)),
        };
        if visit(&key, Bytes::from(value)).is_break() {
            break;
        }
        last = Some(key);
    }
    Ok(())
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

    /// Gives readers nothing from here on.
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
