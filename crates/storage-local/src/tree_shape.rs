//! The shape of the tree that holds the data.
//!
//! It is fixed when a store is made, and a store that was made with another one keeps it. Each figure was chosen by
//! measurement; `docs/benchmarks/0003-speed.md` has them.

use std::sync::Arc;

use fjall::KeyspaceCreateOptions;
use fjall::compaction::Leveled;
use fjall::config::BlockSizePolicy;

/// How much is read from disk at once, at least. Items of a few hundred bytes to a few kilobytes are read one at a time or
/// as collections of some dozens. Smaller blocks make the tree's own index larger than the cache of a store of ten
/// gigabytes, and every read then fetches a part of that index first: with a cache of 64 MiB and four million items a point
/// read took 29 µs with blocks of 4 KiB, and 9 µs with these.
const BLOCK_BYTES: u32 = 8 << 10;

/// How large a file of the tree gets. A file is synced when it is complete, and the journal's syncs wait for that: with files
/// of 64 MiB the slowest of a thousand writes waited twice as long during compaction.
const TABLE_BYTES: u64 = 16 << 20;

/// How much larger each level is than the one above it. The step to the second level is larger, so that small files do
/// not make the tree deeper: a range is looked for in every level.
const LEVEL_RATIOS: [f32; 2] = [20.0, 10.0];

/// The shape of a new tree.
pub(crate) fn of_data() -> KeyspaceCreateOptions {
    let compaction = Leveled::default()
        .with_table_target_size(TABLE_BYTES)
        .with_level_ratio_policy(LEVEL_RATIOS.to_vec());
    KeyspaceCreateOptions::default()
        .data_block_size_policy(BlockSizePolicy::all(BLOCK_BYTES))
        .compaction_strategy(Arc::new(compaction))
}
