//! Ids that are the same in every run.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use monotable_database::Ids;

pub(crate) struct CountingIds(AtomicU64);

impl CountingIds {
    pub(crate) fn new() -> Arc<CountingIds> {
        Arc::new(CountingIds(AtomicU64::new(1)))
    }
}

impl Ids for CountingIds {
    fn random(&self) -> u128 {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed))
    }
}
