//! What is left to do when a change has been reported as under way for long enough: tables that are
//! deleted go, and so do indexes.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use monotable_storage::{Engine, Result as StorageResult};

use crate::Database;
use crate::alteration::ChangeRequirements;
use crate::any_index::AnyIndex;
use crate::catalogue::deleted;
use crate::error::TableError;
use crate::schema::{IndexStatus, TableId};
use crate::status::TransitionKind;
use crate::table::Table;

/// What this process waits for, so that it waits for nothing twice.
#[derive(Debug, Default)]
pub(crate) struct Waits(Mutex<BTreeSet<(TableId, u64)>>);

impl Waits {
    fn begin(&self, wait: (TableId, u64)) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(wait)
    }

    fn end(&self, wait: (TableId, u64)) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&wait);
    }
}

impl<E: Engine> Database<E> {
    /// Until when a change that begins now is reported as under way; none if it is not.
    pub(crate) fn settled_millis(&self, now_millis: u64) -> Option<u64> {
        self.delay_millis().map(|delay_millis| now_millis.saturating_add(delay_millis))
    }

    /// How long changes are shown as under way, if they are.
    pub(crate) fn delay_millis(&self) -> Option<u64> {
        let delay = self.options.control_plane_delay;
        (!delay.is_zero()).then(|| u64::try_from(delay.as_millis()).unwrap_or(u64::MAX))
    }

    /// Returns whether a table was deleted, and is no longer reported.
    pub(crate) fn is_gone(&self, table: &Table) -> bool {
        table.schema().is_gone(|| self.clock.now_millis())
    }

    /// Removes a table that is reported as being deleted, or waits until it may be removed.
    pub(crate) fn start_deletion(self: &Arc<Self>, table: &Arc<Table>) {
        let deletion = table
            .schema()
            .transition
            .filter(|transition| transition.kind == TransitionKind::Deletion);
        let Some(deletion) = deletion else { return };
        if !self.is_gone(table) {
            return self.start_waiting(table, deletion.until_millis);
        }
        let (database, table) = (self.clone(), table.clone());
        self.spawn(async move {
            if let Err(error) = database.finish_deletion(&table).await {
                tracing::error!(%error, "a table could not be removed; it is tried again");
            }
        });
    }

    /// Removes a table whose deletion has been shown for long enough.
    pub(crate) async fn finish_deletion(self: &Arc<Self>, table: &Arc<Table>) -> StorageResult<()> {
        if !self.is_gone(table) {
            return Ok(());
        }
        let now_millis = self.clock.now_millis();
        let removing = self.alter_here(table, ChangeRequirements::default(), |before| {
            Ok::<_, TableError>(deleted(before, now_millis))
        });
        match removing.await {
            Err(TableError::Storage(error)) => Err(error),
            // Somebody else has removed it.
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Removes an index that is marked as deleting, or waits until it may go.
    pub(crate) fn start_or_await_removal(
        self: &Arc<Self>,
        table: &Arc<Table>,
        index: AnyIndex<'_>,
    ) {
        match index.shown_until_millis() {
            Some(until_millis) if self.clock.now_millis() < until_millis => {
                self.start_waiting(table, until_millis);
            }
            Some(_) | None => self.start_index_removal(table, index.id()),
        }
    }

    /// Does for a table what has become due.
    pub(crate) async fn settle_table(self: &Arc<Self>, table: &Arc<Table>) -> StorageResult<()> {
        self.finish_deletion(table).await?;
        let now_millis = self.clock.now_millis();
        let is_due = |index: &AnyIndex<'_>| {
            index.status() == IndexStatus::Deleting
                && index.shown_until_millis().is_some_and(|until| until <= now_millis)
        };
        for index in table.schema().every_index().filter(is_due) {
            self.finish_index_removal(table, index.id()).await?;
        }
        Ok(())
    }

    /// Starts on the jobs of a table again at some time.
    fn start_waiting(self: &Arc<Self>, table: &Arc<Table>, until_millis: u64) {
        let wait = (table.schema().id, until_millis);
        if !self.waits.begin(wait) {
            return;
        }
        let (database, table) = (self.clone(), table.clone());
        self.spawn(async move {
            let rest_millis = until_millis.saturating_sub(database.clock.now_millis());
            let is_stopping = database.sleep_or_stop(Duration::from_millis(rest_millis)).await;
            database.waits.end(wait);
            if is_stopping {
                return;
            }
            match database.reload_table(&table).await {
                Ok(current) => current.iter().for_each(|table| database.start_jobs_of(table)),
                Err(error) => tracing::error!(%error, "a table could not be read"),
            }
        });
    }
}
