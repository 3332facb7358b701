//! The way through a store, and what all checks share.

use std::ops::ControlFlow;

use bytes::Bytes;
use monotable_storage::{
    Batch, Decision, Direction, Engine, Key, KeyRange, Reads, Result as StorageResult, Snapshot,
    Wants,
};

use super::report::FAULTS_MAX;
use super::{
    Change, CheckProgress, CheckReport, CheckStage, Family, Fault, FaultLocation, Problem, Repair,
};
use crate::database::rest_after;

/// How many entries are read at once, and how many bytes about.
const CHUNK_ENTRIES: usize = 256;
const CHUNK_BYTES: usize = 1 << 20;
/// How many bytes of changes are committed at once, about.
const BATCH_BYTES: usize = 8 << 20;

/// Whether a check changes anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckMode {
    /// It only reads.
    ReadOnly,
    /// It mends what follows from the items.
    Repair,
}

/// How to check.
#[derive(Debug, Clone, Copy)]
pub struct CheckOptions {
    /// The time in seconds since 1970: items that should have expired long ago have no expiry
    /// entry.
    pub now_secs: u64,
    /// Whether to change anything.
    pub mode: CheckMode,
}

/// What a check reports while it runs.
#[derive(Debug, Clone, PartialEq)]
pub enum CheckEvent {
    /// How far it is.
    Progress(CheckProgress),
    /// A change that is about to be made.
    Change(Change),
}

/// Checks what a store means. No other process may use the store meanwhile. In the mode
/// [`CheckMode::Repair`] the report has the faults that were there before. When `observe` breaks on
/// a change, neither that one nor any later one is made.
///
/// A fault is no error. An error says that the store could not be read or written.
pub async fn check<E: Engine>(
    engine: &E,
    options: CheckOptions,
    mut observe: impl FnMut(CheckEvent) -> ControlFlow<()> + Send,
) -> StorageResult<CheckReport> {
    let report = CheckReport::default();
    let batch = Batch::new();
    let is_mendable = true;
    let mut checker =
        Checker { engine, options, observe: &mut observe, report, batch, is_mendable };
    let catalogue = checker.read_catalogue().await?;
    checker.check_families().await?;
    checker.check_owners(&catalogue).await?;
    checker.check_jobs().await?;
    for table in catalogue.tables.values() {
        checker.is_mendable = !catalogue.is_doubtful(table.id);
        checker.check_table(table).await?;
    }
    checker.is_mendable = true;
    checker.check_counters(&catalogue).await?;
    checker.check_streams(&catalogue).await?;
    Ok(checker.report)
}

/// A check under way.
pub(super) struct Checker<'a, E> {
    pub(super) engine: &'a E,
    pub(super) options: CheckOptions,
    observe: &'a mut (dyn FnMut(CheckEvent) -> ControlFlow<()> + Send),
    pub(super) report: CheckReport,
    /// Changes that were announced and are to be committed.
    batch: Batch,
    /// Whether what is found can be mended: not in a table whose own record is in doubt.
    pub(super) is_mendable: bool,
}

/// Some entries of a range, and the snapshot that they were read from.
pub(super) struct Chunk<S> {
    pub(super) snapshot: S,
    pub(super) entries: Vec<(Key, Bytes)>,
}

