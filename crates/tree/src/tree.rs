//! The newest state, and how it changes.
//!
//! A change of tables is on disk before anybody sees it, and readers and the writer do not wait for
//! the disk meanwhile: what is held while a list of tables is written is a lock that only such
//! changes take. The state itself is exchanged in a moment.

use std::fs;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::cursor::{Cursor, Source};
use crate::manifest::{ListedTable, Manifest, tables_path};
use crate::memtable::Memtable;
use crate::obsolete::Obsolete;
use crate::output::{self, Older, Output, Plan};
use crate::pick::{self, Job, Kind, MergePriority, concerns};
use crate::removed::{RemovedRange, RemovedRanges};
use crate::run::{Run, RunCursor};
use crate::state::{State, Tables};
use crate::table::{Table, TableCursor};
use crate::{Direction, Error, Result};

/// How a tree is opened.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How large tables become that are merged, about.
    pub table_bytes: u64,
}

/// See the module.
#[derive(Debug)]
pub struct Tree {
    directory: PathBuf,
    table_bytes: u64,
    state: RwLock<Arc<State>>,
    next_id: AtomicU64,
    /// Held while tables change. The highest commit that is in no memtable any more.
    persisted: Mutex<u64>,
    /// The levels that are being merged.
    busy: Mutex<Vec<(usize, usize)>>,
    /// What was replaced, to be removed by a background thread.
    obsolete: Obsolete,
    /// Bytes of all tables that merges have written.
    merged_bytes: AtomicU64,
}

/// How much is being merged, and has been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merging {
    /// Merges under way.
    pub running: usize,
    /// Bytes of tables that merges have written since the tree was opened.
    pub written_bytes: u64,
    /// Bytes of tables that are to be merged: all of the first level, and of each further one
    /// what is more than it may hold.
    pub due_bytes: u64,
}

/// What a change does to the tables.
#[derive(Default)]
struct Change<'a> {
    removed: Vec<Arc<Table>>,
    /// For each level the tables that are added to it; those of the first are newer than all there.
    added: Vec<(usize, Arc<Table>)>,
    /// The oldest full memtable, if it was written out.
    written_out: Option<&'a Arc<Memtable>>,
}

impl Tree {
    /// Makes a tree without entries in a directory that is empty.
    pub fn create(directory: &Path) -> Result<()> {
        let tables = tables_path(directory);
        fs::create_dir(&tables).map_err(Error::io(&tables))?;
        Manifest { next_id: 1, ..Manifest::default() }.write(directory)
    }

    /// Opens a tree. Nothing is changed if it is refused.
    pub fn open(directory: &Path, options: Options) -> Result<Tree> {
        let manifest = Manifest::read(directory)?;
        manifest.check_names(directory)?;
        let mut tables = Tables::default();
        let mut levels: Vec<Vec<Arc<Table>>> = Vec::new();
        for listed in &manifest.tables {
            let table = Arc::new(Manifest::open_table(directory, listed)?);
            match (listed.level as usize).checked_sub(1) {
                None => tables.first.push(table),
                Some(place) => {
                    levels.resize(levels.len().max(place + 1), Vec::new());
                    levels.get_mut(place).into_iter().for_each(|level| level.push(table.clone()));
                }
            }
        }
        tables.levels = levels.into_iter().map(Run::new).collect();
        if !tables.levels.iter().all(Run::is_disjoint) {
            let path = Manifest::path(directory);
            return Err(Error::damaged(&path, "tables of one level overlap"));
        }
        manifest.remove_leftovers(directory)?;
        let state = State {
            active: Arc::default(),
            sealed: Vec::new(),
            tables: Arc::new(tables),
            removed: Arc::new(manifest.removed),
        };
        Ok(Tree {
            directory: directory.to_owned(),
            table_bytes: options.table_bytes,
            state: RwLock::new(Arc::new(state)),
            next_id: AtomicU64::new(manifest.next_id),
            persisted: Mutex::new(manifest.persisted),
            busy: Mutex::default(),
            obsolete: Obsolete::default(),
            merged_bytes: AtomicU64::new(0),
        })
    }

