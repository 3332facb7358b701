//! Walking through a state in either direction: all its memtables and tables as one.

use std::cmp::Ordering;
use std::ops::Bound;

use bytes::Bytes;

use crate::memtable::MemtableCursor;
use crate::removed::RemovedRanges;
use crate::run::RunCursor;
use crate::table::TableCursor;
use crate::{Direction, Result};

/// A place in a state. It is at the newest entry of each key, be it a value or a deletion.
pub struct Cursor<'a> {
    /// The newest first.
    sources: Vec<Source<'a>>,
    /// Those that are not at their end, by their keys, and of the same key the newest first.
    order: Vec<usize>,
    removed: &'a RemovedRanges,
    direction: Direction,
    /// Where it ends.
    to: Bound<&'a [u8]>,
}

/// Where entries come from.
pub(crate) enum Source<'a> {
    Memtable(MemtableCursor<'a>, Direction),
    Table(TableCursor<'a>),
    Run(RunCursor<'a>),
}

impl<'a> Source<'a> {
    fn key(&self) -> Option<&[u8]> {
        match self {
            Source::Memtable(cursor, _) => cursor.key(),
            Source::Table(cursor) => cursor.key(),
            Source::Run(cursor) => cursor.cursor()?.key(),
        }
    }

    fn table(&self) -> Option<&TableCursor<'a>> {
        match self {
            Source::Memtable(..) => None,
            Source::Table(cursor) => Some(cursor),
            Source::Run(cursor) => cursor.cursor(),
        }
    }

    fn number(&self) -> u64 {
        match self {
            Source::Memtable(cursor, _) => cursor.number(),
            Source::Table(_) | Source::Run(_) => self.table().map_or(0, TableCursor::number),
        }
    }

    fn is_deletion(&self) -> bool {
        match self {
            Source::Memtable(cursor, _) => cursor.is_deletion(),
            Source::Table(_) | Source::Run(_) => {
                self.table().is_none_or(|cursor| cursor.value().is_none())
            }
        }
    }

    fn value(&self) -> Option<Bytes> {
        match self {
            Source::Memtable(cursor, _) => cursor.value(),
            Source::Table(_) | Source::Run(_) => {
                let cursor = self.table()?;
                cursor.value().map(|value| cursor.table().share(value))
            }
        }
    }

    fn step(&mut self) -> Result<()> {
        match self {
            Source::Memtable(cursor, Direction::Forward) => cursor.step_forward(),
            Source::Memtable(cursor, Direction::Backward) => cursor.step_backward(),
            Source::Table(cursor) => cursor.step()?,
            Source::Run(cursor) => cursor.step()?,
        }
        Ok(())
    }
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(
        sources: Vec<Source<'a>>,
        removed: &'a RemovedRanges,
        direction: Direction,
        to: Bound<&'a [u8]>,
    ) -> Cursor<'a> {
        let order = (0..sources.len()).collect();
        let mut cursor = Cursor { sources, order, removed, direction, to };
        cursor
            .order
            .retain(|source| cursor.sources.get(*source).is_some_and(|it| it.key().is_some()));
        let mut order = std::mem::take(&mut cursor.order);
        order.sort_by(|one, other| cursor.compare(*one, *other));
        cursor.order = order;
        cursor
    }

    fn compare(&self, one: usize, other: usize) -> Ordering {
        let key = |source: usize| self.sources.get(source).and_then(Source::key);
        let keys = match self.direction {
            Direction::Forward => key(one).cmp(&key(other)),
            Direction::Backward => key(other).cmp(&key(one)),
        };
        keys.then(one.cmp(&other))
    }

    fn first(&self) -> Option<&Source<'a>> {
        self.sources.get(*self.order.first()?)
    }

    /// The key it is at; none at the end.
    pub fn key(&self) -> Option<&[u8]> {
        let key = self.first()?.key()?;
        let is_inside = match (self.direction, self.to) {
            (_, Bound::Unbounded) => true,
            (Direction::Forward, Bound::Included(to)) => key <= to,
            (Direction::Forward, Bound::Excluded(to)) => key < to,
            (Direction::Backward, Bound::Included(to)) => key >= to,
            (Direction::Backward, Bound::Excluded(to)) => key > to,
        };
        is_inside.then_some(key)
    }

    /// The commit that wrote the entry.
    pub(crate) fn number(&self) -> u64 {
        self.first().map_or(0, Source::number)
    }

    /// Returns whether the entry is a deletion.
    pub(crate) fn is_deletion(&self) -> bool {
        self.first().is_some_and(Source::is_deletion)
    }

    /// Returns whether a removed range hides the entry.
    pub(crate) fn is_hidden(&self) -> bool {
        self.key().is_some_and(|key| self.removed.hides(key, self.number()))
    }

    /// The value at the key, unless it was deleted.
    pub fn value(&self) -> Option<Bytes> {
        self.first()?.value().filter(|_| !self.is_hidden())
    }

    /// Moves to the next key.
    pub fn step(&mut self) -> Result<()> {
        let Some(first) = self.order.first().copied() else { return Ok(()) };
        while let Some(second) = self.order.get(1).copied() {
            let key = |source: usize| self.sources.get(source).and_then(Source::key);
            if key(first) != key(second) {
                break;
            }
            self.step_source(1, second)?;
        }
        self.step_source(0, first)
    }

    /// Moves a source on, and to where it belongs now.
    fn step_source(&mut self, place: usize, source: usize) -> Result<()> {
        let Some(stepping) = self.sources.get_mut(source) else { return Ok(()) };
        stepping.step()?;
        if stepping.key().is_none() {
            self.order.remove(place);
            return Ok(());
        }
        let mut place = place;
        while let Some(next) = self.order.get(place + 1).copied()
            && self.compare(source, next).is_gt()
        {
            self.order.swap(place, place + 1);
            place += 1;
        }
        Ok(())
    }
}
