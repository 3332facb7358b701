//! The thread that commits: it joins the batches that wait into one write and one sync.
//!
//! A batch goes through four steps, and their order is what the engine's promises rest on:
//! the journal has it, readers are shown it, its caller is answered, its keys are unlocked.
//!
//! The locks on a batch's keys travel with it. A caller may go away while its batch is queued; the
//! keys stay locked until the batch is settled, and the next transaction on them sees it.
//!
//! What waits in the queue is bounded by its bytes: a caller takes that much of an allowance before
//! it queues a batch, and the allowance returns when the batch is settled. The same bound is that
//! of a group.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use monotable_storage::{Batch, Error, ErrorKind, KeyGuard, Result, WriteSet};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::commit_queue::CommitQueue;
use crate::gathering::Gathering;
use crate::interval_sync::IntervalSync;
use crate::journal::Journal;
use crate::snapshot::Published;
use crate::store::Store;

/// How many bytes of batches may wait. A batch larger than this waits until it is alone.
const QUEUED_BYTES_MAX: usize = 16 << 20;
/// What a batch takes of that allowance at least, which bounds how many can wait.
const BATCH_BYTES_MIN: usize = 1 << 10;

/// The engine's end of the queue.
pub(crate) struct Committer {
    queue: Arc<CommitQueue<Request>>,
    allowance: Arc<Semaphore>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// Answered when the thread has finished; `None` once that was reported.
    finished: tokio::sync::Mutex<Option<oneshot::Receiver<Result<()>>>>,
}

/// A batch that waits for its commit.
struct Request {
    batch: Batch,
    waiter: Waiter,
}

/// Who waits for a batch, and what is held until it is settled.
struct Waiter {
    answer: oneshot::Sender<Result<()>>,
    guard: KeyGuard,
    allowance: OwnedSemaphorePermit,
}

impl Waiter {
    fn settle(self, outcome: Result<()>) {
        // A caller that went away needs no answer.
        let _ = self.answer.send(outcome);
        drop(self.guard);
        drop(self.allowance);
    }
}

impl Committer {
    pub(crate) fn start(commit_thread: CommitThread) -> std::io::Result<Committer> {
        let queue = Arc::new(CommitQueue::new());
        let (finish, finished) = oneshot::channel();
        let thread = thread::Builder::new().name("storage-commit".to_owned()).spawn({
            let open = OpenQueue(queue.clone());
            move || {
                // The receiver is gone only if the engine was dropped, and then nobody asks.
                let _ = finish.send(commit_thread.run(&open.0));
            }
        })?;
        Ok(Committer {
            queue,
            allowance: Arc::new(Semaphore::new(QUEUED_BYTES_MAX)),
            thread: Mutex::new(Some(thread)),
            finished: tokio::sync::Mutex::new(Some(finished)),
        })
    }

    /// Commits a batch whose keys `guard` holds, and answers when it is durable and published.
    pub(crate) async fn commit(&self, batch: Batch, guard: KeyGuard) -> Result<()> {
        let bytes = batch.size_bytes().clamp(BATCH_BYTES_MIN, QUEUED_BYTES_MAX);
        let bytes = u32::try_from(bytes).expect("the allowance is below 4 GiB");
        let allowance = self.allowance.clone().acquire_many_owned(bytes).await;
        let allowance = allowance.expect("the allowance is never closed");
        let (answer, answered) = oneshot::channel();
        let request = Request { batch, waiter: Waiter { answer, guard, allowance } };
        self.queue.push(request).map_err(|_| Error::new(ErrorKind::Closed))?;
        // The thread answers everything it takes, unless it has panicked.
        answered.await.unwrap_or_else(|_| Err(Error::new(ErrorKind::Poisoned)))
    }

    /// Commits what is queued, closes the store, and waits until that is done.
    pub(crate) async fn close(&self) -> Result<()> {
        self.queue.close();
        let mut finished = self.finished.lock().await;
        let Some(outcome) = finished.as_mut() else { return Ok(()) };
        let outcome = outcome.await.unwrap_or_else(|_| Err(Error::new(ErrorKind::Poisoned)));
        *finished = None;
        self.join();
        outcome
    }

    fn join(&self) {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the thread that commits panicked");
        }
    }
}

