//! Writing tables from what a cursor meets.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use xxhash_rust::xxh3::xxh3_64;

use crate::cursor::Cursor;
use crate::manifest::{table_path, tables_path};
use crate::run::Run;
use crate::table::{Table, TableWriter};
use crate::{Error, Result};

/// After how many entries the caller may want it to rest or to stop: some ten microseconds of work.
const PIECE_ENTRIES: u64 = 32;

/// How tables are to be written.
pub(crate) struct Plan<'a> {
    pub(crate) directory: &'a Path,
    pub(crate) next_id: &'a AtomicU64,
    /// How large a table becomes, about; none for a single one of any size.
    pub(crate) table_bytes: Option<u64>,
    /// Keys before which a table must end, in order: another table begins there that stays.
    pub(crate) cuts: Vec<Vec<u8>>,
    /// The newest removed range that the cursor knows.
    pub(crate) applied: u64,
    /// What is older than what is written. Deletions are kept for what may be there.
    pub(crate) older: Older<'a>,
    /// Asked after each small piece of work, for which it may rest; what was written is removed if
    /// it says so.
    pub(crate) should_stop: &'a dyn Fn() -> bool,
}

/// Tables that are older than others.
pub(crate) struct Older<'a> {
    pub(crate) first: &'a [Arc<Table>],
    pub(crate) levels: &'a [Run],
}

impl Older<'_> {
    /// Returns whether any of them may have a key.
    fn may_have(&self, key: &[u8]) -> Result<bool> {
        let hash = xxh3_64(key);
        let levels = self.levels.iter().filter_map(|level| level.table_for(key));
        for table in self.first.iter().chain(levels) {
            if table.may_have(key, hash)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Tables that were written. They are removed again unless they are kept.
#[derive(Debug, Default)]
pub(crate) struct Output {
    tables: Vec<Arc<Table>>,
}

impl Output {
    pub(crate) fn tables(&self) -> &[Arc<Table>] {
        &self.tables
    }

    /// Keeps them.
    pub(crate) fn keep(mut self) {
        self.tables.clear();
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.tables.iter().for_each(|table| table.make_obsolete());
    }
}

/// Writes the entries from the cursor on, without those that are no longer needed.
pub(crate) fn write(mut cursor: Cursor<'_>, plan: &Plan<'_>) -> Result<Output> {
    let mut output = Output::default();
    let mut writer: Option<TableWriter> = None;
    let mut cuts = plan.cuts.iter().peekable();
    let mut met = 0_u64;
    while let Some(key) = cursor.key() {
        met += 1;
        if met.is_multiple_of(PIECE_ENTRIES) && (plan.should_stop)() {
            return Err(Error::Stopped);
        }
        let is_cut = cuts.next_if(|cut| ***cut <= *key).is_some();
        while cuts.next_if(|cut| ***cut <= *key).is_some() {}
        let is_full = |writer: &TableWriter| {
            plan.table_bytes.is_some_and(|table_bytes| writer.size_bytes() >= table_bytes)
        };
        if writer.as_ref().is_some_and(|writer| is_cut || is_full(writer)) {
            finish(&mut writer, &mut output)?;
        }
        let is_needless =
            cursor.is_hidden() || (cursor.is_deletion() && !plan.older.may_have(key)?);
        if !is_needless {
            let value = cursor.value();
            let writer = match &mut writer {
                Some(writer) => writer,
                none => none.insert(begin(plan)?),
            };
            writer.push(key, cursor.number(), value.as_deref())?;
        }
        cursor.step()?;
    }
    finish(&mut writer, &mut output)?;
    if !output.tables.is_empty() {
        let tables = tables_path(plan.directory);
        File::open(&tables).and_then(|tables| tables.sync_all()).map_err(Error::io(&tables))?;
    }
    Ok(output)
}

fn begin(plan: &Plan<'_>) -> Result<TableWriter> {
    let id = plan.next_id.fetch_add(1, Ordering::Relaxed);
    TableWriter::create(table_path(plan.directory, id), id, plan.applied)
}

fn finish(writer: &mut Option<TableWriter>, output: &mut Output) -> Result<()> {
    if let Some(writer) = writer.take() {
        let path = writer.finish()?;
        output.tables.push(Arc::new(Table::open(&path)?));
    }
    Ok(())
}
