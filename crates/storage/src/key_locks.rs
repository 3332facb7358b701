//! Locks on keys, for engines that have none of their own.
//!
//! Keys share a fixed number of stripes by their hash. A transaction takes the stripes of all its
//! keys at once, each once and in ascending order, so that no two transactions can wait for one
//! another in a circle. Two keys that share a stripe only wait without need.
//!
//! A [`KeyGuard`] owns what it holds: it can travel with a queued batch to the thread that commits
//! it. That is what makes a transaction safe against its caller going away. If the guard stayed
//! in the caller's future, dropping the future would let the next transaction read these keys
//! while the queued batch is still about to change them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::Key;

/// Enough that sixteen writers of a few keys each seldom share a stripe by chance; small enough
/// (some 200 KB) to cost an idle process nothing.
const STRIPES: usize = 4096;

/// Locks that transactions take on the keys they read.
#[derive(Debug)]
pub struct KeyLocks {
    /// One permit each. A semaphore and not a mutex, because a permit can be given back by
    /// anyone, so that one guard can own any number of them without a pointer to each.
    stripes: Box<[Semaphore]>,
}

impl KeyLocks {
    /// A set of locks, all free.
    pub fn new() -> Arc<KeyLocks> {
        Arc::new(KeyLocks { stripes: (0..STRIPES).map(|_| Semaphore::new(1)).collect() })
    }

    /// Waits until nobody else holds any of `keys`, and holds them until the guard is dropped.
    ///
    /// Waiters are served in the order in which they came. Dropping the future gives back what it
    /// had taken so far.
    pub async fn lock(self: &Arc<Self>, keys: &[Key]) -> KeyGuard {
        let wanted = stripes_of(keys);
        let mut guard = KeyGuard { locks: self.clone(), held: Vec::with_capacity(wanted.len()) };
        for stripe in wanted {
            let semaphore = self.stripes.get(stripe).expect("a stripe is below the stripe count");
            semaphore.acquire().await.expect("key locks are never closed").forget();
            guard.held.push(stripe);
        }
        guard
    }
}

/// The stripes of `keys`, ascending and each once.
fn stripes_of(keys: &[Key]) -> Vec<usize> {
    let mut stripes: Vec<usize> = keys.iter().map(|key| stripe_of(key)).collect();
    stripes.sort_unstable();
    stripes.dedup();
    stripes
}

fn stripe_of(key: &[u8]) -> usize {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    let stripe = hasher.finish() % STRIPES as u64;
    usize::try_from(stripe).expect("a remainder of a usize fits a usize")
}

/// Keys held by one transaction, given back when it is dropped.
#[derive(Debug)]
#[must_use = "the keys are held only as long as the guard lives"]
pub struct KeyGuard {
    locks: Arc<KeyLocks>,
    held: Vec<usize>,
}

impl Drop for KeyGuard {
    fn drop(&mut self) {
        for stripe in &self.held {
            if let Some(semaphore) = self.locks.stripes.get(*stripe) {
                semaphore.add_permits(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn keys(names: &[&str]) -> Vec<Key> {
        names.iter().map(|name| name.as_bytes().to_vec()).collect()
    }

    /// What the future answers if it need not wait.
    fn poll_once<F: Future>(future: F) -> Option<F::Output> {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(output) => Some(output),
            Poll::Pending => None,
        }
    }

    #[test]
    fn a_held_key_makes_others_wait_until_its_guard_is_dropped() {
        let locks = KeyLocks::new();
        let guard = poll_once(locks.lock(&keys(&["a", "b"]))).unwrap();
        assert!(poll_once(locks.lock(&keys(&["b"]))).is_none());
        assert!(poll_once(locks.lock(&keys(&["c"]))).is_some());
        drop(guard);
        assert!(poll_once(locks.lock(&keys(&["b"]))).is_some());
    }

    #[test]
    fn the_same_key_twice_does_not_wait_for_itself() {
        assert!(poll_once(KeyLocks::new().lock(&keys(&["a", "a"]))).is_some());
    }

    #[test]
    fn a_dropped_waiter_gives_back_what_it_had_taken() {
        let locks = KeyLocks::new();
        let names = ["a", "b", "c", "d", "e"];
        for blocked_by in names {
            let guard = poll_once(locks.lock(&keys(&[blocked_by]))).unwrap();
            assert!(poll_once(locks.lock(&keys(&names))).is_none());
            drop(guard);
            assert!(poll_once(locks.lock(&keys(&names))).is_some());
        }
    }

    #[test]
    fn locks_on_many_keys_in_any_order_never_deadlock() {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(4).build().unwrap();
        let locks = KeyLocks::new();
        let done = Arc::new(AtomicU64::new(0));
        let tasks: Vec<_> = (0..16_usize)
            .map(|task| {
                let (locks, done) = (locks.clone(), done.clone());
                runtime.spawn(async move {
                    let mut names = keys(&["a", "b", "c", "d", "e", "f", "g"]);
                    for round in 0..200 {
                        names.rotate_left((task + round) % 7);
                        let _guard = locks.lock(&names[..3]).await;
                        tokio::task::yield_now().await;
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        runtime.block_on(async {
            for task in tasks {
                task.await.unwrap();
            }
        });
        assert_eq!(done.load(Ordering::Relaxed), 16 * 200);
    }
}
