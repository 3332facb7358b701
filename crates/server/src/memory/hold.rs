//! Bytes that one body or one answer holds.

use std::fmt;
use std::sync::Arc;

use super::pool::{Pool, UNIT_BYTES, units};
use crate::activity::Activity;

/// There was no room for as long as one waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no memory for it")]
pub(crate) struct NoRoom;

/// Bytes that are held until this is dropped.
pub(crate) struct Hold {
    pool: Arc<Pool>,
    owner: Arc<Activity>,
    units: u32,
    is_owed: bool,
}

impl Hold {
    pub(super) fn new(pool: Arc<Pool>, owner: Arc<Activity>) -> Hold {
        Hold { pool, owner, units: 0, is_owed: false }
    }

    /// How many bytes are held.
    pub(crate) fn bytes(&self) -> usize {
        self.units as usize * UNIT_BYTES
    }

    /// Makes it a hold of this many bytes if there is room. What is more than the whole pool counts
    /// as the whole pool.
    pub(crate) fn try_grow(&mut self, bytes: usize) -> bool {
        let missing = self.missing(bytes);
        let has_room = missing == 0 || self.pool.try_take(missing);
        if has_room {
            self.add(missing);
        }
        has_room
    }

    /// The same, and waits for room.
    pub(super) async fn grow(&mut self, bytes: usize) {
        let missing = self.missing(bytes);
        // Whoever waits is not to blame for what it keeps.
        let was_owed = self.is_owed;
        self.set_owed(false);
        self.pool.take(missing).await;
        self.add(missing);
        self.set_owed(was_owed);
    }

    /// Makes it a hold of this many bytes, whether there is room or not.
    pub(crate) fn settle(&mut self, bytes: usize) {
        let wanted = units(bytes);
        if wanted > self.units {
            let missing = wanted - self.units;
            self.pool.take_anyway(missing);
            self.add(missing);
        } else {
            self.give_back(self.units - wanted);
        }
    }

    /// Says whether the client is the one who must do something for this to end.
    pub(crate) fn set_owed(&mut self, is_owed: bool) {
        if self.is_owed == is_owed {
            return;
        }
        self.is_owed = is_owed;
        let bytes = self.bytes() as u64;
        if is_owed {
            self.owner.owe(bytes);
            self.pool.debtors.add(&self.owner);
        } else {
            self.owner.pay(bytes);
            self.pool.debtors.remove_if_clear(&self.owner);
        }
    }

    fn missing(&self, bytes: usize) -> u32 {
        units(bytes).min(self.pool.total()).saturating_sub(self.units)
    }

    fn add(&mut self, units: u32) {
        self.units += units;
        if self.is_owed {
            self.owner.owe(u64::from(units) * UNIT_BYTES as u64);
        }
    }

    fn give_back(&mut self, units: u32) {
        self.units -= units;
        if self.is_owed {
            self.owner.pay(u64::from(units) * UNIT_BYTES as u64);
        }
        self.pool.give(units);
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.set_owed(false);
        self.give_back(self.units);
    }
}

impl fmt::Debug for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hold").field("bytes", &self.bytes()).finish_non_exhaustive()
    }
}
