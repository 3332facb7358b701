//! The shape of the tree that holds the data.
//!
//! Tables keep the shape that they were written with, so a store whose older tables have another one can be read; it takes on
//! this one as it is compacted.

use std::path::Path;
use std::sync::Arc;

use lsm_tree::compaction::Leveled;
use lsm_tree::config::{
    BlockSizePolicy, BloomConstructionPolicy, FilterPolicy, FilterPolicyEntry, PartitioningPolicy,
    RestartIntervalPolicy,
};
use lsm_tree::{Cache, Config, DescriptorTable, SequenceNumberCounter};

/// How much is read from disk at once, at least. Items of a few hundred bytes to a few kilobytes are read one at a time or
/// as collections of some dozens. Smaller blocks make the tree's own index larger than the cache of a store of ten
/// gigabytes, and every read then fetches a part of that index first: with a cache of 64 MiB and four million items a point
/// read took 29 µs with blocks of 4 KiB, and 9 µs with these.
const BLOCK_BYTES: u32 = 8 << 10;

/// How many keys are stored as what they have in common with the one before, up to the next that is whole.
const RESTART_INTERVAL: u8 = 4;

/// A cache of this size holds the indexes and filters of all tables of the third level, and as much again.
const INDEX_CACHE_BYTES: u64 = 200 << 20;

/// How many files are kept open.
const OPEN_FILES: usize = 900;

/// How many tables the first level may have before they are merged into the second. It is also how many tables
/// the second one may have.
const FIRST_LEVEL_TABLES: u8 = 8;
/// The same of the second level.
pub(crate) const SECOND_LEVEL_TABLES: usize = FIRST_LEVEL_TABLES as usize;

/// How much larger the third level is than the second, and each further one than that above. With tables of 64 MiB the second level
/// has 512 MiB and the third 12.8 GiB, so that most stores have two levels below the first. A Query reads
/// at least a block of each. A table that overlaps more than fifty of the next level is never merged, which bounds this.
const LEVEL_RATIOS: [f32; 2] = [25.0, 10.0];

/// How a tree is opened.
pub(crate) fn config(path: &Path, cache_bytes: u64, numbers: &SequenceNumberCounter) -> Config {
    let visible = SequenceNumberCounter::default();
    Config::new(path, numbers.clone(), visible)
        .use_cache(Arc::new(Cache::with_capacity_bytes(cache_bytes)))
        .use_descriptor_table(Some(Arc::new(DescriptorTable::new(OPEN_FILES))))
        .data_block_size_policy(BlockSizePolicy::all(BLOCK_BYTES))
        .data_block_restart_interval_policy(RestartIntervalPolicy::all(RESTART_INTERVAL))
        .index_block_partitioning_policy(partitioning(cache_bytes))
        .filter_block_partitioning_policy(partitioning(cache_bytes))
        .filter_policy(filters())
}

/// In which levels a table's index and filter are cut into pieces. A read then looks up one more block, for the place of the piece.
/// But an index that does not fit into the cache is worse by far if it is read whole, so the levels below 13 GiB have pieces,
/// and with a small cache all but the first two.
fn partitioning(cache_bytes: u64) -> PartitioningPolicy {
    let has_pieces = cache_bytes < INDEX_CACHE_BYTES;
    // The last one is asked for when the first level is merged out of turn.
    PartitioningPolicy::new([false, false, has_pieces, true, true, true, false])
}

/// Tables of the first level are asked for nearly every key, the others rarely in vain.
fn filters() -> FilterPolicy {
    FilterPolicy::new([
        FilterPolicyEntry::Bloom(BloomConstructionPolicy::FalsePositiveRate(0.0001)),
        FilterPolicyEntry::Bloom(BloomConstructionPolicy::BitsPerKey(10.0)),
    ])
}

/// Which tables of this size are merged next.
pub(crate) fn compaction(table_bytes: u64) -> Leveled {
    Leveled::default()
        .with_l0_threshold(FIRST_LEVEL_TABLES)
        .with_table_target_size(table_bytes)
        .with_level_ratio_policy(LEVEL_RATIOS.to_vec())
}
