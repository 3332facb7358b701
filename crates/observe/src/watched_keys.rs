//! Keys that are watched: of the tables of models, and of tables whose keys are watched without
//! one.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::call::CalledTable;
use crate::key_sketch::{HotKey, KeySketch};
use crate::report::{KeyReport, TableReport};

/// How many tables and indexes without a model are watched.
const WATCHED_MAX: usize = 500;

/// The keys of a table or index that are asked for most.
#[derive(Debug, Default)]
pub(crate) struct WatchedKeys {
    accessed: OnceLock<KeySketch>,
    throttled: OnceLock<KeySketch>,
}

impl WatchedKeys {
    /// Those that are asked for.
    #[inline]
    pub(crate) fn accessed(&self) -> &KeySketch {
        self.accessed.get_or_init(KeySketch::default)
    }

    /// Those whose requests are throttled.
    pub(crate) fn throttled(&self) -> &KeySketch {
        self.throttled.get_or_init(KeySketch::default)
    }

    /// The keys that were asked for most, and those that were throttled most.
    pub(crate) fn top(&self, count_max: usize) -> (Vec<HotKey>, Vec<HotKey>) {
        let top = |sketch: Option<&KeySketch>| {
            sketch.map(|sketch| sketch.top(count_max)).unwrap_or_default()
        };
        (top(self.accessed.get()), top(self.throttled.get()))
    }
}

/// The keys of tables and indexes that no model has.
#[derive(Debug, Default)]
pub(crate) struct KeyTables {
    /// By the table's number and the index.
    known: RwLock<BTreeMap<TablePart, Arc<KeyTable>>>,
}

/// The number of a table, and the name of an index of it.
type TablePart = (u32, Option<String>);

/// A table or index without a model.
#[derive(Debug)]
pub(crate) struct KeyTable {
    name: String,
    /// Partition keys.
    pub(crate) keys: WatchedKeys,
    /// Partition keys with sort keys.
    pub(crate) items: WatchedKeys,
}

impl KeyTables {
    /// Does something with the keys of a table or index, unless too many are watched already.
    pub(crate) fn with(
        &self,
        table: CalledTable<'_>,
        index: Option<&str>,
        work: impl FnOnce(&KeyTable),
    ) {
        let place = (table.id, index.map(str::to_owned));
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&place).cloned();
        let known = known.or_else(|| {
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            if known.len() >= WATCHED_MAX {
                return None;
            }
            let made = KeyTable {
                name: table.name.to_owned(),
                keys: WatchedKeys::default(),
                items: WatchedKeys::default(),
            };
            Some(known.entry(place).or_insert_with(|| Arc::new(made)).clone())
        });
        if let Some(known) = known {
            work(&known);
        }
    }

    /// Forgets the keys of parts of a table that are not kept.
    pub(crate) fn keep(&self, table: u32, is_kept: impl Fn(Option<&str>) -> bool) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(id, index), _| *id != table || is_kept(index.as_deref()));
    }

    /// What was seen, by table.
    pub(crate) fn report(&self) -> Vec<TableReport> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let mut tables: BTreeMap<(u32, &str), Vec<KeyReport>> = BTreeMap::new();
        for ((id, index), table) in known.iter() {
            let report = KeyReport::new(index.as_ref(), &table.keys).with_items(&table.items);
            tables.entry((*id, table.name.as_str())).or_default().push(report);
        }
        let report = |((_, name), keys): ((u32, &str), Vec<KeyReport>)| TableReport {
            name: name.to_owned(),
            keys,
        };
        tables.into_iter().map(report).collect()
    }
}
