//! How several servers change tables, write items and share background work on one store, as a
//! model small enough to look at every state of it.
//!
//! One table, two items, one index that is added, filled, used and removed. Every server keeps a
//! copy of the table's record, which may be old, and does one request and one job at a time. A
//! storage transaction is two steps: it takes its locks and reads, and later decides on what it
//! read, writes and lets go. In between anything can happen elsewhere, so a server that is paused
//! or cut off is one that takes no step for a while. Servers die and come back, the database ends
//! sessions, answers are lost whether or not the commit happened, and leases run out at any time.
//!
//! - [`state`] is what is stored, and what each server knows,
//! - [`locks`] says which transactions may be under way together,
//! - [`request`] and [`job`] are the transactions, as `database` has them in `fence.rs`,
//!   `alteration.rs`, `lease.rs`, `backfill.rs` and `purge.rs`,
//! - [`protocol`] puts them together: what can happen next, and what must never be.
//!
//! The tests explore it, as it is and with one rule left out at a time: each of those mistakes is
//! found.

pub mod job;
pub mod locks;
pub mod protocol;
pub mod request;
pub mod state;
