//! Going back to an earlier state, for those who test applications: to tables without items, to no
//! tables at all, or to tables as they were saved.
//!
//! A table is never emptied in place. Another one is built beside it, in a home that no client can
//! name, and filled by the path of all writes. Then one transaction puts its record in the place of
//! the old one's, whose data is garbage from there on ([`replacement`]). So a write that was
//! checked against the old table is checked again, and the new one is never seen half filled.
//!
//! What is saved lies in the memory of this process ([`saved`]), within bounds, and ends with it.

mod replacement;
mod saved;

use std::collections::BTreeSet;
use std::sync::Arc;

use monotable_storage::{Engine, Result as StorageResult};

pub(crate) use self::saved::SavedSets;
use self::saved::TableContents;
pub use self::saved::{SAVED_BYTES_MAX, SAVED_COUNT_MAX, SavedTables};
use crate::Database;
use crate::error::RewindError;
use crate::lease::Job;
use crate::schema::TableSchema;
use crate::status::TransitionKind;
use crate::table::Table;

/// What becomes of all tables of a store, of every account. Streams that ended are forgotten with
/// it, and so are the tokens of transactions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rewind {
    /// They lose their items, and their streams begin anew.
    Empty,
    /// They are deleted.
    Delete,
    /// They are again what was saved under this name. Those that were not there are deleted.
    Restore(String),
}

impl<E: Engine> Database<E> {
    /// Changes all tables at once. If it is refused, nothing has changed.
    pub async fn rewind(self: &Arc<Self>, to: Rewind) -> Result<(), RewindError> {
        let database = self.clone();
        let rewinding = async move { (database.rewind_here(&to).await, || ()) };
        self.own(rewinding).await?
    }

    async fn rewind_here(self: &Arc<Self>, to: &Rewind) -> Result<(), RewindError> {
        // Who has the upkeep may forget streams and tokens; taken first, so that all can be done.
        let _turn = self.upkeep.lock().await;
        let Some(mut lease) = self.take(Job::Upkeep).await? else { return Err(RewindError::Busy) };
        self.discard_unfinished().await?;
        let tables = self.all_tables().await?;
        let wanted = match to {
            Rewind::Empty => emptied(&tables),
            Rewind::Delete => Vec::new(),
            Rewind::Restore(name) => {
                self.saved.get(name).ok_or(RewindError::NotSaved)?.contents().to_vec()
            }
        };
        self.replace_all(&tables, &wanted).await?;
        self.forget_ended_streams(&mut lease).await?;
        self.forget_all_tokens(&lease).await?;
        Ok(self.give_back(lease).await?)
    }

    /// Builds all tables that are wanted, and only then puts them in the places of those that are
    /// there; the others go.
    async fn replace_all(
        self: &Arc<Self>,
        tables: &[Arc<Table>],
        wanted: &[Arc<TableContents>],
    ) -> Result<(), RewindError> {
        let names: BTreeSet<_> = wanted.iter().map(|wanted| name_of(&wanted.schema)).collect();
        let (_, unwanted): (Vec<_>, Vec<_>) =
            tables.iter().partition(|table| names.contains(&name_of(table.schema())));
        let is_protected = |table: &&&Arc<Table>| table.schema().settings.deletion_protection;
        if let Some(protected) = unwanted.iter().find(is_protected) {
            return Err(RewindError::Protected { table: protected.schema().name.clone() });
        }
        let mut built = Vec::with_capacity(wanted.len());
        for contents in wanted {
            built.push(self.build(contents).await?);
        }
        for (contents, built) in wanted.iter().zip(&built) {
            self.put_in_place(&contents.schema, built).await?;
        }
        for table in unwanted {
            self.remove(&table.schema().home, &table.schema().name).await?;
        }
        Ok(())
    }

    /// Keeps all tables as they are at this moment under a name, in the place of what was kept
    /// under it.
    pub async fn save_tables(&self, name: &str) -> Result<(), RewindError> {
        if self.engine.is_shared() {
            return Err(RewindError::Shared);
        }
        let bytes_max = self.saved.room_bytes(name)?;
        let now_millis = self.clock.now_millis();
        let snapshot = self.engine.snapshot().await?;
        let saved = SavedTables::read(&snapshot, name, now_millis, bytes_max).await?;
        self.saved.put(saved)
    }

    /// What is kept, by name.
    pub fn saved_tables(&self) -> Vec<Arc<SavedTables>> {
        self.saved.all()
    }

    /// Forgets what is kept under a name; returns whether there was anything.
    pub fn forget_saved(&self, name: &str) -> bool {
        self.saved.remove(name)
    }

    /// Removes the tables that were being built when a rewind was cut short.
    pub(crate) async fn discard_unfinished(self: &Arc<Self>) -> StorageResult<()> {
        let tables = self.all_tables().await?;
        for unfinished in tables.iter().filter(|table| saved::is_unfinished(table.schema())) {
            let TableSchema { home, name, .. } = &**unfinished.schema();
            self.remove(home, name).await.map_err(storage_error)?;
        }
        Ok(())
    }
}

/// All tables without their items, but for those that are being deleted.
fn emptied(tables: &[Arc<Table>]) -> Vec<Arc<TableContents>> {
    let stays = tables.iter().filter(|table| !is_deleting(table.schema()));
    stays.map(|table| Arc::new(TableContents::empty(table.schema()))).collect()
}

/// Returns whether a table is reported as being deleted.
fn is_deleting(schema: &TableSchema) -> bool {
    schema.transition.is_some_and(|transition| transition.kind == TransitionKind::Deletion)
}

fn name_of(schema: &TableSchema) -> (&crate::Home, &str) {
    (&schema.home, &schema.name)
}

/// The failure of the store, if it is one; nothing else can be wrong with a table that only this
/// process knows.
fn storage_error(error: RewindError) -> monotable_storage::Error {
    match error {
        RewindError::Storage(error) => error,
        other => {
            monotable_storage::Error::with_source(monotable_storage::ErrorKind::Conflict, other)
        }
    }
}
