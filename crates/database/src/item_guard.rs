//! Guards, which look at the items that writes make and may refuse them.

use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use bytes::Bytes;

use crate::error::WriteError;
use crate::key::ItemKey;
use crate::schema::TableSchema;
use crate::write::WriteOutcome;

/// What speaks against an item, as the guard says it.
pub type Objection = Arc<dyn Error + Send + Sync>;

/// What a guard says of an item.
#[derive(Debug)]
pub enum Judgement {
    /// Nothing.
    Fits,
    /// It may be written all the same.
    Tolerated(Objection),
    /// It must not be written.
    Refused(Objection),
}

/// What became of an item that a guard had an objection to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consequence {
    /// It was written.
    Written,
    /// It was not.
    Refused,
}

/// Looks at the items that writes make.
pub trait ItemGuard: fmt::Debug + Send + Sync {
    /// Judges an item, given in its stored form, that a write of a client would make. It is asked
    /// inside the transaction of the write, which may be run again or fail. So it must not wait for
    /// anything, and counts nothing.
    fn judge(&self, schema: &TableSchema, key: &ItemKey, item: &Bytes) -> Judgement;

    /// Learns what became of an item that it had an objection to, once for each write.
    fn note(&self, schema: &TableSchema, objection: &Objection, consequence: Consequence);
}

/// Reports the outcome of a write to the guard.
pub(crate) fn tell(
    guard: Option<&dyn ItemGuard>,
    schema: &TableSchema,
    written: Result<&WriteOutcome, &WriteError>,
) {
    let Some(guard) = guard else { return };
    match written {
        Ok(WriteOutcome { objection: Some(objection), .. }) => {
            guard.note(schema, objection, Consequence::Written);
        }
        Err(WriteError::Refused(objection)) => {
            guard.note(schema, objection, Consequence::Refused);
        }
        Ok(_) | Err(_) => {}
    }
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
