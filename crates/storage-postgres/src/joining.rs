//! Work of many callers that is done together.
//!
//! Callers put their work into a queue, and a few tasks take everything that waits there. A lone
//! piece of work is taken at once. Under load, what arrives while all tasks are busy is taken
//! together as soon as one of them is free.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tokio::sync::{Mutex, mpsc};

/// The queue, as the tasks see it.
pub(crate) struct Joining<T> {
    queue: Mutex<mpsc::Receiver<T>>,
    busy: AtomicUsize,
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

struct Busy<'a>(&'a AtomicUsize);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<T> Joining<T> {
    /// A queue that holds this many pieces of work before callers have to wait.
    pub(crate) fn new(waiting_max: usize) -> (mpsc::Sender<T>, Arc<Joining<T>>) {
        let (sender, receiver) = mpsc::channel(waiting_max);
        let joining = Joining {
            queue: Mutex::new(receiver),
            busy: AtomicUsize::new(0),
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

    /// Waits for work and takes up to this many pieces of it. Returns none once all senders are
    /// gone.
    pub(crate) async fn take(&self, joined_max: usize) -> Option<Joined<'_, T>> {
        let mut left = joined_max;
        self.take_while(|_| {
            left = left.saturating_sub(1);
            left > 0
        })
        .await
    }

    /// The same, as long as there is room for another piece after each one.
    pub(crate) async fn take_while(
        &self,
        mut has_room_after: impl FnMut(&T) -> bool,
    ) -> Option<Joined<'_, T>> {
        let mut queue = self.queue.lock().await;
        let mut works = vec![queue.recv().await?];
        // Callers that were answered just now have not come back yet, so those that are ready to
        // run get their turn first. When nothing is under way there are none.
        if self.busy.load(Ordering::Relaxed) > 0 {
            tokio::task::yield_now().await;
        }
        while works.last().is_some_and(&mut has_room_after)
            && let Ok(work) = queue.try_recv()
        {
            works.push(work);
        }
        self.busy.fetch_add(1, Ordering::Relaxed);
        self.questions.fetch_add(1, Ordering::Relaxed);
        self.requests.fetch_add(works.len() as u64, Ordering::Relaxed);
        Some(Joined { works, _busy: Busy(&self.busy) })
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Waker};

    use super::*;

    fn run<T>(future: impl Future<Output = T>) -> T {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.build().unwrap().block_on(future)
    }

    fn is_ready<T>(future: &mut Pin<Box<impl Future<Output = T>>>) -> bool {
        future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready()
    }

    #[test]
    fn what_waits_is_taken_together_and_in_order_up_to_a_bound() {
        run(async {
            let (sender, joining) = Joining::new(8);
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
    fn what_is_taken_together_may_be_bounded_by_its_weight() {
        run(async {
            let (sender, joining) = Joining::new(8);
            for weight in [1, 1, 5, 7, 1] {
                sender.send(weight).await.unwrap();
            }
            let take = async || {
                let mut room = 6;
                let has_room_after = |weight: &i32| {
                    room -= weight;
                    room > 0
                };
                joining.take_while(has_room_after).await.unwrap().works
            };
            assert_eq!(take().await, [1, 1, 5]);
            assert_eq!(take().await, [7]);
            assert_eq!(take().await, [1]);
        });
    }

    #[test]
    fn a_lone_piece_of_work_goes_at_once() {
        run(async {
            let (sender, joining) = Joining::new(8);
            sender.send(1).await.unwrap();
            let mut taking = Box::pin(joining.take(3));
            assert!(is_ready(&mut taking));
        });
    }

    #[test]
    fn while_others_are_busy_those_that_are_ready_come_along() {
        run(async {
            let (sender, joining) = Joining::new(8);
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
}
