//! The two traits that an engine implements: [`Engine`] and its [`Snapshot`].

use std::future::Future;
use std::ops::ControlFlow;

use bytes::Bytes;

use crate::{Decision, KeyRange, Reads, Result};

/// A key: one to [`KEY_BYTES_MAX`] bytes, ordered as unsigned bytes.
pub type Key = Vec<u8>;

/// The longest key that every engine can hold.
pub const KEY_BYTES_MAX: usize = 65_535;

/// Which end of a range is visited first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the smallest key to the largest.
    Forward,
    /// From the largest key to the smallest.
    Backward,
}

/// An ordered map of bytes with consistent snapshots and one-shot transactions.
///
/// An engine is shared by all tasks of a process. Every method may be called from any of them,
/// and a future may be dropped at any point: a transaction whose future is dropped has either
/// committed whole or not at all, and never lets another one in before that is settled.
pub trait Engine: Send + Sync + 'static {
    /// One moment of this engine.
    type Snapshot: Snapshot;

    /// Takes one moment of the store, holding every commit that has been answered. Later commits
    /// are never seen in it.
    ///
    /// Taking one is cheap enough to do for every read.
    fn snapshot(&self) -> impl Future<Output = Result<Self::Snapshot>> + Send;

    /// Reads `keys` so that nothing else can change them until this call ends, asks `decide`
    /// what to write, and commits all of it or none.
    ///
    /// `decide` may run again after a conflict, so it must be a pure function of what was read.
    /// A batch may also write keys that were not read; of two such blind writes to one key, the
    /// one that commits later stays. An answer means that the batch is as durable as the engine
    /// was told to make it, and that every later snapshot holds it.
    fn transact<T: Send>(
        &self,
        keys: &[Key],
        decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> impl Future<Output = Result<T>> + Send;

    /// Finishes what is under way, makes it durable, and refuses everything after, reads of
    /// earlier snapshots included, with [`ErrorKind::Closed`](crate::ErrorKind::Closed).
    ///
    /// Closing twice is no error.
    fn close(&self) -> impl Future<Output = Result<()>> + Send;
}

/// One moment of an [`Engine`].
///
/// An engine may have to keep what a snapshot can still see, so a snapshot is to be dropped when
/// the work that needed it is done.
pub trait Snapshot: Clone + Send + Sync + 'static {
    /// Reads one value.
    fn get(&self, key: &[u8]) -> impl Future<Output = Result<Option<Bytes>>> + Send;

    /// Reads many values, answered in the order of `keys`.
    fn get_many(&self, keys: &[Key]) -> impl Future<Output = Result<Vec<Option<Bytes>>>> + Send;

    /// Visits the entries of `range` in key order, from the end that `direction` says, until the
    /// range ends or `visit` breaks.
    ///
    /// It is a visitor and not a list, so that an embedded engine copies nothing and a remote one
    /// can fetch in chunks. Values share memory with the engine where it can.
    fn visit(
        &self,
        range: &KeyRange,
        direction: Direction,
        visit: impl FnMut(&[u8], Bytes) -> ControlFlow<()> + Send,
    ) -> impl Future<Output = Result<()>> + Send;
}
