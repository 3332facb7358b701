//! The narrow waist: an ordered map of bytes with one-shot transactions.
//!
//! Everything above this crate is meaning, everything below it is a disk. A write never needs a
//! conversation: it names all the keys it depends on, reads them, decides, and commits. So the
//! interface is that and nothing more, small enough to be written over a map in memory, an
//! embedded LSM tree, or a distributed database:
//!
//! - [`Engine::snapshot`] is one moment of the store, and a [`Snapshot`] reads it: points and
//!   ranges, forward and backward. Later commits never show up in it.
//! - [`Engine::transact`] reads some keys so that nothing else can change them, asks a pure
//!   function what to write, and commits the [`Batch`] whole or not at all.
//!
//! Two operations of a batch are there because every engine can do them better than a read and a
//! write could: [`Batch::append`] gives an entry a position in commit order, and [`Batch::add`]
//! changes a counter without making its writers wait for one another.
//!
//! The crate knows bytes only. A table, an item or an index is a matter of how the keys are
//! built, one layer up.
//!
//! [`MemoryEngine`] keeps everything in memory. The `testing` feature holds the one test-suite
//! that it and every other engine must pass.

mod batch;
mod counter;
mod engine;
mod error;
mod key_locks;
mod key_range;
mod log_key;
mod memory;
mod reads;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod write_set;

pub use batch::{Batch, Decision, Operation};
pub use counter::{counter_value, encode_counter};
pub use engine::{Direction, Engine, KEY_BYTES_MAX, Key, Snapshot};
pub use error::{Error, ErrorKind, Result};
pub use key_locks::{KeyGuard, KeyLocks};
pub use key_range::KeyRange;
pub use log_key::{POSITION_BYTES, log_entry_key, log_entry_position};
pub use memory::{MemoryEngine, MemorySnapshot};
pub use reads::Reads;
pub use write_set::{CommittedState, WriteSet};
