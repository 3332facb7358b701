//! The files of the tree, verified before the tree's own code acts on them.
//!
//! ```text
//! data/
//!   current      which list of tables counts, and its checksum
//!   v17          the list of tables
//!   tables/4     a table: blocks with a checksum each, and a list of its sections
//! ```
//!
//! When it opens, the tree removes every list and every table that the current list does not name, and it does so without comparing the
//! list with its checksum. It also reserves memory by counts that it has not verified. So a flipped bit could remove tables or end the process.
//! Here everything that the tree goes by is verified first, and named by its path if it is damaged: `current`, the list, and of each
//! table its size, the list of its sections and its metadata. With those verified, what the tree removes is superfluous: a table is named
//! by a list on disk before the journal gives up what it holds, and a list is complete before `current` names it.
//!
//! The blocks of a table are not read when a store is opened. Each is verified by the tree whenever it is read, and all of them by
//! [`check_table`].

mod manifest;
mod sections;
mod table;

pub(crate) use manifest::{Manifest, current_number};
pub(crate) use table::{check_index, check_table, is_finished};

use std::io;
use std::path::Path;

use crate::OpenError;

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    /// It could not be read.
    #[error(transparent)]
    Io(io::Error),
    /// It is not as it was written.
    #[error("{0}")]
    Damaged(String),
}

impl FileError {
    pub(crate) fn damaged(what: impl Into<String>) -> FileError {
        FileError::Damaged(what.into())
    }

    /// The same with the file's path, for whoever opens the store.
    pub(crate) fn at(path: &Path) -> impl FnOnce(FileError) -> OpenError + '_ {
        move |error| match error {
            FileError::Io(source) => OpenError::Io { path: path.to_owned(), source },
            FileError::Damaged(what) => OpenError::corrupt(path, what),
        }
    }
}

/// A file that is missing, or ends too early, is damaged; the operating system refused nothing.
impl From<io::Error> for FileError {
    fn from(error: io::Error) -> FileError {
        match error.kind() {
            io::ErrorKind::NotFound => FileError::damaged("it is missing"),
            io::ErrorKind::UnexpectedEof => FileError::damaged("it ends too early"),
            _ => FileError::Io(error),
        }
    }
}
