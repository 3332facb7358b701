//! The way to the thread that commits, which joins the batches that wait into one write and one
//! sync.
//!
//! A batch goes through four steps, and their order is what the engine's promises rest on: the
//! journal has it, readers are shown it, its caller is answered, its keys are unlocked. Between the
//! first two it is put into the memtable, where it is invisible until the next step.
//!
//! The locks on a batch's keys travel with it. A caller may go away while its batch is queued; the
//! keys stay locked until the batch is settled, and the next transaction on them sees it.
//!
//! What waits in the queue is bounded by its bytes: a caller takes that much of an allowance before
//! it queues a batch, and the allowance returns when the batch is settled. The same bound is that
//! of a group.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use monotable_storage::{Batch, Error, ErrorKind, KeyGuard, Result};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::background::{Background, Nudge};
use crate::commit_queue::CommitQueue;
use crate::commit_thread::CommitThread;

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

/// A batch that waits for its commit, or none if the thread is only to look around.
pub(crate) struct Request {
    pub(crate) commit: Option<(Batch, Waiter)>,
}

/// Who waits for a batch, and what is held until it is settled.
pub(crate) struct Waiter {
    answer: oneshot::Sender<Result<()>>,
    guard: KeyGuard,
    allowance: OwnedSemaphorePermit,
}

impl Waiter {
    /// How many bytes of the allowance the batch takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.allowance.num_permits() as u64
    }

    /// Answers, and releases everything that is held.
    pub(crate) fn settle(self, outcome: Result<()>) {
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
        let background = Background::start(commit_thread.store(), nudge(&queue))?;
        let thread = thread::Builder::new().name("storage-commit".to_owned()).spawn({
            let open = OpenQueue(queue.clone());
            move || {
                // The receiver is gone only if the engine was dropped, and then nobody asks.
                let _ = finish.send(commit_thread.run(&open.0, background));
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
        let waiter = Waiter { answer, guard, allowance };
        let request = Request { commit: Some((batch, waiter)) };
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

/// Wakes the thread without giving it a batch.
fn nudge(queue: &Arc<CommitQueue<Request>>) -> Nudge {
    let queue = queue.clone();
    // A closed queue has nobody to wake.
    Box::new(move || drop(queue.push(Request { commit: None })))
}

/// The thread's end of the queue. If the thread panics, no request may go on waiting for it.
struct OpenQueue(Arc<CommitQueue<Request>>);

impl Drop for OpenQueue {
    fn drop(&mut self) {
        self.0.close();
        drop(self.0.take(1, Duration::ZERO));
    }
}
