//! An engine whose background transactions can be held up, so that a test can look at, and stop, a
//! backfill or a purge in its middle.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bytes::Bytes;
use monotable_storage::{CommitId, Decision, Engine, Key, Reads, Result, Settled, Wants};
use tokio::sync::Semaphore;

use super::store::OnClose;

tokio::task_local! {
    /// Set for what the test itself asks for; what the database does by itself has it not.
    static FOREGROUND: ();
}

/// The family of the records of tables.
const TABLE_RECORD: u8 = 0x01;

/// More transactions than can wait at a time.
const ALL: usize = 1 << 20;

/// Runs what a test asks for, which is never held up.
pub(crate) async fn foreground<T>(work: impl Future<Output = T>) -> T {
    FOREGROUND.scope((), work).await
}

/// Whether background transactions may begin, and how many have come and gone.
pub(crate) struct Background {
    /// Whether those that come now must wait.
    is_paused: AtomicBool,
    /// How many of those that wait may go on.
    allowed: Semaphore,
    waiting: AtomicUsize,
    running: AtomicUsize,
    ended: AtomicUsize,
    /// How many of the test's own transactions wrote something.
    commits: AtomicUsize,
    /// How many changes of tables the test itself asks for: the database makes them in tasks of its
    /// own.
    asked_changes: AtomicUsize,
}

impl Background {
    fn new() -> Arc<Background> {
        Arc::new(Background {
            is_paused: AtomicBool::new(false),
            allowed: Semaphore::new(0),
            waiting: AtomicUsize::new(0),
            running: AtomicUsize::new(0),
            ended: AtomicUsize::new(0),
            commits: AtomicUsize::new(0),
            asked_changes: AtomicUsize::new(0),
        })
    }

    pub(crate) fn pause(&self) {
        self.allowed.forget_permits(ALL);
        self.is_paused.store(true, Ordering::Release);
    }

    fn is_paused(&self) -> bool {
        self.is_paused.load(Ordering::Acquire)
    }

    /// Whether some wait, or would have to.
    pub(crate) fn holds_up(&self) -> bool {
        self.is_paused() || self.waiting.load(Ordering::Acquire) > 0
    }

    /// Lets those that come now overtake those that wait.
    pub(crate) fn overtake(&self) {
        self.is_paused.store(false, Ordering::Release);
    }

    pub(crate) fn resume(&self) {
        self.overtake();
        self.allowed.add_permits(ALL);
    }

    /// Lets so many transactions through.
    pub(crate) fn allow(&self, transactions: usize) {
        self.allowed.add_permits(transactions);
    }

    /// Says that the test asks for a change of a table, or no longer.
    pub(crate) fn ask_for_change(&self, is_asked: bool) {
        self.asked_changes.store(usize::from(is_asked), Ordering::Release);
    }

    /// Whether a transaction is the change of a table that the test asked for.
    fn is_asked_change(&self, wants: &Wants<'_>) -> bool {
        let is_change = wants.locked.iter().any(|key| key.first() == Some(&TABLE_RECORD));
        let asked = &self.asked_changes;
        let one_less = |asked: usize| asked.checked_sub(1);
        is_change && asked.fetch_update(Ordering::AcqRel, Ordering::Acquire, one_less).is_ok()
    }

    pub(crate) fn ended(&self) -> usize {
        self.ended.load(Ordering::Acquire)
    }

    pub(crate) fn commits(&self) -> usize {
        self.commits.load(Ordering::Acquire)
    }

    /// Whether no transaction is under way, nor can begin.
    pub(crate) fn is_quiet(&self) -> bool {
        let can_begin = self.allowed.available_permits().min(self.waiting.load(Ordering::Acquire));
        self.running.load(Ordering::Acquire) == 0 && can_begin == 0
    }

    async fn run<T>(&self, transaction: impl Future<Output = T>) -> T {
        if self.is_paused() {
            self.waiting.fetch_add(1, Ordering::AcqRel);
            self.allowed.acquire().await.expect("it is never closed").forget();
            self.waiting.fetch_sub(1, Ordering::AcqRel);
        }
        self.running.fetch_add(1, Ordering::AcqRel);
        let outcome = transaction.await;
        self.running.fetch_sub(1, Ordering::AcqRel);
        self.ended.fetch_add(1, Ordering::AcqRel);
        outcome
    }
}

pub(crate) struct SteppedEngine<E> {
    inner: Arc<E>,
    background: Arc<Background>,
    on_close: OnClose,
}

impl<E: Engine> SteppedEngine<E> {
    pub(crate) fn new(inner: Arc<E>, on_close: OnClose) -> SteppedEngine<E> {
        SteppedEngine { inner, background: Background::new(), on_close }
    }

    pub(crate) fn background(&self) -> Arc<Background> {
        self.background.clone()
    }
}

impl<E: Engine> Engine for SteppedEngine<E> {
    monotable_storage::delegate_reads!(inner: Arc<E>);
    monotable_storage::delegate_properties!(inner);

    async fn stale_snapshot(&self) -> Option<E::Snapshot> {
        self.inner.stale_snapshot().await
    }

    async fn stale_get_many(&self, keys: &[Key]) -> Option<Vec<Option<Bytes>>> {
        self.inner.stale_get_many(keys).await
    }

    async fn transact<T: Send>(
        &self,
        wants: Wants<'_>,
        mut decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> Result<T> {
        if FOREGROUND.try_get().is_err() && !self.background.is_asked_change(&wants) {
            return self.background.run(self.inner.transact(wants, decide)).await;
        }
        let mut is_commit = false;
        let decide = |reads: &Reads| {
            let decision = decide(reads);
            // The last one counts: an engine may ask again.
            is_commit = matches!(decision, Decision::Commit(..));
            decision
        };
        let answer = self.inner.transact(wants, decide).await;
        self.background.commits.fetch_add(usize::from(is_commit), Ordering::AcqRel);
        answer
    }

    async fn settle(&self, commit: CommitId) -> Result<Settled> {
        self.inner.settle(commit).await
    }

    async fn close(&self) -> Result<()> {
        match self.on_close {
            OnClose::Close => self.inner.close().await,
            OnClose::Keep => Ok(()),
        }
    }
}
