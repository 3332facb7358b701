//! Commits whose answer was lost.

/// Names one commit, so that its outcome can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CommitId(pub u128);

/// What became of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// It is in the store, whole.
    Committed,
    /// Nothing of it is in the store, and never will be.
    NotCommitted,
}
