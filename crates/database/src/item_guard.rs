//! Whoever looks at the items that writes make, and may refuse them.

use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use bytes::Bytes;

use crate::schema::TableSchema;

/// Why an item is refused, as the guard says it.
pub type Objection = Arc<dyn Error + Send + Sync>;

/// Looks at the items that writes make. It is asked inside the transaction of a write, which may be
/// run again or come to nothing, and must not wait for anything.
pub trait ItemGuard: fmt::Debug + Send + Sync {
    /// Refuses an item, given in its stored form, that a write of a client would make.
    fn check(&self, schema: &TableSchema, item: &Bytes) -> Result<(), Objection>;
}

/// The guard of a database, if it has one.
#[derive(Debug, Default)]
pub(crate) struct GuardPost {
    is_manned: AtomicBool,
    guard: RwLock<Option<Arc<dyn ItemGuard>>>,
}

impl GuardPost {
    pub(crate) fn set(&self, guard: Option<Arc<dyn ItemGuard>>) {
        self.is_manned.store(guard.is_some(), Ordering::Release);
        *self.guard.write().unwrap_or_else(PoisonError::into_inner) = guard;
    }

    #[inline]
    pub(crate) fn guard(&self) -> Option<Arc<dyn ItemGuard>> {
        if !self.is_manned.load(Ordering::Acquire) {
            return None;
        }
        self.guard.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
