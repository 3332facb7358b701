//! Walking through a table in either direction.

use std::ops::Bound;

use super::Table;
use super::block::Block;
use crate::{Direction, Result};

/// A place in a table. The entries of one interval are put together at a time.
pub(crate) struct TableCursor<'a> {
    table: &'a Table,
    direction: Direction,
    block: usize,
    interval: usize,
    /// The keys of the interval, one after the other.
    keys: Vec<u8>,
    entries: Vec<Slot<'a>>,
    /// Which of the entries it is at; none at the end.
    at: Option<usize>,
}

struct Slot<'a> {
    key_begin: usize,
    key_end: usize,
    number: u64,
    value: Option<&'a [u8]>,
}

impl<'a> TableCursor<'a> {
    /// Begins with the first entry from a bound on, in its direction.
    pub(crate) fn new(
        table: &'a Table,
        direction: Direction,
        from: Bound<&[u8]>,
    ) -> Result<TableCursor<'a>> {
        let (keys, entries) = (Vec::new(), Vec::new());
        let mut cursor =
            TableCursor { table, direction, block: 0, interval: 0, keys, entries, at: None };
        match from {
            Bound::Unbounded => cursor.seek_end()?,
            Bound::Included(key) | Bound::Excluded(key) => cursor.seek(key)?,
        }
        if let Bound::Excluded(excluded) = from
            && cursor.key() == Some(excluded)
        {
            cursor.step()?;
        }
        Ok(cursor)
    }

    pub(crate) fn key(&self) -> Option<&[u8]> {
        self.entries.get(self.at?).and_then(|slot| self.keys.get(slot.key_begin..slot.key_end))
    }

    pub(crate) fn number(&self) -> u64 {
        self.slot().map_or(0, |slot| slot.number)
    }

    pub(crate) fn value(&self) -> Option<&'a [u8]> {
        self.slot().and_then(|slot| slot.value)
    }

    pub(crate) fn table(&self) -> &'a Table {
        self.table
    }

    fn slot(&self) -> Option<&Slot<'a>> {
        self.entries.get(self.at?)
    }

    /// Moves to the next entry in its direction.
    pub(crate) fn step(&mut self) -> Result<()> {
        let Some(at) = self.at else { return Ok(()) };
        let next = match self.direction {
            Direction::Forward => at.checked_add(1).filter(|next| *next < self.entries.len()),
            Direction::Backward => at.checked_sub(1),
        };
        match next {
            Some(next) => self.at = Some(next),
            None => self.step_interval()?,
        }
        Ok(())
    }

    fn step_interval(&mut self) -> Result<()> {
        self.at = None;
        match self.direction {
            Direction::Forward => {
                if self.interval + 1 < self.table.block(self.block)?.intervals() {
                    return self.load(self.block, self.interval + 1);
                }
                if self.block + 1 < self.table.block_count() {
                    self.load(self.block + 1, 0)
                } else {
                    Ok(())
                }
            }
            Direction::Backward => {
                if let Some(before) = self.interval.checked_sub(1) {
                    return self.load(self.block, before);
                }
                match self.block.checked_sub(1) {
                    Some(before) => self.load_last(before),
                    None => Ok(()),
                }
            }
        }
    }

    /// To the very first entry in its direction.
    fn seek_end(&mut self) -> Result<()> {
        match (self.direction, self.table.block_count().checked_sub(1)) {
            (_, None) => Ok(()),
            (Direction::Forward, Some(_)) => self.load(0, 0),
            (Direction::Backward, Some(last)) => self.load_last(last),
        }
    }

    /// To the first entry in its direction that is not before `key`.
    fn seek(&mut self, key: &[u8]) -> Result<()> {
        let block = self.table.find_block(key)?;
        if block == self.table.block_count() {
            return match self.direction {
                Direction::Forward => Ok(()),
                Direction::Backward => self.seek_end(),
            };
        }
        let interval = self.table.block(block)?.find_interval(key);
        let interval = interval.ok_or_else(|| self.table.senseless(block))?;
        self.load(block, interval)?;
        match self.direction {
            Direction::Forward => self.pass_while(|it| it < key),
            Direction::Backward => {
                // The interval begins below the key, or is the first of its block.
                self.at = self.entries.len().checked_sub(1);
                self.pass_while(|it| it > key)
            }
        }
    }

    fn pass_while(&mut self, is_before: impl Fn(&[u8]) -> bool) -> Result<()> {
        while self.key().is_some_and(&is_before) {
            self.step()?;
        }
        Ok(())
    }

    fn load_last(&mut self, block: usize) -> Result<()> {
        let intervals = self.table.block(block)?.intervals();
        self.load(block, intervals.saturating_sub(1))
    }

    /// Decodes the entries of an interval, and moves to the first of them in its direction.
    fn load(&mut self, block: usize, interval: usize) -> Result<()> {
        let read: Block<'a> = self.table.block(block)?;
        (self.block, self.interval) = (block, interval);
        self.keys.clear();
        self.entries.clear();
        let whole = self.put_together(read, interval).filter(|()| !self.entries.is_empty());
        whole.ok_or_else(|| self.table.senseless(block))?;
        self.at = match self.direction {
            Direction::Forward => Some(0),
            Direction::Backward => self.entries.len().checked_sub(1),
        };
        Ok(())
    }

    fn put_together(&mut self, block: Block<'a>, interval: usize) -> Option<()> {
        let mut stored = block.interval(interval)?;
        let mut before = 0;
        while !stored.is_done() {
            let entry = stored.next()?;
            let key_begin = self.keys.len();
            if before + entry.shared > key_begin {
                return None;
            }
            self.keys.extend_from_within(before..before + entry.shared);
            self.keys.extend_from_slice(entry.own);
            let key_end = self.keys.len();
            let (number, value) = (entry.number, entry.value);
            self.entries.push(Slot { key_begin, key_end, number, value });
            before = key_begin;
        }
        Some(())
    }
}
