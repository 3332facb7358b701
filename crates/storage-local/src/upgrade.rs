//! Bringing a store of format 1 to this one.
//!
//! Format 1 is a database of the `fjall` crate, which has the same tree below. Its memtables are written out, the position
//! of the last append becomes that of a new journal, and the tree is moved to its new place as it is. Moving it is the step that
//! counts: before it the old store is whole, and after it the new one. So an upgrade that is cut short goes on
//! where it was.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use fjall::{AbstractTree, Database, Keyspace, KeyspaceCreateOptions, PersistMode};

use crate::OpenError;
use crate::directory::Directory;
use crate::journal::Journal;

const DATA: &str = "data";
const METADATA: &str = "metadata";
const LAST_POSITION: &[u8] = b"last_position";

/// The file by which the old database's own code tells that there is one.
const DATABASE_MARKER: &str = "version";

/// How often a memtable that is being written out is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Upgrades the store.
pub(crate) fn run(directory: &Directory) -> Result<(), OpenError> {
    let tree = directory.tree_path();
    if !tree.exists() {
        tracing::info!("bringing the store to the current format");
        let (old_tree, last_position) = write_out(&directory.old_tree_path())?;
        let journal = directory.journal_path();
        if journal.exists() {
            fs::remove_dir_all(&journal).map_err(OpenError::io(&journal))?;
        }
        Journal::create(&journal, last_position)?;
        directory.sync()?;
        fs::rename(&old_tree, &tree).map_err(OpenError::io(&tree))?;
        directory.sync()?;
    }
    directory.finish_upgrade()
}

/// Writes everything to tables, and tells where they lie and the position of the last append.
fn write_out(path: &Path) -> Result<(PathBuf, u64), OpenError> {
    if !path.join(DATABASE_MARKER).exists() {
        return Err(OpenError::corrupt(path, "its tree is missing"));
    }
    let database = Database::builder(path).open().map_err(database_error(path))?;
    if !database.keyspace_exists(DATA) {
        return Err(OpenError::corrupt(path, "a keyspace is missing"));
    }
    let write_out = || {
        let data = database.keyspace(DATA, KeyspaceCreateOptions::default)?;
        data.rotate_memtable()?;
        wait_for_tables(&database, &data)?;
        Ok((data.path().to_owned(), stored_position(&database)?))
    };
    let (tree, position) = write_out().map_err(database_error(path))?;
    let position =
        position.map_or(Some(0), |position| Some(u64::from_be_bytes(position.try_into().ok()?)));
    let position =
        position.ok_or_else(|| OpenError::corrupt(path, "the last position is no number"))?;
    Ok((tree, position))
}

#[expect(clippy::disallowed_methods, reason = "the old database tells nobody when it is ready")]
fn wait_for_tables(database: &Database, data: &Keyspace) -> fjall::Result<()> {
    while data.tree.sealed_memtable_count() > 0 {
        // Fails if writing them out has failed.
        database.persist(PersistMode::Buffer)?;
        thread::sleep(POLL_INTERVAL);
    }
    Ok(())
}

fn stored_position(database: &Database) -> fjall::Result<Option<Vec<u8>>> {
    if !database.keyspace_exists(METADATA) {
        return Ok(None);
    }
    let metadata = database.keyspace(METADATA, KeyspaceCreateOptions::default)?;
    Ok(metadata.get(LAST_POSITION)?.map(|position| position.to_vec()))
}

fn database_error(path: &Path) -> impl Fn(fjall::Error) -> OpenError + '_ {
    move |error| match error {
        fjall::Error::Io(source) | fjall::Error::Storage(fjall::LsmError::Io(source)) => {
            OpenError::Io { path: path.to_owned(), source }
        }
        fjall::Error::Locked => OpenError::InUse { path: path.to_owned() },
        other => OpenError::corrupt(path, other),
    }
}

#[cfg(test)]
mod tests;
