//! Which tables to merge next.
//!
//! Tables of the first level are memtables as they were written out; they overlap, and a read looks
//! into each of them. When there are some, they are merged into the next level. Each further level
//! is one run, and may be a number of times as large as the one above; from one that is larger, a
//! table is merged with those of the next level that it overlaps.
//!
//! Besides, tables go early that hold little but deletions, which make walks slow, and those that a
//! removed range hides, which take room.

use std::sync::Arc;

use crate::removed::RemovedRange;
use crate::run::Run;
use crate::state::{State, Tables};
use crate::table::{Table, TableCursor};
use crate::{Direction, Result};

/// How many tables the first level has when they are merged.
const FIRST_TABLES: usize = 4;
/// How many times as large as a table the second level may be.
const SECOND_LEVEL_TABLES: u64 = 8;
/// How many times as large as the one above each further level may be.
const LEVEL_RATIO: u64 = 10;
/// Fewer deletions than this are no reason to merge a table.
const MANY_DELETIONS: u64 = 1_000;
/// A table is rewritten for a removed range that hides this part of it or more: one in this many
/// blocks. For less it is, when there are no writes: a log that is trimmed all the time hides a
/// little more of the same table each time.
const HIDDEN_PART: usize = 4;
/// How many tables of a level are looked at to find one whose merge costs little.
const CANDIDATES: usize = 16;

/// Tables to be merged, or dropped.
#[derive(Debug)]
pub struct Job {
    /// Of the first level, the newest first.
    pub(crate) first: Vec<Arc<Table>>,
    /// Of a further level.
    pub(crate) upper: Vec<Arc<Table>>,
    /// Of the level that they are merged into.
    pub(crate) lower: Vec<Arc<Table>>,
    /// Where tables of that level begin that have nothing to do with it.
    pub(crate) cuts: Vec<Vec<u8>>,
    /// The levels that no other job may change meanwhile.
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) kind: Kind,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Rewrite tables.
    Merge,
    /// Let a table be part of another level as it is.
    Move,
    /// Let tables go.
    Drop,
}

impl Job {
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Arc<Table>> {
        self.first.iter().chain(&self.upper).chain(&self.lower)
    }

    /// Something about tables of one level.
    fn alone(upper: Vec<Arc<Table>>, level: usize, kind: Kind) -> Job {
        let (first, lower, cuts) = (Vec::new(), Vec::new(), Vec::new());
        Job { first, upper, lower, cuts, from: level, to: level, kind }
    }

    /// Returns whether it keeps another job away.
    pub(crate) fn conflicts(&self, (from, to): (usize, usize)) -> bool {
        self.from <= to && from <= self.to
    }
}

/// Which merges are worth their work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MergePriority {
    /// What is due.
    Due,
    /// All that would make reads cheaper, while there are no writes.
    Tidy,
}

/// The next job that does not touch `busy` levels.
pub(crate) fn pick(
    state: &State,
    table_bytes: u64,
    seed: u64,
    priority: MergePriority,
    busy: &[(usize, usize)],
) -> Result<Option<Job>> {
    let picking = Picking { state, tables: &state.tables, table_bytes, seed, priority };
    let is_free = |job: &Job| !busy.iter().any(|busy| job.conflicts(*busy));
    let mut levels: Vec<(f64, usize)> = picking.scores()?;
    levels.sort_by(|one, other| other.0.total_cmp(&one.0));
    if let Some(job) = picking.hidden().filter(is_free) {
        return Ok(Some(job));
    }
    for (_, level) in levels {
        if let Some(job) = picking.merge_down(level)?.filter(is_free) {
            return Ok(Some(job));
        }
    }
    picking.partly_hidden(is_free)
}

/// The bytes that are to be merged: all of the first level, and of each further one what is more
/// than it may hold.
pub(crate) fn due_bytes(tables: &Tables, table_bytes: u64) -> u64 {
    let mut due_bytes = tables.first.iter().map(|table| table.size_bytes()).sum();
    let mut allowed = SECOND_LEVEL_TABLES * table_bytes;
    for run in &tables.levels {
        due_bytes += run.size_bytes().saturating_sub(allowed);
        allowed = allowed.saturating_mul(LEVEL_RATIO);
    }
    due_bytes
}

struct Picking<'a> {
    state: &'a State,
    tables: &'a Tables,
    table_bytes: u64,
    /// Changes with every job.
    seed: u64,
    priority: MergePriority,
}

