//! Requests of clients: writes of items, and changes of the table.

use crate::locks::{Hold, Key, Locks};
use crate::protocol::Mistake;
use crate::state::{Entry, Index, State, Status, TableRecord};

/// What a client asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wish {
    /// Another value of an item.
    Write {
        /// The item.
        item: usize,
        /// What it becomes.
        value: u8,
    },
    /// A new index.
    AddIndex,
    /// An index less.
    RemoveIndex,
}

/// A request whose transaction has its locks and has read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Request {
    /// What is asked for.
    pub wish: Wish,
    /// The record as the request was checked against it.
    pub checked: TableRecord,
    /// The version that was read under the locks.
    pub version: u8,
    /// Up to which item the index is filled, as read under the locks.
    pub filled: usize,
    /// What is held until the end.
    pub locks: Locks,
}

impl Request {
    /// Locks and reads.
    pub fn begin(
        state: &State,
        wish: Wish,
        checked: TableRecord,
        mistake: Option<Mistake>,
    ) -> Request {
        let filling = checked.index_that_is(Status::Creating);
        let filled = filling.map_or(0, |index| state.filled(index));
        let locks = locks_of(wish, &checked, mistake);
        Request { wish, checked, version: state.record.version, filled, locks }
    }

    /// Decides, and commits or leaves everything as it is.
    pub fn commit(&self, state: &mut State, mistake: Option<Mistake>) {
        let stands = self.version == self.checked.version;
        match self.wish {
            Wish::Write { item, value } if stands || mistake == Some(Mistake::NoFence) => {
                state.breaches.stale_write |= state.record.version != self.checked.version;
                self.write(state, item, value);
            }
            Wish::AddIndex if stands && self.checked.index.is_none() => {
                let id = state.record.next_index;
                state.record.next_index += 1;
                state.alter(Some(Index { id, status: Status::Creating }));
            }
            Wish::RemoveIndex if stands => {
                let gone =
                    self.checked.index.map(|index| Index { status: Status::Deleting, ..index });
                state.alter(gone);
            }
            Wish::Write { .. } | Wish::AddIndex | Wish::RemoveIndex => {}
        }
    }

    fn write(&self, state: &mut State, item: usize, value: u8) {
        if let Some(slot) = state.items.get_mut(item) {
            *slot = value;
        }
        let Some(index) = self.checked.index else { return };
        let is_kept = match index.status {
            Status::Active => true,
            Status::Creating => item < self.filled,
            Status::Deleting => false,
        };
        if is_kept {
            state.put_entry(Entry { index: index.id, item, value });
        }
    }
}

fn locks_of(wish: Wish, checked: &TableRecord, mistake: Option<Mistake>) -> Locks {
    let Wish::Write { item, .. } = wish else { return vec![(Key::TableRecord, Hold::Locked)] };
    let mut locks = vec![(Key::Item(item), Hold::Locked)];
    if mistake != Some(Mistake::RecordNotShared) {
        locks.push((Key::TableRecord, Hold::Shared));
    }
    if let Some(index) = checked.index_that_is(Status::Creating)
        && mistake != Some(Mistake::NoteNotShared)
    {
        locks.push((Key::Note(index), Hold::Shared));
    }
    locks
}
