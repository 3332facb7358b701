//! Locks on keys, for engines that have none of their own.
//!
//! Keys share a fixed number of stripes by their hash. A transaction takes the stripes of all its
//! keys at once, each once and in ascending order, so that no two transactions can wait for one
//! another in a circle. A stripe is locked by one transaction or shared by many. Two keys of one
//! stripe only wait without need.
//!
//! A [`KeyGuard`] owns what it holds: it can travel with a queued batch to the thread that commits
//! it. That is what makes a transaction safe against its caller going away. If the guard stayed
//! in the caller's future, dropping the future would let the next transaction read these keys
//! while the queued batch is still about to change them.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use tokio::sync::Semaphore;
use xxhash_rust::xxh3::xxh3_64;

use crate::{Key, Result, Wants};

/// Enough that sixteen writers of a few keys each seldom share a stripe by chance; small enough
/// (some 300 KB) to cost an idle process nothing.
const STRIPES: usize = 4096;

/// How many can share a stripe: more than there are tasks.
const SHARES: u32 = 1 << 20;

/// Locks that transactions take on the keys they read.
#[derive(Debug)]
pub struct KeyLocks {
    stripes: Box<[Stripe]>,
}

#[derive(Debug)]
struct Stripe {
    /// [`SHARES`] permits: who shares the stripe takes one, who locks it takes all. A semaphore and
    /// not a lock, because a permit can be given back by anyone, so that one guard can own any
    /// number of them without a pointer to each.
    shares: Semaphore,
    /// The value of a key that was read shared. It is good until somebody locks the stripe, so that
    /// many transactions that stand on one record read it once.
    remembered: Mutex<Option<Box<Remembered>>>,
}

#[derive(Debug)]
struct Remembered {
    key: Key,
    value: Option<Bytes>,
}

impl Stripe {
    fn new() -> Stripe {
        Stripe { shares: Semaphore::new(SHARES as usize), remembered: Mutex::new(None) }
    }

    /// Every change is a single step, so what a panicking thread left is good.
    fn remembered(&self) -> std::sync::MutexGuard<'_, Option<Box<Remembered>>> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KeyLocks {
    /// A set of locks, all free.
    pub fn new() -> Arc<KeyLocks> {
        Arc::new(KeyLocks { stripes: (0..STRIPES).map(|_| Stripe::new()).collect() })
    }

    /// Waits until nobody else holds what is wanted, and holds it until the guard is dropped.
    ///
    /// Waiters are served in the order in which they came. Dropping the future gives back what it
    /// had taken so far.
    pub async fn lock(self: &Arc<Self>, wants: &Wants<'_>) -> KeyGuard {
        // A task that never has to wait lets others have their turn all the same.
        tokio::task::consume_budget().await;
        let mut guard = KeyGuard { locks: self.clone(), wanted: stripes_of(wants), held: 0 };
        while let Some(next) = guard.wanted.get(guard.held) {
            let stripe = self.stripe(next.stripe);
            // Nobody is overtaken: while others wait, there is nothing to be had at once.
            match stripe.shares.try_acquire_many(next.shares) {
                Ok(permits) => permits.forget(),
                Err(_) => {
                    let permits = stripe.shares.acquire_many(next.shares).await;
                    permits.expect("key locks are never closed").forget();
                }
            }
            if next.shares == SHARES {
                stripe.remembered().take();
            }
            guard.held += 1;
        }
        guard
    }

    fn stripe(&self, index: usize) -> &Stripe {
        self.stripes.get(index).expect("a stripe is below the stripe count")
    }
}

/// A stripe, and how much of it is wanted.
#[derive(Clone, Copy, Debug)]
struct WantedStripe {
    stripe: usize,
    shares: u32,
}

/// The stripes of what is wanted, ascending and each once: locked, if any of its keys is.
fn stripes_of(wants: &Wants<'_>) -> Vec<WantedStripe> {
    let wanted = |shares| move |key: &Key| WantedStripe { stripe: stripe_of(key), shares };
    let mut stripes = Vec::with_capacity(wants.locked.len() + wants.shared.len());
    stripes.extend(wants.locked.iter().map(wanted(SHARES)));
    stripes.extend(wants.shared.iter().map(wanted(1)));
    match stripes.as_mut_slice() {
        // What a write of one item wants, which needs no sorting.
        [] | [_] => {}
        [first, second] if first.stripe != second.stripe => {
            if first.stripe > second.stripe {
                std::mem::swap(first, second);
            }
        }
        many => {
            many.sort_unstable_by_key(|wanted| (wanted.stripe, SHARES - wanted.shares));
            stripes.dedup_by_key(|wanted| wanted.stripe);
        }
    }
    stripes
}

