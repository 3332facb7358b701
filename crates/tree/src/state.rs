//! What the tree consists of at a time.
//!
//! A state never changes, but for what is added to its active memtable. A reader holds the state
//! that was the newest when it began, with an instant that says how much of the memtable it sees;
//! what a merge replaces stays for as long as a state that has it is held. So tables keep nothing
//! but the newest version of a key.

use std::ops::Bound;
use std::sync::Arc;

use bytes::Bytes;
use xxhash_rust::xxh3::xxh3_64;

use crate::cursor::{Cursor, Source};
use crate::memtable::Memtable;
use crate::removed::{RemovedRange, RemovedRanges};
use crate::run::{Run, RunCursor};
use crate::table::{Table, TableCursor};
use crate::{Direction, Found, Result};

/// See the module.
#[derive(Clone, Debug)]
pub struct State {
    /// What is written to.
    pub(crate) active: Arc<Memtable>,
    /// Full memtables, the newest first.
    pub(crate) sealed: Vec<Arc<Memtable>>,
    pub(crate) tables: Arc<Tables>,
    pub(crate) removed: Arc<RemovedRanges>,
}

/// All tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    /// Memtables as they were written out, the newest first. They may overlap.
    pub(crate) first: Vec<Arc<Table>>,
    /// What they were merged to; each level is older than the one before.
    pub(crate) levels: Vec<Run>,
}

impl State {
    /// The memtable that is written to.
    pub fn active(&self) -> &Arc<Memtable> {
        &self.active
    }

    /// How many memtables wait to be written out.
    pub fn sealed_count(&self) -> usize {
        self.sealed.len()
    }

    /// How many tables there are that were not merged yet.
    pub fn unmerged_tables(&self) -> usize {
        self.tables.first.len()
    }

    /// How many tables there are.
    pub fn table_count(&self) -> usize {
        self.tables.iter().count()
    }

    /// The bytes of all tables.
    pub fn table_bytes(&self) -> u64 {
        self.tables.iter().map(|table| table.size_bytes()).sum()
    }

    /// The bytes of all memtables.
    pub fn memtable_bytes(&self) -> u64 {
        std::iter::once(&self.active).chain(&self.sealed).map(|it| it.size_bytes()).sum()
    }

    /// The ranges that hide what is older.
    pub fn removed(&self) -> &RemovedRanges {
        &self.removed
    }

    /// The value of a key at an instant.
    pub fn get(&self, key: &[u8], instant: u64) -> Result<Option<Bytes>> {
        let Some(found) = self.newest(key, instant)? else { return Ok(None) };
        let is_hidden = self.removed.hides(key, found.number);
        Ok(found.value.filter(|_| !is_hidden))
    }

    fn newest(&self, key: &[u8], instant: u64) -> Result<Option<Found>> {
        for memtable in std::iter::once(&self.active).chain(&self.sealed) {
            if let Some(found) = memtable.get(key, instant) {
                return Ok(Some(found));
            }
        }
        self.tables.get(key)
    }

    /// Walks from one bound to the other, at an instant. The first is the lower one forwards, and
    /// the higher one backwards.
    pub fn cursor<'a>(
        &'a self,
        direction: Direction,
        from: Bound<&[u8]>,
        to: Bound<&'a [u8]>,
        instant: u64,
    ) -> Result<Cursor<'a>> {
        let mut sources = Vec::with_capacity(4 + self.sealed.len() + self.tables.first.len());
        for memtable in std::iter::once(&self.active).chain(&self.sealed) {
            let cursor = match direction {
                Direction::Forward => memtable.forward(from, instant),
                Direction::Backward => memtable.backward(from, instant),
            };
            sources.push(Source::Memtable(cursor, direction));
        }
        self.tables.add_sources(&mut sources, direction, from, to)?;
        Ok(Cursor::new(sources, &self.removed, direction, to))
    }
}

impl Tables {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<Table>> {
        self.first.iter().chain(self.levels.iter().flat_map(Run::tables))
    }

    /// The tables that may have keys of a removed range, with their levels.
    pub(crate) fn in_range(
        &self,
        range: &RemovedRange,
    ) -> impl Iterator<Item = (usize, &Arc<Table>)> {
        let levels = self.levels.iter().enumerate().flat_map(move |(place, run)| {
            run.in_range(range).iter().map(move |table| (place + 1, table))
        });
        self.first.iter().map(|table| (0, table)).chain(levels)
    }

    fn get(&self, key: &[u8]) -> Result<Option<Found>> {
        if self.first.is_empty() && self.levels.is_empty() {
            return Ok(None);
        }
        let hash = xxh3_64(key);
        let levels = self.levels.iter().filter_map(|level| level.table_for(key));
        for table in self.first.iter().chain(levels) {
            if let Some(found) = table.get(key, hash)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn add_sources<'a>(
        &'a self,
        sources: &mut Vec<Source<'a>>,
        direction: Direction,
        from: Bound<&[u8]>,
        to: Bound<&[u8]>,
    ) -> Result<()> {
        let (start, end) = match direction {
            Direction::Forward => (from, to),
            Direction::Backward => (to, from),
        };
        for table in &self.first {
            if overlaps(table, start, end) {
                sources.push(Source::Table(TableCursor::new(table, direction, from)?));
            }
        }
        for level in &self.levels {
            let tables = level.tables();
            // A level has many tables, and most cursors need one of them.
            let begin = tables.partition_point(|table| is_before(table.last_key(), start));
            let rest = tables.get(begin..).unwrap_or_default();
            let count = rest.partition_point(|table| !is_behind(table.first_key(), end));
            let wanted = rest.get(..count).unwrap_or_default();
            if !wanted.is_empty() {
                sources.push(Source::Run(RunCursor::new(wanted, direction, from)?));
            }
        }
        Ok(())
    }
}

fn overlaps(table: &Table, start: Bound<&[u8]>, end: Bound<&[u8]>) -> bool {
    !is_before(table.last_key(), start) && !is_behind(table.first_key(), end)
}

fn is_before(key: &[u8], start: Bound<&[u8]>) -> bool {
    match start {
        Bound::Unbounded => false,
        Bound::Included(start) => key < start,
        Bound::Excluded(start) => key <= start,
    }
}

fn is_behind(key: &[u8], end: Bound<&[u8]>) -> bool {
    match end {
        Bound::Unbounded => false,
        Bound::Included(end) => key > end,
        Bound::Excluded(end) => key >= end,
    }
}