    /// The newest state.
    pub fn state(&self) -> Arc<State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The highest commit that is in no memtable any more.
    pub fn persisted(&self) -> u64 {
        *self.persisted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How merging is doing.
    pub fn merging(&self) -> Merging {
        Merging {
            running: self.busy.lock().unwrap_or_else(PoisonError::into_inner).len(),
            written_bytes: self.merged_bytes.load(Ordering::Relaxed),
            due_bytes: pick::due_bytes(&self.state().tables, self.table_bytes),
        }
    }

    /// Puts a new memtable in front of the active one, which is not written to from here on.
    pub fn seal(&self) -> Arc<Memtable> {
        let next = Arc::<Memtable>::default();
        self.exchange(|state| {
            state.sealed.insert(0, std::mem::replace(&mut state.active, next.clone()));
        });
        next
    }

    /// Hides everything that is older in a range.
    pub fn remove_range(&self, range: &RemovedRange) {
        self.exchange(|state| state.removed = Arc::new(state.removed.with(range.clone())));
    }

    /// Writes the oldest full memtable to a table on disk, and returns whether there was one.
    pub fn write_out(&self, should_stop: &dyn Fn() -> bool) -> Result<bool> {
        let state = self.state();
        let Some(memtable) = state.sealed.last() else { return Ok(false) };
        let cursor = memtable.forward(Bound::Unbounded, u64::MAX);
        let sources = vec![Source::Memtable(cursor, Direction::Forward)];
        let older = Older { first: &state.tables.first, levels: &state.tables.levels };
        let output = self.write(&state, sources, older, None, Vec::new(), should_stop)?;
        let added = output.tables().iter().map(|table| (0, table.clone())).collect();
        self.change(&Change { added, written_out: Some(memtable), ..Change::default() })?;
        output.keep();
        self.obsolete.add_memtable(memtable.clone());
        Ok(true)
    }

    /// Does the next thing that is due with tables, and returns whether there was any.
    pub fn merge_due(&self, should_stop: &dyn Fn() -> bool) -> Result<bool> {
        self.merge_next(MergePriority::Due, should_stop)
    }

    /// The same while there are no writes, when more is worth it.
    pub fn tidy(&self, should_stop: &dyn Fn() -> bool) -> Result<bool> {
        self.merge_next(MergePriority::Tidy, should_stop)
    }

    fn merge_next(&self, priority: MergePriority, should_stop: &dyn Fn() -> bool) -> Result<bool> {
        let Some((job, _busy)) = self.take_job(priority)? else { return Ok(false) };
        match job.kind {
            Kind::Drop => {
                self.change(&Change { removed: job.upper.clone(), ..Change::default() })?
            }
            Kind::Move => {
                let added = job.upper.iter().map(|table| (job.to, table.clone())).collect();
                let removed = job.upper.clone();
                self.change(&Change { removed, added, ..Change::default() })?;
                return Ok(true);
            }
            Kind::Merge => self.merge(&job, should_stop)?,
        }
        for table in job.inputs() {
            table.make_obsolete();
            self.obsolete.add_table(table.clone());
        }
        Ok(true)
    }

    /// Removes what was replaced and is no longer read, and calls `rest` after each piece of it.
    /// Returns whether something is left.
    pub fn release_obsolete(&self, rest: &dyn Fn()) -> bool {
        self.obsolete.release(rest)
    }

    fn take_job(&self, priority: MergePriority) -> Result<Option<(Job, Busy<'_>)>> {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let seed = self.next_id.load(Ordering::Relaxed);
        let job = pick::pick(&self.state(), self.table_bytes, seed, priority, &busy)?;
        let Some(job) = job else { return Ok(None) };
        let levels = (job.from, job.to);
        busy.push(levels);
        drop(busy);
        Ok(Some((job, Busy { tree: self, levels })))
    }

    fn merge(&self, job: &Job, should_stop: &dyn Fn() -> bool) -> Result<()> {
        let state = self.state();
        let (from, lower) = (Bound::Unbounded, Run::new(job.lower.clone()));
        let mut sources = Vec::with_capacity(job.first.len() + 2);
        for table in &job.first {
            sources.push(Source::Table(TableCursor::new(table, Direction::Forward, from)?));
        }
        for run in [job.upper.as_slice(), lower.tables()] {
            sources.push(Source::Run(RunCursor::new(run, Direction::Forward, from)?));
        }
        let levels = state.tables.levels.get(job.to..).unwrap_or_default();
        let older = Older { first: &[], levels };
        let (bytes, cuts) = (Some(self.table_bytes), job.cuts.clone());
        let output = self.write(&state, sources, older, bytes, cuts, should_stop)?;
        let written_bytes = output.tables().iter().map(|table| table.size_bytes()).sum();
        self.merged_bytes.fetch_add(written_bytes, Ordering::Relaxed);
        let added = output.tables().iter().map(|table| (job.to, table.clone())).collect();
        let removed = job.inputs().cloned().collect();
        self.change(&Change { removed, added, ..Change::default() })?;
        output.keep();
        Ok(())
    }

    fn write(
        &self,
        state: &State,
        sources: Vec<Source<'_>>,
        older: Older<'_>,
        table_bytes: Option<u64>,
        cuts: Vec<Vec<u8>>,
        should_stop: &dyn Fn() -> bool,
    ) -> Result<Output> {
        let to = Bound::Unbounded;
        let cursor = Cursor::new(sources, &state.removed, Direction::Forward, to);
        let plan = Plan {
            directory: &self.directory,
            next_id: &self.next_id,
            table_bytes,
            cuts,
            applied: state.removed.newest(),
            older,
            should_stop,
        };
        output::write(cursor, &plan)
    }

    /// Writes the list of tables with a change, and then shows it.
    fn change(&self, change: &Change<'_>) -> Result<()> {
        let mut persisted = self.persisted.lock().unwrap_or_else(PoisonError::into_inner);
        let state = self.state();
        let tables = changed(&state.tables, change);
        let written_out = change.written_out.map_or(0, |memtable| memtable.last_number());
        let highest = written_out.max(*persisted);
        let memtables = std::iter::once(&state.active).chain(&state.sealed);
        let memtables: Vec<&Arc<Memtable>> = memtables
            .filter(|it| change.written_out.is_none_or(|written| !Arc::ptr_eq(it, written)))
            .collect();
        let forgotten: Vec<RemovedRange> = state
            .removed
            .iter()
            .filter(|range| !is_needed(range, &memtables, &tables))
            .cloned()
            .collect();
        let removed = state.removed.without(&forgotten);
        self.list(&tables, highest, removed).write(&self.directory)?;
        *persisted = highest;
        self.exchange(|state| {
            if change.written_out.is_some() {
                state.sealed.pop();
            }
            state.tables = Arc::new(tables);
            if !forgotten.is_empty() {
                state.removed = Arc::new(state.removed.without(&forgotten));
            }
        });
        Ok(())
    }

    fn list(&self, tables: &Tables, persisted: u64, removed: RemovedRanges) -> Manifest {
        let listed = |level: usize, table: &Arc<Table>| ListedTable {
            level: level as u32,
            id: table.id(),
            bytes: table.size_bytes(),
            checksum: table.checksum(),
        };
        let first = tables.first.iter().map(|table| listed(0, table));
        let levels = tables.levels.iter().enumerate().flat_map(|(place, run)| {
            run.tables().iter().map(move |table| listed(place + 1, table))
        });
        let next_id = self.next_id.load(Ordering::Relaxed);
        Manifest { next_id, persisted, removed, tables: first.chain(levels).collect() }
    }

    fn exchange(&self, change: impl FnOnce(&mut State)) {
        let mut guard = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let mut next = State::clone(&guard);
        change(&mut next);
        let before = std::mem::replace(&mut *guard, Arc::new(next));
        drop(guard);
        drop(before);
    }
}

/// The levels of a job, until it is done.
struct Busy<'a> {
    tree: &'a Tree,
    levels: (usize, usize),
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        let mut busy = self.tree.busy.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = busy.iter().position(|levels| *levels == self.levels) {
            busy.remove(place);
        }
    }
}

