//! A transaction of a caller, as it waits to be joined into one of the database.

use std::collections::HashMap;

use bytes::Bytes;
use monotable_storage::{Batch, Error, Key, KeyGuard, RangeRead, Reads, Result, Wants};
use tokio::sync::oneshot;

use crate::lock_ids::Hold;
use crate::queries::Found;

/// One caller's transaction.
pub(crate) struct Member {
    pub(crate) wants: OwnedWants,
    /// Kept until the transaction is settled, whether or not the caller still waits.
    pub(crate) guard: KeyGuard,
    /// Whether it has conflicted with another one before, and is to run alone.
    pub(crate) is_alone: bool,
    pub(crate) reads: oneshot::Sender<Result<Reads>>,
    /// Closed by a caller that writes nothing or is gone.
    pub(crate) decision: oneshot::Receiver<Batch>,
    pub(crate) outcome: oneshot::Sender<Result<()>>,
}

/// The caller's side of it.
pub(crate) struct Caller {
    pub(crate) reads: oneshot::Receiver<Result<Reads>>,
    pub(crate) decision: oneshot::Sender<Batch>,
    pub(crate) outcome: oneshot::Receiver<Result<()>>,
}

impl Member {
    pub(crate) fn new(wants: &Wants<'_>, guard: KeyGuard, is_alone: bool) -> (Member, Caller) {
        let (reads, reads_of_caller) = oneshot::channel();
        let (decision_of_caller, decision) = oneshot::channel();
        let (outcome, outcome_of_caller) = oneshot::channel();
        let wants = OwnedWants::new(wants);
        let member = Member { wants, guard, is_alone, reads, decision, outcome };
        let caller = Caller {
            reads: reads_of_caller,
            decision: decision_of_caller,
            outcome: outcome_of_caller,
        };
        (member, caller)
    }

    /// Gives up before anything was read.
    pub(crate) fn refuse(self, error: Error) {
        // A caller that is gone needs no answer.
        let _ = self.reads.send(Err(error));
    }
}

/// [`Wants`] in an owned form.
#[derive(Debug)]
pub(crate) struct OwnedWants {
    pub(crate) locked: Vec<Key>,
    pub(crate) shared: Vec<Key>,
    pub(crate) ranges: Vec<RangeRead>,
    pub(crate) ends: Vec<Key>,
}

impl OwnedWants {
    fn new(wants: &Wants<'_>) -> OwnedWants {
        OwnedWants {
            locked: wants.locked.to_vec(),
            shared: wants.shared.to_vec(),
            ranges: wants.ranges.to_vec(),
            ends: wants.ends.to_vec(),
        }
    }

    /// Returns whether there is nothing to read, so that the first round trip can be skipped.
    pub(crate) fn is_nothing(&self) -> bool {
        self.locked.is_empty()
            && self.shared.is_empty()
            && self.ranges.is_empty()
            && self.ends.is_empty()
    }

    /// All keys, and how each is held.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (&Key, Hold)> {
        let locked = self.locked.iter().map(|key| (key, Hold::Locked));
        locked.chain(self.shared.iter().map(|key| (key, Hold::Shared)))
    }

    /// Picks the values of its keys from all that were found.
    pub(crate) fn reads(&self, found: &Found) -> Reads {
        let value = |(key, _): (&Key, Hold)| -> Option<Bytes> { HashMap::get(found, key).cloned() };
        Reads::new(self.keys().map(value).collect(), self.locked.len())
    }
}