impl Picking<'_> {
    /// The levels from which something is due, with how much.
    fn scores(&self) -> Result<Vec<(f64, usize)>> {
        let first = &self.tables.first;
        let enough = match self.priority {
            MergePriority::Due => FIRST_TABLES,
            MergePriority::Tidy => 2,
        };
        let mut is_due = first.len() >= enough;
        for table in first {
            is_due |= is_mostly_deletions(table) || self.has_much_hidden(table)?;
        }
        let mut scores = Vec::new();
        if is_due {
            scores.push((first.len() as f64 / FIRST_TABLES as f64, 0));
        }
        let mut allowed = SECOND_LEVEL_TABLES * self.table_bytes;
        for (place, run) in self.tables.levels.iter().enumerate() {
            let score = run.size_bytes() as f64 / allowed as f64;
            let is_last = self.tables.levels.iter().skip(place + 1).all(Run::is_empty);
            let has_deletions = !is_last && run.tables().iter().any(|it| is_mostly_deletions(it));
            if score > 1.0 || has_deletions {
                scores.push((score, place + 1));
            }
            allowed = allowed.saturating_mul(LEVEL_RATIO);
        }
        Ok(scores)
    }

    /// A level below the first.
    fn run(&self, level: usize) -> &Run {
        static EMPTY: Run = Run::empty();
        level.checked_sub(1).and_then(|place| self.tables.levels.get(place)).unwrap_or(&EMPTY)
    }

    /// Something of a level to be merged into the next.
    fn merge_down(&self, level: usize) -> Result<Option<Job>> {
        let (first, upper) = match level {
            0 => (self.tables.first.clone(), Vec::new()),
            _ => (Vec::new(), self.cheapest(level).into_iter().collect()),
        };
        let moving: Vec<&Arc<Table>> = first.iter().chain(&upper).collect();
        let lowest = moving.iter().map(|table| table.first_key()).min();
        let highest = moving.iter().map(|table| table.last_key()).max();
        let Some((lowest, highest)) = lowest.zip(highest) else { return Ok(None) };
        let overlapped = self.run(level + 1).overlapping(lowest, highest);
        let (mut lower, mut cuts) = (Vec::new(), Vec::new());
        for table in overlapped {
            if touches_any(&moving, table)? {
                lower.push(table.clone())
            } else {
                cuts.push(table.first_key().to_vec())
            }
        }
        let is_clean = upper.iter().all(|it| !is_mostly_deletions(it) && !self.hides_part_of(it));
        let can_move = first.is_empty() && overlapped.is_empty() && is_clean;
        let kind = if can_move { Kind::Move } else { Kind::Merge };
        Ok(Some(Job { first, upper, lower, cuts, from: level, to: level + 1, kind }))
    }

    /// A table of a level whose merge costs little for what it brings: of some, the one that
    /// overlaps the fewest of the next level.
    fn cheapest(&self, level: usize) -> Option<Arc<Table>> {
        let (tables, next) = (self.run(level).tables(), self.run(level + 1));
        if let Some(dense) = tables.iter().find(|table| is_mostly_deletions(table)) {
            return Some(dense.clone());
        }
        let cost =
            |table: &&Arc<Table>| next.overlapping(table.first_key(), table.last_key()).len();
        // Others each time, so that the whole level has its turn.
        let begin = self.seed as usize % tables.len().max(1);
        let some = tables.iter().cycle().skip(begin).take(CANDIDATES.min(tables.len()));
        some.min_by_key(cost).cloned()
    }

    /// Tables of which a removed range hides everything.
    fn hidden(&self) -> Option<Job> {
        self.state.removed.iter().find_map(|range| {
            let is_hidden = |table: &Arc<Table>| {
                table.meta().last_number < range.number
                    && range.covers(table.first_key(), table.last_key())
            };
            let found = self.tables.in_range(range).find(|(_, table)| is_hidden(table));
            let (level, _) = found?;
            let hidden =
                self.tables.in_range(range).filter(|(at, it)| *at == level && is_hidden(it));
            let upper = hidden.map(|(_, table)| table.clone()).collect();
            Some(Job::alone(upper, level, Kind::Drop))
        })
    }

    /// A table of which a removed range hides much.
    fn partly_hidden(&self, is_free: impl Fn(&Job) -> bool) -> Result<Option<Job>> {
        for range in self.state.removed.iter() {
            for (level, table) in self.tables.in_range(range).filter(|(level, _)| *level > 0) {
                let job = Job::alone(vec![table.clone()], level, Kind::Merge);
                if is_free(&job) && self.hides_much(range, table)? {
                    return Ok(Some(job));
                }
            }
        }
        Ok(None)
    }

    fn has_much_hidden(&self, table: &Table) -> Result<bool> {
        for range in self.state.removed.iter() {
            if self.hides_much(range, table)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether rewriting a table is worth what a range hides of it.
    fn hides_much(&self, range: &RemovedRange, table: &Table) -> Result<bool> {
        if !concerns(range, table) {
            return Ok(false);
        }
        Ok(match self.priority {
            MergePriority::Due => table.blocks_in(range)? * HIDDEN_PART >= table.block_count(),
            MergePriority::Tidy => true,
        })
    }

    fn hides_part_of(&self, table: &Table) -> bool {
        self.state.removed.iter().any(|range| concerns(range, table))
    }
}

/// Returns whether a range may hide something of a table.
pub(crate) fn concerns(range: &RemovedRange, table: &Table) -> bool {
    let meta = table.meta();
    meta.applied < range.number
        && meta.first_number < range.number
        && range.overlaps(table.first_key(), table.last_key())
}

fn is_mostly_deletions(table: &Table) -> bool {
    let meta = table.meta();
    meta.deletions >= MANY_DELETIONS && meta.deletions * 2 > meta.entries
}

/// Returns whether any of the tables has a key within the bounds of `other`.
fn touches_any(tables: &[&Arc<Table>], other: &Table) -> Result<bool> {
    for table in tables {
        if table.last_key() < other.first_key() || table.first_key() > other.last_key() {
            continue;
        }
        let from = std::ops::Bound::Included(other.first_key());
        let cursor = TableCursor::new(table, Direction::Forward, from)?;
        if cursor.key().is_some_and(|key| key <= other.last_key()) {
            return Ok(true);
        }
    }
    Ok(false)
}
