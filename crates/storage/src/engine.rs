//! The two traits that an engine implements: [`Engine`] and its [`Snapshot`].

use std::future::Future;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::{CommitId, Decision, Error, ErrorKind, KeyRange, Reads, Result, Settled, Wants};

/// A key: one to [`KEY_BYTES_MAX`] bytes, ordered as unsigned bytes. The first one is below
/// [`RESERVED`].
pub type Key = Vec<u8>;

/// The longest key that every engine holds. One that cannot index so many bytes keeps a beginning
/// and a hash of the key in its index and the whole key beside them.
pub const KEY_BYTES_MAX: usize = 16 << 10;

/// Keys begin with a byte below this one. What lies above is for an engine that keeps logs and
/// counters in the same map.
pub const RESERVED: u8 = 0xF0;

/// How long a snapshot can be read at least. After that an engine may refuse it with
/// [`ErrorKind::Expired`]: keeping old versions costs a shared store dearly.
pub const SNAPSHOT_AGE_MAX: Duration = Duration::from_secs(5);

/// Which end of a range is visited first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the smallest key to the largest.
    Forward,
    /// From the largest key to the smallest.
    Backward,
}

/// An ordered map of bytes with consistent snapshots and one-shot transactions, beside it logs and
/// counters.
///
/// An engine is shared by all tasks of a process, and its store perhaps by many processes. Every
/// method may be called from any task, and a future may be dropped at any point: a transaction
/// whose future is dropped has either committed whole or not at all, and never lets another one in
/// before that is settled.
pub trait Engine: Send + Sync + 'static {
    /// One moment of this engine.
    type Snapshot: Snapshot;

    /// Takes one moment of the store, holding every commit that has been answered. Later commits
    /// are never seen in it. It is good for [`SNAPSHOT_AGE_MAX`] at least.
    fn snapshot(&self) -> impl Future<Output = Result<Self::Snapshot>> + Send;

    /// Reads one value as it is now. A store that is reached over a network answers this with one
    /// question, where a snapshot takes three.
    fn get(&self, key: &[u8]) -> impl Future<Output = Result<Option<Bytes>>> + Send;

    /// Reads many values as they were at one moment, answered in the order of `keys`.
    fn get_many(&self, keys: &[Key]) -> impl Future<Output = Result<Vec<Option<Bytes>>>> + Send;

    /// Takes a moment that may lie a little in the past, where a copy of the store serves such
    /// reads and is fresh enough for it. `None` sends the caller to [`Engine::snapshot`]; so does
    /// an error of what it reads here.
    fn stale_snapshot(&self) -> impl Future<Output = Option<Self::Snapshot>> + Send {
        async { None }
    }

    /// Reads many values as [`Engine::get_many`] does, of a moment that may lie a little in the
    /// past, where a copy of the store serves such reads and is fresh enough for it. `None` sends
    /// the caller to [`Engine::get_many`].
    fn stale_get_many(
        &self,
        keys: &[Key],
    ) -> impl Future<Output = Option<Vec<Option<Bytes>>>> + Send {
        let _ = keys;
        async { None }
    }

    /// Reads what `wants` names so that nothing else can change it until this call ends, asks
    /// `decide` what to write, and commits all of it or none.
    ///
    /// `decide` may run again after a conflict, on other values, so it must be a pure function of
    /// what was read: what it draws from elsewhere, such as ids and the time, is drawn before. A
    /// batch may also write keys that were not read; of two such blind writes to one key, the one
    /// that commits later stays. An answer means that the batch is as durable as the engine was
    /// told to make it, and that every later snapshot holds it.
    ///
    /// An engine that loses sight of a commit finds out what became of it, and answers. If it
    /// cannot in good time, the error is [`ErrorKind::Unknown`] and carries a [`CommitId`] to ask
    /// [`Engine::settle`] with.
    fn transact<T: Send>(
        &self,
        wants: Wants<'_>,
        decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> impl Future<Output = Result<T>> + Send;

    /// Says what became of a commit whose answer was lost. Once it has said so, that stays true.
    fn settle(&self, commit: CommitId) -> impl Future<Output = Result<Settled>> + Send {
        // An engine in the same process as its caller loses no answers.
        let _ = commit;
        async { Err(Error::new(ErrorKind::Unavailable)) }
    }

    /// The store's own time in milliseconds since 1970, by which all its users agree who holds a
    /// lease. `None` if the store has no clock: then it has one user, whose clock it is.
    fn now_millis(&self) -> impl Future<Output = Result<Option<u64>>> + Send {
        async { Ok(None) }
    }

    /// Returns whether other processes may use the store at the same time, so that what this one
    /// remembers of it can be out of date.
    fn is_shared(&self) -> bool {
        false
    }

    /// Returns whether [`Batch::delete_range`] and [`Batch::trim`] cost the same however much they
    /// remove. If not, a large range is to be removed in pieces, because the commits behind one
    /// wait for it.
    ///
    /// [`Batch::delete_range`]: crate::Batch::delete_range
    /// [`Batch::trim`]: crate::Batch::trim
    fn removes_ranges_whole(&self) -> bool {
        false
    }

    /// Finishes what is under way, makes it durable, and refuses everything after, reads of
    /// earlier snapshots included, with [`ErrorKind::Closed`].
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
    /// can fetch in chunks; `about` says how many entries the visitor means to take, so that a
    /// remote engine fetches no more at once. Values share memory with the engine where it can.
    fn visit(
        &self,
        range: &KeyRange,
        direction: Direction,
        about: usize,
        visit: impl FnMut(&[u8], Bytes) -> ControlFlow<()> + Send,
    ) -> impl Future<Output = Result<()>> + Send;

    /// Visits the entries of a log at these positions, in their order, as [`Snapshot::visit`] does.
    fn visit_log(
        &self,
        log: &[u8],
        positions: RangeInclusive<u64>,
        direction: Direction,
        about: usize,
        visit: impl FnMut(u64, Bytes) -> ControlFlow<()> + Send,
    ) -> impl Future<Output = Result<()>> + Send;

    /// The names of all logs that have entries, in no particular order.
    fn logs(&self) -> impl Future<Output = Result<Vec<Key>>> + Send;

    /// The value of a counter: the sum of all that was added since it was reset, 0 at first.
    fn counter(&self, counter: &[u8]) -> impl Future<Output = Result<i64>> + Send;

    /// Visits the counters whose names begin with `prefix` and come after `after`, in the order of
    /// their names, until `visit` breaks. One that stands at 0 may be left out.
    fn visit_counters(
        &self,
        prefix: &[u8],
        after: Option<&[u8]>,
        about: usize,
        visit: impl FnMut(&[u8], i64) -> ControlFlow<()> + Send,
    ) -> impl Future<Output = Result<()>> + Send;
}

/// Several owners of one engine.
impl<E: Engine> Engine for Arc<E> {
    type Snapshot = E::Snapshot;

    async fn snapshot(&self) -> Result<E::Snapshot> {
        (**self).snapshot().await
    }

    async fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        (**self).get(key).await
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>> {
        (**self).get_many(keys).await
    }

    async fn stale_snapshot(&self) -> Option<E::Snapshot> {
        (**self).stale_snapshot().await
    }

    async fn stale_get_many(&self, keys: &[Key]) -> Option<Vec<Option<Bytes>>> {
        (**self).stale_get_many(keys).await
    }

    async fn transact<T: Send>(
        &self,
        wants: Wants<'_>,
        decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> Result<T> {
        (**self).transact(wants, decide).await
    }

    async fn settle(&self, commit: CommitId) -> Result<Settled> {
        (**self).settle(commit).await
    }

    async fn now_millis(&self) -> Result<Option<u64>> {
        (**self).now_millis().await
    }

    fn is_shared(&self) -> bool {
        (**self).is_shared()
    }

    fn removes_ranges_whole(&self) -> bool {
        (**self).removes_ranges_whole()
    }

    async fn close(&self) -> Result<()> {
        (**self).close().await
    }
}