impl<E: Engine> Checker<'_, E> {
    /// Takes a fault down that no repair mends.
    pub(super) fn fault(&mut self, place: FaultLocation, problem: Problem) {
        self.note(Fault { place, problem, is_repairable: false });
    }

    /// Takes a fault down, and mends it if faults are to be mended.
    pub(super) async fn mend(
        &mut self,
        place: FaultLocation,
        problem: Problem,
        family: Family,
        repair: Repair,
    ) -> StorageResult<()> {
        let is_repairable = self.is_mendable;
        self.note(Fault { place: place.clone(), problem, is_repairable });
        if is_repairable { self.change(Change { place, family, repair }).await } else { Ok(()) }
    }

    /// Takes a fault down that [`Checker::change`] mends.
    pub(super) fn note_repairable(&mut self, place: FaultLocation, problem: Problem) {
        self.note(Fault { place, problem, is_repairable: true });
    }

    fn note(&mut self, fault: Fault) {
        if self.report.faults.len() < FAULTS_MAX {
            self.report.faults.push(fault);
        } else {
            self.report.more_faults += 1;
        }
    }

    /// Announces a change and makes it, if changes are to be made.
    pub(super) async fn change(&mut self, change: Change) -> StorageResult<()> {
        match self.options.mode {
            CheckMode::ReadOnly => return Ok(()),
            CheckMode::Repair => {}
        }
        if (self.observe)(CheckEvent::Change(change.clone())).is_break() {
            self.options.mode = CheckMode::ReadOnly;
            return Ok(());
        }
        match change.repair {
            Repair::Write { key, value, .. } => self.batch.put(key, value),
            Repair::Remove { key, .. } => self.batch.delete(key),
            Repair::SetCounter { counter, to, .. } => {
                self.batch.reset(counter.clone());
                self.batch.add(counter, to);
            }
        }
        if self.batch.size_bytes() >= BATCH_BYTES { self.commit().await } else { Ok(()) }
    }

    /// Commits the changes that were announced.
    pub(super) async fn commit(&mut self) -> StorageResult<()> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let batch = std::mem::take(&mut self.batch);
        let decide = |_: &Reads| Decision::Commit(batch.clone(), ());
        self.engine.transact(Wants::nothing(), decide).await
    }

    pub(super) fn progress(&mut self, stage: CheckStage, done: u64, total: Option<u64>) {
        // There is nothing to stop.
        let _ = (self.observe)(CheckEvent::Progress(CheckProgress { stage, done, total }));
    }

    /// Reads the first entries of a range and leaves the rest of it; none if there are no more.
    /// What was announced is committed before.
    pub(super) async fn next_chunk(
        &mut self,
        rest: &mut KeyRange,
    ) -> StorageResult<Option<Chunk<E::Snapshot>>> {
        self.commit().await?;
        let (mut entries, mut bytes) = (Vec::new(), 0);
        let visit = |key: &[u8], value: Bytes| {
            bytes += key.len() + value.len();
            entries.push((key.to_vec(), value));
            let is_full = entries.len() >= CHUNK_ENTRIES || bytes >= CHUNK_BYTES;
            if is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let snapshot = self.engine.snapshot().await?;
        snapshot.visit(rest, Direction::Forward, CHUNK_ENTRIES, visit).await?;
        let Some((last, _)) = entries.last() else { return Ok(None) };
        *rest = rest_after(rest, last.clone());
        Ok(Some(Chunk { snapshot, entries }))
    }

    /// The first key of a range.
    pub(super) async fn first_key(&self, range: &KeyRange) -> StorageResult<Option<Key>> {
        let mut first = None;
        let visit = |key: &[u8], _: Bytes| {
            first = Some(key.to_vec());
            ControlFlow::Break(())
        };
        let snapshot = self.engine.snapshot().await?;
        snapshot.visit(range, Direction::Forward, 1, visit).await?;
        Ok(first)
    }

    /// How many keys a range has.
    pub(super) async fn count_keys(&mut self, range: &KeyRange) -> StorageResult<u64> {
        let (mut rest, mut keys) = (range.clone(), 0);
        while let Some(chunk) = self.next_chunk(&mut rest).await? {
            keys += chunk.entries.len() as u64;
        }
        Ok(keys)
    }
}

/// The keys after all that begin with a prefix, up to where `range` ends.
pub(super) fn after_prefix(range: &KeyRange, prefix: &[u8]) -> KeyRange {
    let start = match KeyRange::prefix(prefix).end() {
        std::ops::Bound::Excluded(end) => std::ops::Bound::Included(end.to_vec()),
        other => other.map(<[u8]>::to_vec),
    };
    KeyRange::new(start, range.end().map(<[u8]>::to_vec))
}
