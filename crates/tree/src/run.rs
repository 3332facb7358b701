//! Tables whose keys do not overlap, in the order of their keys.

use std::ops::Bound;
use std::sync::Arc;

use crate::removed::RemovedRange;
use crate::table::{Table, TableCursor};
use crate::{Direction, Result};

/// See the module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    tables: Vec<Arc<Table>>,
}

impl Run {
    pub(crate) fn new(mut tables: Vec<Arc<Table>>) -> Run {
        tables.sort_by(|one, other| one.first_key().cmp(other.first_key()));
        Run { tables }
    }

    pub(crate) const fn empty() -> Run {
        Run { tables: Vec::new() }
    }

    pub(crate) fn tables(&self) -> &[Arc<Table>] {
        &self.tables
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    pub(crate) fn size_bytes(&self) -> u64 {
        self.tables.iter().map(|table| table.size_bytes()).sum()
    }

    /// Returns whether its tables are in order and have no key in common.
    pub(crate) fn is_disjoint(&self) -> bool {
        self.tables.is_sorted_by(|one, other| one.last_key() < other.first_key())
    }

    /// The one table that may have a key.
    pub(crate) fn table_for(&self, key: &[u8]) -> Option<&Arc<Table>> {
        let place = self.tables.partition_point(|table| table.last_key() < key);
        self.tables.get(place).filter(|table| table.first_key() <= key)
    }

    /// The tables that may have keys from `first` to `last`.
    pub(crate) fn overlapping(&self, first: &[u8], last: &[u8]) -> &[Arc<Table>] {
        self.between(first, |table| table.first_key() <= last)
    }

    /// The tables that may have keys of a removed range.
    pub(crate) fn in_range(&self, range: &RemovedRange) -> &[Arc<Table>] {
        self.between(&range.start, |table| {
            range.end.as_deref().is_none_or(|end| table.first_key() < end)
        })
    }

    fn between(&self, first: &[u8], is_before_end: impl Fn(&Arc<Table>) -> bool) -> &[Arc<Table>] {
        let begin = self.tables.partition_point(|table| table.last_key() < first);
        let rest = self.tables.get(begin..).unwrap_or_default();
        rest.get(..rest.partition_point(is_before_end)).unwrap_or_default()
    }
}

/// A place in a run.
pub(crate) struct RunCursor<'a> {
    tables: &'a [Arc<Table>],
    direction: Direction,
    /// Which table the cursor is in.
    at: usize,
    cursor: Option<TableCursor<'a>>,
}

impl<'a> RunCursor<'a> {
    /// Begins with the first entry from a bound on, in its direction.
    pub(crate) fn new(
        tables: &'a [Arc<Table>],
        direction: Direction,
        from: Bound<&[u8]>,
    ) -> Result<RunCursor<'a>> {
        let at = match (direction, from) {
            (Direction::Forward, Bound::Included(key) | Bound::Excluded(key)) => {
                tables.partition_point(|table| table.last_key() < key)
            }
            (Direction::Forward, Bound::Unbounded) => 0,
            (Direction::Backward, Bound::Included(key) | Bound::Excluded(key)) => {
                tables.partition_point(|table| table.first_key() <= key).saturating_sub(1)
            }
            (Direction::Backward, Bound::Unbounded) => tables.len().saturating_sub(1),
        };
        let mut cursor = RunCursor { tables, direction, at, cursor: None };
        cursor.enter(from)?;
        Ok(cursor)
    }

    pub(crate) fn cursor(&self) -> Option<&TableCursor<'a>> {
        self.cursor.as_ref()
    }

    pub(crate) fn step(&mut self) -> Result<()> {
        if let Some(cursor) = &mut self.cursor {
            cursor.step()?;
            self.leave_at_end()?;
        }
        Ok(())
    }

    fn enter(&mut self, from: Bound<&[u8]>) -> Result<()> {
        let table = self.tables.get(self.at);
        self.cursor =
            table.map(|table| TableCursor::new(table, self.direction, from)).transpose()?;
        self.leave_at_end()
    }

    /// Moves to the next table if this one has no more entries.
    fn leave_at_end(&mut self) -> Result<()> {
        if self.cursor.as_ref().is_none_or(|cursor| cursor.key().is_some()) {
            return Ok(());
        }
        self.cursor = None;
        let next = match self.direction {
            Direction::Forward => self.at.checked_add(1),
            Direction::Backward => self.at.checked_sub(1),
        };
        match next {
            Some(next) => {
                self.at = next;
                self.enter(Bound::Unbounded)
            }
            None => Ok(()),
        }
    }
}
