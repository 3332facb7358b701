//! How a store is to be opened.

use std::time::Duration;

/// When a write is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// When it is on disk.
    Sync,
    /// When it has been handed to the operating system. It is on disk within this time, as long as
    /// a sync takes no more than half of it; a disk that takes longer adds what it takes, twice at
    /// most. A crash of the process loses nothing, a power cut what was answered in that time.
    Interval(Duration),
}

/// Settings of a [`LocalEngine`](crate::LocalEngine).
#[derive(Clone, Debug)]
pub struct Options {
    /// When a write is answered.
    pub durability: Durability,
    /// How much is gathered in memory before it is written to a table. While that is under way, as
    /// much again is gathered, and up to four times as much before writers are stopped.
    pub memtable_bytes: u64,
    /// How many bytes of the disk are left free. Writes are refused while there are fewer, so that
    /// there is room to merge tables, and to repair what made the disk full.
    pub disk_reserve_bytes: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { durability: Durability::Sync, memtable_bytes: 64 << 20, disk_reserve_bytes: 0 }
    }
}
