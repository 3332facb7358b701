//! Which transactions may be under way together.

use crate::job::Held;
use crate::state::{IndexId, JobName, State};

/// How a key is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hold {
    /// Together with others who do the same.
    Shared,
    /// Alone.
    Locked,
}

/// A key of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// The record of the table.
    TableRecord,
    /// An item.
    Item(usize),
    /// How far an index is filled.
    Note(IndexId),
    /// Who does a job.
    Lease(JobName),
}

/// The keys of a transaction.
pub type Locks = Vec<(Key, Hold)>;

/// Whether a transaction can get its locks, beside those that are under way.
pub fn are_free(state: &State, wanted: &[(Key, Hold)]) -> bool {
    let held = state.servers.iter().flat_map(|server| {
        let request = server.request.iter().flat_map(|request| request.locks.iter());
        let job = server.job.iter().filter_map(|job| match &job.held {
            Held::Nothing | Held::Known(_) => None,
            Held::Locks { locks, .. } => Some(locks),
        });
        request.chain(job.flatten())
    });
    held.into_iter().all(|held| wanted.iter().all(|wanted| go_together(*held, *wanted)))
}

fn go_together(one: (Key, Hold), other: (Key, Hold)) -> bool {
    one.0 != other.0 || (one.1, other.1) == (Hold::Shared, Hold::Shared)
}

/// Whether a lease can be changed.
pub fn is_lease_free(state: &State, name: JobName) -> bool {
    are_free(state, &[(Key::Lease(name), Hold::Locked)])
}