/// The tables after a change.
fn changed(tables: &Tables, change: &Change<'_>) -> Tables {
    let is_kept = |table: &&Arc<Table>| !change.removed.iter().any(|it| it.id() == table.id());
    let added = |level: usize| {
        let added = change.added.iter().filter(move |(to, _)| *to == level);
        added.map(|(_, table)| table.clone())
    };
    let first = added(0).chain(tables.first.iter().filter(is_kept).cloned()).collect();
    let deepest = change.added.iter().map(|(level, _)| *level).max().unwrap_or(0);
    let levels = (1..=deepest.max(tables.levels.len())).map(|level| {
        let kept = tables.levels.get(level - 1).map_or(&[][..], Run::tables);
        Run::new(kept.iter().filter(is_kept).cloned().chain(added(level)).collect())
    });
    let mut levels: Vec<Run> = levels.collect();
    while levels.pop_if(|level| level.is_empty()).is_some() {}
    Tables { first, levels }
}

/// Returns whether a removed range may still hide something.
fn is_needed(range: &RemovedRange, memtables: &[&Arc<Memtable>], tables: &Tables) -> bool {
    let in_memory = memtables
        .iter()
        .any(|memtable| memtable.first_number().is_some_and(|first| first < range.number));
    in_memory || tables.in_range(range).any(|(_, table)| concerns(range, table))
}

#[cfg(test)]
mod tests;
