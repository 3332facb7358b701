//! A log-structured merge tree: what was written lately is in memory, everything else in sorted
//! files that are mapped into it.
//!
//! It is made for one thread that writes, any number that read without waiting, and some that write
//! memtables out and merge tables. Durability is up to the user of the tree: what is in a
//! [`Memtable`] is in no file yet, and is expected to be in a journal.
//!
//! - A [`State`] is all there is at a time: memtables, tables, removed ranges. Readers hold one.
//! - [`Tree`] has the newest one, and puts the next in its place.
//! - A [`Table`] is a file of sorted entries. It is read where the operating system has it; values
//!   are parts of the mapping.
//! - A [`Cursor`] walks through a state and gives every key with its newest entry.
//! - A range is removed by one note ([`RemovedRange`]), however much is in it.
//!
//! `docs/design/0014-tree.md` says why it is made this way.
//!
//! ```text
//! tree ─► state ─┬ memtable   what was written lately
//!                ├ run ─► table ─► mapped    sorted files, as parts of memory
//!                └ removed    ranges that are gone as a whole
//! cursor          walks through all of these as one
//! pick ─► output  which tables to merge, and writing the result
//! manifest        the list of tables;  obsolete  files to remove when they are no longer read
//! varint          the form of small integers in files
//! ```

mod cursor;
mod error;
mod manifest;
mod mapped;
mod memtable;
mod obsolete;
mod output;
mod pick;
mod removed;
mod run;
mod state;
mod table;
mod tree;
mod varint;

use bytes::Bytes;

pub use cursor::Cursor;
pub use error::{Error, Result};
pub use manifest::Manifest;
pub use memtable::Memtable;
pub use pick::Job;
pub use removed::{RemovedRange, RemovedRanges};
pub use state::State;
pub use table::Table;
pub use tree::{Merging, Options, Tree};

/// The direction of a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To higher keys.
    Forward,
    /// To lower keys.
    Backward,
}

/// The newest entry of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The commit that wrote it.
    pub number: u64,
    /// The value; none if it was deleted.
    pub value: Option<Bytes>,
}
