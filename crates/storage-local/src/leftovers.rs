//! What is left of tables for which there was no room.
//!
//! The tree gives up a flush or a merge that fails and keeps what it had, but it leaves the files behind until it is opened again. On a full disk that is the room that
//! is missing, so they are removed before it is tried again.
//!
//! A file is superfluous if no list of tables has ever named it. Who writes tables holds a lock together with others; it is taken alone to remove
//! files, so that none of them is being written. Of an attempt that others wrote besides, only files that were not finished are removed: the
//! finished ones may be tables that were listed meanwhile and replaced again, and are still read. Of an attempt that was made
//! alone, every file that is not listed is removed.

use std::fs;
use std::ops::Range;

use lsm_tree::{AbstractTree, AnyTree, TableId};

use crate::tree_files::{FileError, current_number, is_finished};

/// Whether others may have written tables during an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attempt {
    Together,
    Alone,
}

/// Removes what an attempt that took these numbers left behind. Nobody writes tables meanwhile.
pub(crate) fn remove(
    tree: &AnyTree,
    attempt: Attempt,
    numbers: Range<TableId>,
) -> Result<(), FileError> {
    let path = &tree.tree_config().path;
    let version = tree.current_version();
    // Had the last step of the attempt been done by half, its list would count though the tree goes on without it.
    if current_number(path)? != version.id() {
        return Err(FileError::damaged("the list of tables is not the one that the tree has"));
    }
    for number in numbers {
        let file = path.join("tables").join(number.to_string());
        let is_listed = version.iter_tables().any(|table| table.id() == number);
        if is_listed || !file.exists() {
            continue;
        }
        if attempt == Attempt::Alone || !is_finished(&file)? {
            fs::remove_file(&file)?;
        }
    }
    Ok(())
}
