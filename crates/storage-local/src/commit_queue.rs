//! Where requests wait for the thread that commits.
//!
//! The thread takes everything that waits at once. It says how many requests it hopes for and is
//! woken when so many are there, not by each of them: waking a thread costs about as much as
//! committing another batch.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A queue from many tasks to one thread.
#[derive(Debug)]
pub(crate) struct CommitQueue<T> {
    state: Mutex<State<T>>,
    filled: Condvar,
}

#[derive(Debug)]
struct State<T> {
    waiting: Vec<T>,
    /// How many must wait for the thread to be woken; none while it is at work.
    hoped_for: Option<usize>,
    is_closed: bool,
}

impl<T> State<T> {
    fn is_short_of(&self, count: usize) -> bool {
        self.waiting.len() < count && !self.is_closed
    }
}

impl<T> CommitQueue<T> {
    pub(crate) fn new() -> CommitQueue<T> {
        let state = State { waiting: Vec::new(), hoped_for: None, is_closed: false };
        CommitQueue { state: Mutex::new(state), filled: Condvar::new() }
    }

    /// Appends a request, or gives it back if the queue is closed.
    pub(crate) fn push(&self, request: T) -> Result<(), T> {
        let mut state = self.lock();
        if state.is_closed {
            return Err(request);
        }
        state.waiting.push(request);
        if state.hoped_for == Some(state.waiting.len()) {
            self.filled.notify_one();
        }
        Ok(())
    }

    /// Takes all that waits, in the order in which it came; none once the queue is closed and
    /// empty.
    ///
    /// Waits until there are `hoped_for`, but no longer than `patience`, and then for the first one
    /// as long as it takes.
    pub(crate) fn take(&self, hoped_for: usize, patience: Duration) -> Option<Vec<T>> {
        let mut state = self.lock();
        if state.is_short_of(hoped_for) && !patience.is_zero() {
            state.hoped_for = Some(hoped_for);
            let is_short = |state: &mut State<T>| state.is_short_of(hoped_for);
            let waited = self.filled.wait_timeout_while(state, patience, is_short);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if state.is_short_of(1) {
            state.hoped_for = Some(1);
            let waited = self.filled.wait_while(state, |state| state.is_short_of(1));
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        state.hoped_for = None;
        let room = Vec::with_capacity(state.waiting.len());
        let taken = std::mem::replace(&mut state.waiting, room);
        (!taken.is_empty()).then_some(taken)
    }

    /// How many wait.
    pub(crate) fn len(&self) -> usize {
        self.lock().waiting.len()
    }

    /// Lets no more requests in. Those that wait are still taken.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.filled.notify_one();
    }

    /// Every change of the state is a single step, so what a panicking thread left is good.
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn all_that_waits_is_taken_in_order() {
        let queue = CommitQueue::new();
        (1..=3).for_each(|number| queue.push(number).unwrap());
        assert_eq!(queue.take(1, Duration::ZERO), Some(vec![1, 2, 3]));
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn a_closed_queue_gives_what_waits_and_takes_no_more() {
        let queue = CommitQueue::new();
        queue.push(1).unwrap();
        queue.close();
        assert_eq!(queue.push(2), Err(2));
        assert_eq!(queue.take(10, LONG), Some(vec![1]));
        assert_eq!(queue.take(10, LONG), None);
    }

    #[test]
    fn a_lone_request_is_waited_for_and_taken_at_once() {
        let queue = Arc::new(CommitQueue::new());
        let taker = thread::spawn({
            let queue = queue.clone();
            move || queue.take(1, LONG)
        });
        queue.push(1).unwrap();
        assert_eq!(taker.join().unwrap(), Some(vec![1]));
    }

    #[test]
    fn impatience_takes_what_is_there() {
        let queue = CommitQueue::new();
        queue.push(1).unwrap();
        assert_eq!(queue.take(2, Duration::from_nanos(1)), Some(vec![1]));
    }

    #[test]
    fn as_many_as_are_hoped_for_come_together() {
        let queue = Arc::new(CommitQueue::new());
        let taker = thread::spawn({
            let queue = queue.clone();
            move || queue.take(100, LONG)
        });
        (0..100).for_each(|number| queue.push(number).unwrap());
        assert_eq!(taker.join().unwrap(), Some((0..100).collect()));
    }

    #[test]
    fn closing_wakes_the_thread() {
        let queue = Arc::new(CommitQueue::<u32>::new());
        let taker = thread::spawn({
            let queue = queue.clone();
            move || queue.take(5, LONG)
        });
        queue.close();
        assert_eq!(taker.join().unwrap(), None);
    }
}
