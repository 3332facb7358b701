//! How many requests are worked on at the same time.
//!
//! All but a server under more load than it can carry passes here with two changes of a counter.
//! Beyond the limit requests wait, for as long as the one who asks says.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

/// Counts the requests that are worked on.
#[derive(Debug)]
pub(crate) struct Admission {
    max: usize,
    working: AtomicUsize,
    waiting: AtomicUsize,
    left: Notify,
}

/// A request that is worked on, until this is dropped.
#[derive(Debug)]
pub(crate) struct Admitted<'a>(&'a Admission);

impl Admission {
    pub(crate) fn new(max: usize) -> Admission {
        Admission {
            max,
            working: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            left: Notify::new(),
        }
    }

    /// Lets a request in if there is room.
    #[inline]
    pub(crate) fn try_enter(&self) -> Option<Admitted<'_>> {
        // Sequentially consistent: a request that leaves and one that starts to wait cannot miss
        // each other.
        let one_more = |working: usize| (working < self.max).then_some(working + 1);
        self.working
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_more)
            .is_ok()
            .then(|| Admitted(self))
    }

    /// Waits until a request is let in.
    #[cold]
    pub(crate) async fn enter(&self) -> Admitted<'_> {
        let _waiting = WaitingHere::new(&self.waiting);
        loop {
            let left = self.left.notified();
            if let Some(admitted) = self.try_enter() {
                return admitted;
            }
            left.await;
        }
    }
}

impl Drop for Admitted<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.working.fetch_sub(1, Ordering::SeqCst);
        if self.0.waiting.load(Ordering::SeqCst) > 0 {
            self.0.left.notify_one();
        }
    }
}

/// Counts somebody who waits.
struct WaitingHere<'a>(&'a AtomicUsize);

impl WaitingHere<'_> {
    fn new(count: &AtomicUsize) -> WaitingHere<'_> {
        count.fetch_add(1, Ordering::SeqCst);
        WaitingHere(count)
    }
}

impl Drop for WaitingHere<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn whoever_waits_is_let_in_when_another_leaves() {
        let admission = Admission::new(1);
        let first = admission.try_enter().unwrap();
        assert!(admission.try_enter().is_none());
        let mut waiting = pin!(admission.enter());
        tokio::select! {
            biased;
            _ = waiting.as_mut() => panic!("there is no room"),
            () = std::future::ready(()) => {}
        }
        drop(first);
        let second = waiting.await;
        assert!(admission.try_enter().is_none());
        drop(second);
        assert!(admission.try_enter().is_some());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn nobody_is_forgotten_and_there_are_never_too_many() {
        let admission = Arc::new(Admission::new(2));
        let inside = Arc::new(AtomicUsize::new(0));
        let tasks: Vec<_> = (0..200)
            .map(|_| {
                let (admission, inside) = (admission.clone(), inside.clone());
                tokio::spawn(async move {
                    for _ in 0..20 {
                        let admitted = match admission.try_enter() {
                            Some(admitted) => admitted,
                            None => admission.enter().await,
                        };
                        assert!(inside.fetch_add(1, Ordering::SeqCst) < 2);
                        tokio::task::yield_now().await;
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(admitted);
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
    }
}
