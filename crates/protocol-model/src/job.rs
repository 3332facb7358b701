//! Jobs of the background: filling an index and removing one, each under a lease.
//!
//! A job looks at how far it is without holding anything, then does a piece in a transaction, and
//! so on. A piece stands only if the lease does.

use crate::locks::{Hold, Key, Locks};
use crate::protocol::Mistake;
use crate::state::{Entry, ITEMS, Index, JobName, LeaseRecord, Owner, State, Status, TableRecord};

/// A piece of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Piece {
    /// Puts the item at which the filling is into the index.
    Fill {
        /// Where that was when it was looked.
        known: usize,
    },
    /// Makes the index active.
    Activate,
    /// Removes an entry.
    Purge,
    /// Takes the index out of the record.
    Unlist,
    /// Gives the lease back.
    GiveBack,
}

/// What a job holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Held {
    /// It is between two pieces.
    Nothing,
    /// It has looked, and knows what is next.
    Known(Piece),
    /// The transaction of a piece is under way.
    Locks {
        /// What it does.
        piece: Piece,
        /// What is held until its end.
        locks: Locks,
        /// The version of the record, as read under the locks.
        version: u8,
        /// Whether the lease stood, as read under the locks.
        has_lease: bool,
        /// Up to which item the index was filled, and what the next item was.
        next: (usize, u8),
    },
}

/// A job that a server does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Job {
    /// Which.
    pub name: JobName,
    /// The epoch of its lease.
    pub epoch: u8,
    /// The record as the job knows it.
    pub checked: TableRecord,
    /// Whether all is done but giving the lease back.
    pub is_done: bool,
    /// What it holds.
    pub held: Held,
}

/// The record of a lease that `owner` takes; none if another process has the job.
pub fn claim(found: Option<&LeaseRecord>, owner: Owner) -> Option<LeaseRecord> {
    match found {
        Some(held) if !held.is_over => (held.owner == owner).then_some(*held),
        Some(held) => Some(LeaseRecord { owner, epoch: held.epoch + 1, is_over: false }),
        None => Some(LeaseRecord { owner, epoch: 1, is_over: false }),
    }
}

/// The job that a table needs done, by its record.
pub fn needed(record: &TableRecord) -> Option<JobName> {
    let index = record.index?;
    match index.status {
        Status::Creating => Some(JobName::Fill(index.id)),
        Status::Active => None,
        Status::Deleting => Some(JobName::Remove(index.id)),
    }
}

impl Job {
    /// A job that was just taken on.
    pub fn new(name: JobName, epoch: u8, checked: TableRecord) -> Job {
        Job { name, epoch, checked, is_done: false, held: Held::Nothing }
    }

    /// What is next, as far as can be seen without locks.
    pub fn look(&self, state: &State) -> Piece {
        match self.name {
            _ if self.is_done => Piece::GiveBack,
            JobName::Fill(index) => match state.filled(index) {
                ITEMS => Piece::Activate,
                known => Piece::Fill { known },
            },
            JobName::Remove(index) => {
                let has_entries = state.entries.iter().any(|entry| entry.index == index);
                if has_entries { Piece::Purge } else { Piece::Unlist }
            }
        }
    }

    /// What a piece holds.
    pub fn locks(&self, piece: Piece, mistake: Option<Mistake>) -> Locks {
        let lease = (Key::Lease(self.name), Hold::Shared);
        let (JobName::Fill(index) | JobName::Remove(index)) = self.name;
        let note = (Key::Note(index), Hold::Locked);
        let mut locks = match piece {
            Piece::Fill { .. } if mistake == Some(Mistake::NoteNotLocked) => {
                vec![lease, (Key::TableRecord, Hold::Shared)]
            }
            Piece::Fill { .. } => vec![lease, (Key::TableRecord, Hold::Shared), note],
            Piece::Activate => vec![lease, (Key::TableRecord, Hold::Locked), note],
            Piece::Purge => vec![lease],
            Piece::Unlist => vec![lease, (Key::TableRecord, Hold::Locked)],
            Piece::GiveBack => vec![(Key::Lease(self.name), Hold::Locked)],
        };
        if mistake == Some(Mistake::LeaseNotShared) {
            locks.retain(|lock| *lock != lease);
        }
        locks
    }

    /// Locks and reads.
    pub fn begin(&self, state: &State, owner: Owner, piece: Piece, locks: Locks) -> Held {
        let (JobName::Fill(index) | JobName::Remove(index)) = self.name;
        let filled = state.filled(index);
        let value = state.items.get(filled).copied().unwrap_or_default();
        Held::Locks {
            piece,
            locks,
            version: state.record.version,
            has_lease: state.stands(self.name, owner, self.epoch),
            next: (filled, value),
        }
    }

    /// Decides on a piece, and commits it or leaves everything as it is. Returns whether it stood.
    pub fn commit(&self, state: &mut State, owner: Owner, mistake: Option<Mistake>) -> bool {
        let Held::Locks { piece, version, has_lease, next: (filled, value), .. } = &self.held
        else {
            return false;
        };
        let has_lease = *has_lease || mistake == Some(Mistake::NoLeaseCheck);
        let is_checked = *version == self.checked.version;
        let stands = match piece {
            Piece::Fill { .. } | Piece::Activate | Piece::Unlist => has_lease && is_checked,
            Piece::Purge | Piece::GiveBack => has_lease,
        };
        if !stands {
            return false;
        }
        state.breaches.stale_job |= !state.stands(self.name, owner, self.epoch);
        let (JobName::Fill(index) | JobName::Remove(index)) = self.name;
        match piece {
            Piece::Fill { known } if known == filled && *filled < ITEMS => {
                state.put_entry(Entry { index, item: *filled, value: *value });
                state.notes.insert(index, filled + 1);
            }
            // Another process has gone on with it.
            Piece::Fill { .. } => {}
            Piece::Activate if *filled == ITEMS => {
                state.alter(Some(Index { id: index, status: Status::Active }));
                state.notes.remove(&index);
            }
            Piece::Activate => {}
            Piece::Purge => {
                let first = state.entries.iter().find(|entry| entry.index == index).copied();
                state.entries.retain(|entry| Some(*entry) != first);
            }
            Piece::Unlist => {
                state.notes.remove(&index);
                state.alter(None);
            }
            Piece::GiveBack => state.leases.retain(|name, _| *name != self.name),
        }
        true
    }
}
