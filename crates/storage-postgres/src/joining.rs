//! Work of many callers that is done together.
//!
//! Callers put their work into a queue, and a few tasks take all that waits there. A lone piece of
//! work is taken at once. Under load, what comes while two tasks are busy is taken together when
//! one of them is done: more of them at once would only make smaller groups. The others are for the
//! case that it takes long, such as a lock that is not to be had.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{Mutex, Notify, mpsc};
use tokio::time::{Instant, timeout_at};

/// While so many tasks are busy, the next one waits for one of them.
const BUSY_ENOUGH: usize = 2;

/// The queue, as the tasks see it.
pub(crate) struct Joining<T> {
    queue: Mutex<mpsc::Receiver<T>>,
    busy: AtomicUsize,
    /// Told when a task is done.
    done: Notify,
    /// How long a task waits for another one at most.
    patience: Duration,
    questions: AtomicU64,
    requests: AtomicU64,
}

/// How much was joined since an engine was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JoinedCounts {
    /// How often the database was asked.
    pub questions: u64,
    /// How many requests that was for.
    pub requests: u64,
}

/// Work that was taken together. Its task is busy until this is dropped.
pub(crate) struct Joined<'a, T> {
    pub(crate) works: Vec<T>,
    _busy: Busy<'a>,
}

struct Busy<'a> {
    busy: &'a AtomicUsize,
    done: &'a Notify,
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.busy.fetch_sub(1, Ordering::Relaxed);
        self.done.notify_one();
    }
}

impl<T> Joining<T> {
    /// A queue in which so many pieces of work may wait before callers do. While enough tasks are
    /// busy, work waits so long for them.
    pub(crate) fn new(
        waiting_max: usize,
        patience: Duration,
    ) -> (mpsc::Sender<T>, Arc<Joining<T>>) {
        let (sender, receiver) = mpsc::channel(waiting_max);
        let joining = Joining {
            queue: Mutex::new(receiver),
            busy: AtomicUsize::new(0),
            done: Notify::new(),
            patience,
            questions: AtomicU64::new(0),
            requests: AtomicU64::new(0),
        };
        (sender, Arc::new(joining))
    }

    /// How much was taken so far.
    pub(crate) fn counts(&self) -> JoinedCounts {
        JoinedCounts {
            questions: self.questions.load(Ordering::Relaxed),
            requests: self.requests.load(Ordering::Relaxed),
        }
    }

    /// Waits for work, and takes up to so many pieces of it. None comes once all senders are gone.
    pub(crate) async fn take(&self, joined_max: usize) -> Option<Joined<'_, T>> {
        let mut queue = self.queue.lock().await;
        let mut works = vec![queue.recv().await?];
        let deadline = Instant::now() + self.patience;
        while self.busy.load(Ordering::Relaxed) >= BUSY_ENOUGH
            && timeout_at(deadline, self.done.notified()).await.is_ok()
        {}
        // Callers that were answered just now have not come back yet: those that are ready to run
        // are let in first. When nothing is under way there are none.
        if self.busy.load(Ordering::Relaxed) > 0 {
            tokio::task::yield_now().await;
        }
        while works.len() < joined_max
            && let Ok(work) = queue.try_recv()
        {
            works.push(work);
        }
        self.busy.fetch_add(1, Ordering::Relaxed);
        self.questions.fetch_add(1, Ordering::Relaxed);
        self.requests.fetch_add(works.len() as u64, Ordering::Relaxed);
        let busy = Busy { busy: &self.busy, done: &self.done };
        Some(Joined { works, _busy: busy })
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Waker};

    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    fn run<T>(future: impl Future<Output = T>) -> T {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_time().build().unwrap().block_on(future)
    }

    fn is_ready<T>(future: &mut Pin<Box<impl Future<Output = T>>>) -> bool {
        future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready()
    }

    #[test]
    fn what_waits_is_taken_together_and_in_order_up_to_a_bound() {
        run(async {
            let (sender, joining) = Joining::new(8, LONG);
            for work in 0..5 {
                sender.send(work).await.unwrap();
            }
            assert_eq!(joining.take(3).await.unwrap().works, [0, 1, 2]);
            assert_eq!(joining.take(3).await.unwrap().works, [3, 4]);
            drop(sender);
            assert!(joining.take(3).await.is_none());
        });
    }

    #[test]
    fn a_lone_piece_of_work_goes_at_once() {
        run(async {
            let (sender, joining) = Joining::new(8, LONG);
            sender.send(1).await.unwrap();
            let mut taking = Box::pin(joining.take(3));
            assert!(is_ready(&mut taking));
        });
    }

    #[test]
    fn while_others_are_busy_those_that_are_ready_come_along() {
        run(async {
            let (sender, joining) = Joining::new(8, LONG);
            sender.send(0).await.unwrap();
            let busy = joining.take(3).await;
            let callers: Vec<_> = (1..4)
                .map(|work| {
                    let sender = sender.clone();
                    tokio::spawn(async move { sender.send(work).await })
                })
                .collect();
            assert_eq!(joining.take(8).await.unwrap().works, [1, 2, 3]);
            drop((busy, callers));
        });
    }
    #[test]
    fn while_enough_are_busy_work_waits_for_one_of_them() {
        run(async {
            let (sender, joining) = Joining::new(8, LONG);
            sender.send(0).await.unwrap();
            let one = joining.take(1).await;
            sender.send(1).await.unwrap();
            let other = joining.take(1).await;
            for work in 2..4 {
                sender.send(work).await.unwrap();
            }
            let mut taking = Box::pin(joining.take(8));
            assert!(!is_ready(&mut taking));
            drop(one);
            assert_eq!(taking.await.unwrap().works, [2, 3]);
            drop(other);
        });
    }

    #[test]
    fn work_does_not_wait_for_long() {
        run(async {
            let (sender, joining) = Joining::new(8, Duration::ZERO);
            let mut taken = Vec::new();
            for work in 0..4 {
                sender.send(work).await.unwrap();
                taken.push(joining.take(1).await);
            }
            assert_eq!(taken.len(), 4);
        });
    }
}
