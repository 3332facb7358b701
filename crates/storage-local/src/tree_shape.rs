//! The shape of the tree that holds the data.
//!
//! It is fixed when a store is made, and a store that was made with another one keeps it.

use fjall::KeyspaceCreateOptions;
use fjall::config::BlockSizePolicy;

/// How much is read from disk at once, at least. Items of a few hundred bytes to a few kilobytes are read one at a time or
/// as collections of some dozens. Smaller blocks make the tree's own index larger than the cache of a store of ten
/// gigabytes, and every read then fetches a part of that index first: with a cache of 64 MiB and four million items a point
/// read took 29 µs with blocks of 4 KiB, and 9 µs with these.
const BLOCK_BYTES: u32 = 8 << 10;

/// The shape of a new tree.
pub(crate) fn of_data() -> KeyspaceCreateOptions {
    KeyspaceCreateOptions::default().data_block_size_policy(BlockSizePolicy::all(BLOCK_BYTES))
}
