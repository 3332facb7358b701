//! What a process remembers of the tables.
//!
//! The store has the truth; this is a copy of the records that were read last. Whatever is learned
//! is compared by its stamp, and the later one stays, so that it does not matter in which order
//! news arrive: a record that was read before the table was deleted, and arrives after it, changes
//! nothing.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

use crate::home::Home;
use crate::schema::{Stamp, TableSchema};
use crate::table::Table;

/// The tables that are known, by home and name.
#[derive(Debug, Default)]
pub(crate) struct TableCache {
    known: RwLock<KnownTables>,
    /// How many records are being read. While there are any, deleted tables are remembered.
    loading: AtomicUsize,
}

type KnownTables = BTreeMap<Home, BTreeMap<String, Known>>;

#[derive(Debug)]
enum Known {
    There(Arc<Table>),
    /// There was one with this stamp or an earlier one.
    Gone(Stamp),
}

impl Known {
    fn stamp(&self) -> Stamp {
        match self {
            Known::There(table) => table.stamp(),
            Known::Gone(stamp) => *stamp,
        }
    }

    fn table(&self) -> Option<&Arc<Table>> {
        match self {
            Known::There(table) => Some(table),
            Known::Gone(_) => None,
        }
    }
}

impl TableCache {
    /// The table of a name.
    pub(crate) fn get(&self, home: &Home, name: &str) -> Option<Arc<Table>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(home)?.get(name)?.table().cloned()
    }

    /// All tables of every home.
    pub(crate) fn all(&self) -> Vec<Arc<Table>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.values().flat_map(BTreeMap::values).filter_map(Known::table).cloned().collect()
    }

    /// Takes note of a version of a table.
    pub(crate) fn learn(&self, table: Arc<Table>) {
        let mut known = self.lock();
        let TableSchema { home, name, .. } = &**table.schema();
        let known = known.entry(home.clone()).or_default();
        if known.get(name).is_none_or(|known| known.stamp() < table.stamp()) {
            known.insert(name.clone(), Known::There(table));
        }
    }

    /// Notes that a table was deleted for good.
    pub(crate) fn learn_gone(&self, last: &TableSchema) {
        let TableSchema { home, name, id, .. } = last;
        let gone = Stamp { table: *id, version: u64::MAX };
        let mut known = self.lock();
        let known = known.entry(home.clone()).or_default();
        if known.get(name).is_none_or(|known| known.stamp() < gone) {
            match self.loading.load(Ordering::Acquire) {
                0 => drop(known.remove(name)),
                _ => drop(known.insert(name.to_owned(), Known::Gone(gone))),
            }
        }
    }

    /// Begins to read a record: what is learned before the guard is dropped is not undone by what
    /// was read.
    pub(crate) fn loading(&self) -> Loading<'_> {
        // Under the lock, so that no table can go unnoticed from here on.
        let _known = self.lock();
        self.loading.fetch_add(1, Ordering::AcqRel);
        Loading { cache: self }
    }

    fn lock(&self) -> RwLockWriteGuard<'_, KnownTables> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A record is being read.
#[derive(Debug)]
pub(crate) struct Loading<'a> {
    cache: &'a TableCache,
}

impl Drop for Loading<'_> {
    fn drop(&mut self) {
        let mut known = self.cache.lock();
        if self.cache.loading.fetch_sub(1, Ordering::AcqRel) == 1 {
            known.retain(|_, known| {
                known.retain(|_, known| known.table().is_some());
                !known.is_empty()
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::TableId;
    use crate::schema::testing::schema;

    fn version(id: u32, version: u64) -> Arc<Table> {
        Table::new(crate::schema::TableSchema { id: TableId(id), version, ..schema("t") })
    }

    #[test]
    fn the_later_version_stays_whatever_comes_first() {
        let cache = TableCache::default();
        cache.learn(version(1, 2));
        cache.learn(version(1, 1));
        assert_eq!(cache.get(&Home::default(), "t").unwrap().stamp(), version(1, 2).stamp());
        cache.learn(version(2, 1));
        cache.learn(version(1, 9));
        cache.learn_gone(version(1, 1).schema());
        assert_eq!(cache.get(&Home::default(), "t").unwrap().stamp(), version(2, 1).stamp());
    }

    #[test]
    fn a_record_that_was_read_before_the_table_went_does_not_bring_it_back() {
        let cache = TableCache::default();
        cache.learn(version(1, 1));
        let loading = cache.loading();
        let read = version(1, 2);
        cache.learn_gone(version(1, 1).schema());
        cache.learn(read);
        assert!(cache.get(&Home::default(), "t").is_none());
        drop(loading);
        assert!(cache.get(&Home::default(), "t").is_none() && cache.lock().is_empty());
    }
}
