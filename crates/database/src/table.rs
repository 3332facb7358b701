//! A table that is open: its schema as it is now, and the gate that schema changes close.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::{MutexGuard, RwLockReadGuard, RwLockWriteGuard};

use crate::schema::{TableId, TableSchema};
use crate::swept_mark::SweptMark;

/// An open table.
///
/// Writes hold the gate open while they run; a change of the schema closes it. So every write sees one
/// schema from beginning to end, and when an index has been added, no write is under way that does
/// not know of it.
#[derive(Debug)]
pub struct Table {
    id: TableId,
    schema: RwLock<Arc<TableSchema>>,
    gate: tokio::sync::RwLock<()>,
    /// Held by whoever changes the schema, from reading the old one to storing the new one.
    change: tokio::sync::Mutex<()>,
    dropped: AtomicBool,
    swept: SweptMark,
}

impl Table {
    pub(crate) fn new(schema: TableSchema) -> Arc<Table> {
        Arc::new(Table {
            id: schema.id,
            schema: RwLock::new(Arc::new(schema)),
            gate: tokio::sync::RwLock::new(()),
            change: tokio::sync::Mutex::new(()),
            dropped: AtomicBool::new(false),
            swept: SweptMark::default(),
        })
    }

    /// The schema as it is now.
    pub fn schema(&self) -> Arc<TableSchema> {
        self.schema.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How far the table was swept of expired items.
    pub(crate) fn swept(&self) -> &SweptMark {
        &self.swept
    }

    /// Whether the table has been deleted since it was looked up.
    pub(crate) fn is_dropped(&self) -> bool {
        self.dropped.load(Ordering::Acquire)
    }

    /// Holds the schema as it is until the guard is dropped; none if the table is gone.
    pub(crate) async fn use_for_writing(&self) -> Option<RwLockReadGuard<'_, ()>> {
        let guard = self.gate.read().await;
        (!self.is_dropped()).then_some(guard)
    }

    /// Does the same for several tables, in order of their numbers, so that two transactions and the
    /// schema changes between them never wait for one another in a circle.
    pub(crate) async fn use_all_for_writing(
        tables: &[Arc<Table>],
    ) -> Option<Vec<RwLockReadGuard<'_, ()>>> {
        let mut ordered: Vec<&Arc<Table>> = tables.iter().collect();
        ordered.sort_by_key(|table| table.id);
        ordered.dedup_by_key(|table| table.id);
        let mut guards = Vec::with_capacity(ordered.len());
        for table in ordered {
            guards.push(table.use_for_writing().await?);
        }
        Some(guards)
    }

    /// Waits for its turn to change the schema.
    pub(crate) async fn begin_change(&self) -> MutexGuard<'_, ()> {
        self.change.lock().await
    }

    /// Waits until no write is under way, and lets none begin until the guard is dropped.
    pub(crate) async fn close_gate(&self) -> RwLockWriteGuard<'_, ()> {
        self.gate.write().await
    }

    /// Replaces the schema; the gate must be closed.
    pub(crate) fn set_schema(&self, schema: TableSchema) {
        *self.schema.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(schema);
    }

    /// Marks the table as deleted; the gate must be closed.
    pub(crate) fn drop_table(&self) {
        self.dropped.store(true, Ordering::Release);
    }
}
