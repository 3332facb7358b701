//! What was replaced, and is removed when it is no longer in use.
//!
//! Removing a file of some ten megabytes at once can keep a disk from everything else for tens of
//! milliseconds, a commit's sync among it. So files are cut short piece by piece before they are
//! removed, by a background thread.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::mapped::Holders;
use crate::memtable::Memtable;
use crate::table::Table;

/// How much of a file is removed at once.
const PIECE_BYTES: u64 = 1 << 20;

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Obsolete {
    waiting: Mutex<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    memtables: Vec<Arc<Memtable>>,
    tables: Vec<Arc<Table>>,
    files: Vec<ObsoleteFile>,
}

impl Obsolete {
    pub(crate) fn add_memtable(&self, memtable: Arc<Memtable>) {
        self.lock().memtables.push(memtable);
    }

    pub(crate) fn add_table(&self, table: Arc<Table>) {
        self.lock().tables.push(table);
    }

    /// Removes what is no longer in use, and calls `rest` after each piece. Returns whether
    /// something is left.
    pub(crate) fn release(&self, rest: &dyn Fn()) -> bool {
        let (memtables, tables) = {
            let mut waiting = self.lock();
            let memtables = waiting.memtables.extract_if(.., |it| Arc::strong_count(it) == 1);
            let memtables: Vec<_> = memtables.collect();
            let tables = waiting.tables.extract_if(.., |it| Arc::strong_count(it) == 1);
            (memtables, tables.collect::<Vec<_>>())
        };
        drop(memtables);
        let files = tables.into_iter().filter_map(Arc::into_inner).map(Table::into_obsolete_file);
        let files: Vec<_> = files.collect();
        let free: Vec<_> = {
            let mut waiting = self.lock();
            waiting.files.extend(files);
            waiting.files.extract_if(.., |file| file.holders.are_gone()).collect()
        };
        free.into_iter().for_each(|file| file.remove(rest));
        let waiting = self.lock();
        !(waiting.memtables.is_empty() && waiting.tables.is_empty() && waiting.files.is_empty())
    }

    /// Every change is a single step, so what a panicking thread left is good.
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The file of a table that is no part of the tree any more.
#[derive(Debug)]
pub(crate) struct ObsoleteFile {
    path: PathBuf,
    holders: Holders,
}

impl ObsoleteFile {
    pub(crate) fn new(path: PathBuf, holders: Holders) -> ObsoleteFile {
        ObsoleteFile { path, holders }
    }

    /// Removes the file piece by piece. Whatever fails, dropping it removes the rest at once.
    fn remove(self, rest: &dyn Fn()) {
        drop(self.cut_short(rest));
    }

    fn cut_short(&self, rest: &dyn Fn()) -> io::Result<()> {
        let file = OpenOptions::new().write(true).open(&self.path)?;
        let mut length = file.metadata()?.len();
        while length > PIECE_BYTES {
            length -= PIECE_BYTES;
            file.set_len(length)?;
            rest();
        }
        Ok(())
    }
}

impl Drop for ObsoleteFile {
    fn drop(&mut self) {
        // If it stays, the next opening removes it.
        drop(fs::remove_file(&self.path));
    }
}
