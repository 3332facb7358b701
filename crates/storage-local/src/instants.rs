//! Which moments of the tree are still read.
//!
//! A moment is a sequence number: whoever reads at it sees the writes below. The tree may forget what no open moment can
//! see, so every snapshot holds its moment open until it is dropped.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The open moments.
#[derive(Debug, Default)]
pub(crate) struct Instants {
    /// How many hold each of them.
    open: Mutex<BTreeMap<u64, usize>>,
}

impl Instants {
    /// Holds a moment open.
    pub(crate) fn hold(self: &Arc<Instants>, instant: u64) -> HeldInstant {
        *self.lock().entry(instant).or_default() += 1;
        HeldInstant { instant, instants: self.clone() }
    }

    /// The oldest moment that is open.
    pub(crate) fn oldest(&self) -> Option<u64> {
        self.lock().first_key_value().map(|(instant, _)| *instant)
    }

    fn release(&self, instant: u64) {
        let mut open = self.lock();
        if let Some(count) = open.get_mut(&instant) {
            *count -= 1;
            if *count == 0 {
                open.remove(&instant);
            }
        }
    }

    /// Every change is a single step, so what a panicking thread left is good.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, usize>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A moment that is held open.
#[derive(Debug)]
pub(crate) struct HeldInstant {
    instant: u64,
    instants: Arc<Instants>,
}

impl HeldInstant {
    /// The sequence number below which writes are seen.
    pub(crate) fn get(&self) -> u64 {
        self.instant
    }
}

impl Drop for HeldInstant {
    fn drop(&mut self) {
        self.instants.release(self.instant);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_moment_is_open_until_its_last_holder_is_gone() {
        let instants = Arc::<Instants>::default();
        assert_eq!(instants.oldest(), None);
        let (first, again, later) = (instants.hold(3), instants.hold(3), instants.hold(5));
        drop(first);
        assert_eq!(instants.oldest(), Some(3));
        drop(again);
        assert_eq!(instants.oldest(), Some(5));
        drop(later);
        assert_eq!(instants.oldest(), None);
    }
}
