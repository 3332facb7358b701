//! Checking what a store means: that everything in it follows from its tables and their items.
//!
//! The checksums of the files say that bytes are as they were written. This says that what was
//! written is right: every key belongs to something, every item can be read and lies where its key
//! attributes say, every index has exactly the entries that follow from the items, and every
//! counter is the sum of what it counts. No other process may use the store meanwhile.
//!
//! A check reads each family of keys once or twice, in chunks of bounded size, each with a snapshot
//! of its own. Items are walked over and their entries are looked up; then entries are walked over
//! and their items are looked up. So memory does not grow with the store.
//!
//! What follows from the items can be repaired: entries, counters, and notes that mean nothing. An
//! item, or a record that cannot be read, is never touched: it is reported, and what depends on it
//! is left as it is. Every change is announced before it is made.
//!
//! Reading order: `report` says what can be found, `checker` goes through the store, and the other
//! files are the kinds of checks.

mod catalogue;
mod checker;
mod collections;
mod counters;
mod entries;
mod expiry_entries;
mod fill_notes;
mod index_entries;
mod items;
mod jobs;
mod key_parts;
mod ownership;
mod report;
mod streams;
mod table_check;

pub use checker::{CheckEvent, CheckMode, CheckOptions, check};
pub use report::{
    Change, CheckProgress, CheckReport, CheckStage, CheckTotals, CounterKind, EntryFlaw, Family,
    Fault, FaultLocation, LocationKey, Problem, RecordFlaw, Repair, SchemaFlaw, ShardFlaw,
};
