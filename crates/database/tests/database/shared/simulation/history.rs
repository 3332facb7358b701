//! What clients asked for and were answered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use monotable_database::schema::TableId;

use super::plan::{PlannedChange, PlannedWrite};

/// The number of a write: every one has its own, which its item carries.
pub(super) type WriteNumber = usize;

#[derive(Debug, Clone)]
pub(super) enum Outcome {
    /// Nobody was answered: it may have happened or not.
    Unknown,
    /// It has not happened.
    Refused,
    /// It has happened.
    Done { table: TableId, old: Option<Bytes>, new: Option<Bytes> },
}

#[derive(Debug, Clone)]
pub(super) struct WriteNote {
    pub(super) planned: PlannedWrite,
    /// The first write of the transaction that it belongs to.
    pub(super) transaction: WriteNumber,
    pub(super) outcome: Outcome,
}

/// A change of a table that was answered with success: the table's number and version then.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChangeNote {
    pub(super) change: PlannedChange,
    pub(super) table: TableId,
    pub(super) version: u64,
}

#[derive(Default)]
pub(super) struct Notes {
    pub(super) writes: Vec<WriteNote>,
    pub(super) changes: Vec<ChangeNote>,
    /// Answers that no client should get.
    pub(super) failures: Vec<String>,
}

#[derive(Clone, Default)]
pub(super) struct History(Arc<Mutex<Notes>>);

impl History {
    pub(super) fn lock(&self) -> MutexGuard<'_, Notes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes writes that are about to begin, together or each by itself; returns the number of the
    /// first.
    pub(super) fn begin(&self, writes: &[PlannedWrite], is_transaction: bool) -> WriteNumber {
        let mut notes = self.lock();
        let first = notes.writes.len();
        for (at, planned) in writes.iter().enumerate() {
            let transaction = if is_transaction { first } else { first + at };
            let (planned, outcome) = (*planned, Outcome::Unknown);
            notes.writes.push(WriteNote { planned, transaction, outcome });
        }
        first
    }

    pub(super) fn end(&self, write: WriteNumber, outcome: Outcome) {
        self.lock().writes[write].outcome = outcome;
    }

    pub(super) fn fail(&self, failure: impl std::fmt::Debug) {
        self.lock().failures.push(format!("{failure:?}"));
    }
}
