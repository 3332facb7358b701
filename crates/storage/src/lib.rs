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
//! Beside the map there are two spaces that every engine can keep better than a read and a write
//! could: **logs**, whose entries get positions in commit order ([`Batch::append`]), and
//! **counters**, which many change without waiting for one another ([`Batch::add`]).
//!
//! Any number of processes may share a store. A transaction says what it must not lose sight of
//! ([`Wants`]): keys that it alone holds, and keys that it shares with others, such as the record
//! that says what a table is. That is all that is needed for a catalogue that lives in the store.
//!
//! The crate knows bytes only. A table, an item or an index is a matter of how the keys are
//! built, one layer up.
//!
//! [`MemoryEngine`] keeps everything in memory. The `testing` feature holds the one test-suite
//! that it and every other engine must pass.
//!
//! ```text
//! engine       the two traits
//!   wants      what a transaction reads and holds;  reads  what it has read
//!   batch      what it writes;  write_set  what several batches come to
//!   commit_id  the token by which a lost answer is looked up
//! for engines that have no better way
//!   key_range, key_locks   ranges, and locks on keys
//!   space                  where logs and counters lie in one ordered map
//! statistics   what an engine counts
//! memory, testing          an engine, and the suite for all of them
//! ```

mod batch;
mod commit_id;
mod engine;
mod error;
mod key_locks;
mod key_range;
mod memory;
mod reads;
pub mod space;
mod statistics;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod wants;
mod write_set;

pub use batch::{BATCH_BYTES_MAX, Batch, Decision, Operation, PlacedEntry};
pub use commit_id::{CommitId, Settled};
pub use engine::{Direction, Engine, KEY_BYTES_MAX, Key, RESERVED, SNAPSHOT_AGE_MAX, Snapshot};
pub use error::{Error, ErrorKind, Result};
pub use key_locks::{KeyGuard, KeyLocks};
pub use key_range::KeyRange;
pub use memory::{MemoryEngine, MemorySnapshot};
pub use reads::Reads;
pub use statistics::{
    EngineStatistics, Histogram, HistogramCounts, RemoteStatistics, StoreStatistics,
};
pub use wants::{RangeRead, Wants};
pub use write_set::{CommittedState, WriteSet};
