//! A number of bytes that several take from.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{Notify, Semaphore};

use super::pace::Debtors;

/// What is counted: a kilobyte.
pub(super) const UNIT_BYTES: usize = 1024;

/// Which part of a pool may be owed before it is too much.
const DEBT_SHARE: u32 = 4;

/// Bytes that can be held, in units.
#[derive(Debug)]
pub(super) struct Pool {
    free: Semaphore,
    total: u32,
    /// Units that were taken though they were not there.
    debt: AtomicU64,
    /// How many of them are too many.
    debt_max: u64,
    paid: Notify,
    /// Who keeps some of it without need.
    pub(super) debtors: Arc<Debtors>,
}

/// How many units so many bytes are.
pub(super) fn units(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT_BYTES)).unwrap_or(u32::MAX)
}

impl Pool {
    pub(super) fn new(bytes: usize, debtors: Arc<Debtors>) -> Pool {
        let total = units(bytes);
        let free = Semaphore::new(total as usize);
        let debt_max = u64::from(total / DEBT_SHARE);
        Pool { free, total, debt_max, debt: AtomicU64::new(0), paid: Notify::new(), debtors }
    }

    /// The most that can be taken from it.
    pub(super) fn total(&self) -> u32 {
        self.total
    }

    /// Takes units if they are there.
    pub(super) fn try_take(&self, units: u32) -> bool {
        self.free.try_acquire_many(units).map(|permit| permit.forget()).is_ok()
    }

    /// Waits for units.
    pub(super) async fn take(&self, units: u32) {
        let permit = self.free.acquire_many(units).await;
        permit.expect("the pool is never closed").forget();
    }

    /// Takes units that are there or not.
    pub(super) fn take_anyway(&self, units: u32) {
        let taken = self.free.forget_permits(units as usize);
        let missing = u64::from(units).saturating_sub(taken as u64);
        if missing > 0 {
            self.debt.fetch_add(missing, Ordering::SeqCst);
        }
    }

    /// Gives units back, to pay the debt first.
    pub(super) fn give(&self, units: u32) {
        let mut rest = u64::from(units);
        if self.debt.load(Ordering::SeqCst) > 0 {
            let pay = |debt: u64| Some(debt - debt.min(rest));
            let debt = self.debt.fetch_update(Ordering::SeqCst, Ordering::SeqCst, pay);
            let debt = debt.unwrap_or_else(|debt| debt);
            if debt > self.debt_max && debt - debt.min(rest) <= self.debt_max {
                self.paid.notify_waiters();
            }
            rest -= debt.min(rest);
        }
        self.free.add_permits(usize::try_from(rest).unwrap_or(usize::MAX));
    }

    /// Whether too much was taken that was not there.
    #[inline]
    pub(super) fn is_in_debt(&self) -> bool {
        self.debt.load(Ordering::Relaxed) > self.debt_max
    }

    pub(super) async fn until_paid(&self) {
        loop {
            let mut paid = std::pin::pin!(self.paid.notified());
            paid.as_mut().enable();
            if !self.is_in_debt() {
                return;
            }
            paid.await;
        }
    }
}