impl Drop for Committer {
    fn drop(&mut self) {
        self.queue.close();
        self.join();
    }
}

/// The thread's end of the queue. If the thread panics, nobody may wait for it any more.
struct OpenQueue(Arc<CommitQueue<Request>>);

impl Drop for OpenQueue {
    fn drop(&mut self) {
        self.0.close();
        drop(self.0.take(1, Duration::ZERO));
    }
}

/// What the thread works with.
pub(crate) struct CommitThread {
    store: Arc<Store>,
    published: Arc<Published>,
    journal: Arc<dyn Journal>,
    interval_sync: Option<IntervalSync>,
    last_position: u64,
    gathering: Gathering,
    /// The failure after which nothing more is written.
    poison: Option<Arc<Error>>,
}

impl CommitThread {
    pub(crate) fn new(
        store: Arc<Store>,
        published: Arc<Published>,
        journal: Arc<dyn Journal>,
        interval_sync: Option<IntervalSync>,
    ) -> Result<CommitThread> {
        let last_position = store.last_position()?;
        Ok(CommitThread {
            store,
            published,
            journal,
            interval_sync,
            last_position,
            gathering: Gathering::default(),
            poison: None,
        })
    }

    /// Commits groups until the queue is closed and empty.
    fn run(mut self, queue: &CommitQueue<Request>) -> Result<()> {
        while let Some(group) = queue.take(self.gathering.hoped_for(), self.gathering.patience()) {
            let (batches, waiters): (Vec<_>, Vec<_>) =
                group.into_iter().map(|Request { batch, waiter }| (batch, waiter)).unzip();
            let bytes = waiters.iter().map(|waiter| waiter.allowance.num_permits() as u64).sum();
            let start = now();
            let outcome = self.commit(batches);
            self.gathering.committed(waiters.len(), start.elapsed(), queue.len());
            for waiter in waiters {
                waiter.settle(outcome.clone().map_err(|error| shared(&error)));
            }
            rest(self.store.backlog().rest(bytes));
        }
        self.finish()
    }

    /// Commits a group whole or not at all, and shows it to readers.
    fn commit(&mut self, batches: Vec<Batch>) -> Result<(), Arc<Error>> {
        self.check_poison()?;
        let mut write_set = WriteSet::new(self.last_position);
        batches.into_iter().try_for_each(|batch| write_set.apply(batch, &*self.store))?;
        let last_position = write_set.last_position();
        let tree_batch = self.store.tree_batch(write_set, self.last_position);
        let written = tree_batch.and_then(|batch| self.journal.write(batch));
        written.map_err(|error| self.poison(error))?;
        self.last_position = last_position;
        if let Some(interval_sync) = &self.interval_sync {
            interval_sync.written();
        }
        self.published.publish(&self.store);
        Ok(())
    }

    fn check_poison(&mut self) -> Result<(), Arc<Error>> {
        if self.poison.is_none() && self.interval_sync.as_ref().is_some_and(IntervalSync::failed) {
            self.poison = Some(Arc::new(Error::new(ErrorKind::Poisoned)));
        }
        self.poison.clone().map_or(Ok(()), Err)
    }

    fn poison(&mut self, error: fjall::Error) -> Arc<Error> {
        tracing::error!(%error, "a write failed, no further ones are accepted");
        let poison = Arc::new(Error::with_source(ErrorKind::Poisoned, error));
        self.poison = Some(poison.clone());
        poison
    }

    /// Brings everything to disk and refuses reads from here on.
    fn finish(mut self) -> Result<()> {
        let outcome = self.check_poison();
        // The thread that syncs is joined first, so that nobody else uses the journal.
        self.interval_sync = None;
        let outcome =
            outcome.and_then(|()| self.journal.sync().map_err(|error| self.poison(error)));
        self.store.close();
        self.published.withdraw();
        outcome.map_err(|error| shared(&error))
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long the disk takes is no matter of the database's clock"
)]
fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::disallowed_methods, reason = "writers are slowed down by waiting")]
fn rest(duration: Duration) {
    if !duration.is_zero() {
        thread::sleep(duration);
    }
}

/// The same failure for one more caller.
fn shared(error: &Arc<Error>) -> Error {
    Error::with_source(error.kind(), error.clone())
}
