//! The shape of the tree that holds the data.
//!
//! Tables keep the shape that they were written with, so a store whose older tables have another one can be read; it takes on
//! this one as it is compacted.

use std::path::Path;
use std::sync::Arc;

use lsm_tree::compaction::Leveled;
use lsm_tree::config::{BlockSizePolicy, BloomConstructionPolicy, FilterPolicy, FilterPolicyEntry};
use lsm_tree::{Cache, Config, DescriptorTable, SequenceNumberCounter};

/// How much is read from disk at once, at least. Items of a few hundred bytes to a few kilobytes are read one at a time or
/// as collections of some dozens. Smaller blocks make the tree's own index larger than the cache of a store of ten
/// gigabytes, and every read then fetches a part of that index first: with a cache of 64 MiB and four million items a point
/// read took 29 µs with blocks of 4 KiB, and 9 µs with these.
const BLOCK_BYTES: u32 = 8 << 10;

/// How many files are kept open.
const OPEN_FILES: usize = 900;

/// How large the files of tables become. The tree is locked while it syncs the last file of a compaction, so that readers
/// and writers wait for as much as this.
const TABLE_BYTES: u64 = 16 << 20;

/// How much larger each level is than the one above. The first is four tables, so the second makes up for tables that are small.
const LEVEL_RATIOS: [f32; 2] = [20.0, 10.0];

/// How a tree is opened.
pub(crate) fn config(path: &Path, cache_bytes: u64, numbers: &SequenceNumberCounter) -> Config {
    let visible = SequenceNumberCounter::default();
    Config::new(path, numbers.clone(), visible)
        .use_cache(Arc::new(Cache::with_capacity_bytes(cache_bytes)))
        .use_descriptor_table(Some(Arc::new(DescriptorTable::new(OPEN_FILES))))
        .data_block_size_policy(BlockSizePolicy::all(BLOCK_BYTES))
        .filter_policy(filters())
}

/// Tables of the first level are asked for nearly every key, the others rarely in vain.
fn filters() -> FilterPolicy {
    FilterPolicy::new([
        FilterPolicyEntry::Bloom(BloomConstructionPolicy::FalsePositiveRate(0.0001)),
        FilterPolicyEntry::Bloom(BloomConstructionPolicy::BitsPerKey(10.0)),
    ])
}

/// Which tables are merged next.
pub(crate) fn compaction() -> Leveled {
    Leveled::default()
        .with_table_target_size(TABLE_BYTES)
        .with_level_ratio_policy(LEVEL_RATIOS.to_vec())
}
