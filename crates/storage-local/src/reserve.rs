//! Room on the disk that is left free.
//!
//! A disk that is full to the last byte is hard to get out of: merging, which would give room back,
//! needs some first, and so do the operator and everything else that uses the disk. So writes are
//! refused a little earlier, deletions too: they are written as well before they free anything.
//!
//! The operating system is asked for the room once in a while, by the bytes written and by the time
//! passed. While there is too little it is asked with each write, and from time to time by the
//! background work, so that the store accepts writes again without help.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::health::{BelowReserve, HealthState};
use crate::journal::Journal;
use crate::timing::now;

/// For how long an answer of the operating system holds.
const ANSWER_AGE_MAX: Duration = Duration::from_secs(1);
/// The part of the reserve that may be written before it is asked again.
const UNASKED_PART: u64 = 8;
/// The part of the reserve that must be free beyond it before writes are taken again, so that the
/// store does not change its mind with every write.
const MARGIN_PART: u64 = 16;

/// See the module.
#[derive(Debug)]
pub(crate) struct Reserve {
    bytes: u64,
    asked: Mutex<Asked>,
}

#[derive(Debug, Default)]
struct Asked {
    at: Option<Instant>,
    written_bytes: u64,
}

impl Reserve {
    pub(crate) fn new(bytes: u64) -> Reserve {
        Reserve { bytes, asked: Mutex::default() }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Refuses to write so many bytes if there is too little room for it.
    pub(crate) fn check(
        &self,
        wanted_bytes: u64,
        journal: &Journal,
        health: &HealthState,
    ) -> Result<(), BelowReserve> {
        if self.bytes == 0 || !self.is_due(wanted_bytes, health) {
            return Ok(());
        }
        self.look(wanted_bytes, journal, health)
    }

    /// Asks for the room, if there was too little.
    pub(crate) fn look_again(&self, journal: &Journal, health: &HealthState) {
        if health.is_reserved() {
            // What it finds is noted, and nobody waits for it.
            let _ = self.look(0, journal, health);
        }
    }

    /// Returns whether the operating system is to be asked before so many bytes are written.
    fn is_due(&self, wanted_bytes: u64, health: &HealthState) -> bool {
        let mut asked = self.lock();
        asked.written_bytes = asked.written_bytes.saturating_add(wanted_bytes);
        health.is_reserved()
            || asked.written_bytes >= self.bytes / UNASKED_PART
            || asked.at.is_none_or(|at| at.elapsed() >= ANSWER_AGE_MAX)
    }

    fn look(
        &self,
        wanted_bytes: u64,
        journal: &Journal,
        health: &HealthState,
    ) -> Result<(), BelowReserve> {
        *self.lock() = Asked { at: Some(now()), written_bytes: 0 };
        let free_bytes = match journal.free_bytes() {
            Ok(free_bytes) => free_bytes,
            // Without an answer, writes find out by themselves.
            Err(error) => {
                tracing::debug!(%error, "the room on the disk is not known");
                return Ok(());
            }
        };
        let margin_bytes = if health.is_reserved() { self.bytes / MARGIN_PART } else { 0 };
        if free_bytes.saturating_sub(wanted_bytes) < self.bytes.saturating_add(margin_bytes) {
            let below = BelowReserve { free_bytes, reserve_bytes: self.bytes };
            health.found_reserved(&below);
            return Err(below);
        }
        health.found_more_than_reserved();
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
