//! Finding the table that could not be read.
//!
//! The tree's errors do not say which file they are about. Reading is repeated table by table to find out, which is bounded: an error of a
//! read was met within the first blocks after the last key that was read.

use std::ops::Bound;
use std::path::{Path, PathBuf};

use lsm_tree::{AbstractTree, AnyTree, Table, UserKey};
use monotable_storage::Direction;

use crate::tree_files::{check_index, check_table};

/// How many entries of a table are read again. A block has at most so many.
const ENTRIES_MAX: usize = 2_000;

/// The keys that were read, as bounds.
pub(crate) type Bounds = (Bound<UserKey>, Bound<UserKey>);

/// The table that a read of these keys in this direction cannot get past.
pub(crate) fn find_unreadable(
    tree: &AnyTree,
    bounds: &Bounds,
    direction: Direction,
) -> Option<PathBuf> {
    let (start, end) = bounds;
    let range = (start.as_ref().map(|key| &**key), end.as_ref().map(|key| &**key));
    let version = tree.current_version();
    let mut tables = version.iter_tables();
    let is_unreadable = |table: &&Table| {
        table.metadata.key_range.overlaps_with_bounds(&range)
            && (check_index(&table.path).is_err() || cannot_be_read(table, bounds, direction))
    };
    tables.find(is_unreadable).map(|table| table.path.to_path_buf())
}

fn cannot_be_read(table: &Table, bounds: &Bounds, direction: Direction) -> bool {
    let mut entries = table.range(bounds.clone());
    match direction {
        Direction::Forward => entries.take(ENTRIES_MAX).any(|entry| entry.is_err()),
        Direction::Backward => {
            let mut backward = std::iter::from_fn(|| entries.next_back()).take(ENTRIES_MAX);
            backward.any(|entry| entry.is_err())
        }
    }
}

/// A table that is not as it was written. All of them are read whole, which takes its time.
pub(crate) fn find_damaged(tree: &AnyTree) -> Option<PathBuf> {
    let version = tree.current_version();
    let is_damaged = |path: &Path, checksum| check_table(path, checksum, &mut |_| ()).is_err();
    let mut tables = version.iter_tables();
    let damaged = tables.find(|table| is_damaged(&table.path, table.checksum().into_u128()));
    damaged.map(|table| table.path.to_path_buf())
}
