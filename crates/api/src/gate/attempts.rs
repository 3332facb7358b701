//! The attempts of one call.
//!
//! A call whose table changes between its checks and its work has done nothing, and is checked
//! again. To the client it is one call: what was decided about it the first time holds, it waits
//! once, it takes its units once, and it is one request for its keys.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::disturbance::Disturbance;
use super::pass::Claim;

/// What is known of the attempts of a call.
#[derive(Debug, Default)]
pub(crate) struct Attempts {
    known: Mutex<Known>,
    /// Whether the keys of the latest attempt were counted.
    is_counted: AtomicBool,
    /// Whether those of the attempt were that the next one repeats.
    was_counted: AtomicBool,
}

/// Behind pointers, since nothing is known of most calls.
#[derive(Debug, Default)]
struct Known {
    /// What the latest attempt was let in with.
    latest: Option<Box<Attempt>>,
    /// The attempt that the next one repeats.
    void: Option<Box<Attempt>>,
}

/// What was decided about an attempt.
#[derive(Debug)]
pub(super) struct Attempt {
    /// What happens to the call, apart from the delay, which it has behind it.
    pub(super) disturbance: Disturbance,
    /// The units that were taken in advance.
    pub(super) claims: Vec<Option<Claim>>,
}

impl Attempts {
    /// Notes that the latest attempt has done nothing, and that another one takes its place.
    pub(crate) fn repeat(&self) {
        let mut known = self.lock();
        known.void = known.latest.take();
        let is_counted = self.is_counted.swap(false, Ordering::Relaxed);
        self.was_counted.store(is_counted, Ordering::Relaxed);
    }

    /// Returns whether the keys of an attempt are to be counted, which is done then.
    #[inline]
    pub(super) fn counts_keys(&self) -> bool {
        self.is_counted.store(true, Ordering::Relaxed);
        let was_counted = self.was_counted.load(Ordering::Relaxed);
        if was_counted {
            self.was_counted.store(false, Ordering::Relaxed);
        }
        !was_counted
    }

    /// The attempt that is repeated, if one is.
    pub(super) fn take_void(&self) -> Option<Attempt> {
        self.lock().void.take().map(|attempt| *attempt)
    }

    /// Notes what was decided about an attempt.
    pub(super) fn decided(&self, disturbance: &Disturbance) {
        let disturbance = disturbance.without_delay();
        self.lock().latest = Some(Box::new(Attempt { disturbance, claims: Vec::new() }));
    }

    /// Notes the units that were taken for the latest attempt.
    pub(super) fn charged(&self, claims: &[Option<Claim>]) {
        if let Some(latest) = &mut self.lock().latest {
            latest.claims = claims.to_vec();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