fn stripe_of(key: &[u8]) -> usize {
    let stripe = xxh3_64(key) % STRIPES as u64;
    usize::try_from(stripe).expect("a remainder of a usize fits a usize")
}

/// Keys held by one transaction, given back when it is dropped.
#[derive(Debug)]
#[must_use = "the keys are held only as long as the guard lives"]
pub struct KeyGuard {
    locks: Arc<KeyLocks>,
    /// In the order in which they are taken.
    wanted: Vec<WantedStripe>,
    /// How many of them are.
    held: usize,
}

impl KeyGuard {
    /// The value of a key that this guard shares: what an earlier transaction read, if nobody has
    /// locked the key since, and otherwise what `read` gives.
    pub fn shared_value(
        &self,
        key: &Key,
        read: impl FnOnce() -> Result<Option<Bytes>>,
    ) -> Result<Option<Bytes>> {
        let index = stripe_of(key);
        let held = self.wanted.iter().find(|held| held.stripe == index);
        // What is locked here may be about to change.
        if held.is_none_or(|held| held.shares == SHARES) {
            return read();
        }
        let stripe = self.locks.stripe(index);
        if let Some(remembered) = &*stripe.remembered()
            && remembered.key == *key
        {
            return Ok(remembered.value.clone());
        }
        let value = read()?;
        let remembered = Remembered { key: key.clone(), value: value.clone() };
        *stripe.remembered() = Some(Box::new(remembered));
        Ok(value)
    }
}

impl Drop for KeyGuard {
    fn drop(&mut self) {
        for held in self.wanted.iter().take(self.held) {
            self.locks.stripe(held.stripe).shares.add_permits(held.shares as usize);
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

    async fn lock(locks: &Arc<KeyLocks>, names: &[&str]) -> KeyGuard {
        locks.lock(&Wants::locked(&keys(names))).await
    }

    async fn share(locks: &Arc<KeyLocks>, names: &[&str]) -> KeyGuard {
        locks.lock(&Wants::nothing().and_shared(&keys(names))).await
    }

    #[test]
    fn a_shared_key_is_shared_and_keeps_those_out_who_lock_it() {
        let locks = KeyLocks::new();
        let first = poll_once(share(&locks, &["a"])).unwrap();
        let second = poll_once(share(&locks, &["a", "b"])).unwrap();
        assert!(poll_once(lock(&locks, &["a"])).is_none());
        drop((first, second));
        let locked = poll_once(lock(&locks, &["a"])).unwrap();
        assert!(poll_once(share(&locks, &["a"])).is_none());
        drop(locked);
        assert!(poll_once(share(&locks, &["a"])).is_some());
    }

    #[test]
    fn a_shared_value_is_read_once_until_somebody_locks_its_key() {
        let locks = KeyLocks::new();
        let key = b"a".to_vec();
        let read = |guard: &KeyGuard, value: &'static str| {
            guard.shared_value(&key, || Ok(Some(Bytes::from(value)))).unwrap().unwrap()
        };
        let first = poll_once(share(&locks, &["a"])).unwrap();
        assert_eq!((read(&first, "1"), read(&first, "2")), ("1".into(), "1".into()));
        drop(first);
        let locked = poll_once(lock(&locks, &["a"])).unwrap();
        assert_eq!(read(&locked, "3"), "3");
        drop(locked);
        let last = poll_once(share(&locks, &["a"])).unwrap();
        assert_eq!(read(&last, "4"), "4");
    }

    #[test]
    fn a_held_key_makes_others_wait_until_its_guard_is_dropped() {
        let locks = KeyLocks::new();
        let guard = poll_once(lock(&locks, &["a", "b"])).unwrap();
        assert!(poll_once(lock(&locks, &["b"])).is_none());
        assert!(poll_once(lock(&locks, &["c"])).is_some());
        drop(guard);
        assert!(poll_once(lock(&locks, &["b"])).is_some());
    }

    #[test]
    fn the_same_key_twice_does_not_wait_for_itself() {
        assert!(poll_once(lock(&KeyLocks::new(), &["a", "a"])).is_some());
    }

    #[test]
    fn a_dropped_waiter_gives_back_what_it_had_taken() {
        let locks = KeyLocks::new();
        let names = ["a", "b", "c", "d", "e"];
        for blocked_by in names {
            let guard = poll_once(lock(&locks, &[blocked_by])).unwrap();
            assert!(poll_once(lock(&locks, &names)).is_none());
            drop(guard);
            assert!(poll_once(lock(&locks, &names)).is_some());
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
                        let _guard = locks.lock(&Wants::locked(&names[..3])).await;
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
